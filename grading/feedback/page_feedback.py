"""What a score report says to a reader, as far as the reader may see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grading.feedback.charts import (
    PartsPicture,
    Picture,
    Points,
    parts_picture,
    points_of,
    pyramid_picture,
)
from grading.feedback.page_contradictions import Contradiction, contradictions_of
from grading.feedback.page_found import FoundIdea, Seen, found_ideas, lit_words
from grading.feedback.page_missed import MissedIdeas, WeightCount, missed_of, weights_of
from grading.feedback.page_text import CutText, MarkedPiece, cut_text, marked_pieces
from grading.models import Missed, Sight
from grading.pyramid.feedback.next_steps import all_excluded, next_steps
from grading.pyramid.feedback.score_words import told_comprehensive, told_coverage, told_quality
from grading.pyramid.feedback.steps import Step, StepKind
from grading.pyramid.feedback.trace import trace_without_totals
from grading.pyramid.scores import ideas_of_a_reference
from grading.pyramid.structures import HeldFor, Pyramid, ScoreReport, Text
from grading.scoring.comments_shown import ShownComment


@dataclass(frozen=True, slots=True)
class Asked:
    """What a report is looked at for: the reader's sight, and how long a text was asked for."""

    sight: Sight
    words: tuple[int, int]
    graders: Mapping[int, str] = field(default_factory=dict)  # by idea: who marked it by hand
    comments: Sequence[ShownComment] = ()
    excluded: bool = False  # a grader excluded words from scoring


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A next step, with the place in the text that it is about (the start of a piece)."""

    sentence: str
    praises: bool  # nothing is to be done
    anchor: int | None
    lit: str


@dataclass(frozen=True, slots=True)
class ScoreWords:
    quality: str
    coverage: str
    comprehensive: str


@dataclass(frozen=True, slots=True)
class Totals:
    """How many ideas there are: for who is told what is missing."""

    ideas: int
    of_an_expert: float  # on average
    points: Points


@dataclass(frozen=True, slots=True)
class Feedback:
    pieces: tuple[MarkedPiece, ...]
    found: tuple[FoundIdea, ...]
    against: tuple[Contradiction, ...]
    missed: MissedIdeas | None
    weights: tuple[WeightCount, ...]
    steps: tuple[ShownStep, ...]
    told: ScoreWords
    totals: Totals | None
    parts: PartsPicture
    pyramid: Picture
    trace: tuple[str, ...]
    remarks: tuple[str, ...]
    references: int
    counted: int
    is_held: bool  # the text as a whole
    held_in_part: bool
    held_reason: str
    held_for: HeldFor | None

    @property
    def doubtful(self) -> bool:
        return any(found.doubtful for found in self.found)

    @property
    def to_check(self) -> bool:
        return any(found.remarks for found in self.found)

    @property
    def by_hand(self) -> bool:
        return any(found.marked_by for found in self.found)

    @property
    def bare(self) -> bool:
        return any(piece.bare for piece in self.pieces)

    @property
    def again(self) -> bool:
        return any(piece.again for piece in self.pieces)

    @property
    def left_out(self) -> bool:
        return any(piece.left_out for piece in self.pieces)


def feedback_of(text: Text, pyramid: Pyramid, report: ScoreReport, asked: Asked) -> Feedback:
    pyramid, sight = pyramid.counted(), asked.sight
    seen = Seen(text, pyramid, sight, asked.graders, report.evidence.repeats, asked.comments)
    evidence = report.evidence
    matches = sorted(evidence.credited, key=lambda match: (match.spans, match.scu))
    found = found_ideas(seen, matches)
    against = contradictions_of(text, pyramid, evidence.contradicting, sight)
    cut = cut_text(text, evidence, matches, against, [one.spans for one in asked.comments])
    steps = () if evidence.is_held else _steps(seen, report, cut, asked)
    told = {one.start for one in asked.comments if one.spans}
    told |= {one.start for one in against}
    pieces = marked_pieces(cut, found, against, _starts(found) | _anchors(steps) | told)
    weights = weights_of(pyramid, found, sight, seen.heaviest(matches))
    tells = sight.missed != Missed.NOTHING
    return Feedback(
        pieces=pieces,
        found=found,
        against=against,
        missed=missed_of(pyramid, report, sight),
        weights=weights,
        steps=steps,
        told=_told(report, beyond=tells and report.scus > len(pyramid.scus)),
        totals=_totals(pyramid, report) if tells else None,
        parts=parts_picture(pieces),
        pyramid=pyramid_picture(weights),
        trace=_trace(pyramid, report, tells=tells, excluded=asked.excluded),
        remarks=report.remarks,
        references=len(pyramid.references),
        counted=evidence.counted,
        is_held=evidence.is_held,
        held_in_part=bool(evidence.held) and not evidence.is_held,
        held_reason=evidence.held_reason,
        held_for=evidence.held_for,
    )


def _trace(
    pyramid: Pyramid, report: ScoreReport, *, tells: bool, excluded: bool
) -> tuple[str, ...]:
    if excluded and not report.evidence.segments:
        return ("A grader excluded the whole text from scoring: all scores are 0.",)
    return report.trace if tells else trace_without_totals(pyramid, report)


def _steps(seen: Seen, report: ScoreReport, cut: CutText, asked: Asked) -> tuple[ShownStep, ...]:
    if asked.excluded and not report.evidence.segments:
        return (_shown(all_excluded(), cut),)
    steps = next_steps(
        seen.text,
        seen.pyramid,
        report,
        tells_missed=seen.sight.missed != Missed.NOTHING,
        tells_experts=seen.sight.missed >= Missed.SENTENCES,
        asked=asked.words,
    )
    return tuple(_shown(step, cut) for step in steps)


def _shown(step: Step, cut: CutText) -> ShownStep:
    return ShownStep(
        sentence=step.sentence,
        praises=step.kind is StepKind.FINE,
        anchor=cut.anchor(step.spans) if step.spans else None,
        lit=lit_words(step.spans),
    )


def _starts(found: tuple[FoundIdea, ...]) -> set[int]:
    """Where the words begin to which the cards lead."""
    again = {one.start for idea in found for one in idea.again}
    return again.union(idea.start for idea in found)


def _anchors(steps: tuple[ShownStep, ...]) -> set[int]:
    return {step.anchor for step in steps if step.anchor is not None}


def _told(report: ScoreReport, *, beyond: bool) -> ScoreWords:
    return ScoreWords(
        told_quality(report.quality, telling=report.evidence.telling, beyond=beyond),
        told_coverage(report.coverage),
        told_comprehensive(report.quality, report.coverage),
    )


def _totals(pyramid: Pyramid, report: ScoreReport) -> Totals:
    return Totals(
        ideas=len(pyramid.scus),
        of_an_expert=ideas_of_a_reference(pyramid),
        points=points_of(pyramid, report),
    )

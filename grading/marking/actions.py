"""The marking desk: steps that correct a submission's matches, each logged, each undone by another.

Whatever is written about a submission is written one after the other: its row is locked. A step is
refused where the text has another score, or somebody has taken another step, than was looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from grading.models import (
    MarkingStep,
    MatchCorrection,
    Score,
    StoredPyramid,
    Submission,
    SubmissionEvent,
    User,
)
from grading.pyramid.corrections import (
    Correction,
    Step,
    Verdict,
    Walk,
    in_force,
    left_out_in_vain,
    walk_of,
)
from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import spans_to_json
from grading.pyramid.structures import Pyramid, ScoreReport, Spans
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.scoring.corrections import Carrier, corrections_of, score_anew, score_numbers

DID = MarkingStep.Did
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Marked:
    """What a step did to the score; ``step`` is the one that was written."""

    step: MarkingStep
    before: Score
    after: Score


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of one submission, and where they lead."""

    steps: dict[int, MarkingStep]
    walk: Walk

    def root(self, pk: int) -> MarkingStep:
        """What was done in the beginning, which later steps undid and did again."""
        step = self.steps[pk]
        return step if step.undoes_id is None else self.root(step.undoes_id)

    @property
    def undo(self) -> MarkingStep | None:
        return None if self.walk.undo is None else self.root(self.walk.undo)

    @property
    def redo(self) -> MarkingStep | None:
        return None if self.walk.redo is None else self.root(self.walk.redo)

    @property
    def last(self) -> int:
        return max(self.steps, default=0)


def steps_of(submission: Submission) -> Steps:
    rows = submission.marking_steps.select_related("author").order_by("pk")
    steps = {row.pk: row for row in rows}
    return Steps(steps, walk_of(Step(row.pk, row.undoes_id) for row in steps.values()))


def marking_stamp(score: Score, last_step: int) -> str:
    """Another one once the text has another score, or somebody has taken a step."""
    return f"{score.pk}-{last_step}"


@transaction.atomic
def step_take(
    *,
    submission: Submission,
    corrections: Sequence[Correction],
    did: MarkingStep.Did,
    author: User,
    stamp: str,
) -> Marked | None:
    """None, and nothing is done, where what the grader looked at is no longer so."""
    locked = _locked(submission, stamp)
    if locked is None:
        return None
    before, _ = locked
    about = _about(before.pyramid, submission, corrections)
    step = MarkingStep.objects.create(submission=submission, did=did, about=about, author=author)
    MatchCorrection.objects.bulk_create(
        MatchCorrection(
            submission=submission,
            pyramid=before.pyramid,
            scu=one.scu,
            verdict=one.verdict,
            spans=spans_to_json(one.spans),
            step=step,
            author=author,
        )
        for one in corrections
    )
    return _scored(step, step, before)


@transaction.atomic
def step_undo(*, submission: Submission, author: User, stamp: str) -> Marked | None:
    """Take the last step that holds back, whoever took it."""
    return _take_back(submission, DID.UNDID, author, stamp)


@transaction.atomic
def step_redo(*, submission: Submission, author: User, stamp: str) -> Marked | None:
    """Take the last undoing back."""
    return _take_back(submission, DID.REDID, author, stamp)


def _take_back(
    submission: Submission, did: MarkingStep.Did, author: User, stamp: str
) -> Marked | None:
    locked = _locked(submission, stamp)
    if locked is None:
        return None
    before, steps = locked
    undoes = steps.walk.undo if did == DID.UNDID else steps.walk.redo
    if undoes is None:
        what = "undo" if did == DID.UNDID else "do again"
        raise InputError(f"There is nothing to {what}.")
    root = steps.root(undoes)
    step = MarkingStep.objects.create(
        submission=submission, did=did, about=root.about, undoes_id=undoes, author=author
    )
    return _scored(step, root, before)


def _locked(submission: Submission, stamp: str) -> tuple[Score, Steps] | None:
    Submission.objects.select_for_update().get(pk=submission.pk)
    score = submission.scores.select_related("pyramid").oldest_first().last()
    steps = steps_of(submission)
    if score is None or stamp != marking_stamp(score, steps.last):
        return None
    return score, steps


def _scored(step: MarkingStep, root: MarkingStep, before: Score) -> Marked:
    after = score_anew(score=before)
    SubmissionEvent.objects.create(
        submission_id=step.submission_id,
        kind=SubmissionEvent.Kind.CORRECTED,
        author=step.author,
        document={
            "step": step.pk,
            "did": step.did,
            "root": root.did,
            "label": step.about,
            "before": score_numbers(before),
            "after": score_numbers(after),
        },
    )
    return Marked(step, before, after)


def _about(
    version: StoredPyramid, submission: Submission, corrections: Sequence[Correction]
) -> str:
    """What the step is about, for people to read."""
    text, labels = submission_to_text(submission), _labels(pyramid_from_row(version))
    named = []
    for one in corrections:
        if one.scu is None:
            named.append(text.quoted(one.spans))
        elif one.scu in labels:
            named.append(labels[one.scu])
        else:
            raise InputError("This idea is not in the pyramid that scored the text.")
    more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    return f"{'; '.join(named[:_MOST_NAMED])}{more}"


def _labels(pyramid: Pyramid) -> dict[int, str]:
    return {scu.uid: " ".join(scu.label.split()) for scu in pyramid.counted().scus}


# --- what holds, to look at ---


@dataclass(frozen=True, slots=True)
class Desk:
    """A text as it is marked now, and the words of people that are in it.

    ``lost`` are corrections whose idea this version does not have; ``in_vain`` words that were left
    out and that count all the same, within longer parts.
    """

    score: Score
    pyramid: Pyramid  # the one that scores
    report: ScoreReport
    machine: ScoreReport
    corrections: tuple[Correction, ...]
    by: dict[int, MatchCorrection]  # by idea: the last word on it
    left_out: Spans
    lost: tuple[MatchCorrection, ...]
    in_vain: Spans
    steps: Steps
    carrier: Carrier

    @property
    def stamp(self) -> str:
        return marking_stamp(self.score, self.steps.last)


def desk_of(submission: Submission, score: Score) -> Desk:
    """Writes nothing."""
    machine = Score.objects.get(
        submission=score.submission_id,
        pyramid=score.pyramid_id,
        signature=score.signature,
        revision=0,
    )
    carrier = Carrier.to_version(score.pyramid)
    rows = corrections_of([submission]).get(submission.pk, [])
    report, corrections = report_from_row(machine), tuple(carrier.carried(rows))
    by = {uid: row for row in rows if (uid := carrier.uid_of(row)) is not None}
    return Desk(
        score=score,
        pyramid=pyramid_from_row(score.pyramid).counted(),
        report=report_from_row(score),
        machine=report,
        corrections=corrections,
        by={uid: row for uid, row in by.items() if row.verdict != Verdict.AS_FOUND},
        left_out=in_force(corrections).left_out,
        lost=tuple(carrier.lost(rows)),
        in_vain=left_out_in_vain(report.evidence, corrections),
        steps=steps_of(submission),
        carrier=carrier,
    )

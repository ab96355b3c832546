"""What people have marked in the texts of an assignment: samples, and labels to learn from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet

from grading.models import (
    Annotation,
    Assignment,
    CalibrationRound,
    CalibrationText,
    MatchCorrection,
    Review,
    Score,
    StoredPyramid,
    Submission,
    User,
)
from grading.pyramid.agreement import Judgements, LabelledText, Sheet
from grading.pyramid.corrections import Verdict, corrections_in_force, report_by_person
from grading.pyramid.formats.pyramid_json import spans_from_json
from grading.pyramid.learning import ASSUMED_WEIGHT, Label
from grading.pyramid.structures import Pyramid, ScoreReport, Spans
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.scoring.corrections import Carrier, corrections_of

# What a calibration round has brought: which ideas each judge sees in each text. Read-only.


@dataclass(frozen=True, slots=True)
class SampleText:
    """``by_person`` has the reports of those who are done with it, by their number."""

    row: CalibrationText
    by_program: ScoreReport
    by_person: dict[int, ScoreReport]

    @property
    def place(self) -> int:
        return self.row.place


@dataclass(frozen=True, slots=True)
class Sample:
    """A round with all that counts: texts whose score is there, and annotations that are done."""

    round: CalibrationRound
    pyramid: Pyramid  # as it scores
    texts: tuple[SampleText, ...]
    people: dict[int, User]  # who is done with a text at least, in the order of their numbers

    @property
    def uids(self) -> list[int]:
        return [scu.uid for scu in self.pyramid.scus]

    @property
    def annotated(self) -> tuple[SampleText, ...]:
        return tuple(text for text in self.texts if text.by_person)

    def sheets(self) -> list[Sheet]:
        return [
            Sheet(
                text.place,
                self.matched(text.by_program),
                {person: self.matched(report) for person, report in text.by_person.items()},
            )
            for text in self.texts
        ]

    def matched(self, report: ScoreReport) -> Judgements:
        matched = {match.scu_uid for match in report.evidence.credited}
        return np.array([uid in matched for uid in self.uids])

    def labelled(self) -> Iterator[LabelledText]:
        """What annotators teach: texts that a worker has looked at, each counted once."""
        for text in self.annotated:
            known = text.row.probabilities
            if known is not None:
                yield LabelledText(tuple(self._labels(text, known)))

    def _labels(self, text: SampleText, known: Mapping[str, float]) -> Iterator[Label]:
        weight = 1 / len(text.by_person)
        for report in text.by_person.values():
            for uid, is_expressed in zip(self.uids, self.matched(report).tolist(), strict=True):
                probability = known.get(str(uid), 0.0)
                yield Label(uid, probability, is_expressed, text.row.pk, weight)


def sample_of(calibration_round: CalibrationRound) -> Sample:
    """In four queries, however many texts and people."""
    pyramid = pyramid_from_row(calibration_round.pyramid)
    texts = list(calibration_round.texts.select_related("submission").defer("submission__text"))
    # The program's own, without what anybody has corrected.
    by_program = Score.objects.filter(
        submission__in=[text.submission_id for text in texts],
        pyramid=calibration_round.pyramid_id,
        signature=calibration_round.signature,
        revision=0,
    )
    scores = {score.submission_id: report_from_row(score) for score in by_program}
    done = Annotation.objects.filter(text__round=calibration_round, is_done=True).select_related(
        "annotator"
    )
    annotations = list(done.order_by("annotator__name", "annotator"))
    people = {annotation.annotator_id: annotation.annotator for annotation in annotations}
    return Sample(
        round=calibration_round,
        pyramid=pyramid.counted(),
        texts=tuple(_sample_texts(pyramid, texts, scores, annotations)),
        people=people,
    )


def samples_of(assignment: Assignment) -> list[Sample]:
    """All rounds about the version that the newest of them is about."""
    rounds = list(assignment.calibration_rounds.select_related("pyramid"))
    return [sample_of(round_) for round_ in rounds if round_.pyramid_id == rounds[0].pyramid_id]


def annotated_ideas(annotation: Annotation) -> dict[int, Spans]:
    """The ideas of an annotation by their numbers, each with its words."""
    return {
        int(uid): spans_from_json(spans) if spans else () for uid, spans in annotation.ideas.items()
    }


def _sample_texts(
    pyramid: Pyramid,
    texts: Sequence[CalibrationText],
    scores: Mapping[int, ScoreReport],
    annotations: Sequence[Annotation],
) -> Iterator[SampleText]:
    counted = {scu.uid for scu in pyramid.counted().scus}
    for text in texts:
        report = scores.get(text.submission_id)
        if report is None:
            continue
        by_person = {
            annotation.annotator_id: report_by_person(
                report,
                pyramid,
                {
                    uid: spans
                    for uid, spans in annotated_ideas(annotation).items()
                    if uid in counted
                },
            )
            for annotation in annotations
            if annotation.text_id == text.pk
        }
        yield SampleText(text, report, by_person)


# What people have marked in the texts of an assignment, as labels to learn from.
#
# Three kinds of texts teach, the first that applies:
#
# - annotated blind in a sample: every idea was judged by somebody who saw nothing of the program;
# - marked as reviewed at the desk: every idea was judged, as it was left then and corrected later;
# - corrected, but not marked as reviewed: what was corrected is known. Alone that would mislead,
#   as people correct what is wrong. The other ideas count as the program has them, with half the
#   weight.

_ON_IDEAS = frozenset({Verdict.MATCHED, Verdict.CONFIRMED, Verdict.REMOVED})


@dataclass(frozen=True, slots=True)
class Mark:
    """Whether a text expresses an idea, by its number in the version that is learnt for."""

    idea: int
    is_expressed: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class MarkedText:
    """``is_whole``: a person has judged every idea of it."""

    submission: Submission
    marks: tuple[Mark, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class MarkCounts:
    """What there is to learn from."""

    blind: int  # texts
    reviewed: int  # texts, without those annotated blind
    corrections: int
    corrected: int  # texts
    graders: int  # who corrected them

    @property
    def is_empty(self) -> bool:
        return not (self.blind or self.reviewed or self.corrections)

    @property
    def has_several_kinds(self) -> bool:
        """Can blind annotations be told from the rest?"""
        return bool(self.blind and (self.reviewed or self.corrections))


def count_marks(assignment: Assignment) -> MarkCounts:
    """In a constant number of queries."""
    blind = set(_annotations(assignment).values_list("text__submission", flat=True))
    corrections = _corrections(assignment)
    rows = [row for several in corrections.values() for row in _last_words(several)]
    return MarkCounts(
        blind=len(blind),
        reviewed=len(set(_reviewed(assignment)) - blind),
        corrections=len(rows),
        corrected=len(corrections),
        graders=len({row.author_id for row in rows}),
    )


def marked_texts(
    assignment: Assignment, version: StoredPyramid, *, only_blind: bool = False
) -> list[MarkedText]:
    """Every text that teaches something about ideas of the version, in the order of their numbers.

    Of a text annotated by several people each judgement counts its share of one.
    """
    reader = _Reader(version)
    texts = reader.annotated(assignment)
    if not only_blind:
        texts = reader.graded(assignment) | texts
    return [texts[pk] for pk in sorted(texts) if texts[pk].marks]


class _Reader:
    """Turns what people did into marks on the ideas of one version."""

    def __init__(self, version: StoredPyramid) -> None:
        self._carrier = Carrier.to_version(version)
        self._counted = {scu.uid for scu in pyramid_from_row(version).counted().scus}
        self._scored: dict[int, dict[int, int]] = {}

    def annotated(self, assignment: Assignment) -> dict[int, MarkedText]:
        rows = _annotations(assignment).select_related("text__submission__student")
        by_text: dict[int, list[Annotation]] = {}
        for row in rows.select_related("text__round__pyramid").order_by("annotator"):
            by_text.setdefault(row.text.submission_id, []).append(row)
        texts = {}
        for pk, annotations in by_text.items():
            marks = [
                Mark(uid, known in annotated_ideas(row), 1 / len(annotations))
                for row in annotations
                for known, uid in self._scored_with(row.text.round.pyramid).items()
            ]
            texts[pk] = MarkedText(annotations[0].text.submission, tuple(marks), is_whole=True)
        return texts

    def graded(self, assignment: Assignment) -> dict[int, MarkedText]:
        """Texts that were reviewed or corrected at the desk, or in answers to second looks."""
        reviewed = _reviewed(assignment)
        corrections = _corrections(assignment)
        scores = _scores({*reviewed, *corrections})
        texts = {}
        for pk, several in scores.items():
            review = reviewed.get(pk)
            # Was it there when the text was reviewed? Without a review every score counts as
            # seen.
            seen_scores = [
                score_row
                for score_row in several
                if (
                    review is None
                    or review.reviewed_at is None
                    or score_row.created_at <= review.reviewed_at
                )
            ]
            if seen_scores:
                rows = corrections.get(pk, [])
                # The ideas as the last of the scores that were seen has them, and as people
                # corrected. Nothing is known of an idea that went only because its words were
                # excluded from scoring.
                is_whole = review is not None
                score = seen_scores[-1]
                matched = _matched(score)
                machine = [
                    earlier
                    for earlier in seen_scores
                    if earlier.revision == 0 and earlier.signature == score.signature
                ]
                unknown = _matched(machine[-1]) - matched if machine else set[int]()
                weight = 1.0 if is_whole else ASSUMED_WEIGHT
                marks = {
                    uid: Mark(uid, known in matched, weight)
                    for known, uid in self._scored_with(score.pyramid).items()
                    if known not in unknown
                }
                in_force = corrections_in_force(self._carrier.carried(rows))
                for uid, correction in in_force.by_idea.items():
                    if uid in self._counted and correction.verdict in _ON_IDEAS:
                        marks[uid] = Mark(uid, correction.verdict.is_match)
                texts[pk] = MarkedText(score.submission, tuple(marks.values()), is_whole)
        return texts

    def _scored_with(self, version: StoredPyramid) -> Mapping[int, int]:
        """The ideas that the version looked for and that count here, by their numbers there."""
        if version.pk not in self._scored:
            uids = self._carrier.uids_from(version)
            self._scored[version.pk] = {
                scu.uid: uids[scu.uid]
                for scu in pyramid_from_row(version).counted().scus
                if uids.get(scu.uid) in self._counted
            }
        return self._scored[version.pk]


def _annotations(assignment: Assignment) -> QuerySet[Annotation]:
    return Annotation.objects.filter(text__round__assignment=assignment, is_done=True)


def _reviewed(assignment: Assignment) -> dict[int, Review]:
    """By the text that was reviewed."""
    rows = Review.objects.filter(assignment=assignment, submission__assignment=assignment)
    return {row.submission_id: row for row in rows.exclude(reviewed_at=None) if row.submission_id}


def _corrections(assignment: Assignment) -> dict[int, list[MatchCorrection]]:
    """All that hold, by text, of texts where one of them is about an idea."""
    by_text = corrections_of(assignment.submissions.only("assignment"))
    return {pk: rows for pk, rows in by_text.items() if _last_words(rows)}


def _last_words(rows: Iterable[MatchCorrection]) -> list[MatchCorrection]:
    """On each idea the last one, where it says whether the idea is expressed."""
    last = {(row.pyramid_id, row.scu_uid): row for row in rows if row.scu_uid is not None}
    return [row for row in last.values() if row.verdict in _ON_IDEAS]


def _scores(submissions: Iterable[int]) -> dict[int, list[Score]]:
    """All of each text, the newest last."""
    rows = Score.objects.filter(submission__in=list(submissions)).oldest_first()
    scores: dict[int, list[Score]] = {}
    for row in rows.select_related("submission__student", "pyramid"):
        scores.setdefault(row.submission_id, []).append(row)
    return scores


def _matched(score: Score) -> set[int]:
    return {match.scu_uid for match in report_from_row(score).evidence.matches}

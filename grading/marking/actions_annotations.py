"""Annotations made in DUCView: compared with what counts now, then taken over as steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Max

from grading.marking.actions import DID, marking_stamp, step_take
from grading.models import (
    MarkingStep,
    MatchCorrection,
    Score,
    StoredPyramid,
    Submission,
    User,
)
from grading.pyramid.corrections import Correction, correct_report
from grading.pyramid.errors import InputError
from grading.pyramid.formats.annotation_changes import AnnotationChanges, changes_by_annotation
from grading.pyramid.formats.ducview import (
    annotatable,
    annotation_of,
    read_annotation,
    write_annotation,
)
from grading.pyramid.structures import Pyramid, ScoreReport
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.scoring.corrections import Carrier, corrections_of
from grading.scoring.results import newest_scores

NO_SCORE = "It has no score yet that could be corrected."


@dataclass(frozen=True, slots=True)
class Annotated:
    """A file, whose work it is about, and what it would change; ``problem`` says why nothing."""

    name: str
    submission: Submission | None = None
    problem: str = ""
    pyramid: Pyramid | None = None
    changes: AnnotationChanges | None = None
    stamp: str = ""
    before: float = 0.0
    after: float = 0.0

    @property
    def is_change(self) -> bool:
        return self.changes is not None and bool(self.changes.changes)


@dataclass(frozen=True, slots=True)
class Proposed:
    """What was shown of one file, to be taken over; ``stamp`` is what it was compared with."""

    submission: int
    stamp: str
    corrections: tuple[Correction, ...]


def annotations_look(
    *, files: Sequence[tuple[str, bytes]], submissions: Mapping[str, Submission]
) -> tuple[Annotated, ...]:
    """Writes nothing; in as many queries however many. ``submissions`` by the files' names."""
    named = [submissions[name] for name, _ in files if name in submissions]
    marked = _Marked(named)
    return tuple(
        marked.look(name, data, submissions[name])
        if name in submissions
        else Annotated(name, problem="No work of this assignment has this name.")
        for name, data in files
    )


def annotations_take(
    *, proposed: Sequence[Proposed], submissions: Mapping[int, Submission], author: User
) -> tuple[list[Submission], list[Submission]]:
    """Each as one step; what has changed since it was shown stays as it is, and comes second."""
    taken: list[Submission] = []
    stale: list[Submission] = []
    for one in proposed:
        submission = submissions[one.submission]
        marked = step_take(
            submission=submission,
            corrections=one.corrections,
            did=DID.FILE,
            author=author,
            stamp=one.stamp,
        )
        (taken if marked else stale).append(submission)
    return taken, stale


def annotations_write(submissions: Sequence[Submission]) -> dict[int, str]:
    """By submission its ``.pan`` file; nothing of work that has no score, or no such pyramid."""
    marked = _Marked(submissions)
    written = ((one.pk, marked.written(one)) for one in submissions)
    return {pk: content for pk, content in written if content is not None}


class _Marked:
    """Some submissions as they are marked now, read at once."""

    def __init__(self, submissions: Sequence[Submission]) -> None:
        holding = newest_scores(submissions)
        rows = Score.objects.filter(pk__in=[score.pk for score in holding.values()])
        self._scores = {row.submission_id: row for row in rows}
        versions = StoredPyramid.objects.in_bulk({row.pyramid_id for row in rows})
        for row in rows:
            row.pyramid = versions[row.pyramid_id]
        self._submissions, self._versions = submissions, versions
        self._pyramids = {pk: pyramid_from_row(row).counted() for pk, row in versions.items()}

    @cached_property
    def _annotatable(self) -> dict[int, Pyramid | None]:
        return {pk: annotatable(pyramid) for pk, pyramid in self._pyramids.items()}

    @cached_property
    def _carriers(self) -> dict[int, Carrier]:
        return {pk: Carrier.to_version(row) for pk, row in self._versions.items()}

    @cached_property
    def _machine(self) -> dict[tuple[int, int, str], Score]:
        own = Score.objects.filter(revision=0, submission__in=list(self._scores))
        return {(row.submission_id, row.pyramid_id, row.signature): row for row in own}

    @cached_property
    def _rows(self) -> dict[int, list[MatchCorrection]]:
        return corrections_of(self._submissions)

    @cached_property
    def _last(self) -> dict[int, int]:
        steps = MarkingStep.objects.filter(submission__in=list(self._scores)).values("submission")
        return dict(steps.annotate(last=Max("pk")).values_list("submission", "last"))

    def look(self, name: str, data: bytes, submission: Submission) -> Annotated:
        score = self._scores.get(submission.pk)
        if score is None:
            return Annotated(name, submission, NO_SCORE)
        pyramid = self._pyramids[score.pyramid_id]
        text, report = submission_to_text(submission), report_from_row(score)
        try:
            annotation = read_annotation(data, text.name)
            changes = changes_by_annotation(annotation, pyramid, text, report)
        except InputError as error:
            return Annotated(name, submission, str(error))
        return Annotated(
            name,
            submission,
            pyramid=pyramid,
            changes=changes,
            stamp=marking_stamp(score, self._last.get(submission.pk, 0)),
            before=score.comprehensive,
            after=self._after(score, changes.corrections),
        )

    def _after(self, score: Score, more: Sequence[Correction]) -> float:
        if not more:
            return score.comprehensive
        carrier = self._carriers[score.pyramid_id]
        corrections = carrier.carried(self._rows.get(score.submission_id, []))
        return self._corrected(score, [*corrections, *more]).comprehensive

    def _corrected(self, score: Score, corrections: Sequence[Correction]) -> ScoreReport:
        machine = self._machine[score.submission_id, score.pyramid_id, score.signature]
        pyramid = self._pyramids[score.pyramid_id]
        return correct_report(report_from_row(machine), pyramid, corrections)

    def written(self, submission: Submission) -> str | None:
        score = self._scores.get(submission.pk)
        pyramid = self._annotatable[score.pyramid_id] if score else None
        if score is None or pyramid is None:
            return None
        text = submission_to_text(submission)
        return write_annotation(annotation_of(pyramid, text, report_from_row(score)))

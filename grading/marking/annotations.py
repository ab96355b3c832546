"""Annotations as files of DUCView: written from scores, and compared with scores. Read-only."""

import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Max

from grading.marking.queries import marking_stamp
from grading.models import MarkingStep, MatchCorrection, Score, StoredPyramid, Submission
from grading.pyramid.corrections import Correction, correct_report
from grading.pyramid.errors import InputError
from grading.pyramid.formats.annotation_changes import AnnotationChanges, changes_by_annotation
from grading.pyramid.formats.annotation_files import AnnotationFile
from grading.pyramid.formats.ducview import (
    annotatable,
    annotation_of,
    write_annotation,
)
from grading.pyramid.structures import Pyramid
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.scoring.corrections import Carrier, corrections_of
from grading.scoring.results import newest_scores


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A change in words: ``before`` is empty where a match is added, ``after`` where one goes."""

    number: int
    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ComparedFile:
    """A file, its submission, and what it would change; ``problem`` says why it can't be read."""

    name: str
    submission: Submission | None = None
    problem: str = ""
    changes: AnnotationChanges | None = None
    shown_changes: tuple[ShownChange, ...] = ()
    stamp: str = ""
    before: float = 0.0
    after: float = 0.0

    @property
    def is_change(self) -> bool:
        return self.changes is not None and bool(self.changes.changes)


def annotation_names(submissions: Iterable[Submission]) -> dict[int, str]:
    """File names by submission: login (the pseudonym where names are hidden) and attempt.

    Of two that would have the same name each also has its number.
    """
    names = {
        submission.pk: f"{submission.student.username}-{submission.attempt}".replace(" ", "-")
        for submission in submissions
    }
    count = Counter(names.values())
    return {pk: name if count[name] == 1 else f"{name}-{pk}" for pk, name in names.items()}


def annotations_write(submissions: Sequence[Submission]) -> dict[int, str]:
    """``.pan`` files by submission; none where there is no score, or no pyramid with references."""
    class_scores = _ClassScores(submissions)
    written = {}
    for submission in submissions:
        score = class_scores.scores.get(submission.pk)
        pyramid = class_scores.annotatable.get(score.pyramid_id) if score else None
        if score and pyramid:
            text = submission_to_text(submission)
            written[submission.pk] = write_annotation(
                annotation_of(pyramid, text, report_from_row(score))
            )
    return written


def annotations_archive(submissions: Sequence[Submission]) -> bytes:
    """A zip with the ``.pan`` files of these."""
    names = annotation_names(submissions)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for pk, content in annotations_write(submissions).items():
            # Without a time, so that the same class is the same file.
            entry = zipfile.ZipInfo(f"{names[pk]}.pan")
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def annotations_compare(
    *, files: Sequence[AnnotationFile], submissions: Mapping[str, Submission]
) -> tuple[ComparedFile, ...]:
    """What files would change, in as many queries however many; ``submissions`` by file name."""
    known = [submissions[file.name] for file in files if file.name in submissions]
    class_scores = _ClassScores(known)
    return tuple(
        class_scores.compare(file, submissions[file.name])
        if file.name in submissions
        else ComparedFile(file.name, problem="No submission of this assignment has this name.")
        for file in files
    )


class _ClassScores:
    """The newest scores of some submissions with what they rest on, each read once for all."""

    def __init__(self, submissions: Sequence[Submission]) -> None:
        newest = [score.pk for score in newest_scores(submissions).values()]
        self.submissions = submissions
        self.scores = {row.submission_id: row for row in Score.objects.filter(pk__in=newest)}
        self.versions = StoredPyramid.objects.in_bulk(
            {score.pyramid_id for score in self.scores.values()}
        )
        self.pyramids = {pk: pyramid_from_row(row).counted() for pk, row in self.versions.items()}

    @cached_property
    def annotatable(self) -> dict[int, Pyramid | None]:
        return {pk: annotatable(pyramid) for pk, pyramid in self.pyramids.items()}

    @cached_property
    def carriers(self) -> dict[int, Carrier]:
        return {pk: Carrier.to_version(row) for pk, row in self.versions.items()}

    @cached_property
    def machine_scores(self) -> dict[tuple[int, int, str], Score]:
        rows = Score.objects.filter(revision=0, submission__in=list(self.scores))
        return {(row.submission_id, row.pyramid_id, row.signature): row for row in rows}

    @cached_property
    def corrections(self) -> dict[int, list[MatchCorrection]]:
        return corrections_of(self.submissions)

    @cached_property
    def last_steps(self) -> dict[int, int]:
        steps = MarkingStep.objects.filter(submission__in=list(self.scores)).values("submission")
        return dict(steps.annotate(last=Max("pk")).values_list("submission", "last"))

    def compare(self, file: AnnotationFile, submission: Submission) -> ComparedFile:
        score = self.scores.get(submission.pk)
        if score is None or file.annotation is None:
            return ComparedFile(file.name, submission, file.problem or "It has no score yet.")
        pyramid = self.pyramids[score.pyramid_id]
        text, numbers = submission_to_text(submission), pyramid.numbers()
        try:
            changes = changes_by_annotation(file.annotation, pyramid, text, report_from_row(score))
        except InputError as error:
            return ComparedFile(file.name, submission, str(error))
        return ComparedFile(
            file.name,
            submission,
            changes=changes,
            shown_changes=tuple(
                ShownChange(
                    number=numbers[change.scu_uid],
                    label=pyramid.scu(change.scu_uid).label,
                    before=text.quoted(change.before),
                    after=text.quoted(change.after),
                )
                for change in changes.changes
            ),
            stamp=marking_stamp(score, self.last_steps.get(submission.pk, 0)),
            before=score.comprehensive,
            after=self.score_with(score, changes.corrections),
        )

    def score_with(self, score: Score, more: Sequence[Correction]) -> float:
        """The comprehensive score if these corrections were added to those in force."""
        if not more:
            return score.comprehensive
        rows = self.corrections.get(score.submission_id, [])
        corrections = [*self.carriers[score.pyramid_id].carried(rows), *more]
        machine = self.machine_scores[score.submission_id, score.pyramid_id, score.signature]
        pyramid = self.pyramids[score.pyramid_id]
        return correct_report(report_from_row(machine), pyramid, corrections).comprehensive

"""The queue: everybody's work at an assignment, with what a grader chooses and sorts it by.

Read-only, in as many queries however many students there are; no text is loaded.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Protocol

from django.db.models import Count

from grading.access.hidden_names import displayed_members
from grading.models.assignments import Assignment
from grading.models.corrections import SecondLook
from grading.models.courses import Membership, Role
from grading.models.jobs import Job
from grading.models.reviews import Review, SubmissionSigns, numbers_of
from grading.models.scores import Score
from grading.models.summaries import Submission, counting_of
from grading.models.users import User
from grading.pyramid.figures import number_of
from grading.pyramid.signs.flags import NO_SIGNS, Flag, FlagKind, Signs, signs_from_json


class QueueState(StrEnum):
    """Of a student's work; the value is what addresses and saved views say."""

    ABSENT = "absent"
    WAITING = "waiting"
    FAILED = "failed"
    HELD = "held"
    SCORED = "scored"
    CORRECTED = "corrected"
    CHANGED = "changed"
    LOOKED = "looked"

    @property
    def label(self) -> str:
        return _LABELS[self]


_LABELS = {
    QueueState.ABSENT: "Not handed in",
    QueueState.WAITING: "Waiting",
    QueueState.FAILED: "Failed",
    QueueState.HELD: "Held",
    QueueState.SCORED: "Scored",
    QueueState.CORRECTED: "Corrected",
    QueueState.CHANGED: "Changed since",
    QueueState.LOOKED: "Looked through",
}


@dataclass(frozen=True, slots=True)
class QueueScore:
    """Of the score that holds what a queue shows: rows of the table are slow by the thousand."""

    quality: float
    coverage: float
    comprehensive: float
    confidence: float | None
    doubtful: int
    corrections: int
    contradicted: int = 0
    held: bool = False
    held_in_part: bool = False
    held_for: str = ""


_SCORE_FIELDS = tuple(field.name for field in fields(QueueScore))


@dataclass(frozen=True, slots=True)
class NearWork:
    """Another student's text that shares words with this one."""

    submission: int
    student: User
    words: int
    share: float


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A student with an attempt, if there is one. ``counts``: is it the attempt that counts?"""

    assignment: Assignment
    membership: Membership
    submission: Submission | None
    counts: bool = True
    score: QueueScore | None = None
    state: QueueState = QueueState.ABSENT
    flags: tuple[Flag, ...] = ()
    near: tuple[NearWork, ...] = ()
    looks: int = 0
    review: Review | None = None

    @property
    def student(self) -> User:
        return self.membership.user

    @property
    def holder(self) -> User | None:
        return self.review.holder if self.review else None

    @property
    def is_done(self) -> bool:
        return self.state == QueueState.LOOKED

    @property
    def doubtful(self) -> int:
        return self.score.doubtful if self.score else 0

    @property
    def numbers(self) -> QueueScore | None:
        """The score, where it says something: that of a held text is neither a zero nor a grade."""
        return None if self.score is None or self.score.held else self.score

    @property
    def is_short(self) -> bool:
        return self.submission is not None and self.submission.words < self.assignment.min_words

    @property
    def is_long(self) -> bool:
        return self.submission is not None and self.submission.words > self.assignment.max_words


class AllAttempts(StrEnum):
    """Which of the work a queue holds."""

    COUNTING = ""
    ALL = "all"
    ABSENT = "absent"


def queue_rows(assignment: Assignment, show: AllAttempts = AllAttempts.COUNTING) -> list[QueueRow]:
    """In no order. Of those who have left the course there is none."""
    memberships = _students(assignment)
    attempts = _attempts(assignment, memberships)
    if show == AllAttempts.ABSENT:
        absent = (one for pk, one in memberships.items() if pk not in attempts)
        return [QueueRow(assignment, one, None) for one in absent]
    found = _Found(assignment, memberships)
    return [
        found.row(submission, counts=submission is counting)
        for submissions in attempts.values()
        for counting in [counting_of(submissions)]
        for submission in submissions
        if show == AllAttempts.ALL or submission is counting
    ]


def _students(assignment: Assignment) -> dict[int, Membership]:
    """By the user, with what may tell who they are hidden where names are."""
    found = Membership.objects.filter(course=assignment.course_id, role=Role.STUDENT)
    memberships = displayed_members(assignment, found.select_related("user"))
    return {one.user_id: one for one in memberships}


def _attempts(
    assignment: Assignment, memberships: Mapping[int, Membership]
) -> dict[int, list[Submission]]:
    """By the student, the latest first."""
    found: dict[int, list[Submission]] = {}
    for submission in assignment.submissions.order_by("-attempt").defer("text"):
        if membership := memberships.get(submission.student_id):
            submission.assignment, submission.student = assignment, membership.user
            found.setdefault(submission.student_id, []).append(submission)
    return found


class _Found:
    """What there is about the attempts of an assignment, read once."""

    def __init__(self, assignment: Assignment, memberships: Mapping[int, Membership]) -> None:
        self.assignment = assignment
        self.memberships = memberships
        self._reviews = {
            one.student_id: one
            for one in assignment.reviews.select_related("claimed_by", "looked_by")
        }
        scores = Score.objects.filter(submission__assignment=assignment).oldest_first()
        last = {told[0]: told for told in scores.values_list("submission", *_SCORE_FIELDS)}
        self._scores = {pk: QueueScore(*told[1:]) for pk, told in last.items()}
        signs = SubmissionSigns.objects.filter(submission__assignment=assignment)
        self._signs = {
            pk: signs_from_json(document)
            for pk, document in signs.values_list("submission", "document")
        }
        looks = SecondLook.objects.filter(
            submission__assignment=assignment, state=SecondLook.State.OPEN
        )
        self._looks = dict(looks.values_list("submission").annotate(Count("pk")).order_by())
        jobs = Job.objects.filter(assignment=assignment, kind=Job.Kind.SCORE_SUBMISSIONS)
        self._jobs: dict[int | None, tuple[int, str]] = {
            about: (pk, state)
            for pk, about, state in jobs.order_by("pk").values_list("pk", "submission", "state")
        }

    def row(self, submission: Submission, *, counts: bool) -> QueueRow:
        review = self._reviews.get(submission.student_id)
        score = self._scores.get(submission.pk)
        signs = self._signs.get(submission.pk, NO_SIGNS)
        return QueueRow(
            assignment=self.assignment,
            membership=self.memberships[submission.student_id],
            submission=submission,
            counts=counts,
            score=score,
            state=self._state(submission, score, review, counts=counts),
            flags=flags_of(submission, signs, score),
            near=self._near(signs),
            looks=self._looks.get(submission.pk, 0),
            review=review,
        )

    def _state(
        self,
        submission: Submission,
        score: QueueScore | None,
        review: Review | None,
        *,
        counts: bool,
    ) -> QueueState:
        if score is not None and score.held:
            return QueueState.HELD  # until somebody decides; to have looked at it is not enough
        if review is not None and review.holds_of(submission, numbers_of(score)):
            return QueueState.LOOKED
        if score is None:
            return QueueState.FAILED if self._has_failed(submission) else QueueState.WAITING
        if review is not None and review.looked_at is not None and counts:
            return QueueState.CHANGED
        return QueueState.CORRECTED if score.corrections else QueueState.SCORED

    def _has_failed(self, submission: Submission) -> bool:
        """Did the last job fail that was to score it, alone or with the class?"""
        jobs = [self._jobs[about] for about in (None, submission.pk) if about in self._jobs]
        return max(jobs, default=(0, ""))[1] == Job.State.FAILED

    def _near(self, signs: Signs) -> tuple[NearWork, ...]:
        """Of students who are still here."""
        return tuple(
            NearWork(one.text, self.memberships[one.author].user, one.words, one.share)
            for one in signs.near
            if one.author in self.memberships
        )


class Judged(Protocol):
    """A score, or what is read of one."""

    @property
    def contradicted(self) -> int: ...
    @property
    def held(self) -> bool: ...
    @property
    def held_in_part(self) -> bool: ...
    @property
    def held_for(self) -> str: ...


def flags_of(submission: Submission, signs: Signs, score: Judged | None) -> tuple[Flag, ...]:
    """With those that follow from the score that applies, and from what the assignment asks for."""
    flags = [*signs.flags, *_flags_by_score(score), *_flags_by_rule(submission)]
    order = list(FlagKind)
    return tuple(sorted(flags, key=lambda flag: order.index(flag.kind)))


def _flags_by_score(score: Judged | None) -> Iterable[Flag]:
    if score is None:
        return
    if score.held:
        yield Flag(
            FlagKind.HELD,
            f"{score.held_for.capitalize()}. The text has no score and no grade until a grader "
            "counts the words or excludes them.",
        )
    elif score.held_in_part:
        yield Flag(
            FlagKind.HELD,
            f"{score.held_for.capitalize()}: some words earn nothing until a grader decides.",
        )
    if score.contradicted:
        sentences = "1 sentence may contradict the experts and earns"
        if score.contradicted > 1:
            sentences = f"{score.contradicted} sentences may contradict the experts and earn"
        yield Flag(FlagKind.CONTRADICTS, f"{sentences} nothing until a grader decides.")


def _flags_by_rule(submission: Submission) -> Iterable[Flag]:
    assignment = submission.assignment
    if submission.words < assignment.min_words:
        words = number_of(submission.words, "word")
        yield Flag(FlagKind.SHORT, f"{words}; at least {assignment.min_words} were asked for.")
    if submission.is_mostly_copied and submission.copied is not None:
        share = f"{100 * submission.copied:.0f}\u202f%"
        yield Flag(FlagKind.COPIED, f"{share} of its words stand in the source in a row.")


def sections_of(rows: Sequence[QueueRow]) -> list[str]:
    return sorted({row.membership.section for row in rows} - {""})

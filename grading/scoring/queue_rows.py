"""The queue: all submissions of an assignment with what graders filter and sort them by.

Read-only. The number of queries does not depend on the number of students; no text is loaded.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Protocol

from django.db.models import Count

from grading.access.hidden_names import displayed_members
from grading.models.assignments import Assignment
from grading.models.corrections import SecondLook
from grading.models.courses import Membership, Role
from grading.models.jobs import Job
from grading.models.reviews import Numbers, Review, SubmissionFlags, numbers_of
from grading.models.scores import Score
from grading.models.summaries import Submission, counting_of
from grading.models.users import User
from grading.pyramid.figures import number_of
from grading.pyramid.flags.text_flags import (
    NO_TEXT_FLAGS,
    Flag,
    FlagKind,
    TextFlags,
    flags_from_json,
)
from grading.scoring.second_opinions import disagreement_flags, opinion_setting_of


class QueueState(StrEnum):
    """The state of a submission. The values are in addresses and saved views: never change one."""

    ABSENT = "absent"
    WAITING = "waiting"
    FAILED = "failed"
    HELD = "held"
    SCORED = "scored"
    CORRECTED = "corrected"
    CHANGED = "changed"
    REVIEWED = "looked"

    @property
    def label(self) -> str:
        return _LABELS[self]


_LABELS = {
    QueueState.ABSENT: "Not submitted",
    QueueState.WAITING: "Waiting",
    QueueState.FAILED: "Failed",
    QueueState.HELD: "Held",
    QueueState.SCORED: "Scored",
    QueueState.CORRECTED: "Corrected",
    QueueState.CHANGED: "Changed since",
    QueueState.REVIEWED: "Reviewed",
}


@dataclass(frozen=True, slots=True)
class QueueScore:
    """The numbers of a score that a queue shows: whole model rows are slow by the thousand."""

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
    """A student with a submission, if there is one; ``counts``: is it the attempt that counts?"""

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
    def claimant(self) -> User | None:
        return self.review.claimant if self.review else None

    @property
    def is_reviewed(self) -> bool:
        return self.state == QueueState.REVIEWED

    @property
    def doubtful(self) -> int:
        return self.score.doubtful if self.score else 0

    @property
    def numbers(self) -> QueueScore | None:
        """The score unless the text is held: a held text has neither a zero nor a grade."""
        return None if self.score is None or self.score.held else self.score

    @property
    def is_short(self) -> bool:
        return self.submission is not None and self.submission.words < self.assignment.min_words

    @property
    def is_long(self) -> bool:
        return self.submission is not None and self.submission.words > self.assignment.max_words


class AllAttempts(StrEnum):
    """Which submissions a queue lists. The values are in addresses: never change one."""

    COUNTING = ""
    ALL = "all"
    ABSENT = "absent"


def queue_rows(assignment: Assignment, show: AllAttempts = AllAttempts.COUNTING) -> list[QueueRow]:
    """The rows in no order, without students who have left the course."""
    students = Membership.objects.filter(course=assignment.course_id, role=Role.STUDENT)
    memberships = {
        membership.user_id: membership
        for membership in displayed_members(assignment, students.select_related("user"))
    }
    attempts: dict[int, list[Submission]] = {}  # by student, the latest first
    for submission in assignment.submissions.order_by("-attempt").defer("text"):
        if membership := memberships.get(submission.student_id):
            submission.assignment, submission.student = assignment, membership.user
            attempts.setdefault(submission.student_id, []).append(submission)
    if show == AllAttempts.ABSENT:
        absent = memberships.keys() - attempts.keys()
        return [QueueRow(assignment, memberships[student], None) for student in absent]
    rows = _RowMaker(assignment, memberships)
    return [
        rows.row(submission, counts=submission is counting)
        for submissions in attempts.values()
        for counting in [counting_of(submissions)]
        for submission in submissions
        if show == AllAttempts.ALL or submission is counting
    ]


class _RowMaker:
    """Makes rows of the submissions of an assignment; what they show is read at once."""

    def __init__(self, assignment: Assignment, memberships: Mapping[int, Membership]) -> None:
        self.assignment = assignment
        self.memberships = memberships
        self._students = {pk: membership.user for pk, membership in memberships.items()}
        reviews = assignment.reviews.select_related("claimed_by", "reviewed_by")
        self._reviews = {review.student_id: review for review in reviews}
        scores = Score.objects.filter(submission__assignment=assignment).oldest_first()
        self._scores = {
            submission: QueueScore(*numbers)  # the last one is the newest
            for submission, *numbers in scores.values_list("submission", *_SCORE_FIELDS)
        }
        text_flags = SubmissionFlags.objects.filter(submission__assignment=assignment)
        self._text_flags = {
            submission: flags_from_json(document)
            for submission, document in text_flags.values_list("submission", "document")
        }
        self._disagreements = disagreement_flags(opinion_setting_of(assignment))
        looks = SecondLook.objects.filter(
            submission__assignment=assignment, state=SecondLook.State.OPEN
        )
        self._looks = dict(looks.values_list("submission").annotate(Count("pk")).order_by())
        jobs = Job.objects.filter(assignment=assignment, kind=Job.Kind.SCORE_SUBMISSIONS)
        self._last_jobs: dict[int | None, tuple[int, str]] = {
            submission: (pk, state)  # None: for the whole class
            for submission, pk, state in jobs.values_list("submission", "pk", "state").order_by(
                "pk"
            )
        }

    def row(self, submission: Submission, *, counts: bool) -> QueueRow:
        review = self._reviews.get(submission.student_id)
        score = self._scores.get(submission.pk)
        text_flags = self._text_flags.get(submission.pk, NO_TEXT_FLAGS)
        return QueueRow(
            assignment=self.assignment,
            membership=self.memberships[submission.student_id],
            submission=submission,
            counts=counts,
            score=score,
            state=self._state(submission, score, review, counts=counts),
            flags=flags_of(submission, text_flags, score, self._disagreements.get(submission.pk)),
            near=near_texts(text_flags, self._students),
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
        if state := review_state(submission, score, review, counts=counts):
            return state
        if score is None:
            # The last job counts that was to score it, alone or with the class.
            jobs = [self._last_jobs.get(about, (0, "")) for about in (None, submission.pk)]
            has_failed = max(jobs)[1] == Job.State.FAILED
            return QueueState.FAILED if has_failed else QueueState.WAITING
        return QueueState.CORRECTED if score.corrections else QueueState.SCORED


class ReviewedScore(Numbers, Protocol):
    """A score, or what is read of one."""

    @property
    def held(self) -> bool: ...


def review_state(
    submission: Submission, score: ReviewedScore | None, review: Review | None, *, counts: bool
) -> QueueState | None:
    """Held, reviewed or changed since; None for any other state. The queue and the bar show it."""
    if score is not None and score.held:
        return QueueState.HELD  # until a grader decides; a review alone is not enough
    if review is None or review.reviewed_at is None:
        return None
    if review.is_up_to_date(submission, numbers_of(score)):
        return QueueState.REVIEWED
    return QueueState.CHANGED if counts and score is not None else None


def near_texts(text_flags: TextFlags, students: Mapping[int, User]) -> tuple[NearWork, ...]:
    """Texts that share words with this one; ``students`` by number, without those who left."""
    return tuple(
        NearWork(near.text, students[near.author], near.words, near.share)
        for near in text_flags.near
        if near.author in students
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


def flags_of(
    submission: Submission, text_flags: TextFlags, score: Judged | None, disagreement: Flag | None
) -> tuple[Flag, ...]:
    """The flags that a worker stored, and those that follow from scores and the assignment."""
    flags = [*text_flags.flags, *_flags_by_score(score), *_flags_by_rule(submission)]
    flags += [disagreement] if disagreement else []
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
        yield Flag(FlagKind.SHORT, f"{words}; at least {assignment.min_words} were required.")
    if submission.is_mostly_copied and submission.copied is not None:
        share = f"{100 * submission.copied:.0f}\u202f%"
        yield Flag(FlagKind.COPIED, f"{share} of its words are copied from the source.")


@dataclass(frozen=True, slots=True)
class Unreviewed:
    """How many submissions that count nobody has reviewed, and how many of them have flags.

    The filters of the queue list exactly these: ``state=todo``, with ``flag=any`` or
    ``flag=contradicts``.
    """

    total: int
    flagged: int
    contradicting: int


def unreviewed_of(rows: Iterable[QueueRow]) -> Unreviewed:
    waiting = [row for row in rows if row.submission is not None and not row.is_reviewed]
    kinds = [{flag.kind for flag in row.flags} for row in waiting]
    return Unreviewed(
        total=len(waiting),
        flagged=sum(map(bool, kinds)),
        contradicting=sum(FlagKind.CONTRADICTS in of_row for of_row in kinds),
    )

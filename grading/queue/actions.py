"""Claims, reviews and saved views. Two graders never have a claim on the same student at once."""

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import Case, F, Q, When
from django.utils import timezone

from grading.access.hidden_names import person_key
from grading.models import (
    Assignment,
    AuditKind,
    Course,
    QueueView,
    Review,
    Submission,
    SubmissionEvent,
    User,
    record,
)
from grading.models.reviews import CLAIM_LASTS, numbers_of
from grading.scoring.results import newest_scores

MOST_VIEWS = 20
_UNCLAIMED = {"claimed_by": None, "claimed_at": None, "alive_at": None}
_UNREVIEWED: dict[str, object] = {
    "reviewed_by": None,
    "reviewed_at": None,
    "submission": None,
    "numbers": [],
}


@transaction.atomic
def reviews_claim(
    *, assignment: Assignment, students: Collection[int], user: User
) -> frozenset[int]:
    """Claim what nobody else has claimed. Returns the students on whom the user has a claim now.

    One conditional UPDATE decides, so that of two graders at the same moment one gets the claim.
    """
    _create_missing(assignment, students)
    now = timezone.now()
    still = Q(claimed_by=user, alive_at__gte=now - CLAIM_LASTS)
    reviews = Review.objects.of_students(assignment, students)
    reviews.free_for(user).update(
        claimed_at=Case(When(still, then=F("claimed_at")), default=now),
        claimed_by=user,
        alive_at=now,
    )
    return frozenset(reviews.filter(claimed_by=user).values_list("student", flat=True))


def reviews_release(*, assignment: Assignment, students: Collection[int], user: User) -> int:
    """End the user's own claims on these students. Returns how many there were."""
    claimed = Review.objects.of_students(assignment, students).filter(claimed_by=user)
    return claimed.update(**_UNCLAIMED)


def review_take_over(*, submission: Submission, claimant_key: str, user: User) -> bool:
    """Take the claim of a certain grader over; False if that grader does not hold it any more."""
    assignment = submission.assignment
    now = timezone.now()
    reviews = Review.objects.of_students(assignment, [submission.student_id])
    claimant_pk = reviews.values_list("claimed_by", flat=True).first()
    if claimant_pk is None or person_key(assignment, claimant_pk) != claimant_key:
        return False
    claimed = reviews.filter(claimed_by=claimant_pk).update(
        claimed_by=user, claimed_at=now, alive_at=now
    )
    return claimed == 1


def review_keep_alive(*, submission: Submission, user: User) -> bool:
    """Renew the user's claim; False if the user does not hold it."""
    reviews = Review.objects.of_students(submission.assignment, [submission.student_id])
    return reviews.filter(claimed_by=user).update(alive_at=timezone.now()) == 1


@transaction.atomic
def reviews_complete(
    *, assignment: Assignment, submissions: Collection[int], user: User
) -> Sequence[Submission]:
    """Mark submissions as reviewed as they are now, which ends the claims; returns those marked.

    Skips what others have claimed, and what is not the attempt that counts (any more).
    """
    chosen = list(assignment.submissions.latest_attempts().filter(pk__in=submissions).defer("text"))
    _create_missing(assignment, [submission.student_id for submission in chosen])
    scores, now = newest_scores(chosen), timezone.now()
    reviewed = []
    for submission in chosen:
        free = Review.objects.of_students(assignment, [submission.student_id]).free_for(user)
        if free.update(
            reviewed_by=user,
            reviewed_at=now,
            submission=submission,
            numbers=numbers_of(scores.get(submission.pk)),
            **_UNCLAIMED,
        ):
            reviewed.append(submission)
    _log(reviewed, SubmissionEvent.Kind.LOOKED, user)
    return reviewed


@transaction.atomic
def reviews_reopen(*, assignment: Assignment, submissions: Collection[int], user: User) -> int:
    """Mark submissions as not reviewed. Returns how many were."""
    chosen = assignment.submissions.filter(pk__in=submissions)
    students = chosen.values_list("student", flat=True)
    reviews = Review.objects.of_students(assignment, list(students)).exclude(reviewed_at=None)
    reopened = {review.student_id for review in reviews.select_for_update()}
    reviews.update(**_UNREVIEWED)
    submissions_of_these = [row for row in chosen.defer("text") if row.student_id in reopened]
    _log(submissions_of_these, SubmissionEvent.Kind.NOT_LOOKED, user)
    return len(reopened)


def _create_missing(assignment: Assignment, students: Collection[int]) -> None:
    """Create the rows that are missing. Another request may create them at the same time."""
    Review.objects.bulk_create(
        [Review(assignment=assignment, student_id=student) for student in sorted(set(students))],
        ignore_conflicts=True,
    )


def _log(submissions: Sequence[Submission], kind: SubmissionEvent.Kind, author: User) -> None:
    SubmissionEvent.objects.bulk_create(
        SubmissionEvent(submission=submission, kind=kind, author=author)
        for submission in submissions
    )


def queue_view_save(*, course: Course, user: User, name: str, query: str) -> bool:
    """Save a view of the user under a name, or replace it; False if there are too many."""
    views = QueueView.objects.filter(course=course, user=user)
    if views.exclude(name=name).count() >= MOST_VIEWS:
        return False
    QueueView.objects.update_or_create(
        course=course, user=user, name=name, defaults={"query": query}
    )
    return True


def assignment_hide_names(*, assignment: Assignment, hidden: bool) -> None:
    """Have graders see pseudonyms, or names again."""
    sentence = f"{'Hid' if hidden else 'Showed'} the names of students."
    record(AuditKind.NAMES_HIDDEN, sentence, assignment=assignment)
    assignment.names_hidden = hidden
    assignment.save(update_fields=["names_hidden"])

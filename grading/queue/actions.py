"""Claims and looking through: two graders at once never hold the same student's work."""

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import Case, F, Q, When
from django.utils import timezone

from grading.models import Assignment, Review, Submission, SubmissionEvent, User
from grading.models.reviews import CLAIM_LASTS, numbers_of
from grading.scoring.results import newest_scores

_NOBODY = {"claimed_by": None, "claimed_at": None, "alive_at": None}
_NOT_LOOKED: dict[str, object] = {
    "looked_by": None,
    "looked_at": None,
    "submission": None,
    "numbers": [],
}


@transaction.atomic
def reviews_claim(
    *, assignment: Assignment, students: Collection[int], user: User
) -> frozenset[int]:
    """Take what nobody else holds; the students whose work the user holds now.

    One conditional UPDATE decides, so of two who ask at once one gets it.
    """
    _make(assignment, students)
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
    """Give back what the user holds of these."""
    held = Review.objects.of_students(assignment, students).filter(claimed_by=user)
    return held.update(**_NOBODY)


def review_take_over(*, submission: Submission, holder_pk: int, user: User) -> bool:
    """Take it from who held it when the user looked; False where that is not so any more."""
    now = timezone.now()
    reviews = Review.objects.of_students(submission.assignment, [submission.student_id])
    taken = reviews.filter(claimed_by=holder_pk).update(
        claimed_by=user, claimed_at=now, alive_at=now
    )
    return taken == 1


def review_keep_alive(*, submission: Submission, user: User) -> bool:
    """A sign of life of who holds it: the claim lasts on. False where the user does not hold it."""
    reviews = Review.objects.of_students(submission.assignment, [submission.student_id])
    return reviews.filter(claimed_by=user).update(alive_at=timezone.now()) == 1


@transaction.atomic
def reviews_look_through(
    *, assignment: Assignment, submissions: Collection[int], user: User
) -> Sequence[Submission]:
    """Mark these as looked through as they are now, which ends the claim; those that were marked.

    Passed over is what others hold, and what is not the attempt that counts (any more).
    """
    chosen = list(assignment.submissions.latest_attempts().filter(pk__in=submissions).defer("text"))
    _make(assignment, [one.student_id for one in chosen])
    scores, now = newest_scores(chosen), timezone.now()
    marked = [
        one
        for one in chosen
        if Review.objects.of_students(assignment, [one.student_id])
        .free_for(user)
        .update(
            looked_by=user,
            looked_at=now,
            submission=one,
            numbers=numbers_of(scores.get(one.pk)),
            **_NOBODY,
        )
    ]
    _log(marked, SubmissionEvent.Kind.LOOKED, user)
    return marked


@transaction.atomic
def reviews_undo_looking(
    *, assignment: Assignment, submissions: Collection[int], user: User
) -> int:
    """These are not looked through (any more)."""
    chosen = assignment.submissions.filter(pk__in=submissions)
    students = chosen.values_list("student", flat=True)
    reviews = Review.objects.of_students(assignment, list(students)).exclude(looked_at=None)
    undone = {one.student_id for one in reviews.select_for_update()}
    reviews.update(**_NOT_LOOKED)
    _log(
        [one for one in chosen.defer("text") if one.student_id in undone],
        SubmissionEvent.Kind.NOT_LOOKED,
        user,
    )
    return len(undone)


def _make(assignment: Assignment, students: Collection[int]) -> None:
    """A row for each, which whoever comes at the same time may make as well."""
    Review.objects.bulk_create(
        [Review(assignment=assignment, student_id=student) for student in sorted(set(students))],
        ignore_conflicts=True,
    )


def _log(submissions: Sequence[Submission], kind: SubmissionEvent.Kind, author: User) -> None:
    SubmissionEvent.objects.bulk_create(
        SubmissionEvent(submission=one, kind=kind, author=author) for one in submissions
    )

"""Grading together: who has claimed whose work, who has reviewed it, and saved views."""

from collections.abc import Collection
from datetime import timedelta
from typing import Protocol

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.courses import Course
from grading.models.summaries import Submission
from grading.models.users import User

CLAIM_LASTS = timedelta(minutes=30)  # without a sign of life
_DIGITS = 6  # of a score; what differs by less is the same number, computed on another machine


class ReviewQuerySet(models.QuerySet["Review"]):
    def free_for(self, user: User) -> "ReviewQuerySet":
        """Reviews that no other grader has claimed, or not any more."""
        gone = models.Q(alive_at__lt=timezone.now() - CLAIM_LASTS)
        return self.filter(models.Q(claimed_by=None) | models.Q(claimed_by=user) | gone)

    def of_students(self, assignment: Assignment, students: Collection[int]) -> "ReviewQuerySet":
        return self.filter(assignment=assignment, student__in=students)

    def follow_correction(
        self, submission_pk: int, *, before: "Numbers", after: "Numbers", author: User
    ) -> None:
        """Keep a review up to date through a correction by the reviewer: one UPDATE at most.

        Only where it was up to date before: what somebody else has changed stays changed. Call it
        in the transaction of the correction.
        """
        earlier, now = numbers_of(before), numbers_of(after)
        if earlier != now:
            reviews = self.filter(submission=submission_pk, reviewed_by=author, numbers=earlier)
            reviews.update(numbers=now)


class Review(models.Model):
    """One for a student's work at an assignment, with all its attempts; made when first needed.

    ``reviewed_at`` says when somebody reviewed the work, and ``submission`` and ``numbers`` what it
    was then: with another attempt, or another score, it has changed since. Corrections by the
    reviewer take ``numbers`` along.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="reviews")
    student = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    claimed_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    alive_at = models.DateTimeField(null=True, blank=True)  # the claim's last sign of life
    reviewed_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reviewed_at = models.DateTimeField(null=True, blank=True)
    submission = models.ForeignKey(
        Submission, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    numbers = models.JSONField(default=list, blank=True)

    objects = ReviewQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "student"], name="review_once"),
        ]

    def __str__(self) -> str:
        return f"Review {self.pk}"

    @property
    def claimant(self) -> User | None:
        """The grader who has claimed it, while the claim lasts."""
        lapsed = self.alive_at is None or self.alive_at < timezone.now() - CLAIM_LASTS
        return None if lapsed else self.claimed_by

    def is_claimed_by_another(self, user: User) -> bool:
        return self.claimant is not None and self.claimant != user

    def is_up_to_date(self, submission: Submission, numbers: list[float]) -> bool:
        """Is the reviewed score still the newest?"""
        looked = self.reviewed_at is not None and self.submission_id == submission.pk
        return looked and self.numbers == numbers


class Numbers(Protocol):
    """A score, or what is read of one."""

    @property
    def quality(self) -> float: ...
    @property
    def coverage(self) -> float: ...
    @property
    def comprehensive(self) -> float: ...


def numbers_of(score: Numbers | None) -> list[float]:
    """What a review keeps of a score."""
    if score is None:
        return []
    numbers = (score.quality, score.coverage, score.comprehensive)
    return [round(number, _DIGITS) for number in numbers]


class QueueView(models.Model):
    """A grader's own way to look at the queues of a course: what is chosen, and its order."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="queue_views")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="queue_views")
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["course", "user", "name"], name="queue_view_once"),
        ]

    def __str__(self) -> str:
        return self.name


class SubmissionFlags(models.Model):
    """The flags that a worker found in the words of a text: scoring/flags.py writes them.

    ``document``: ``flags`` (kind and reason), and ``near``, the texts of others that it shares
    words with (submission, student, words, share).
    """

    submission = models.OneToOneField(
        Submission, on_delete=models.CASCADE, related_name="found_flags"
    )
    document = models.JSONField(default=dict)
    found_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        db_table = "grading_submissionsigns"  # its first name: the table was never renamed
        verbose_name_plural = "submission flags"

    def __str__(self) -> str:
        return f"Flags of submission {self.submission_id}"

"""What people wrote: experts' references and students' submissions. Text stays as it came."""

from collections.abc import Sequence
from datetime import datetime

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.courses import Membership, Role
from grading.models.sight import Missed, Sight
from grading.models.users import User
from grading.pyramid.structures import Text

MOST_REFERENCES = 12  # of an assignment


def count_words(text: str) -> int:
    """As limits count them."""
    return Text("", text).word_count


class Reference(models.Model):
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="references")
    name = models.CharField(max_length=100)
    text = models.TextField()
    words = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "name"], name="reference_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def held_back_students(self, assignment: Assignment) -> set[int]:
        """Students whose newest attempt is held back: what they submit next is held back, too."""
        attempts = self.filter(assignment=assignment).order_by("attempt")
        newest = dict(attempts.values_list("student", "visibility"))
        held_back = Submission.Visibility.HELD_BACK
        return {student for student, visibility in newest.items() if visibility == held_back}

    def latest_attempts(self) -> "SubmissionQuerySet":
        """Of each student and assignment the attempt that counts: the newest final, else draft."""
        others = Submission.objects.filter(
            assignment=models.OuterRef("assignment"), student=models.OuterRef("student")
        )
        newer = others.filter(
            is_final=models.OuterRef("is_final"), attempt__gt=models.OuterRef("attempt")
        )
        return self.exclude(models.Exists(newer)).exclude(
            models.Exists(others.filter(is_final=True)), is_final=False
        )

    def of_the_class(self) -> "SubmissionQuerySet":
        """Without those of people who have left the course, or grade in it by now."""
        places = Membership.objects.filter(
            course=models.OuterRef("assignment__course"),
            user=models.OuterRef("student"),
            role=Role.STUDENT,
        )
        return self.filter(models.Exists(places))

    def staying(self) -> "SubmissionQuerySet":
        """Without those of courses and assignments that are about to be deleted."""
        return self.filter(assignment__leaves_at=None, assignment__course__leaves_at=None)

    def attempts_of(self, assignment: Assignment, student: User) -> "SubmissionQuerySet":
        """All attempts, the latest first."""
        return self.filter(assignment=assignment, student=student).order_by("-attempt")


class Submission(models.Model):
    class Visibility(models.TextChoices):
        """When the student sees the result, as somebody set it for this attempt."""

        RULE = "", "As the assignment says"
        SHOWN = "shown", "Released"
        HELD_BACK = "held", "Held back"

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="submissions")
    student = models.ForeignKey(User, on_delete=models.CASCADE, related_name="submissions")
    attempt = models.PositiveIntegerField(default=1)
    text = models.TextField()
    words = models.PositiveIntegerField()
    submitted_at = models.DateTimeField(default=timezone.now, editable=False)
    late = models.BooleanField(default=False)
    is_final = models.BooleanField(default=True)  # else a draft, submitted for feedback
    visibility = models.CharField(
        max_length=8, choices=Visibility.choices, default=Visibility.RULE, blank=True
    )
    # The share of its words that are in the source in the same order; unknown without a source.
    copied = models.FloatField(null=True, blank=True)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ["-attempt"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "student", "attempt"], name="attempt_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.student}, attempt {self.attempt}"

    @property
    def is_shown(self) -> bool:
        """Does the student see scores and feedback, once there are some?"""
        if self.visibility == self.Visibility.RULE:
            return self.assignment.shows_results_to(self.student_id)
        return self.visibility == self.Visibility.SHOWN

    @property
    def due_at(self) -> datetime | None:
        """The due date that applies to its student."""
        return self.assignment.terms_of(self.student_id).due_at

    @property
    def is_mostly_copied(self) -> bool:
        """Is as much of it in the source as the assignment calls mostly copied?"""
        return self.copied is not None and 100 * self.copied >= self.assignment.copying_percent

    @property
    def student_sight(self) -> Sight:
        """What the student may see of the result."""
        past = self.assignment.is_past_for(self.student_id)
        return Sight(shown=self.is_shown, missed=self.missed_when(past=past))

    def missed_when(self, *, past: bool) -> Missed:
        """How much the student sees of what the text lacks, before the due date or after it.

        A draft that a late final can follow gives no more away than it did before.
        """
        assignment = self.assignment
        can_be_followed = not self.is_final and assignment.is_open and assignment.accepts_late
        later = past and not can_be_followed
        return Missed(assignment.missed_after if later else assignment.missed_before)


def counting_of(attempts: Sequence[Submission]) -> Submission | None:
    """Of a student's attempts, the latest first, the one that counts (see ``latest_attempts``)."""
    newest = attempts[0] if attempts else None
    return next((attempt for attempt in attempts if attempt.is_final), newest)


class Writing(models.Model):
    """What a student has typed and not submitted yet; ``revision`` tells windows apart."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="writings")
    student = models.ForeignKey(User, on_delete=models.CASCADE, related_name="writings")
    text = models.TextField(blank=True)
    replaced = models.TextField(blank=True)  # what a file or another window took the place of
    is_typed = models.BooleanField(default=True)  # else as a file has it
    revision = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "student"], name="writing_once"),
        ]

    def __str__(self) -> str:
        return f"{self.student}, not submitted"

"""What people wrote: experts' references and students' submissions. Text stays as it came."""

import re

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.users import User

# Spaces without width part words for the parser, so they do for the limit.
WORD = re.compile("[^\\s\u200b-\u200f\u2060\ufeff]+")


def count_words(text: str) -> int:
    """Words as word processors and students count them: what white space parts, seen or not."""
    return len(WORD.findall(text))


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
    def latest_attempts(self) -> "SubmissionQuerySet":
        """Of each student and assignment only the newest attempt."""
        newer = Submission.objects.filter(
            assignment=models.OuterRef("assignment"),
            student=models.OuterRef("student"),
            attempt__gt=models.OuterRef("attempt"),
        )
        return self.exclude(models.Exists(newer))

    def attempts_of(self, assignment: Assignment, student: User) -> "SubmissionQuerySet":
        """All attempts, the latest first."""
        return self.filter(assignment=assignment, student=student).order_by("-attempt")


class Submission(models.Model):
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="submissions")
    student = models.ForeignKey(User, on_delete=models.CASCADE, related_name="submissions")
    attempt = models.PositiveIntegerField(default=1)
    text = models.TextField()
    words = models.PositiveIntegerField()
    submitted_at = models.DateTimeField(default=timezone.now, editable=False)
    late = models.BooleanField(default=False)

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

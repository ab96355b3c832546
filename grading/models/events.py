"""What happened to a submission, by whom and when. Only added to."""

from django.db import models
from django.utils import timezone

from grading.models.summaries import Submission
from grading.models.users import User


class SubmissionEvent(models.Model):
    class Kind(models.TextChoices):
        RELEASED = "released", "Results released"
        HELD_BACK = "held", "Results held back"
        BY_RULE = "by_rule", "Results shown as the assignment says"
        CORRECTED = "corrected", "Corrected manually"
        ASKED = "asked", "A second look asked for"
        ANSWERED = "answered", "A second look answered"
        WITHDRAWN = "withdrawn", "A second look withdrawn"
        COMMENT = "comment", "A comment or note written, changed or deleted"
        LOOKED = "looked", "Reviewed"
        NOT_LOOKED = "not_looked", "Marked as not reviewed"
        IMPORTED = "imported", "Imported from a file"

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    # Of a correction: what was done, the idea or words, and the scores before and after.
    # Of a comment: what was done, and its text before and after.
    document = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.submission}: {self.get_kind_display()}"

    def comprehensive(self, when: str) -> float | None:
        """The score before or after it, where it changed one."""
        numbers = self.document.get(when)
        return float(numbers["comprehensive"]) if isinstance(numbers, dict) else None

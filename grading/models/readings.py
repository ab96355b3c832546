"""Readings: how the engine reads a submission, kept so that an edit of a pyramid parses nobody."""

from django.db import models
from django.utils import timezone

from grading.models.summaries import Submission


class StoredReading(models.Model):
    """Segments (JSON) and word vectors (bytes) of a submission, by what made them."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="readings")
    maker = models.CharField(max_length=100)  # changes with the models that read
    segments = models.JSONField()
    vectors = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["submission", "maker"], name="reading_once"),
        ]

    def __str__(self) -> str:
        return f"{self.submission} as read by {self.maker}"

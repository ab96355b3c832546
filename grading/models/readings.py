"""Readings: how the engine reads texts, kept so that an edit of a pyramid parses nobody."""

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
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


class StoredFacts(models.Model):
    """What matching found out about a submission: small, and written after each edit."""

    submission = models.OneToOneField(
        Submission, on_delete=models.CASCADE, related_name="found_facts"
    )
    maker = models.CharField(max_length=100)  # changes with the models that judge
    document = models.BinaryField()  # grading/pyramid/matchers/kept_facts.py
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "stored facts"

    def __str__(self) -> str:
        return f"Facts about {self.submission}"


class PyramidReading(models.Model):
    """Reading and facts of a reference or a label of an assignment's pyramids.

    ``digest`` is of the words that were read, which are in the pyramid: a label that is edited is
    another one.
    """

    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="pyramid_readings"
    )
    maker = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)
    segments = models.JSONField()
    vectors = models.BinaryField()
    facts = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "maker", "digest"], name="pyramid_reading_once"
            ),
        ]

    def __str__(self) -> str:
        return f"A text of a pyramid of {self.assignment} as read by {self.maker}"

"""Scores: evidence and numbers of a submission, by one pyramid and one configuration."""

from django.db import models
from django.utils import timezone

from grading.models.pyramids import StoredPyramid
from grading.models.summaries import Submission
from grading.pyramid.structures import HeldFor


class ScoreQuerySet(models.QuerySet["Score"]):
    def oldest_first(self) -> "ScoreQuerySet":
        """The last of a submission is its newest: by the newest version, with all corrections."""
        return self.order_by("pyramid__number", "pk")


class Score(models.Model):
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="scores")
    pyramid = models.ForeignKey(StoredPyramid, on_delete=models.CASCADE, related_name="scores")
    signature = models.CharField(max_length=100)
    # 0 is the program's own; each correction makes the next, and nothing is overwritten.
    revision = models.PositiveIntegerField(default=0)
    corrections = models.PositiveIntegerField(default=0)  # that it includes
    statements = models.PositiveIntegerField(db_column="scus")  # matched or not
    raw = models.FloatField()  # points: expected ones, where the method knows probabilities
    quality = models.FloatField()
    coverage = models.FloatField()
    comprehensive = models.FloatField()
    # How sure the program was: the mean probability of its matches, and how many are doubtful.
    confidence = models.FloatField(null=True, blank=True)  # unknown where no match has one
    doubtful = models.PositiveIntegerField(default=0)
    contradicted = models.PositiveIntegerField(default=0)  # matches that contradict the experts
    # Held words earn nothing until a person has read them. Where they are most of the text, the
    # score is neither a zero nor a grade.
    held = models.BooleanField(default=False)  # the text as a whole
    held_in_part = models.BooleanField(default=False)
    held_for = models.CharField(max_length=40, blank=True)  # pyramid.structures.HeldFor
    document = models.JSONField()  # evidence and trace: grading/pyramid/formats/pyramid_json.py
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ScoreQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "pyramid", "signature", "revision"], name="score_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.submission}: {self.comprehensive:.2f}"

    @property
    def is_corrected(self) -> bool:
        """Does it include corrections?"""
        return self.corrections > 0

    @property
    def held_because(self) -> str:
        """As the end of a sentence: “it isn't written in sentences”."""
        return HeldFor(self.held_for or HeldFor.ORDER).of_text

    @property
    def method(self) -> str:
        """The method and its version, without its options: “classroom-2”."""
        return self.signature.rpartition("-")[0]

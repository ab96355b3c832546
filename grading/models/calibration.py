"""Calibration: samples that graders annotate blind; what was learnt from marks, tried and set."""

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.pyramids import StoredPyramid
from grading.models.summaries import Submission
from grading.models.users import User


class CalibrationRound(models.Model):
    """A sample, with the version and the signature of the program's scores that it is about."""

    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="calibration_rounds"
    )
    number = models.PositiveIntegerField()
    pyramid = models.ForeignKey(StoredPyramid, on_delete=models.CASCADE, related_name="+")
    signature = models.CharField(max_length=100)
    match_probability = models.FloatField(null=True)  # in use when it was drawn
    seed = models.PositiveIntegerField()  # of the random draw, so that it can be done again
    drawn_from = models.PositiveIntegerField()  # so many texts
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "number"], name="round_number_once"),
        ]

    def __str__(self) -> str:
        return f"Round {self.number} of {self.assignment}"


class CalibrationText(models.Model):
    """A text of a sample. ``probabilities`` of its ideas are there once a worker has looked."""

    round = models.ForeignKey(CalibrationRound, on_delete=models.CASCADE, related_name="texts")
    submission = models.ForeignKey(
        Submission, on_delete=models.CASCADE, related_name="calibration_texts"
    )
    place = models.PositiveIntegerField()  # from 1, in the order of the draw
    probabilities = models.JSONField(null=True)  # by the idea's number, whatever the threshold

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["round", "place"], name="text_of_a_round_once"),
        ]

    def __str__(self) -> str:
        return f"Text {self.place} of {self.round}"


class Annotation(models.Model):
    """What a grader finds in a text without having seen what the program finds."""

    text = models.ForeignKey(CalibrationText, on_delete=models.CASCADE, related_name="annotations")
    annotator = models.ForeignKey(User, on_delete=models.CASCADE, related_name="annotations")
    # The ideas expressed, by their number in the version, with their words if these were named.
    ideas = models.JSONField(default=dict)
    is_done = models.BooleanField(default=False)
    saved_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["text", "annotator"], name="annotated_once"),
        ]

    def __str__(self) -> str:
        return f"{self.text}, by {self.annotator}"


class ThresholdTrial(models.Model):
    """What another rule for matches would do to the class; the newest of an assignment stays.

    With a source a worker learns a curve from it; without one ``match_probability`` is tried.
    """

    class Source(models.TextChoices):
        MARKS = "marks", "everything that people have marked"
        SAMPLES = "samples", "the texts annotated blind"

    assignment = models.OneToOneField(
        Assignment, on_delete=models.CASCADE, related_name="threshold_trial"
    )
    match_probability = models.FloatField(null=True)  # None: the program's own
    source = models.CharField(max_length=7, choices=Source.choices, blank=True)
    learnt_curve = models.JSONField(null=True)
    document = models.JSONField(null=True)  # None until a worker has found it out
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"Rule for matches tried in {self.assignment}"


class ThresholdChange(models.Model):
    """A change of the rule for matches, with its author. Rows are only added."""

    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="threshold_changes"
    )
    before = models.FloatField(null=True)
    after = models.FloatField(null=True)
    learnt_before = models.JSONField(null=True)
    learnt_after = models.JSONField(null=True)
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"Rule for matches of {self.assignment}, set {self.created_at:%Y-%m-%d %H:%M}"

"""Second opinions: what the sister systems say of submissions, beside the main method."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.summaries import Submission

USUAL_DIFFERENCE = 1.5  # standard deviations from which on methods disagree
LEAST_DIFFERENCE, MOST_DIFFERENCE = 0.5, 5.0


class OpinionSetting(models.Model):
    """Which methods give second opinions in an assignment. Without a row, none does."""

    assignment = models.OneToOneField(
        Assignment, on_delete=models.CASCADE, related_name="opinion_setting"
    )
    methods = models.JSONField(default=list)  # names, in the order of the registry
    least_difference = models.FloatField(
        "standard deviations",
        default=USUAL_DIFFERENCE,
        validators=[MinValueValidator(LEAST_DIFFERENCE), MaxValueValidator(MOST_DIFFERENCE)],
    )

    def __str__(self) -> str:
        return f"Second opinions in {self.assignment}"


class StoredContentModel(models.Model):
    """A method's model of content, frozen, as it was built from the texts of the assignment.

    ``material_hash`` is of the references, the source and the pyramid that it was built from: with
    others, or by another version of the method (``signature``), a new row takes its place.
    """

    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="content_models"
    )
    method = models.CharField(max_length=40)
    signature = models.CharField(max_length=80)
    material_hash = models.CharField(max_length=64)
    document = models.JSONField()  # grading/pyramid/formats/content_json.py
    content_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "method"], name="content_model_once"),
        ]

    def __str__(self) -> str:
        return f"{self.method} for {self.assignment}"

    @property
    def opinion_signature(self) -> str:
        """Names the method and the model: opinions with another signature do not compare."""
        return f"{self.signature}-{self.content_hash[:8]}"


class SecondOpinion(models.Model):
    """What a method says of a submission; a page shows it without the model of content."""

    submission = models.ForeignKey(
        Submission, on_delete=models.CASCADE, related_name="second_opinions"
    )
    method = models.CharField(max_length=40)
    signature = models.CharField(max_length=100)
    score = models.FloatField()  # in the column that compares with people
    document = models.JSONField()  # grading/pyramid/formats/opinion_json.py
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["submission", "method"], name="opinion_once"),
        ]

    def __str__(self) -> str:
        return f"{self.submission} by {self.method}"

"""What a worker found out about a class; kept until it is looked for again."""

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.pyramids import StoredPyramid


class ClassFinding(models.Model):
    """Ideas that many students wrote and this version of the pyramid lacks."""

    assignment = models.OneToOneField(
        Assignment, on_delete=models.CASCADE, related_name="class_finding"
    )
    version = models.ForeignKey(StoredPyramid, on_delete=models.CASCADE, related_name="+")
    document = models.JSONField()  # grading/pyramid/formats/findings_json.py
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"What {self.version} lacks"

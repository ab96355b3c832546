"""Published pyramids: versions, each a frozen, content-hashed document; what scores rest on."""

from functools import cached_property

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.users import User
from grading.pyramid.formats.pyramid_json import pyramid_from_json
from grading.pyramid.structures import Pyramid


class StoredPyramidQuerySet(models.QuerySet["StoredPyramid"]):
    def newest_of(self, assignment: Assignment) -> "StoredPyramid | None":
        return self.filter(assignment=assignment).order_by("-number").first()


class StoredPyramid(models.Model):
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="pyramids")
    number = models.PositiveIntegerField()
    document = models.JSONField()  # grading/pyramid/formats/pyramid_json.py
    content_hash = models.CharField(max_length=64)
    signature = models.CharField(max_length=100)
    note = models.CharField(max_length=500, blank=True)  # why it was published
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    objects = StoredPyramidQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "number"], name="pyramid_number_once"),
        ]

    def __str__(self) -> str:
        return f"Pyramid {self.number} of {self.assignment}"

    @cached_property
    def parsed_document(self) -> Pyramid:
        """The pyramid, parsed once for each row object: the document of a version never changes."""
        return pyramid_from_json(self.document)

"""Gradebook files: what a platform exported and waits to be filled, and what was given out."""

from datetime import timedelta

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.users import User
from grading.pyramid.formats.lms.grade_file import PLATFORM_NAMES, Platform

UPLOAD_KEPT = timedelta(days=1)
LINES_NAMED = 10  # of those that were not ticked, in the list of downloads


class Scope(models.TextChoices):
    """Whose grades are in a file. The value is part of the file's name."""

    ALL = "all", "All grades"
    RELEASED = "released", "Only grades of released results"


class GradebookUploadQuerySet(models.QuerySet["GradebookUpload"]):
    def stale(self) -> "GradebookUploadQuerySet":
        return self.filter(created_at__lt=timezone.now() - UPLOAD_KEPT)


class GradebookUpload(models.Model):
    """A file of the learning platform, kept for a day so that it is uploaded only once."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="uploads")
    author = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    file_name = models.CharField(max_length=200)
    data = models.BinaryField()
    choices = models.JSONField(default=dict)  # actions/gradebook_exports.FillChoices
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = GradebookUploadQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.file_name} for {self.assignment}"


class GradebookExport(models.Model):
    """A file with grades, never changed: it can be downloaded again byte for byte."""

    class Kind(models.TextChoices):
        FILLED = "filled", "Filled file"
        CANVAS = "canvas", "New file for Canvas"
        MOODLE = "moodle", "New file for Moodle"
        CSV = "csv", "Spreadsheet with everything"

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="exports")
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    platform = models.CharField(max_length=20, blank=True)  # of a filled file
    scope = models.CharField(max_length=10, choices=Scope.choices)
    title = models.CharField("title of the column", max_length=300, blank=True)
    file_name = models.CharField(max_length=300)
    data = models.BinaryField()
    is_there = models.BooleanField(default=True)  # the bytes go with the data of any student
    sha256 = models.CharField(max_length=64)
    students = models.PositiveIntegerField()  # whose grade is in it
    left_out = models.PositiveIntegerField()  # students of the course whose grade is not
    unticked = models.JSONField(default=list)  # lines of a filled file that were not ticked

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.file_name

    @property
    def unticked_lines(self) -> str:
        """In words, as “lines 4, 7 and 9”; of many only the first ten."""
        lines = [str(line) for line in self.unticked]
        shown = lines[:LINES_NAMED]
        more = len(lines) - len(shown)
        listed = [*shown, f"{more} more"] if more else shown
        joined = " and ".join(filter(None, (", ".join(listed[:-1]), listed[-1] if listed else "")))
        return f"{'line' if len(lines) == 1 else 'lines'} {joined}"

    @property
    def described(self) -> str:
        if self.kind == self.Kind.FILLED:
            return f"{PLATFORM_NAMES[Platform(self.platform)]}, filled"
        return self.get_kind_display()

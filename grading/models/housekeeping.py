"""Courses as files, and what was deleted for good."""

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import BinaryIO

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.courses import Course
from grading.models.users import User

PART = 1_000_000  # bytes of a file that are held at once


class CourseFile(models.Model):
    """A course in a file: an export of ours, or what somebody wants to import.

    In the database, as web servers and workers may share nothing else.
    """

    class Kind(models.TextChoices):
        EXPORT = "export", "Exported"
        IMPORT = "import", "To be imported"

    kind = models.CharField(max_length=8, choices=Kind.choices)
    # Of an import: what it became, once it is done.
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="files", null=True)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    size = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_there(self) -> bool:
        """Has it content: is an export written, an import not done yet?"""
        return self.size > 0

    def fill(self, source: BinaryIO) -> None:
        """Keep what the open file holds. Call it in a transaction."""
        self.parts.all().delete()
        pieces = iter(lambda: source.read(PART), b"")
        self.size = 0
        for number, data in enumerate(pieces):
            CourseFilePart.objects.create(file=self, number=number, data=data)
            self.size += len(data)
        self.save(update_fields=["size"])

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """The content as an open file of our own."""
        with TemporaryFile() as out:
            for piece in self.content():
                out.write(piece)
            out.seek(0)
            yield out

    def content(self) -> Iterator[bytes]:
        """Piece by piece, in one query each."""
        for pk in self.parts.order_by("number").values_list("pk", flat=True):
            yield bytes(CourseFilePart.objects.get(pk=pk).data)


class CourseFilePart(models.Model):
    file = models.ForeignKey(CourseFile, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["file", "number"], name="part_of_a_file_once"),
        ]

    def __str__(self) -> str:
        return f"{self.file}, part {self.number}"


class Deletion(models.Model):
    """Somebody's wish to delete for good; what is left of it afterwards has no content.

    ``number`` is the id of what it is about: it stays when the row that it was of is gone.
    """

    class Kind(models.TextChoices):
        COURSE = "course", "A course"
        ASSIGNMENT = "assignment", "An assignment"
        STUDENT = "student", "The data of a student"

    class State(models.TextChoices):
        WAITING = "waiting", "Hidden; can be restored"
        TAKEN_BACK = "taken back", "Restored"
        DONE = "done", "Deleted for good"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    number = models.PositiveBigIntegerField()
    course_number = models.PositiveBigIntegerField()
    course = models.ForeignKey(
        Course, on_delete=models.SET_NULL, null=True, related_name="deletions"
    )
    # While it can be restored; afterwards the number alone is left.
    assignment = models.ForeignKey(
        Assignment, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    student = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    counts = models.JSONField(default=dict)  # what goes, in words, and how many of it
    # A student's rows until they go: in no table meanwhile, so on no page either.
    kept = models.BinaryField(default=bytes)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    asked_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    leaves_at = models.DateTimeField(editable=False)
    ended_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "leaves_at"])]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.get_state_display()}"

    @property
    def subject(self) -> str:
        """The name of the person or thing, as long as it is kept."""
        if self.student is not None:
            return self.student.name
        return self.assignment.title if self.assignment is not None else str(self.course)

    @property
    def is_waiting(self) -> bool:
        return self.state == self.State.WAITING

"""Drafts: pyramids that are being worked on, and the append-only log of what was done to them."""

import uuid

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.pyramids import StoredPyramid
from grading.models.users import User
from grading.pyramid.formats.pyramid_json import pyramid_from_json
from grading.pyramid.structures import Pyramid


class DraftQuerySet(models.QuerySet["Draft"]):
    def open_of(self, assignment: Assignment) -> "DraftQuerySet":
        """What can be worked on, the newest first; without the documents, which are large."""
        return self.filter(assignment=assignment, state=Draft.State.OPEN).defer("document", "first")


class Draft(models.Model):
    """``document`` is the pyramid after all edits, ``first`` as the draft began with it.

    ``revision`` counts the edits. ``undo_top`` and ``redo_top`` are the revisions of the log
    entries that would be undone and redone now; 0 where there is none.
    """

    class State(models.TextChoices):
        OPEN = "open", "Draft"
        PUBLISHED = "published", "Published"
        DISCARDED = "discarded", "Discarded"

    class Origin(models.TextChoices):
        BUILT = "built", "Built from the references"
        VERSION = "version", "Begun from a published version"
        EMPTY = "empty", "Begun from nothing"
        RUBRIC = "rubric", "Begun from a list of statements"
        FILE = "file", "Read from a file"
        COPY = "copy", "Copied from another assignment"

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="drafts")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    origin = models.CharField(max_length=8, choices=Origin.choices)
    origin_note = models.CharField(max_length=300, blank=True)  # settings, version, or file name
    based_on = models.ForeignKey(
        StoredPyramid, on_delete=models.SET_NULL, null=True, related_name="drafts"
    )
    published_as = models.ForeignKey(
        StoredPyramid, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    first = models.JSONField()  # grading/pyramid/formats/pyramid_json.py
    document = models.JSONField()  # the same after all edits
    revision = models.PositiveIntegerField(default=0)
    undo_top = models.PositiveIntegerField(default=0)
    redo_top = models.PositiveIntegerField(default=0)
    next_uid = models.PositiveIntegerField()  # numbers of deleted ideas do not come back
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    edited_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = DraftQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "number"], name="draft_number_once"),
        ]

    def __str__(self) -> str:
        return f"Draft {self.number} of {self.assignment}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def parsed_document(self) -> Pyramid:
        """The current pyramid; parsed again only after the document was replaced."""
        if self._parsed is None or self._parsed[0] is not self.document:
            self._parsed = self.document, pyramid_from_json(self.document)
        return self._parsed[1]

    _parsed: tuple[object, Pyramid] | None = None


class DraftEdit(models.Model):
    """One entry of the log, never changed. ``inverse`` takes its result back to what was before.

    The tops of the stacks of undoing and redoing are kept on the draft; ``below`` is what lies
    under this entry in its stack. ``target`` is the entry that an undo or redo is about.
    """

    class Kind(models.TextChoices):
        EDIT = "edit", "Edit"
        UNDO = "undo", "Undo"
        REDO = "redo", "Redo"

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="edits")
    revision = models.PositiveIntegerField()  # of the draft after it
    kind = models.CharField(max_length=4, choices=Kind.choices)
    command = models.JSONField()  # grading/pyramid/editing/command_json.py
    inverse = models.JSONField()
    words = models.CharField(max_length=600)  # “merged … into …”
    target = models.PositiveIntegerField(default=0)
    below = models.PositiveIntegerField(default=0)
    token = models.UUIDField(default=uuid.uuid4)  # of the browser: an edit sent twice counts once
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-revision"]
        constraints = [
            models.UniqueConstraint(fields=["draft", "revision"], name="revision_once"),
            models.UniqueConstraint(fields=["draft", "token"], name="edit_sent_once"),
        ]

    def __str__(self) -> str:
        return f"{self.revision}: {self.words}"


class Dismissal(models.Model):
    """A suggestion that somebody does not want to see again."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="dismissals")
    key = models.CharField(max_length=64)
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draft", "key"], name="dismissed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.key} in {self.draft}"


class Finding(models.Model):
    """What a worker found out about a draft as it was at a revision; the newest of a kind stays."""

    class Kind(models.TextChoices):
        ANALYSIS = "analysis", "Suggestions and quality"
        EFFECT = "effect", "Effect on the class"
        DOUBTS = "doubts", "Ideas that may be wrong"

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="findings")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    revision = models.PositiveIntegerField()
    document = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draft", "kind"], name="finding_of_a_kind_once"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.draft}"

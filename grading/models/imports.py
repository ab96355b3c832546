"""Work that graders send in for their students: uploaded, read by a worker, shown, imported."""

from datetime import timedelta

from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.jobs import Job
from grading.models.users import User

DAYS_KEPT = 14  # of texts that nobody imports


class WorkImportQuerySet(models.QuerySet["WorkImport"]):
    def left_lying(self) -> "WorkImportQuerySet":
        """Imports whose texts have waited longer than texts are kept."""
        oldest = timezone.now() - timedelta(days=DAYS_KEPT)
        waiting = [WorkImport.State.READING, WorkImport.State.READY]
        return self.filter(state__in=waiting, created_at__lt=oldest)

    def unfinished(self) -> "WorkImportQuerySet":
        return self.filter(state__in=[WorkImport.State.READING, WorkImport.State.READY])


class WorkImport(models.Model):
    class State(models.TextChoices):
        READING = "reading", "Being read"
        READY = "ready", "Waits for you"
        APPLIED = "applied", "Imported"
        DISCARDED = "discarded", "Discarded"
        FAILED = "failed", "Could not be read"

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="imports")
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=300)  # what was chosen: “essays.zip”, “12 files”
    state = models.CharField(max_length=9, choices=State.choices, default=State.READING)
    error = models.TextField(blank=True)
    # What was read, by formats/bulk_files; without texts once it is imported or discarded.
    document = models.JSONField(default=dict, blank=True)
    # A grader's choices: whose files are, when they were submitted, what is ticked.
    choices = models.JSONField(default=dict, blank=True)
    reading = models.ForeignKey(
        Job, on_delete=models.SET_NULL, null=True, related_name="imports_to_read"
    )
    scoring = models.ForeignKey(Job, on_delete=models.SET_NULL, null=True, related_name="+")
    attempts = models.PositiveIntegerField(default=0)  # that it has made
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True, editable=False)

    objects = WorkImportQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.get_state_display()}"

    def end(self, state: "WorkImport.State", author: User | None, *, attempts: int = 0) -> None:
        """Keep a note of it, and neither texts nor uploads."""
        self.uploads.all().delete()
        self.state, self.attempts = state, attempts
        self.document, self.choices = {"platform": self.document.get("platform", "")}, {}
        self.ended_by, self.ended_at = author, timezone.now()
        self.save()

    @property
    def is_ready(self) -> bool:
        return self.state == self.State.READY

    @property
    def is_being_read(self) -> bool:
        return self.state == self.State.READING


class ImportUpload(models.Model):
    """A file as it was sent, until it is read."""

    work_import = models.ForeignKey(WorkImport, on_delete=models.CASCADE, related_name="uploads")
    name = models.CharField(max_length=400)
    data = models.BinaryField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name

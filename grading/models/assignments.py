"""Assignments: a source text to summarise, and the rules for handing a summary in."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from grading.models.courses import Course, Membership


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def visible_to(self, membership: Membership) -> "AssignmentQuerySet":
        """Students do not see drafts."""
        return self if membership.is_grader else self.exclude(state=Assignment.State.DRAFT)

    def with_counts(self) -> "AssignmentQuerySet":
        """With ``students_submitted`` on each."""
        return self.annotate(students_submitted=models.Count("submissions__student", distinct=True))


class Assignment(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        OPEN = "open", "Open"
        CLOSED = "closed", "Closed"

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="assignments")
    title = models.CharField(max_length=200)
    instructions = models.TextField(blank=True)
    source_title = models.CharField("title of the source", max_length=300, blank=True)
    source_text = models.TextField(blank=True)
    min_words = models.PositiveIntegerField(
        "shortest summary (words)", default=100, validators=[MaxValueValidator(5_000)]
    )
    max_words = models.PositiveIntegerField(
        "longest summary (words)",
        default=250,
        validators=[MinValueValidator(1), MaxValueValidator(5_000)],
    )
    due_at = models.DateTimeField("due", null=True, blank=True)
    shows_results = models.BooleanField(
        "students see their results as soon as they are scored", default=True
    )
    state = models.CharField(max_length=8, choices=State.choices, default=State.DRAFT)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(min_words__lte=models.F("max_words")),
                name="shortest_not_above_longest",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @property
    def is_overdue(self) -> bool:
        return self.due_at is not None and timezone.now() > self.due_at

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_closed(self) -> bool:
        return self.state == self.State.CLOSED

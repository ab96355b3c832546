"""Assignments: a source text to summarise, and the rules for handing a summary in."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from grading.models.courses import Course, Membership
from grading.models.sight import Missed

MOST_ATTEMPTS = 50  # of one student at one assignment, drafts and finals, whatever the rules say


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def visible_to(self, membership: Membership) -> "AssignmentQuerySet":
        """Students do not see drafts; nobody sees what is about to be deleted."""
        staying = self.filter(leaves_at=None)
        return staying if membership.is_grader else staying.exclude(state=Assignment.State.DRAFT)

    def with_counts(self) -> "AssignmentQuerySet":
        """With ``students_submitted`` on each."""
        return self.annotate(students_submitted=models.Count("submissions__student", distinct=True))


class Assignment(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        OPEN = "open", "Open"
        CLOSED = "closed", "Closed"

    class Release(models.TextChoices):
        """When students see scores and feedback."""

        AT_ONCE = "at_once", "As soon as they are scored"
        AFTER_DUE = "after_due", "After the due date"
        BY_HAND = "by_hand", "When they are released by hand"

    class Copying(models.TextChoices):
        """What happens to a summary that is mostly copied from the source."""

        ALLOW = "allow", "Take it without a word"
        WARN = "warn", "Warn the student; take it all the same"
        BLOCK = "block", "Refuse it"

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
    accepts_late = models.BooleanField(
        "students can hand in after the due date, as late", default=True
    )
    max_attempts = models.PositiveIntegerField(
        "final attempts",
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_ATTEMPTS)],
    )
    max_drafts = models.PositiveIntegerField(
        "drafts with feedback before the final", default=0, validators=[MaxValueValidator(20)]
    )
    copying = models.CharField(
        "if a summary is mostly copied from the source",
        max_length=8,
        choices=Copying.choices,
        default=Copying.WARN,
    )
    copying_percent = models.PositiveIntegerField(
        "“mostly copied” begins at (percent of the words)",
        default=50,
        validators=[MinValueValidator(10), MaxValueValidator(100)],
    )
    release = models.CharField(
        "students see scores and feedback",
        max_length=12,
        choices=Release.choices,
        default=Release.AT_ONCE,
    )
    missed_before = models.PositiveSmallIntegerField(
        "ideas that a text lacks, on drafts and until the due date",
        choices=Missed.choices,
        default=Missed.COUNTS,
    )
    missed_after = models.PositiveSmallIntegerField(
        "ideas that a text lacks, after the due date",
        choices=Missed.choices,
        default=Missed.LABELS,
    )
    second_looks = models.BooleanField("students can ask for a second look", default=True)
    # Graders see pseudonyms in the place of names: access/hidden_names.py
    names_hidden = models.BooleanField("hide the names of students from graders", default=False)
    # From which probability on a match counts, or a curve learnt from people's marks; at most one
    # of them is set, and neither means the program's own (calibration/actions.py).
    match_probability = models.FloatField(null=True, editable=False)
    learnt_curve = models.JSONField(null=True, editable=False)
    # The notice that scores were calculated again by this method ("classroom-3") was dismissed.
    dismissed_method = models.CharField(max_length=100, blank=True, editable=False)
    state = models.CharField(max_length=8, choices=State.choices, default=State.DRAFT)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    archived_at = models.DateTimeField(null=True, editable=False)  # from then on only read
    leaves_at = models.DateTimeField(null=True, editable=False)  # hidden, and then deleted for good

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
    def is_archived(self) -> bool:
        """By itself; its course may be archived besides."""
        return self.archived_at is not None

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @property
    def is_overdue(self) -> bool:
        return self.due_at is not None and timezone.now() > self.due_at

    @property
    def is_past(self) -> bool:
        """Is it over for what students see? With no due date, from when it is closed."""
        return self.is_closed if self.due_at is None else self.is_overdue

    @property
    def shows_results(self) -> bool:
        """Do students see results of submissions about which nothing else was said?"""
        if self.release == self.Release.AFTER_DUE:
            return self.is_past
        return self.release == self.Release.AT_ONCE

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_closed(self) -> bool:
        return self.state == self.State.CLOSED

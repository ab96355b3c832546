"""Assignments: a source text to summarise, and the rules for handing a summary in."""

from datetime import datetime

from django.apps import apps
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property

from grading.models.courses import Course, Membership
from grading.models.sight import Missed
from grading.models.terms import Terms

MOST_ATTEMPTS = 50  # of one student at one assignment, drafts and finals, whatever the rules say

# By student what extensions grant: a due date and a number of finals, each perhaps None.
StudentExtensions = dict[int, list[tuple[datetime | None, int | None]]]


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
        BY_HAND = "by_hand", "When you release them"

    class Copying(models.TextChoices):
        """What happens to a summary that is mostly copied from the source."""

        ALLOW = "allow", "Accept it"
        WARN = "warn", "Warn the student, then accept it"
        BLOCK = "block", "Refuse it"

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="assignments")
    title = models.CharField(max_length=200)
    instructions = models.TextField(blank=True)
    source_title = models.CharField("title of the source", max_length=300, blank=True)
    source_text = models.TextField(blank=True)
    min_words = models.PositiveIntegerField(
        "fewest words", default=100, validators=[MaxValueValidator(5_000)]
    )
    max_words = models.PositiveIntegerField(
        "most words",
        default=250,
        validators=[MinValueValidator(1), MaxValueValidator(5_000)],
    )
    due_at = models.DateTimeField("due", null=True, blank=True)
    accepts_late = models.BooleanField("accept late submissions", default=True)
    max_attempts = models.PositiveIntegerField(
        "final submissions",
        default=3,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_ATTEMPTS)],
    )
    max_drafts = models.PositiveIntegerField(
        "draft submissions before a final", default=0, validators=[MaxValueValidator(20)]
    )
    copying = models.CharField(
        "if a summary is mostly copied",
        max_length=8,
        choices=Copying.choices,
        default=Copying.WARN,
    )
    copying_percent = models.PositiveIntegerField(
        "a summary is mostly copied from (percent of words)",
        default=50,
        validators=[MinValueValidator(10), MaxValueValidator(100)],
    )
    release = models.CharField(
        "students see results",
        max_length=12,
        choices=Release.choices,
        default=Release.BY_HAND,
    )
    missed_before = models.PositiveSmallIntegerField(
        "missing ideas, on drafts and before the due date",
        choices=Missed.choices,
        default=Missed.COUNTS,
    )
    missed_after = models.PositiveSmallIntegerField(
        "missing ideas, after the due date",
        choices=Missed.choices,
        default=Missed.LABELS,
    )
    second_looks = models.BooleanField("students can request a second look", default=True)
    mails_results = models.BooleanField(
        "e-mail students when their result is ready or a second look is answered", default=True
    )
    mails_reminder = models.BooleanField(
        "e-mail students who have not submitted 24 hours before the due date", default=True
    )
    # When a worker first looked for e-mails to send; what was there before is nobody's news.
    mails_since = models.DateTimeField(null=True, editable=False)
    # Graders see pseudonyms instead of names: access/hidden_names.py
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
        """Is the assignment itself archived? Its course may be, besides."""
        return self.archived_at is not None

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    # --- the due date and the number of finals: of the class, and of one student ---

    @property
    def terms(self) -> Terms:
        """What applies to students without an extension."""
        return Terms(self.due_at, self.max_attempts)

    def terms_of(self, student: int | None) -> Terms:
        """What applies to a student: the most generous of the assignment's own terms, the extension
        of the student's section, and the student's own extension.

        This is the only place where extensions take effect.
        """
        terms = self.terms
        if terms == Terms(None, None) or student is None:
            return terms
        for due_at, max_attempts in self.student_extensions.get(student, ()):
            terms = terms.extended(due_at=due_at, max_attempts=max_attempts)
        return terms

    @cached_property
    def student_extensions(self) -> StudentExtensions:
        """Read when first needed; ``Extension.objects.load`` reads those of several at once."""
        apps.get_model("grading", "Extension").objects.load([self])
        return self.student_extensions

    @property
    def is_overdue(self) -> bool:
        """For students without an extension."""
        return self.terms.is_overdue

    @property
    def is_past(self) -> bool:
        """Is it over for what students see? With no due date, from when it is closed."""
        return self.is_past_for(None)

    def is_past_for(self, student: int | None) -> bool:
        """The same for one student, by the student's own due date."""
        return self.is_closed if self.due_at is None else self.terms_of(student).is_overdue

    @property
    def shows_results(self) -> bool:
        """Do students see the results of submissions that follow the rule?"""
        return self.shows_results_to(None)

    def shows_results_to(self, student: int | None) -> bool:
        """The same for one student, by the student's own due date."""
        if self.release == self.Release.AFTER_DUE:
            return self.is_past_for(student)
        return self.release == self.Release.AT_ONCE

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def is_closed(self) -> bool:
        return self.state == self.State.CLOSED

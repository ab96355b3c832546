"""How scores become grades: the rules of an assignment, and grades set manually. Only added to."""

from decimal import Decimal

from django.core.validators import MinValueValidator
from django.db import models
from django.utils import timezone

from grading.models.assignments import Assignment
from grading.models.users import User
from grading.pyramid.formats.grade_rule_json import grade_rule_from_json
from grading.pyramid.grade_rules import DEFAULT_RULE, GradeRule, plain


class StoredGradeRuleQuerySet(models.QuerySet["StoredGradeRule"]):
    def newest_of(self, assignment: Assignment) -> "StoredGradeRule | None":
        """The current rule; None where nobody has made one, and the default applies."""
        return self.filter(assignment=assignment).order_by("-pk").first()


class StoredGradeRule(models.Model):
    """Never changed: the newest of an assignment is the current one."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="grade_rules")
    document = models.JSONField()  # grading/pyramid/formats/grade_rule_json.py
    students_see = models.BooleanField(default=False)  # where results are shown to them
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = StoredGradeRuleQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.assignment}: grade rule {self.pk}"

    @property
    def rule(self) -> GradeRule:
        return grade_rule_from_json(self.document)


def rule_of(stored: StoredGradeRule | None) -> GradeRule:
    return stored.rule if stored else DEFAULT_RULE


class ManualGrade(models.Model):
    """A manual grade of one student. Never changed: a later one replaces it."""

    class Kind(models.TextChoices):
        POINTS = "points", "Set manually"
        EXCUSED = "excused", "Excused"
        RULE = "rule", "By the rule"

    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="manual_grades"
    )
    student = models.ForeignKey(User, on_delete=models.CASCADE, related_name="manual_grades")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    points = models.DecimalField(
        max_digits=7,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
    )
    possible = models.DecimalField(max_digits=7, decimal_places=2)  # what they were out of then
    reason = models.TextField()
    is_undo = models.BooleanField(default=False)  # of the one before it
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="points", points__isnull=False)
                | (~models.Q(kind="points") & models.Q(points__isnull=True)),
                name="points_where_set_by_hand",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.student}: {self.get_kind_display()}"

    @property
    def as_text(self) -> str:
        """“8.5 of 10”, “excused”, “by the rule”."""
        if self.points is None:
            return self.get_kind_display().lower()
        return f"{plain(self.points)} of {plain(self.possible)}"

    @property
    def says(self) -> bool:
        """Does it say anything other than the rule?"""
        return self.kind != self.Kind.RULE

    @property
    def is_excused(self) -> bool:
        return self.kind == self.Kind.EXCUSED

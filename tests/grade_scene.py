"""Submissions with scores as they are wanted, and rules, kept without any engine."""

from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from grading.models import (
    Assignment,
    ManualGrade,
    Score,
    StoredGradeRule,
    StoredPyramid,
    Submission,
    User,
)
from grading.pyramid.formats.grade_rule_json import grade_rule_to_json
from grading.pyramid.grade_rules import GradeRule

TEN = GradeRule(points=Decimal(10), rounding=Decimal("0.1"))


def version_of(assignment: Assignment) -> StoredPyramid:
    result, _ = StoredPyramid.objects.get_or_create(
        assignment=assignment, number=1, defaults={"document": {}}
    )
    return result


def hand_in(
    assignment: Assignment,
    student: User,
    comprehensive: float | None = None,
    *,
    is_final: bool = True,
    late_by: timedelta | None = None,
) -> Submission:
    """The next attempt; with this score, the others half of it, or not scored yet."""
    at = timezone.now()
    if late_by is not None and assignment.due_at is not None:
        at = assignment.due_at + late_by
    submission = Submission.objects.create(
        assignment=assignment,
        student=student,
        attempt=1 + assignment.submissions.filter(student=student).count(),
        text="Cities are hotter.",
        words=3,
        is_final=is_final,
        submitted_at=at,
        late=late_by is not None and late_by > timedelta(0),
    )
    if comprehensive is not None:
        rescore(submission, comprehensive)
    return submission


def rescore(submission: Submission, comprehensive: float) -> Score:
    """A newer score of it."""
    return Score.objects.create(
        submission=submission,
        pyramid=version_of(submission.assignment),
        signature="made",
        revision=submission.scores.count(),
        statements=1,
        raw=1,
        quality=comprehensive / 2,
        coverage=comprehensive / 2,
        comprehensive=comprehensive,
        document={},
    )


def keep_rule(
    assignment: Assignment, rule: GradeRule = TEN, *, students_see: bool = True
) -> StoredGradeRule:
    return StoredGradeRule.objects.create(
        assignment=assignment, document=grade_rule_to_json(rule), students_see=students_see
    )


def say(
    assignment: Assignment, student: User, points: str | None, reason: str = "Well argued."
) -> ManualGrade:
    """Points by hand, or excused."""
    return ManualGrade.objects.create(
        assignment=assignment,
        student=student,
        kind=ManualGrade.Kind.POINTS if points else ManualGrade.Kind.EXCUSED,
        points=Decimal(points) if points else None,
        possible=Decimal(10),
        reason=reason,
    )

"""Settings change, and what rests on them follows."""

from datetime import timedelta

from django.utils import timezone

from grading.assignments.actions import assignment_change
from grading.models import Assignment
from grading.scoring.lateness import LateChanged
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast


def change(assignment: Assignment, *, hours: int | None) -> LateChanged:
    assignment.due_at = None if hours is None else timezone.now() + timedelta(hours=hours)
    return assignment_change(assignment=assignment, fields=["due_at"])


def test_what_is_late_follows_the_due_date(cast: Cast, assignment: Assignment) -> None:
    for student in (cast.student, cast.other_student):
        submission_submit(assignment=assignment, student=student, text=SUMMARY)
    others = Assignment.objects.create(course=cast.course, title="Another")
    submission_submit(
        assignment=_opened(others), student=cast.student, text=SUMMARY
    ).refresh_from_db()

    assert change(assignment, hours=-1) == LateChanged(now=2, no_more=0)
    assert change(assignment, hours=-1) == LateChanged(now=0, no_more=0)
    assert set(assignment.submissions.values_list("late", flat=True)) == {True}
    assert set(others.submissions.values_list("late", flat=True)) == {False}

    assert change(assignment, hours=1) == LateChanged(now=0, no_more=2)
    change(assignment, hours=-1)
    assert change(assignment, hours=None) == LateChanged(now=0, no_more=2)
    assignment.refresh_from_db()
    assert assignment.due_at is None


def _opened(assignment: Assignment) -> Assignment:
    assignment.state = Assignment.State.OPEN
    assignment.save()
    return assignment

"""Which submissions are late, by the due date that applies to each student."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from grading.models.assignments import Assignment
from grading.models.courses import Course
from grading.models.extensions import Extension


@dataclass(frozen=True, slots=True)
class LateChanged:
    """How many submissions are late by a new due date, and how many no longer are."""

    now: int = 0
    no_more: int = 0


def submissions_mark_late(
    *, assignment: Assignment, students: Collection[int] | None = None
) -> LateChanged:
    """Mark submissions as late, or in time: of these students, or of everybody (None).

    Call it in the transaction that changes a due date or an extension.
    """
    Extension.objects.load([assignment])
    rows = assignment.submissions.all()
    if students is not None:
        rows = rows.filter(student__in=students)
    by_due_date: dict[datetime | None, list[int]] = {}
    for student in assignment.student_extensions:
        by_due_date.setdefault(assignment.terms_of(student).due_at, []).append(student)
    groups = [(assignment.due_at, rows.exclude(student__in=assignment.student_extensions))]
    groups += [(due_at, rows.filter(student__in=own)) for due_at, own in by_due_date.items()]
    changed = LateChanged()
    for due_at, submissions in groups:
        in_time, too_late = submissions, submissions.none()
        if due_at is not None:
            in_time = submissions.filter(submitted_at__lte=due_at)
            too_late = submissions.filter(submitted_at__gt=due_at)
        changed = LateChanged(
            now=changed.now + too_late.filter(late=False).update(late=True),
            no_more=changed.no_more + in_time.filter(late=True).update(late=False),
        )
    return changed


def sections_mark_late(*, course: Course, students: Collection[int]) -> None:
    """Mark again what these students submitted where a section has an extension: theirs changed."""
    extended = Extension.objects.filter(assignment__course=course, student=None)
    for assignment in Assignment.objects.filter(pk__in=extended.values("assignment")):
        submissions_mark_late(assignment=assignment, students=students)

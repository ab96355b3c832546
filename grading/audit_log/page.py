"""Records of the audit log as a page shows them: with the names that their numbers have now."""

from collections.abc import Sequence
from dataclasses import dataclass

from grading.access.hidden_names import displayed_student
from grading.models import Assignment, AuditRecord, Course, User


@dataclass(frozen=True, slots=True)
class AuditLine:
    """``actor`` and ``person`` are names, or what is left of an account that is gone."""

    record: AuditRecord
    actor: str
    person: str
    place: str


def audit_lines(records: Sequence[AuditRecord], *, of_a_course: bool) -> list[AuditLine]:
    """Look up all names in three queries; a student's is hidden where the assignment hides names.

    A line of the whole site names the course, one of a course the assignment alone.
    """
    numbers = {number for row in records for number in (row.actor, row.person) if number}
    users = User.objects.in_bulk(numbers)
    assignments = Assignment.objects.in_bulk({row.assignment for row in records if row.assignment})
    courses = Course.objects.in_bulk({row.course for row in records if row.course})

    def place(row: AuditRecord) -> str:
        names = [assignments[row.assignment].title] if row.assignment in assignments else []
        if not of_a_course and row.course is not None:
            course = courses.get(row.course)
            names.insert(0, course.name if course else f"course {row.course}, deleted")
        return ", ".join(names)

    def person(row: AuditRecord) -> str:
        user = users.get(row.person or 0)
        assignment = assignments.get(row.assignment or 0)
        if user is not None and assignment is not None:
            user = displayed_student(assignment, user)
        return _name(row.person, user)

    return [
        AuditLine(row, _name(row.actor, users.get(row.actor or 0)), person(row), place(row))
        for row in records
    ]


def _name(number: int | None, user: User | None) -> str:
    if number is None:
        return ""
    return str(user) if user is not None else f"account {number}, deleted"

"""What an upload of work would do, and what a grader has chosen for it. Read-only."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from grading.models import Role, WorkImport
from grading.pyramid.formats.bulk_files import files_from_json
from grading.pyramid.formats.bulk_plan import HandedIn, Person, Plan, PlanRules, plan_work


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """What a grader chose: owners of files and ticks, both by the number of the file."""

    given: Mapping[int, int]
    handed_in_at: datetime | None = None
    ticks: Mapping[int, bool] | None = None


def import_choices(*, work_import: WorkImport) -> ImportChoices:
    document: dict[str, Any] = work_import.choices
    at, ticks = document.get("handed_in_at"), document.get("ticks")
    return ImportChoices(
        given={int(number): person for number, person in document.get("given", {}).items()},
        handed_in_at=datetime.fromisoformat(at) if at else None,
        ticks=None if ticks is None else {int(number): tick for number, tick in ticks.items()},
    )


def default_handed_in_at(work_import: WorkImport) -> datetime:
    """In time, where nothing else is known: the due date if that has passed."""
    due = work_import.assignment.due_at
    return min(due, work_import.created_at) if due else work_import.created_at


def import_plan(*, work_import: WorkImport) -> Plan:
    """What the import would do now, in a number of queries that does not grow."""
    assignment = work_import.assignment
    choices = import_choices(work_import=work_import)
    rules = PlanRules(
        handed_in_at=choices.handed_in_at or default_handed_in_at(work_import),
        zone=ZoneInfo(assignment.course.time_zone),
        due_at=assignment.due_at,
        min_words=assignment.min_words,
        max_words=assignment.max_words,
        max_finals=assignment.max_attempts,
        extended={
            student: (terms.due_at, terms.max_attempts)
            for student in assignment.student_extensions
            for terms in [assignment.terms_of(student)]
        },
    )
    students = assignment.course.memberships.filter(role=Role.STUDENT).select_related("user")
    # A login that looks like an address is not the address of whoever chose it.
    people = [
        Person(
            key=member.user_id,
            name=member.user.name,
            logins=(
                ("" if "@" in member.user.username else member.user.username),
                member.lms_login,
            ),
            email=member.known_email,
            student_number=member.student_number,
            lms_id=member.lms_id,
        )
        for member in students.order_by("pk")
    ]
    submitted: dict[int, list[HandedIn]] = {}
    rows = assignment.submissions.order_by("pk")
    for student, attempt, text, is_final in rows.values_list(
        "student", "attempt", "text", "is_final"
    ):
        submitted.setdefault(student, []).append(HandedIn(attempt, text, is_final))
    files = files_from_json(work_import.document["files"])
    return plan_work(files, people, submitted, choices.given, rules)

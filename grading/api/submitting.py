"""Submissions that a program sends for students, by the plan of an import of files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from grading.access.hidden_names import person_key
from grading.api.problems import UNPROCESSABLE, RefusedError
from grading.api.schemas import NewSubmissionIn
from grading.bulk_import.actions import import_apply
from grading.bulk_import.queries import ImportChoices, import_plan
from grading.models import Assignment, Job, Membership, Role, Submission, User, WorkImport
from grading.pyramid.figures import number_of
from grading.pyramid.formats.bulk_files import ReadFile, files_to_json
from grading.pyramid.formats.bulk_names import NamedFile
from grading.pyramid.formats.bulk_plan import PlanRow, RowState
from grading.web.texts_in_forms import check_text

WAYS: dict[str, Callable[[Assignment, Membership], str]] = {
    "student": lambda assignment, member: person_key(assignment, member.user_id),
    "login": lambda _, member: member.user.username,
    "student_number": lambda _, member: member.student_number,
    "email": lambda _, member: member.known_email,
}


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of each, in the order in which they were sent, and the job that scores them."""

    rows: list[dict[str, Any]]
    job: Job | None


@transaction.atomic
def submissions_submit(
    *, assignment: Assignment, sent: Sequence[NewSubmissionIn], author: User
) -> Submitted:
    """Make an attempt of each text that the student has not submitted yet. All or none."""
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    owners = _owners(assignment, sent)
    # As if files had been uploaded and read, and a grader had chosen whose they are.
    choices = ImportChoices(given=dict(enumerate(owners)))
    work_import = WorkImport.objects.create(
        assignment=assignment,
        author=author,
        name=f"{number_of(len(sent), 'text')} of the API",
        state=WorkImport.State.READY,
        document={"files": files_to_json(_files(assignment, sent)), "platform": "", "left_out": 0},
        choices={"given": {str(number): pk for number, pk in choices.given.items()}},
    )
    plan = import_plan(work_import=work_import)
    new = {row.file.number for row in plan.of(RowState.NEW)}
    applied = import_apply(work_import=work_import, stamp=plan.stamp, ticked=new, author=author)
    attempts = {
        (student, attempt): pk
        for pk, student, attempt in Submission.objects.filter(
            assignment=assignment, student__in=owners
        ).values_list("pk", "student", "attempt")
    }
    rows = sorted(plan.rows, key=lambda row: row.file.number)
    return Submitted(
        [_shown(assignment, row, attempts) for row in rows], applied.scoring if applied else None
    )


def _shown(
    assignment: Assignment, row: PlanRow, attempts: dict[tuple[int, int], int]
) -> dict[str, Any]:
    if row.person is None:
        raise RefusedError(UNPROCESSABLE, "A student has left the course. Nothing was submitted.")
    return {
        "student": person_key(assignment, row.person),
        "state": "imported" if row.state is RowState.NEW else "same",
        "attempt": row.attempt,
        "submission": attempts[row.person, row.attempt],
        "remarks": list(row.remarks),
    }


def _files(assignment: Assignment, sent: Sequence[NewSubmissionIn]) -> list[ReadFile]:
    zone = ZoneInfo(assignment.course.time_zone)
    files = []
    for number, row in enumerate(sent):
        at = row.submitted_at
        if at is not None and timezone.is_naive(at):
            at = at.replace(tzinfo=zone)
        if at is not None and at > timezone.now():
            raise _refused(number, "submitted_at", "This time is in the future.")
        try:
            text = check_text(row.text, "The text")
        except ValidationError as error:
            raise _refused(number, "text", error.messages[0]) from None
        local = at.astimezone(zone).replace(tzinfo=None) if at else None
        files.append(ReadFile(number, NamedFile(f"{number + 1}.txt", at=local), text))
    return files


def _owners(assignment: Assignment, sent: Sequence[NewSubmissionIn]) -> list[int]:
    """By each text the student's account; nobody twice."""
    rows = assignment.course.memberships.filter(role=Role.STUDENT).select_related("user")
    students = list(rows)
    by_way: dict[str, dict[str, list[int]]] = {}
    owners: list[int] = []
    for number, row in enumerate(sent):
        named = row.dict(include=set(WAYS), exclude_none=True)
        if len(named) != 1:
            sentence = "Name the student by one of: student, login, student_number, email."
            raise _refused(number, "student", sentence)
        [(way, value)] = named.items()
        if assignment.names_hidden and way != "student":
            sentence = "Names are hidden in this assignment. Name the student by the key."
            raise _refused(number, way, sentence)
        if way not in by_way:
            index: dict[str, list[int]] = {}
            for member in students:
                index.setdefault(WAYS[way](assignment, member).casefold(), []).append(
                    member.user_id
                )
            by_way[way] = index
        people = by_way[way].get(value.strip().casefold(), []) if value.strip() else []
        if len(people) != 1:
            problem = "This matches several students." if people else "No student of this course."
            raise _refused(number, way, problem)
        if people[0] in owners:
            raise _refused(
                number, way, "This student is listed twice. Send one text for each student."
            )
        owners.append(people[0])
    return owners


def _refused(number: int, field: str, sentence: str) -> RefusedError:
    error = {"field": f"submissions.{number}.{field}", "message": sentence}
    return RefusedError(UNPROCESSABLE, sentence, [error])

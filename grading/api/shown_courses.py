"""Rows of courses as the API shows them: rosters, extensions, imports, files, deletions."""

from typing import Any

from grading.access.hidden_names import displayed_members, person_key
from grading.api.shown import fields_of, job_progress, shown_student
from grading.bulk_import.queries import import_choices, import_plan
from grading.extensions.queries import ExtensionRow
from grading.models import (
    Assignment,
    Course,
    CourseFile,
    Deletion,
    Extension,
    Job,
    Membership,
    RemovedMember,
    Role,
    WorkImport,
)
from grading.pyramid.formats.bulk_plan import Plan, PlanRow
from grading.pyramid.formats.roster_csv import RosterLine
from grading.pyramid.formats.roster_diff import Known, RosterDiff
from grading.pyramid.stamps import stamp_of

Json = dict[str, Any]


def shown_removed(removed: RemovedMember) -> Json:
    return {"id": removed.pk, "name": removed.user.name, "login": removed.user.username}


# --- rosters ---


def shown_roster_diff(course: Course, diff: RosterDiff) -> Json:
    """The page's difference; people of the course by their place in it."""
    members = dict(course.memberships.values_list("user", "pk"))

    def known(person: Known, line: RosterLine | None = None) -> Json:
        return _roster_person(line, person.login, members.get(person.pk), person)

    return {
        "new": [_roster_person(person.line, person.login, None) for person in diff.new],
        "joining": [known(person.known, person.line) for person in diff.joining],
        "changed": [
            known(person.known, person.line)
            | {
                "changes": [
                    {"field": row.field, "before": row.before, "after": row.after}
                    for row in person.changes
                ]
            }
            for person in diff.changed
        ],
        "gone": [known(person) for person in diff.gone],
        "questions": [
            known(question.known, question.line)
            | {"why": question.why, "known_as": question.known.name}
            for question in diff.questions
        ],
        "problems": [{"line": row.line, "message": row.text} for row in diff.problems],
        "remarks": list(diff.remarks),
        "stamp": diff.stamp,
    }


def _roster_person(
    line: RosterLine | None, login: str, member: int | None, person: Known | None = None
) -> Json:
    """As the file has it, or for those who are not in the file as the course does."""
    about = line or person
    return {
        "line": line.line if line else None,
        "name": about.name if about else "",
        "login": login,
        "section": about.section if about else "",
        "student_number": about.student_number if about else "",
        "member": member,
    }


# --- extensions ---


def extension_stamp(extension: Extension) -> str:
    return stamp_of(
        extension.due_at, extension.max_attempts, extension.reason, extension.changed_at
    )


def shown_extension(assignment: Assignment, row: ExtensionRow) -> Json:
    """Reasons name students: where names are hidden, nobody reads them."""
    extension = row.extension
    student = extension.student_id
    return {
        "id": extension.pk,
        "student": None if student is None else person_key(assignment, student),
        "section": extension.section or None,
        "name": row.name,
        "due_at": extension.due_at,
        "max_attempts": extension.max_attempts,
        "reason": None if assignment.names_hidden else extension.reason,
        "has_effect": row.has_effect,
        "changed_at": extension.changed_at,
        "stamp": extension_stamp(extension),
    }


# --- imports ---


def shown_import(work_import: WorkImport) -> Json:
    shown = fields_of(work_import, "id name state error attempts created_at")
    hidden = work_import.assignment.names_hidden
    return shown | {
        "name": "" if hidden else work_import.name,
        "assignment": work_import.assignment_id,
        "job": work_import.reading_id,
        "scoring_job": work_import.scoring_id,
    }


def import_stamp(work_import: WorkImport, plan: Plan) -> str:
    """Of the plan with its ticks: what is applied is what was read."""
    ticked = sorted(row.file.number for row in plan.rows if row.ticked)
    return stamp_of(plan.stamp, import_choices(work_import=work_import), ticked)


def shown_plan(work_import: WorkImport) -> tuple[Json, str]:
    """The import with its files, and its stamp."""
    if not work_import.is_ready:
        return shown_import(work_import) | {"rows": []}, stamp_of(work_import.state)
    plan, assignment = import_plan(work_import=work_import), work_import.assignment
    students = assignment.course.memberships.filter(role=Role.STUDENT).select_related("user")
    members = {member.user_id: member for member in displayed_members(assignment, students)}
    rows = sorted(plan.rows, key=lambda row: row.file.number)
    shown = [_plan_row(assignment, row, members) for row in rows]
    return shown_import(work_import) | {"rows": shown}, import_stamp(work_import, plan)


def _plan_row(assignment: Assignment, row: PlanRow, members: dict[int, Membership]) -> Json:
    """A file's name beside a pseudonym would tell whose it is."""
    hidden = assignment.names_hidden
    people = [] if hidden else [members[pk] for pk in row.people if pk in members]
    person = None if hidden or row.person is None else members.get(row.person)
    return {
        "number": row.file.number,
        "path": "" if hidden else row.file.named.path,
        "state": row.state,
        "student": shown_student(assignment, person) if person else None,
        "others": [shown_student(assignment, member) for member in people if member != person],
        "known_by": "" if hidden else row.by,
        "attempt": 0 if hidden else row.attempt,
        "submitted_at": row.submitted_at,
        "late": row.late,
        "words": row.file.words,
        "ticked": row.ticked,
        "remarks": [] if hidden else list(row.remarks),
        "error": row.file.error,
    }


# --- files, jobs, deletions ---


def shown_course_file(file: CourseFile) -> Json:
    return fields_of(file, "id name size created_at expires_at")


def shown_course_job(job: Job) -> Json:
    return job_progress(job) | {"file": job.file_id}


def shown_deletion(deletion: Deletion) -> Json:
    return fields_of(deletion, "id kind state subject counts leaves_at")

"""Extensions of due dates and attempts, for students and for sections."""

from typing import Any

from django.db import transaction
from ninja import Router, Status

from grading import access
from grading.access.hidden_names import person_key
from grading.api.course_schemas import ExtensionIn, ExtensionOut, NewExtensionIn
from grading.api.forms import as_typed
from grading.api.middleware import TokenRequest
from grading.api.problems import CONFLICT, UNPROCESSABLE, RefusedError, check_form
from grading.api.shown_courses import extension_stamp, shown_extension
from grading.api.v1.stamps import IfMatch, stale, stamp_sent
from grading.extensions.actions import extension_remove, extension_save
from grading.extensions.forms import ExtensionForm, NewExtensionForm
from grading.extensions.queries import CourseStudents, ExtensionRow, extension_rows
from grading.models import Assignment, Extension

router = Router(tags=["Extensions"])


@router.get(
    "/assignments/{id:assignment}/extensions",
    response=list[ExtensionOut],
    summary="Extensions of an assignment",
)
def extensions(request: TokenRequest, assignment: int) -> Any:
    """Sections first. Students who have left the course are not listed."""
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    rows = extension_rows(row, CourseStudents.of(row))
    return [shown_extension(row, extension) for extension in rows]


@router.post(
    "/assignments/{id:assignment}/extensions",
    response={201: ExtensionOut},
    summary="Grant an extension",
)
def extension_create(request: TokenRequest, assignment: int, payload: NewExtensionIn) -> Any:
    """Where names are hidden, only sections can have one, as on the page."""
    row, _ = access.get_editable_assignment_for(request.user, assignment)
    students = CourseStudents.of(row)
    typed = _typed(row, payload) | {"whom": _whom(row, students, payload)}
    form = check_form(
        NewExtensionForm(typed, assignment=row, students=students, shown=students.members)
    )
    extension = form.save(commit=False)
    if extension_save(extension=extension, author=request.user) is None:
        raise RefusedError(CONFLICT, "There is already an extension. Change that extension.")
    return Status(201, _shown(row, extension))


@router.put("/extensions/{id:extension}", response=ExtensionOut, summary="Change an extension")
def extension_update(
    request: TokenRequest, extension: int, payload: ExtensionIn, if_match: IfMatch = None
) -> Any:
    """Send the stamp of the extension as If-Match."""
    with transaction.atomic():
        stamp = stamp_sent(if_match)
        row, _, _ = access.get_extension_for(request.user, extension)
        Assignment.objects.select_for_update().get(pk=row.assignment_id)
        row, _, _ = access.get_extension_for(request.user, extension)
        if extension_stamp(row) != stamp:
            raise stale()
        form = ExtensionForm(
            _typed(row.assignment, payload), instance=row, assignment=row.assignment
        )
        changed = check_form(form).save(commit=False)
        if extension_save(extension=changed, author=request.user) is None:
            raise stale()
    return _shown(row.assignment, changed)


@router.delete("/extensions/{id:extension}", response={204: None}, summary="Remove an extension")
def extension_delete(request: TokenRequest, extension: int) -> Any:
    row, _, _ = access.get_extension_for(request.user, extension)
    extension_remove(extension=row)
    return Status(204, None)


def _typed(assignment: Assignment, payload: ExtensionIn) -> dict[str, Any]:
    return {
        "due_at": as_typed(assignment.course, payload.due_at),
        "max_attempts": payload.max_attempts,
        "reason": payload.reason,
    }


def _whom(assignment: Assignment, students: CourseStudents, payload: NewExtensionIn) -> str:
    """As the form of the page has it."""
    if (payload.student is None) == (payload.section is None):
        raise _refused("student", "Name a student or a section.")
    if payload.section is not None:
        if payload.section not in students.sections:
            raise _refused("section", "No student of this course is in this section.")
        return f"section:{payload.section}"
    if assignment.names_hidden:
        raise _refused("student", "Names are hidden. Only a section can have an extension.")
    for member in students.members:
        if person_key(assignment, member.user_id) == payload.student:
            return f"student:{member.user_id}"
    raise _refused("student", "No student of this course.")


def _refused(field: str, sentence: str) -> RefusedError:
    return RefusedError(UNPROCESSABLE, sentence, [{"field": field, "message": sentence}])


def _shown(assignment: Assignment, extension: Extension) -> dict[str, Any]:
    rows = extension_rows(assignment, CourseStudents.of(assignment))
    of_nobody = ExtensionRow(extension, "", 0, has_effect=False)  # the student has left the course
    return shown_extension(
        assignment, next((row for row in rows if row.extension == extension), of_nobody)
    )

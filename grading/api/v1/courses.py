"""The token, its course, the people and the assignments there."""

from copy import copy
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from ninja import Router, Status

from grading import access
from grading.api.course_schemas import CopyIn, CourseIn
from grading.api.forms import as_typed
from grading.api.middleware import TokenRequest
from grading.api.pages import USUAL_PAGE, After, Limit, page_of_rows, shown_page
from grading.api.problems import check_form
from grading.api.schemas import (
    AssignmentIn,
    AssignmentOut,
    AssignmentRowOut,
    CourseOut,
    NamesIn,
    Page,
    SettingsIn,
    StateIn,
    TokenOut,
)
from grading.api.shown import (
    shown_assignment,
    shown_assignment_row,
    shown_course,
    shown_token,
)
from grading.api.v1.stamps import IfMatch, put_stamp, stale, stamp_sent
from grading.assignments.actions import assignment_change
from grading.assignments.forms import SETTINGS, NewAssignmentForm, SettingsForm, StateForm
from grading.courses.forms import CourseForm
from grading.housekeeping.copies import assignment_copy
from grading.housekeeping.forms import AssignmentCopyForm
from grading.models import Assignment
from grading.queue.actions import assignment_hide_names

router = Router(tags=["Courses and assignments"])


@router.get("/token", response=TokenOut, summary="What this token may do")
def token(request: TokenRequest) -> Any:
    return shown_token(request.api_token)


@router.get("/courses", response=list[CourseOut], summary="The courses of this token")
def courses(request: TokenRequest) -> Any:
    """One, in which you are an instructor or a teaching assistant."""
    return [shown_course(row) for row in access.get_memberships_of(request.user) if row.is_grader]


@router.get("/courses/{id:course}", response=CourseOut, summary="A course")
def course(request: TokenRequest, course: int) -> Any:
    return shown_course(access.get_grader_membership_for(request.user, course))


@router.patch("/courses/{id:course}", response=CourseOut, summary="Change the settings of a course")
def course_settings(request: TokenRequest, course: int, payload: CourseIn) -> Any:
    membership = access.get_instructor_membership_for(request.user, course)
    row = membership.course
    names = CourseForm(instance=copy(row)).fields
    typed = {name: getattr(row, name) for name in names} | payload.dict(exclude_unset=True)
    membership.course = check_form(CourseForm(typed, instance=copy(row))).save()
    return shown_course(membership)


@router.get(
    "/courses/{id:course}/assignments",
    response=Page[AssignmentRowOut],
    summary="Assignments of a course",
)
def assignments(
    request: TokenRequest, course: int, after: After = "", limit: Limit = USUAL_PAGE
) -> Any:
    membership = access.get_grader_membership_for(request.user, course)
    rows = membership.course.assignments.visible_to(membership)
    page_rows, following = page_of_rows(rows.defer("source_text", "instructions"), after, limit)
    return shown_page([shown_assignment_row(row) for row in page_rows], following)


@router.post(
    "/courses/{id:course}/assignments",
    response={201: AssignmentOut},
    summary="Create an assignment",
)
def assignment_create(request: TokenRequest, course: int, payload: AssignmentIn) -> Any:
    """It begins as a draft, with the usual settings."""
    membership = access.get_instructor_membership_for(request.user, course)
    form = check_form(NewAssignmentForm(payload.dict(), course=membership.course))
    return Status(201, shown_assignment(form.save()))


@router.get("/assignments/{id:assignment}", response=AssignmentOut, summary="An assignment")
def assignment(request: TokenRequest, response: HttpResponse, assignment: int) -> Any:
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    put_stamp(response, _stamp(row))
    return shown_assignment(row)


@router.patch(
    "/assignments/{id:assignment}",
    response=AssignmentOut,
    summary="Change the settings of an assignment",
)
def assignment_settings(
    request: TokenRequest,
    response: HttpResponse,
    assignment: int,
    payload: SettingsIn,
    if_match: IfMatch = None,
) -> Any:
    """Send the ETag as If-Match."""
    stamp = stamp_sent(if_match)
    with transaction.atomic():
        access.get_editable_assignment_for(request.user, assignment)
        Assignment.objects.select_for_update().get(pk=assignment)
        row, _ = access.get_editable_assignment_for(request.user, assignment)
        if _stamp(row) != stamp:
            raise stale()
        for form in _changes(row, payload.dict(exclude_unset=True)):
            assignment_change(assignment=form.instance, fields=form.changed_data)
    row.refresh_from_db()
    put_stamp(response, _stamp(row))
    return shown_assignment(row)


def _changes(assignment: Assignment, sent: dict[str, Any]) -> list[SettingsForm]:
    """The forms of the settings page in which something is sent, filled in and checked."""
    forms = []
    for kind in SETTINGS:
        names = kind(instance=copy(assignment)).fields
        if sent.keys() & names:
            values = {name: getattr(assignment, name) for name in names} | sent
            typed = {name: as_typed(assignment.course, value) for name, value in values.items()}
            forms.append(check_form(kind(typed, instance=copy(assignment))))
    return forms


def _stamp(assignment: Assignment) -> str:
    return sha256(repr(shown_assignment(assignment)).encode()).hexdigest()[:32]


@router.put(
    "/assignments/{id:assignment}/state",
    response=AssignmentOut,
    summary="Open or close an assignment",
)
def assignment_state(request: TokenRequest, assignment: int, payload: StateIn) -> Any:
    row, _ = access.get_editable_assignment_for(request.user, assignment)
    form = check_form(StateForm(payload.dict()))
    row.state = Assignment.State(form.cleaned_data["state"])
    row.save(update_fields=["state"])
    return shown_assignment(row)


@router.put(
    "/assignments/{id:assignment}/names",
    response=AssignmentOut,
    summary="Hide the names of students from graders, or show them",
)
def assignment_names(request: TokenRequest, assignment: int, payload: NamesIn) -> Any:
    row, _ = access.get_editable_assignment_for(request.user, assignment)
    assignment_hide_names(assignment=row, hidden=payload.hidden)
    return shown_assignment(row)


@router.post(
    "/assignments/{id:assignment}/copy",
    response={201: AssignmentOut},
    summary="Copy an assignment within its course",
)
def assignment_copy_make(request: TokenRequest, assignment: int, payload: CopyIn) -> Any:
    """With expert summaries and the newest version. Students see it once it is open."""
    row, _ = access.get_assignment_even_if_archived_for(request.user, assignment)
    typed = {
        "course": row.course_id,
        "due": "none" if payload.weeks is None else "moved",
        "weeks": payload.weeks,
        "drafts": payload.drafts,
    }
    courses = access.get_courses_to_fill(request.user)
    form = check_form(AssignmentCopyForm(typed, courses=courses))
    copied = assignment_copy(
        assignment=row,
        course=form.cleaned_data["course"],
        rules=form.rules(),
        author=request.user,
    )
    return Status(201, shown_assignment(copied))

"""The token, its course, the people and the assignments there."""

from typing import Any

from ninja import Router, Status

from grading import access
from grading.api.middleware import TokenRequest
from grading.api.pages import USUAL_PAGE, After, Limit, page_of_rows, shown_page
from grading.api.problems import check_form
from grading.api.schemas import (
    AssignmentIn,
    AssignmentOut,
    CourseOut,
    MemberOut,
    Page,
    StateIn,
    TokenOut,
)
from grading.api.shown import shown_assignment, shown_course, shown_member, shown_token
from grading.assignments.forms import NewAssignmentForm, StateForm
from grading.models import Assignment

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


@router.get("/courses/{id:course}/people", response=Page[MemberOut], summary="People of a course")
def people(request: TokenRequest, course: int, after: After = "", limit: Limit = USUAL_PAGE) -> Any:
    membership = access.get_grader_membership_for(request.user, course)
    rows = membership.course.memberships.select_related("user")
    members, following = page_of_rows(rows, after, limit)
    return shown_page([shown_member(member) for member in members], following)


@router.get(
    "/courses/{id:course}/assignments",
    response=Page[AssignmentOut],
    summary="Assignments of a course",
)
def assignments(
    request: TokenRequest, course: int, after: After = "", limit: Limit = USUAL_PAGE
) -> Any:
    membership = access.get_grader_membership_for(request.user, course)
    rows = membership.course.assignments.visible_to(membership)
    found, following = page_of_rows(rows, after, limit)
    return shown_page([shown_assignment(row) for row in found], following)


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
def assignment(request: TokenRequest, assignment: int) -> Any:
    row, _ = access.get_graded_assignment_for(request.user, assignment)
    return shown_assignment(row)


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

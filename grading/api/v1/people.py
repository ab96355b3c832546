"""People of a course: roles, who was removed, and the roster by its difference."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.http import HttpResponse
from django.utils.datastructures import MultiValueDict
from ninja import Router, Status

from grading import access
from grading.api.course_schemas import (
    RemovedOut,
    RoleIn,
    RosterAppliedOut,
    RosterApplyIn,
    RosterDiffOut,
    RosterIn,
)
from grading.api.middleware import TokenRequest
from grading.api.pages import USUAL_PAGE, After, Limit, page_of_rows, shown_page
from grading.api.problems import CONFLICT, UNPROCESSABLE, RefusedError, check_form
from grading.api.schemas import MemberOut, Page
from grading.api.shown import shown_member
from grading.api.shown_courses import shown_removed, shown_roster_diff
from grading.api.v1.stamps import IfMatch, put_stamp, stale, stamp_sent
from grading.courses.actions import member_change_role, member_remove, member_restore
from grading.courses.forms import RoleForm
from grading.models import Role
from grading.pyramid.formats.roster_csv import Roster
from grading.roster.actions import RosterAnswers, roster_apply, roster_diff
from grading.roster.forms import RosterFileForm

router = Router(tags=["People"])

LAST_INSTRUCTOR = "A course needs an instructor. Make somebody else an instructor first."


@router.get("/courses/{id:course}/people", response=Page[MemberOut], summary="People of a course")
def people(request: TokenRequest, course: int, after: After = "", limit: Limit = USUAL_PAGE) -> Any:
    membership = access.get_grader_membership_for(request.user, course)
    rows = membership.course.memberships.select_related("user")
    members, following = page_of_rows(rows, after, limit)
    return shown_page([shown_member(member) for member in members], following)


@router.patch(
    "/courses/{id:course}/people/{id:member}", response=MemberOut, summary="Change a role"
)
def member_role(request: TokenRequest, course: int, member: int, payload: RoleIn) -> Any:
    row = access.get_member_for(request.user, course, member)
    form = check_form(RoleForm(payload.dict()))
    if not member_change_role(member=row, role=Role(form.cleaned_data["role"])):
        raise RefusedError(CONFLICT, LAST_INSTRUCTOR)
    return shown_member(row)


@router.delete(
    "/courses/{id:course}/people/{id:member}", response={204: None}, summary="Remove a person"
)
def member_delete(request: TokenRequest, course: int, member: int) -> Any:
    """Submissions stay. The join code lets the person in no more."""
    row = access.get_member_for(request.user, course, member)
    if not member_remove(member=row):
        raise RefusedError(CONFLICT, LAST_INSTRUCTOR)
    return Status(204, None)


@router.get(
    "/courses/{id:course}/removed-people",
    response=list[RemovedOut],
    summary="People who were removed",
)
def removed_people(request: TokenRequest, course: int) -> Any:
    membership = access.get_instructor_membership_for(request.user, course)
    rows = membership.course.removed_members.select_related("user").order_by("pk")
    return [shown_removed(row) for row in rows]


@router.post(
    "/courses/{id:course}/removed-people/{id:removed}/restore",
    response={201: MemberOut},
    summary="Add a removed person again",
)
def removed_restore(request: TokenRequest, course: int, removed: int) -> Any:
    """As a student, with what they have submitted."""
    row = access.get_removed_member_for(request.user, course, removed)
    return Status(201, shown_member(member_restore(removed=row)))


# --- the roster ---


@router.post(
    "/courses/{id:course}/roster/preview",
    response=RosterDiffOut,
    summary="What a roster would change",
)
def roster_preview(
    request: TokenRequest, response: HttpResponse, course: int, payload: RosterIn
) -> Any:
    """Changes nothing."""
    membership = access.get_instructor_membership_for(request.user, course)
    diff = roster_diff(course=membership.course, roster=_roster_of(payload, request.user.pk))
    put_stamp(response, diff.stamp)
    return shown_roster_diff(membership.course, diff)


@router.post(
    "/courses/{id:course}/roster",
    response={201: RosterAppliedOut},
    summary="Apply a roster",
)
def roster_create(
    request: TokenRequest, course: int, payload: RosterApplyIn, if_match: IfMatch = None
) -> Any:
    """Send the stamp of the preview as If-Match. Nobody is removed who is not in “leaving”."""
    membership = access.get_instructor_membership_for(request.user, course)
    stamp = stamp_sent(if_match)
    rows = membership.course.memberships.filter(pk__in=payload.leaving)
    leaving = frozenset(rows.values_list("user", flat=True))
    if len(leaving) < len(set(payload.leaving)):
        sentence = "A person in “leaving” is not in this course."
        error = {"field": "leaving", "message": sentence}
        raise RefusedError(UNPROCESSABLE, sentence, [error])
    answers = RosterAnswers(
        stamp=stamp,
        same=frozenset(payload.same),
        new=frozenset(payload.new) - frozenset(payload.same),
        leaving=leaving,
    )
    applied = roster_apply(
        course=membership.course,
        roster=_roster_of(payload, request.user.pk),
        answers=answers,
        author=request.user,
    )
    if applied is None:
        raise stale()
    counts = {
        "new_accounts": applied.made,
        "joined": applied.joined,
        "changed": applied.changed,
        "removed": applied.left,
    }
    return Status(201, counts)


def _roster_of(payload: RosterIn, owner: int) -> Roster:
    """By the form of the page."""
    file: UploadedFile[Any] = SimpleUploadedFile("roster.csv", payload.csv.encode())
    files = MultiValueDict({"file": [file]})
    roster: Roster = check_form(RosterFileForm({}, files, owner=owner)).cleaned_data["file"]
    return roster

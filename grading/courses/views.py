"""Courses: the list, one course, its settings, joining, and people."""

from collections.abc import Iterable
from copy import copy
from typing import Any

from allauth.core import ratelimit
from django.contrib import messages
from django.db.models import Case, When
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.courses import actions
from grading.courses.actions import (
    course_change_code,
    course_join,
    member_change_role,
    member_remove,
)
from grading.courses.forms import CodeExpiryForm, CourseForm, JoinForm, RoleForm
from grading.models import (
    Assignment,
    AuditKind,
    Extension,
    LtiEnrolment,
    Role,
    SecondLook,
    record,
)
from grading.models.courses import Membership
from grading.models.rosters import linkable_members
from grading.scoring.results import newest_scores
from grading.web.destinations import join_link
from grading.web.rendering import SignedInRequest, render_form_page, render_page

_GRADERS_FIRST = Case(*(When(role=role, then=place) for place, role in enumerate(Role)))


@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    memberships = access.get_memberships_of(request.user)
    context = {
        "memberships": [row for row in memberships if not row.course.is_archived],
        "archived": [row for row in memberships if row.course.is_archived],
        "waiting": access.get_courses_to_restore(request.user),
    }
    return render_page(request, "grading/courses/list.html", context)


@require_http_methods(["GET", "POST"])
def course_new(request: SignedInRequest) -> HttpResponse:
    creator = access.get_course_creator(request.user)
    form = CourseForm(request.POST or None, initial={"time_zone": creator.time_zone})
    if form.is_valid():
        course = form.save(commit=False)
        course.save_with_instructor(creator)
        record(AuditKind.COURSE_CREATED, "Created the course.", course=course)
        messages.success(request, "Course created. Share its join link with your students.")
        return redirect("course", course.pk)
    return render_form_page(request, "grading/courses/form.html", {"form": form})


@require_http_methods(["GET", "POST"])
def course_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_instructor_membership_for(request.user, pk)
    form = CourseForm(request.POST or None, instance=copy(membership.course))
    if form.is_valid():
        form.save()
        messages.success(request, "Course saved.")
        return redirect("course", pk)
    context = {"form": form, "membership": membership, "course": membership.course}
    return render_form_page(request, "grading/courses/form.html", context)


@require_http_methods(["GET", "POST"])
def course_join_by_code(request: SignedInRequest) -> HttpResponse:
    # Only codes that are wrong are counted: a whole class may join from one address.
    if not ratelimit.consume(request, action="join_code", dry_run=True):
        refused: HttpResponse = ratelimit.respond_429(request)
        return refused
    form = JoinForm(request.POST or None, initial={"code": request.GET.get("code", "")})
    if form.is_valid():
        membership = course_join(course=form.cleaned_data["code"], user=request.user)
        if membership is not None:
            messages.success(request, f"You've joined “{membership.course}”.")
            return redirect("course", membership.course_id)
        form.add_error(
            "code", "You were removed from this course. Ask its instructor to add you again."
        )
    elif form.is_bound:
        ratelimit.consume(request, action="join_code")
    return render_form_page(request, "grading/courses/join.html", {"form": form})


@require_safe
def course(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_membership_for(request.user, pk)
    assignments = membership.course.assignments.visible_to(membership).with_counts()
    lines = _lines(assignments, membership)
    context = {
        "membership": membership,
        "course": membership.course,
        "join_link": join_link(request, membership.course),
        "lines": [line for line in lines if not line["assignment"].is_archived],
        "archived": [line for line in lines if line["assignment"].is_archived],
        "pending_deletions": access.get_pending_deletions(membership).count(),
    }
    return render_page(request, "grading/courses/detail.html", context)


def _lines(assignments: Iterable[Assignment], membership: Membership) -> list[dict[str, Any]]:
    """The assignments; for students with their attempt that counts."""
    own = membership.user.submissions.filter(assignment__course=membership.course_id)
    latest = {
        submission.assignment_id: submission
        for submission in own.latest_attempts().select_related("assignment").defer("text")
    }
    assignments = list(assignments)
    if not membership.is_grader:
        Extension.objects.load([*assignments, *(row.assignment for row in latest.values())])
    shown = [submission for submission in latest.values() if submission.is_shown]
    scored = newest_scores(shown) if shown else {}
    looks = SecondLook.objects
    waiting = looks.waiting_by_assignment(membership.course) if membership.is_grader else {}
    return [
        {
            "assignment": assignment,
            "submission": submission,
            "has_feedback": submission is not None and submission.pk in scored,
            "waiting": waiting.get(assignment.pk, 0),  # second looks, for graders
        }
        for assignment in assignments
        for submission in [latest.get(assignment.pk)]
    ]


@require_POST
def course_code(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_instructor_membership_for(request.user, pk)
    course = course_change_code(course=membership.course)
    messages.success(request, f"The new code is {course.code}. The old one no longer works.")
    return redirect("members", pk)


@require_http_methods(["GET", "POST"])
def course_code_expiry(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_instructor_membership_for(request.user, pk)
    form = CodeExpiryForm(request.POST or None, instance=copy(membership.course))
    if form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("members", pk)
    context = {"form": form, "membership": membership, "course": membership.course}
    return render_form_page(request, "grading/courses/code_expiry.html", context)


@require_POST
def member_restore(request: SignedInRequest, pk: int, removed_pk: int) -> HttpResponse:
    removed = access.get_removed_member_for(request.user, pk, removed_pk)
    member = actions.member_restore(removed=removed)
    messages.success(request, f"{member.user} was added to the course again.")
    return redirect("members", pk)


@require_safe
def members(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_grader_membership_for(request.user, pk)
    people = membership.course.memberships.select_related("user").order_by(
        _GRADERS_FIRST, "user__name", "user__username"
    )
    linkable = linkable_members(membership.course).values_list("pk", flat=True)
    context = {
        "membership": membership,
        "course": membership.course,
        "people": people,
        "roles": Role.choices,
        "linkable": set(linkable) if membership.is_instructor else set(),
        "removed": membership.course.removed_members.select_related("user").order_by("user__name")
        if membership.is_instructor
        else (),
        "left_lms": LtiEnrolment.objects.left_of(membership.course),
        "left_graders": LtiEnrolment.objects.left_graders_of(membership.course),
        "has_roster": any(person.student_number or person.section for person in people),
    }
    return render_page(request, "grading/courses/members.html", context)


@require_POST
def member_role(request: SignedInRequest, pk: int, member_pk: int) -> HttpResponse:
    member = access.get_member_for(request.user, pk, member_pk)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose one of the roles.")
    elif member_change_role(member=member, role=Role(form.cleaned_data["role"])):
        role = member.get_role_display().lower()
        article = "an" if role[0] in "aeiou" else "a"
        messages.success(request, f"{member.user} is now {article} {role}.")
    else:
        messages.error(
            request, "A course needs an instructor. Make somebody else an instructor first."
        )
    return redirect("members", pk)


@require_http_methods(["GET", "POST"])
def member_delete(request: SignedInRequest, pk: int, member_pk: int) -> HttpResponse:
    member = access.get_member_for(request.user, pk, member_pk)
    if request.method == "GET":
        context = {"member": member, "course": member.course}
        return render_page(request, "grading/courses/member_delete.html", context)
    if member_remove(member=member):
        messages.success(request, f"{member.user} is no longer in the course.")
    else:
        messages.error(
            request, "A course needs an instructor. Make somebody else an instructor first."
        )
    return redirect("members", pk)

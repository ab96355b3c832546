"""Deleting for good: what will go, typing the name, bringing back, and what was deleted."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.housekeeping.deletions import (
    assignment_delete,
    assignment_leaving,
    course_delete,
    course_leaving,
    deletion_take_back,
    student_delete,
    student_leaving,
)
from grading.housekeeping.forms import ConfirmForm
from grading.models import Course, Deletion, Role
from grading.web.rendering import SignedInRequest, render_form_page, render_page


@require_http_methods(["GET", "POST"])
def delete_course(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_kept_course_for(request.user, pk)
    leaving = course_leaving(course=membership.course)
    form = ConfirmForm(request.POST or None, name=leaving.name)
    if form.is_valid():
        deletion = course_delete(course=membership.course, asked_by=request.user)
        messages.success(request, f"The course is hidden. {_until(request, deletion)}")
        return redirect("home")
    context = _context(form, membership.course) | {"leaving": leaving, "what": "course"}
    return render_form_page(request, "grading/housekeeping/delete.html", context)


@require_http_methods(["GET", "POST"])
def delete_assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_kept_assignment_for(request.user, pk)
    leaving = assignment_leaving(assignment=assignment)
    form = ConfirmForm(request.POST or None, name=leaving.name)
    if form.is_valid():
        deletion = assignment_delete(assignment=assignment, asked_by=request.user)
        messages.success(request, f"The assignment is hidden. {_until(request, deletion)}")
        return redirect("deletions", membership.course_id)
    context = _context(form, membership.course) | {"leaving": leaving, "what": "assignment"}
    return render_form_page(
        request, "grading/housekeeping/delete.html", context | {"assignment": assignment}
    )


@require_http_methods(["GET", "POST"])
def delete_student(request: SignedInRequest, pk: int, user_pk: int) -> HttpResponse:
    student, membership = access.get_person_of_for(request.user, pk, user_pk)
    leaving = student_leaving(course=membership.course, student=student)
    form = ConfirmForm(request.POST or None, name=leaving.name)
    if form.is_valid():
        deletion = student_delete(course=membership.course, student=student, asked_by=request.user)
        messages.success(request, f"All of this student is hidden. {_until(request, deletion)}")
        return redirect("deletions", pk)
    context = _context(form, membership.course) | {"leaving": leaving, "what": "student"}
    return render_form_page(
        request, "grading/housekeeping/delete.html", context | {"student": student}
    )


def _context(form: ConfirmForm, course: Course) -> dict[str, object]:
    return {"form": form, "course": course, "days": settings.GRACE_DAYS}


def _until(request: SignedInRequest, deletion: Deletion) -> str:
    when = deletion.leaves_at.astimezone(request.user.zone)
    return f"It can be brought back until {when:%-d %B %Y, %H:%M}; then it is deleted for good."


@require_safe
def deletions(request: SignedInRequest, pk: int) -> HttpResponse:
    """What of the course was deleted, or waits; and who has left it and can be deleted still."""
    membership = access.get_kept_course_for(request.user, pk)
    course = membership.course
    rows = course.deletions.select_related("asked_by", "ended_by", "student", "assignment")
    people = access.get_people_with_data(course)
    members = course.memberships.filter(role=Role.STUDENT).values("user")
    context = {
        "course": course,
        "waiting": [row for row in rows if row.is_waiting],
        "ended": [row for row in rows if not row.is_waiting],
        "left": people.exclude(pk__in=members).order_by("name"),
    }
    return render_page(request, "grading/housekeeping/deletions.html", context)


@require_POST
def deletion_bring_back(request: SignedInRequest, pk: int) -> HttpResponse:
    deletion = access.get_deletion_for(request.user, pk)
    if deletion_take_back(deletion=deletion, author=request.user):
        messages.success(request, "Everything is back as it was.")
    else:
        messages.info(request, "Somebody has brought it back already, or it is gone by now.")
    return redirect("course", deletion.course_number)

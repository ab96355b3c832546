"""Copying for the next term, and putting aside what is over."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from grading import access
from grading.housekeeping.archives import archive_put, archive_take_back
from grading.housekeeping.copies import assignment_copy, course_copy
from grading.housekeeping.forms import AssignmentCopyForm, CourseCopyForm
from grading.models import Draft, StoredPyramid
from grading.pyramid.figures import number_of
from grading.web.rendering import SignedInRequest, render_form_page


@require_http_methods(["GET", "POST"])
def copy_assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_kept_assignment_for(request.user, pk)
    courses = access.get_courses_to_fill(request.user)
    form = AssignmentCopyForm(request.POST or None, courses=courses)
    if form.is_valid():
        copy = assignment_copy(
            assignment=assignment,
            course=form.cleaned_data["course"],
            rules=form.rules(),
            author=request.user,
        )
        messages.success(request, "Here is the copy. Students do not see it before you open it.")
        return redirect("assignment", copy.pk)
    context = {
        "form": form,
        "assignment": assignment,
        "membership": membership,
        "courses": courses.count(),
        "references": assignment.references.count(),
        "version": StoredPyramid.objects.newest_of(assignment),
        "draft": Draft.objects.open_of(assignment).first(),
    }
    return render_form_page(request, "grading/housekeeping/copy_assignment.html", context)


@require_http_methods(["GET", "POST"])
def copy_course(request: SignedInRequest, pk: int) -> HttpResponse:
    course = access.get_kept_course_for(request.user, pk).course
    author = access.get_course_creator(request.user)
    form = CourseCopyForm(request.POST or None, initial={"name": course.name})
    assignments = course.assignments.filter(archived_at=None, leaves_at=None)
    if form.is_valid():
        made = course_copy(
            course=course,
            name=form.cleaned_data["name"],
            term=form.cleaned_data["term"],
            rules=form.rules(),
            author=author,
        )
        count = number_of(made.assignments.count(), "assignment")
        messages.success(request, f"The new course has copies of {count}; students see none yet.")
        return redirect("course", made.pk)
    context = {"form": form, "course": course, "assignments": assignments}
    return render_form_page(request, "grading/housekeeping/copy_course.html", context)


@require_POST
def archive_course(request: SignedInRequest, pk: int) -> HttpResponse:
    course = access.get_kept_course_for(request.user, pk).course
    if request.POST.get("archived") == "no":
        archive_take_back(row=course)
        messages.success(request, "The course is back: people can work in it again.")
    else:
        archive_put(row=course)
        messages.success(request, "The course is archived: from now on it can only be read.")
    return redirect("course", pk)


@require_POST
def archive_assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_kept_assignment_for(request.user, pk)
    if request.POST.get("archived") == "no":
        archive_take_back(row=assignment)
        messages.success(request, "The assignment is back: people can work on it again.")
    else:
        archive_put(row=assignment)
        messages.success(request, "The assignment is archived: from now on it can only be read.")
    return redirect("assignment", pk)

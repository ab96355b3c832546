"""Extensions of an assignment: the list, and granting, changing and removing one."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.extensions.actions import extension_remove, extension_save
from grading.extensions.forms import ExtensionForm, NewExtensionForm
from grading.extensions.queries import CourseStudents, extension_rows
from grading.models import Assignment, Membership
from grading.pyramid.figures import number_of
from grading.scoring.lateness import LateChanged
from grading.web.rendering import SignedInRequest, render_form_page, render_page

LIST = "grading/extensions/list.html"


@require_safe
def extensions(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    return render_page(request, LIST, _list_context(request, assignment, membership))


@require_POST
def extension_add(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    context = _list_context(request, assignment, membership)
    form = context["form"]
    if form.is_valid():
        late = extension_save(extension=form.save(commit=False), author=request.user)
        if late is None:
            messages.error(request, "Somebody has just added an extension. Change that extension.")
        else:
            messages.success(request, f"Extension added.{_late_sentence(late)}")
        return redirect("extensions", pk)
    return render_form_page(request, LIST, context)


@require_http_methods(["GET", "POST"])
def extension_change(request: SignedInRequest, pk: int) -> HttpResponse:
    extension, membership, name = access.get_extension_for(request.user, pk)
    assignment = extension.assignment
    form = ExtensionForm(request.POST or None, instance=extension, assignment=assignment)
    if form.is_valid():
        late = extension_save(extension=form.save(commit=False), author=request.user)
        if late is not None:
            messages.success(request, f"Extension changed.{_late_sentence(late)}")
        return redirect("extensions", assignment.pk)
    context = {
        "form": form,
        "assignment": assignment,
        "membership": membership,
        "extension": extension,
        "name": name,
    }
    return render_form_page(request, "grading/extensions/change.html", context)


@require_POST
def extension_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    extension, _, _ = access.get_extension_for(request.user, pk)
    late = extension_remove(extension=extension)
    messages.success(request, f"Extension removed.{_late_sentence(late)}")
    return redirect("extensions", extension.assignment_id)


def _list_context(
    request: SignedInRequest, assignment: Assignment, membership: Membership
) -> dict[str, Any]:
    words = " ".join(request.GET.get("q", "").split())[:100]
    students = CourseStudents.of(assignment)
    is_sent = request.method == "POST"
    form = NewExtensionForm(
        request.POST if is_sent else None,
        assignment=assignment,
        students=students,
        shown=students.members if is_sent else students.with_words(words),
    )
    return {
        "assignment": assignment,
        "membership": membership,
        "rows": extension_rows(assignment, students, words),
        "words": words,
        "form": form,
        "can_extend": assignment.due_at is not None or assignment.max_attempts is not None,
    }


def _late_sentence(late: LateChanged) -> str:
    """Say which submissions are late now, or no longer late."""
    sentences = ""
    if late.no_more:
        verb = "is" if late.no_more == 1 else "are"
        sentences += f" {number_of(late.no_more, 'submission')} {verb} no longer late."
    if late.now:
        sentences += (
            f" {number_of(late.now, 'submission')} {'is' if late.now == 1 else 'are'} late."
        )
    return sentences

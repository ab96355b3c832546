"""Reference summaries of an assignment."""

from copy import copy

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from grading import access
from grading.models import Draft, Job, StoredPyramid
from grading.pyramids.forms_references import ReferenceForm, ReferencesForm
from grading.scoring.conversion import is_outdated
from grading.submissions.actions_summaries import reference_stamp
from grading.web.rendering import CONFLICT, SignedInRequest, render_form_page, render_page


@require_http_methods(["GET", "POST"])
def references(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    job = Job.objects.latest_to_show(assignment)  # first: a worker may end while we look
    pyramid = StoredPyramid.objects.newest_of(assignment)
    context = {
        "assignment": assignment,
        "membership": membership,
        "references": assignment.references.all(),
        "pyramid": pyramid,
        "outdated": pyramid is not None and is_outdated(pyramid, assignment),
        "draft": Draft.objects.open_of(assignment).first(),
        "job": job,
        "form": ReferencesForm(assignment=assignment),
    }
    if request.method == "POST":
        access.get_editable_assignment_for(request.user, pk)
        form = ReferencesForm(request.POST, request.FILES, assignment=assignment)
        if form.is_valid():
            added = form.add()
            if added is not None:
                messages.success(request, _added(len(added)))
                for remark in form.remarks():
                    messages.warning(request, remark)
                return redirect("references", pk)
        return render_form_page(
            request, "grading/pyramids/references.html", {**context, "form": form}
        )
    return render_page(request, "grading/pyramids/references.html", context)


def _added(count: int) -> str:
    return "One reference is added." if count == 1 else f"{count} references are added."


@require_http_methods(["GET", "POST"])
def reference_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    reference, membership = access.get_editable_reference_for(request.user, pk)
    form = ReferenceForm(request.POST or None, instance=copy(reference))
    stamp = request.POST.get("stamp", "") if form.is_bound else reference_stamp(reference)
    is_conflict = form.is_valid() and not form.change(stamp)
    if is_conflict:
        reference, membership = access.get_editable_reference_for(request.user, pk)
        stamp = reference_stamp(reference)
    elif form.is_valid():
        messages.success(request, "The reference is saved. Pyramids made before keep the old text.")
        return redirect("references", reference.assignment_id)
    context = {
        "stamp": stamp,
        "is_conflict": is_conflict,
        "form": form,
        "membership": membership,
        "assignment": reference.assignment,
        "reference": reference,
    }
    if is_conflict:
        return render_page(
            request, "grading/pyramids/reference_form.html", context, status=CONFLICT
        )
    return render_form_page(request, "grading/pyramids/reference_form.html", context)


@require_http_methods(["GET", "POST"])
def reference_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    reference, membership = access.get_editable_reference_for(request.user, pk)
    if request.method == "GET":
        context = {
            "reference": reference,
            "assignment": reference.assignment,
            "membership": membership,
        }
        return render_page(request, "grading/pyramids/reference_delete.html", context)
    reference.delete()
    messages.success(request, f"“{reference.name}” is deleted.")
    return redirect("references", reference.assignment_id)

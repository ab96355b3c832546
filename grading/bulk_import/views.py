"""Import submissions of many students: upload, see what would happen, import."""

from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.bulk_import import actions
from grading.bulk_import.forms import PlanForm, WorkImportForm
from grading.bulk_import.page import ShownPlan
from grading.models import Membership, WorkImport
from grading.pyramid.figures import number_of
from grading.web.rendering import SignedInRequest, render_form_page, render_page

PAST_SHOWN = 20
_BADGES: dict[str, str] = {
    WorkImport.State.APPLIED: "scored",
    WorkImport.State.FAILED: "failed",
    WorkImport.State.DISCARDED: "draft",
}


@require_http_methods(["GET", "POST"])
def submission_import(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    form = WorkImportForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if form.is_valid():
        work_import = actions.import_start(
            assignment=assignment, uploads=form.uploads(), name=form.name(), author=request.user
        )
        return redirect("work_import", work_import.pk)
    past = assignment.imports.select_related("author", "ended_by").defer("document", "choices")
    context = {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "past": [(upload, _BADGES.get(upload.state, "waiting")) for upload in past[:PAST_SHOWN]],
    }
    return render_form_page(request, "grading/bulk_import/new.html", context)


@require_safe
def work_import(request: SignedInRequest, pk: int) -> HttpResponse:
    upload, membership = access.get_import_for(request.user, pk)
    return _page(request, upload, membership)


@require_POST
def import_take_in(request: SignedInRequest, pk: int) -> HttpResponse:
    """Import what was shown; where choices or the class have changed, show the new plan instead."""
    upload, membership = access.get_import_for(request.user, pk)
    if not upload.is_ready:
        messages.info(request, "This upload was already imported or discarded.")
        return redirect("work_import", pk)
    shown = ShownPlan(upload)
    form = _plan_form(shown, request.POST)
    if not form.is_valid() or form.twice():
        return _page(request, upload, membership, form)
    actions.import_choose(work_import=upload, choices=form.choices(shown.handed_in_at))
    if request.POST.get("do") != "import" or not form.is_as_shown(shown.handed_in_at):
        messages.info(request, "Preview updated with your choices.")
        return redirect("work_import", pk)
    applied = actions.import_apply(
        work_import=upload,
        stamp=form.cleaned_data["stamp"],
        ticked=form.cleaned_data["ticked"],
        author=request.user,
    )
    if applied is None:
        messages.warning(
            request,
            "Nothing was imported, because the class has changed. Check the new preview.",
        )
    else:
        verb = "is" if applied.attempts == 1 else "are"
        messages.success(request, f"{number_of(applied.attempts, 'attempt')} {verb} imported.")
    return redirect("work_import", pk)


@require_POST
def import_discard(request: SignedInRequest, pk: int) -> HttpResponse:
    upload, _ = access.get_import_for(request.user, pk)
    if actions.import_discard(work_import=upload, author=request.user):
        messages.success(request, f"“{upload.name}” was discarded. No files are kept.")
    else:
        messages.info(request, "This upload was already imported or discarded.")
    return redirect("submission_import", upload.assignment_id)


def _page(
    request: SignedInRequest,
    upload: WorkImport,
    membership: Membership,
    form: PlanForm | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "assignment": upload.assignment,
        "membership": membership,
        "import": upload,
        "form": form,
    }
    if not upload.is_ready:
        return render_page(request, "grading/bulk_import/detail.html", context)
    shown = ShownPlan(upload)
    context |= {"shown": shown, "form": form or _plan_form(shown, None)}
    context["twice"] = shown.named(form.twice()) if form and form.is_valid() else []
    return render_form_page(request, "grading/bulk_import/plan.html", context)


def _plan_form(shown: ShownPlan, data: Any) -> PlanForm:
    return PlanForm(
        data,
        initial={"handed_in_at": shown.handed_in_at, "stamp": shown.plan.stamp},
        plan=shown.plan,
        labels=shown.typed_labels,
        zone=ZoneInfo(shown.assignment.course.time_zone),
        choices=shown.choices,
    )

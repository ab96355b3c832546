"""Work in bulk: sending it in, looking at what would come of it, taking it in."""

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
from grading.models import Assignment, Membership, WorkImport
from grading.pyramid.figures import number_of
from grading.web.rendering import SignedInRequest, render_form_page, render_page

PAST_SHOWN = 20


@require_http_methods(["GET", "POST"])
def submission_import(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = WorkImportForm(*sent)
    if form.is_valid():
        started = actions.import_start(
            assignment=assignment, uploads=form.uploads(), name=form.name(), author=request.user
        )
        return redirect("work_import", started.pk)
    context = _of(assignment, membership) | {"form": form, "past": _past(assignment)}
    return render_form_page(request, "grading/bulk_import/new.html", context)


@require_safe
def work_import(request: SignedInRequest, pk: int) -> HttpResponse:
    found, membership = access.get_import_for(request.user, pk)
    return _page(request, found, membership)


@require_POST
def import_take_in(request: SignedInRequest, pk: int) -> HttpResponse:
    """Take in what was shown; where something else was said, or has happened, show it again."""
    found, membership = access.get_import_for(request.user, pk)
    if not found.is_ready:
        messages.info(request, "This was taken in or discarded already.")
        return redirect("work_import", pk)
    shown = ShownPlan(found)
    form = _form(found, shown, request.POST)
    if not form.is_valid() or form.twice():
        return _page(request, found, membership, form)
    actions.import_choose(work_import=found, choices=form.choices(shown.handed_in_at))
    if request.POST.get("do") != "take in" or not form.is_seen(shown.handed_in_at):
        messages.info(request, "This is what would happen with what you have said.")
        return redirect("work_import", pk)
    _take_in(request, found, form)
    return redirect("work_import", pk)


@require_POST
def import_discard(request: SignedInRequest, pk: int) -> HttpResponse:
    found, _ = access.get_import_for(request.user, pk)
    if actions.import_discard(work_import=found, author=request.user):
        messages.success(request, f"“{found.name}” is discarded; nothing of it is kept.")
    else:
        messages.info(request, "This was taken in or discarded already.")
    return redirect("submission_import", found.assignment_id)


def _take_in(request: SignedInRequest, found: WorkImport, form: PlanForm) -> None:
    done = actions.import_take_in(
        work_import=found,
        stamp=form.cleaned_data["stamp"],
        taken=form.cleaned_data["taken"],
        author=request.user,
    )
    if done is None:
        messages.warning(
            request,
            "Something changed since you looked, say somebody handed in. Nothing was taken in; "
            "this is what would happen now.",
        )
    else:
        told = number_of(done.attempts, "attempt")
        messages.success(request, f"{told} {'is' if done.attempts == 1 else 'are'} taken in.")


def _page(
    request: SignedInRequest,
    found: WorkImport,
    membership: Membership,
    form: PlanForm | None = None,
) -> HttpResponse:
    context: dict[str, Any] = _of(found.assignment, membership) | {"import": found, "form": form}
    if not found.is_ready:
        return render_page(request, "grading/bulk_import/detail.html", context)
    shown = ShownPlan(found)
    context |= {"shown": shown, "form": form or _form(found, shown, None)}
    context["twice"] = shown.named(form.twice()) if form and form.is_valid() else []
    return render_form_page(request, "grading/bulk_import/plan.html", context)


def _form(found: WorkImport, shown: ShownPlan, data: Any) -> PlanForm:
    return PlanForm(
        data,
        initial={"handed_in_at": shown.handed_in_at, "stamp": shown.plan.stamp},
        plan=shown.plan,
        labels=shown.said,
        zone=ZoneInfo(found.assignment.course.time_zone),
        choices=shown.choices,
    )


def _of(assignment: Assignment, membership: Membership) -> dict[str, Any]:
    return {"assignment": assignment, "membership": membership}


def _past(assignment: Assignment) -> list[WorkImport]:
    rows = assignment.imports.select_related("author", "ended_by").defer("document", "choices")
    return list(rows[:PAST_SHOWN])

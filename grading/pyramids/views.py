"""The pyramid of an assignment: what is published, what is being worked on, what to do next."""

from collections.abc import Mapping

from django.contrib import messages
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from grading import access
from grading.models import Assignment, Draft, DraftEdit, Job, StoredPyramid
from grading.pyramids.actions import is_built_with, pyramid_start_build
from grading.pyramids.forms import BuildForm
from grading.scoring.conversion import differs_from_references, pyramid_from_row
from grading.web.ideas import bands_of
from grading.web.rendering import SignedInRequest, render_form_page, render_page


@require_POST
def pyramid_build(request: SignedInRequest, pk: int) -> HttpResponse:
    """With the settings of the form; a button without any means the usual ones."""
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    if not assignment.references.exists():
        messages.error(request, "Add a reference summary first: a pyramid is made of them.")
        return redirect("references", pk)
    form = BuildForm(request.POST if "builder" in request.POST else None)
    if form.is_bound and not form.is_valid():
        context = draft_new_context(assignment, form) | {"membership": membership}
        return render_form_page(request, "grading/pyramids/new_version.html", context)
    settings = form.settings() if form.is_bound else None
    job = pyramid_start_build(assignment=assignment, requested_by=request.user, settings=settings)
    if settings and not is_built_with(job, settings):
        messages.info(request, "Another draft is being built. Wait for it, then start this one.")
    return redirect("pyramid", pk)


def draft_new_context(assignment: Assignment, form: BuildForm) -> dict[str, object]:
    """What the page of all ways to begin a draft shows."""
    return {
        "job": Job.objects.latest_to_show(assignment),  # first: a worker may end while we look
        "assignment": assignment,
        "form": form,
        "references": assignment.references.count(),
        "version": StoredPyramid.objects.newest_of(assignment),
        "drafts": Draft.objects.open_of(assignment).count(),
    }


@require_safe
def pyramid(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    context = {
        "job": Job.objects.latest_to_show(assignment),  # first: a worker may end while we look
        "assignment": assignment,
        "membership": membership,
        "drafts": list(_with_last_author(Draft.objects.open_of(assignment))),
        "discarded": list(_discarded(assignment)),
        "references": assignment.references.count(),
        **_published(assignment),
    }
    context["step"] = _next_step(context)
    return render_page(request, "grading/pyramids/detail.html", context)


def _published(assignment: Assignment) -> dict[str, object]:
    newest = StoredPyramid.objects.newest_of(assignment)
    if newest is None:
        return {"version": None, "versions": [], "outdated": False}
    published = pyramid_from_row(newest)
    return {
        "version": newest,
        "versions": assignment.pyramids.defer("document").select_related("created_by"),
        "outdated": differs_from_references(published, assignment),
        "pyramid": bands_of(published),
    }


def _next_step(context: Mapping[str, object]) -> str:
    """What most people want to do now: the page has one primary button, for that."""
    job = context["job"]
    building = isinstance(job, Job) and job.kind == Job.Kind.BUILD_PYRAMID
    if isinstance(job, Job) and building and job.is_unfinished:
        return "wait"
    if context["drafts"]:
        return "draft"
    if context["version"] is None:
        return _beginning(building=building, references=bool(context["references"]))
    return "take in" if context["outdated"] else "edit"


def _beginning(*, building: bool, references: bool) -> str:
    if building:
        return "try again"  # the panel of the failed build has the button
    return "build" if references else "references"


def _with_last_author(drafts: QuerySet[Draft]) -> QuerySet[Draft]:
    """With ``last_author`` on each: the name of who edited it last."""
    last = DraftEdit.objects.filter(draft=OuterRef("pk")).order_by("-revision")
    return drafts.select_related("created_by").annotate(
        last_author=Subquery(last.values("author__name")[:1])
    )


def _discarded(assignment: Assignment) -> QuerySet[Draft]:
    return assignment.drafts.filter(state=Draft.State.DISCARDED).defer("document", "first")

"""The pyramid of an assignment: references, building, publishing, versions, and their files."""

from copy import copy
from typing import Any

from django.contrib import messages
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.access.hidden_names import displayed_student, hide_names
from grading.drafts.doubts import doubts_of
from grading.models import (
    Assignment,
    Draft,
    DraftEdit,
    Job,
    Membership,
    Score,
    StoredPyramid,
    Submission,
)
from grading.pyramid.comparison import compare_pyramids
from grading.pyramid.formats.file_kinds import FILE_KINDS
from grading.pyramid.structures import Pyramid
from grading.pyramids import actions, queries
from grading.pyramids.actions import PublishResult
from grading.pyramids.forms import (
    BuildForm,
    CompareForm,
    PublishForm,
    ReferenceForm,
    ReferencesForm,
)
from grading.scoring.conversion import (
    differs_from_references,
    is_outdated,
    pyramid_from_draft,
    pyramid_from_row,
)
from grading.scoring.effects import effect_start, latest_effect, unscorable_reason
from grading.web.downloads import render_file
from grading.web.effect import show_effect
from grading.web.ideas import bands_of
from grading.web.pyramid_outline import outline_of
from grading.web.rendering import (
    CONFLICT,
    SignedInRequest,
    asks_for_parts,
    render_form_page,
    render_page,
    render_part,
)

# --- references ---


@require_http_methods(["GET", "POST"])
def references(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    job = Job.objects.latest_to_show(assignment)  # first: a worker may end while we look
    form = ReferencesForm(assignment=assignment, owner=request.user.pk)
    if request.method == "POST":
        access.get_editable_assignment_for(request.user, pk)
        form = ReferencesForm(
            request.POST, request.FILES, assignment=assignment, owner=request.user.pk
        )
        added = form.add() if form.is_valid() else None
        if added is not None:
            count = "One reference" if len(added) == 1 else f"{len(added)} references"
            messages.success(request, f"{count} added.")
            for remark in form.files_read.remarks:
                messages.warning(request, remark)
            return redirect("references", pk)
    version = StoredPyramid.objects.newest_of(assignment)
    context = {
        "assignment": assignment,
        "membership": membership,
        "references": assignment.references.all(),
        "version": version,
        "outdated": version is not None and is_outdated(version, assignment),
        "draft": Draft.objects.open_of(assignment).first(),
        "job": job,
        "form": form,
    }
    return render_form_page(request, "grading/pyramids/references.html", context)


@require_http_methods(["GET", "POST"])
def reference_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    reference, membership = access.get_editable_reference_for(request.user, pk)
    # A copy: the form writes what was typed into its instance, valid or not.
    form = ReferenceForm(request.POST or None, instance=copy(reference))
    stamp = request.POST.get("stamp", "") if form.is_bound else actions.reference_stamp(reference)
    is_conflict = form.is_valid() and not form.change(stamp)
    if is_conflict:
        reference, membership = access.get_editable_reference_for(request.user, pk)
        stamp = actions.reference_stamp(reference)
    elif form.is_valid():
        messages.success(request, "Reference saved. Existing pyramids keep the old text.")
        return redirect("references", reference.assignment_id)
    context = {
        "stamp": stamp,
        "is_conflict": is_conflict,
        "form": form,
        "membership": membership,
        "assignment": reference.assignment,
        "reference": reference,
    }
    template = "grading/pyramids/reference_form.html"
    if is_conflict:
        return render_page(request, template, context, status=CONFLICT)
    return render_form_page(request, template, context)


@require_http_methods(["GET", "POST"])
def reference_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    reference, membership = access.get_editable_reference_for(request.user, pk)
    if request.method == "POST":
        actions.reference_delete(reference=reference)
        messages.success(request, f"“{reference.name}” deleted.")
        return redirect("references", reference.assignment_id)
    context = {
        "reference": reference,
        "assignment": reference.assignment,
        "membership": membership,
    }
    return render_page(request, "grading/pyramids/reference_delete.html", context)


# --- the pyramid, and ways to begin a draft ---


@require_safe
def pyramid(request: SignedInRequest, pk: int) -> HttpResponse:
    """What is published, what is being worked on, and what to do next."""
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    job = Job.objects.latest_to_show(assignment)  # first: a worker may end while we look
    last_edit = DraftEdit.objects.filter(draft=OuterRef("pk")).order_by("-revision")
    drafts = Draft.objects.open_of(assignment).select_related("created_by")
    context: dict[str, Any] = {
        "job": job,
        "assignment": assignment,
        "membership": membership,
        "drafts": drafts.annotate(last_author=Subquery(last_edit.values("author__name")[:1])),
        "discarded": assignment.drafts.filter(state=Draft.State.DISCARDED).defer(
            "document", "first"
        ),
        "references": assignment.references.count(),
        "version": None,
        "versions": [],
        "outdated": False,
    }
    newest = StoredPyramid.objects.newest_of(assignment)
    if newest is not None:
        published = pyramid_from_row(newest)
        context |= {
            "version": newest,
            "versions": assignment.pyramids.defer("document").select_related("created_by"),
            "outdated": differs_from_references(published, assignment),
            "pyramid": bands_of(published),
        }
    context["step"] = _next_step(context, job)
    return render_page(request, "grading/pyramids/detail.html", context)


def _next_step(context: dict[str, Any], job: Job | None) -> str:
    """What most people want to do now: the page has one primary button, for that."""
    is_build = job is not None and job.kind == Job.Kind.BUILD_PYRAMID
    if job is not None and is_build and job.is_unfinished:
        return "wait"
    if context["drafts"]:
        return "draft"
    if context["version"] is not None:
        return "update" if context["outdated"] else "edit"
    if is_build:
        return "try again"  # the panel of the failed build has the button
    return "build" if context["references"] else "references"


@require_POST
def pyramid_build(request: SignedInRequest, pk: int) -> HttpResponse:
    """Start a build with the settings of the form; a button without a form uses the usual ones."""
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    if not assignment.references.exists():
        messages.error(request, "Add a reference summary first: a pyramid is built from them.")
        return redirect("references", pk)
    form = BuildForm(request.POST if "builder" in request.POST else None)
    if form.is_bound and not form.is_valid():
        return _render_draft_new(request, assignment, membership, form)
    settings = form.settings() if form.is_bound else None
    job = actions.pyramid_start_build(
        assignment=assignment, requested_by=request.user, settings=settings
    )
    if settings and not actions.is_built_with(job, settings):
        messages.info(request, "Another draft is being built. Wait for it, then try again.")
    return redirect("pyramid", pk)


@require_safe
def draft_new(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    return _render_draft_new(request, assignment, membership, BuildForm())


def _render_draft_new(
    request: SignedInRequest, assignment: Assignment, membership: Membership, form: BuildForm
) -> HttpResponse:
    """The page with all ways to begin a draft."""
    context = {
        "job": Job.objects.latest_to_show(assignment),  # first: a worker may end while we look
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "references": assignment.references.count(),
        "version": StoredPyramid.objects.newest_of(assignment),
        "drafts": Draft.objects.open_of(assignment).count(),
    }
    return render_form_page(request, "grading/pyramids/new_version.html", context)


@require_POST
def draft_from_version(request: SignedInRequest, pk: int) -> HttpResponse:
    version, _ = access.get_editable_version_for(request.user, pk)
    draft = actions.draft_from_version(version=version, author=request.user)
    return redirect("draft", draft.pk)


# --- publishing ---


@require_http_methods(["GET", "POST"])
def draft_publish(request: SignedInRequest, pk: int) -> HttpResponse:
    """Publish a draft, or say why not (409) and show what has changed since."""
    draft, membership = access.get_editable_draft_for(request.user, pk)
    form = PublishForm(request.POST or None, initial={"revision": draft.revision})
    if not form.is_valid():
        context = {"form": form, **_publish_context(draft, membership)}
        return render_form_page(request, "grading/pyramids/publish.html", context)
    publication = actions.draft_publish(
        draft=draft,
        revision=form.cleaned_data["revision"],
        note=form.cleaned_data["note"],
        author=request.user,
        even_if_same=form.cleaned_data["same"],
        even_if_doubtful=form.cleaned_data["doubtful"],
    )
    if publication.version is None or publication.result is not PublishResult.DONE:
        # Show the page again with the newest draft, and say why it was not published.
        draft = Draft.objects.select_related("assignment__course").get(pk=publication.draft.pk)
        later_edits = draft.edits.filter(revision__gt=form.cleaned_data["revision"])
        context = {
            **_publish_context(draft, membership),
            "form": PublishForm(initial={**form.cleaned_data, "revision": draft.revision}),
            "stale": publication.result is PublishResult.STALE,
            "later_edits": later_edits.select_related("author")[:20],
            "message": publication.message,
        }
        return render_page(request, "grading/pyramids/publish.html", context, status=CONFLICT)
    if draft.assignment.submissions.exists():
        consequence = "The class is being scored with it."
    elif draft.assignment.is_draft:
        consequence = "Now open the assignment to students."
    else:
        consequence = "New submissions will be scored with it."
    number = publication.version.number
    messages.success(request, f"Version {number} published. {consequence}")
    return redirect("pyramid", draft.assignment_id)


def _publish_context(draft: Draft, membership: Membership) -> dict[str, object]:
    pyramid = pyramid_from_draft(draft)
    newest = StoredPyramid.objects.newest_of(draft.assignment)
    return {
        "draft": draft,
        "membership": membership,
        "assignment": draft.assignment,
        "pyramid": bands_of(pyramid),
        "doubts": doubts_of(draft=draft, pyramid=pyramid),
        "reason": unscorable_reason(pyramid),
        "warnings": queries.publication_warnings(pyramid, draft.assignment)
        + queries.correction_warnings(draft, pyramid),
        "version": newest,
        "same": newest is not None and queries.is_same_as(newest, pyramid),
        "submissions": draft.assignment.submissions.latest_attempts().count(),
    }


@require_http_methods(["GET", "POST"])
def draft_effect(request: SignedInRequest, pk: int) -> HttpResponse:
    """What publishing would do to the class. POST asks a worker to find out."""
    if request.method == "GET":
        draft, membership = access.get_draft_for(request.user, pk)
        return _render_effect(request, draft, membership)
    draft, membership = access.get_editable_draft_for(request.user, pk)
    if draft.is_open:
        effect_start(draft=draft, requested_by=request.user)
    elif not asks_for_parts(request):
        messages.info(request, "This draft can no longer be published.")
    if not asks_for_parts(request):
        return redirect("draft_effect", draft.pk)
    # The focus goes to the progress where a person asked, not where the page did on its own.
    return _render_effect(request, draft, membership, take_focus="quietly" not in request.POST)


def _render_effect(
    request: SignedInRequest, draft: Draft, membership: Membership, *, take_focus: bool = False
) -> HttpResponse:
    assignment = draft.assignment
    job = draft.jobs.filter(kind=Job.Kind.PREDICT_EFFECT).first()
    latest = set(assignment.submissions.latest_attempts().values_list("pk", flat=True))
    context: dict[str, object] = {
        "draft": draft,
        "assignment": assignment,
        "membership": membership,
        "is_loaded": True,
        "take_focus": take_focus,
        "submitted": len(latest),
        "job": job if job and not job.is_done else None,
        "may_start": membership.is_instructor and draft.is_open,
        "ideas_at": reverse("draft", args=[draft.pk]),
    }
    stored = latest_effect(draft=draft)
    if stored and latest:
        finding, effect = stored
        submissions = Submission.objects.select_related("student").defer("text")
        remaining = submissions.in_bulk(effect.submissions)
        hide_names(assignment, remaining.values())
        changes = queries.changes_since_effect(draft, latest, finding, effect)
        outdated = changes if draft.is_open else []
        context["effect"] = show_effect(effect, remaining, finding.created_at, outdated)
    part, page = "grading/web/effect/_effect.html", "grading/web/effect/detail.html"
    return render_part(request, part, page, context)


# --- versions ---


@require_safe
def version(request: SignedInRequest, pk: int) -> HttpResponse:
    version, membership = access.get_version_for(request.user, pk)
    assignment = version.assignment
    scores = Score.objects.filter(pyramid=version).select_related("submission__student")
    students = {
        displayed_student(assignment, score.submission.student)
        for score in scores.defer("document", "submission__text")
    }
    context = {
        "assignment": assignment,
        "membership": membership,
        "version": version,
        "newest": StoredPyramid.objects.newest_of(assignment),
        "earlier": assignment.pyramids.filter(number__lt=version.number).defer("document").first(),
        "draft": Draft.objects.filter(published_as=version).defer("document", "first").first(),
        "pyramid": bands_of(pyramid_from_row(version)),
        "students": sorted(students, key=lambda student: student.sort_key),
    }
    return render_page(request, "grading/pyramids/version.html", context)


@require_safe
def versions_compare(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    form = CompareForm(request.GET, assignment=assignment)
    context = {"assignment": assignment, "membership": membership, "form": form}
    if chosen := form.chosen():
        before, after = (
            pyramid_from_row(row) if isinstance(row, StoredPyramid) else pyramid_from_draft(row)
            for row in chosen
        )
        context["comparison"] = compare_pyramids(before, after)
    return render_form_page(request, "grading/pyramids/compare.html", context)


# --- files, and pages to print ---


@require_safe
def draft_file(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    draft, _ = access.get_draft_for(request.user, pk)
    name = f"draft-{draft.number}"
    return _file_response(kind, pyramid_from_draft(draft), draft.assignment, name)


@require_safe
def version_file(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    version, _ = access.get_version_for(request.user, pk)
    name = f"version-{version.number}"
    return _file_response(kind, pyramid_from_row(version), version.assignment, name)


@require_safe
def pyramid_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """The newest version as DUCView reads it."""
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    version = StoredPyramid.objects.newest_of(assignment)
    if version is None:
        raise Http404("There is no pyramid yet.")
    return _file_response("pyr", pyramid_from_row(version), assignment, f"version-{version.number}")


def _file_response(kind: str, pyramid: Pyramid, assignment: Assignment, name: str) -> HttpResponse:
    file_kind = FILE_KINDS[kind]
    title = slugify(assignment.title)[:60] or str(assignment.pk)
    content_type = f"{file_kind.content_type}; charset=utf-8"
    return render_file(file_kind.write(pyramid), f"pyramid-{title}-{name}.{kind}", content_type)


@require_safe
def draft_print(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, _ = access.get_draft_for(request.user, pk)
    return _render_print(request, pyramid_from_draft(draft), draft.assignment, draft=draft)


@require_safe
def version_print(request: SignedInRequest, pk: int) -> HttpResponse:
    version, _ = access.get_version_for(request.user, pk)
    return _render_print(request, pyramid_from_row(version), version.assignment, version=version)


def _render_print(
    request: SignedInRequest, pyramid: Pyramid, assignment: Assignment, **source: object
) -> HttpResponse:
    context = {
        "assignment": assignment,
        "pyramid": pyramid,
        "reference_names": [text.name for text in pyramid.references],
        "outline": outline_of(pyramid),
        **source,
    }
    return render_page(request, "grading/pyramids/print.html", context)

"""Versions: beginning a draft, publishing it, looking at what was published, comparing two."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.access.hidden_names import displayed_student
from grading.drafts.doubts import doubts_of
from grading.models import Assignment, Draft, Membership, Score, StoredPyramid
from grading.pyramid.comparison import compare_pyramids
from grading.pyramid.structures import Pyramid
from grading.pyramids import actions_versions as actions
from grading.pyramids.actions_versions import Publication, PublishResult
from grading.pyramids.forms import BuildForm
from grading.pyramids.forms_versions import CompareForm, PublishForm
from grading.pyramids.views import draft_new_context
from grading.scoring.conversion import pyramid_from_draft, pyramid_from_row
from grading.web.ideas import bands_of
from grading.web.rendering import CONFLICT, SignedInRequest, render_form_page, render_page


@require_safe
def draft_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """All ways to begin a draft."""
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    context = draft_new_context(assignment, BuildForm()) | {"membership": membership}
    return render_page(request, "grading/pyramids/new_version.html", context)


@require_POST
def draft_from_version(request: SignedInRequest, pk: int) -> HttpResponse:
    version, _ = access.get_editable_version_for(request.user, pk)
    draft = actions.draft_from_version(version=version, author=request.user)
    return redirect("draft", draft.pk)


# --- publishing ---


@require_http_methods(["GET", "POST"])
def draft_publish(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, membership = access.get_editable_draft_for(request.user, pk)
    form = PublishForm(request.POST or None, initial={"revision": draft.revision})
    if not form.is_valid():
        context = {"form": form, **_publish_context(draft, membership)}
        return render_form_page(request, "grading/pyramids/publish.html", context)
    done = actions.draft_publish(
        draft=draft,
        revision=form.cleaned_data["revision"],
        note=form.cleaned_data["note"],
        author=request.user,
        even_if_same=form.cleaned_data["same"],
        even_if_doubtful=form.cleaned_data["doubtful"],
    )
    if done.result is PublishResult.DONE:
        messages.success(request, _published(done))
        return redirect("pyramid", draft.assignment_id)
    return _not_published(request, form, done, membership)


def _publish_context(draft: Draft, membership: Membership) -> dict[str, object]:
    pyramid = pyramid_from_draft(draft)
    newest = StoredPyramid.objects.newest_of(draft.assignment)
    return {
        "draft": draft,
        "membership": membership,
        "assignment": draft.assignment,
        "pyramid": bands_of(pyramid),
        "doubts": doubts_of(draft=draft, pyramid=pyramid),
        "reason": actions.reason_against(pyramid),
        "warnings": (
            *actions.publication_warnings(pyramid, draft.assignment),
            *actions.correction_warnings(draft, pyramid),
        ),
        "version": newest,
        "same": newest is not None and actions.is_same_as(newest, pyramid),
        "submissions": draft.assignment.submissions.latest_attempts().count(),
    }


def _published(done: Publication) -> str:
    number = done.version.number if done.version else ""
    if done.draft.assignment.submissions.exists():
        return f"Version {number} is published. The class is being scored with it."
    if done.draft.assignment.is_draft:
        return f"Version {number} is published. Now open the assignment to students."
    return f"Version {number} is published. Whoever hands in is scored with it."


def _not_published(
    request: SignedInRequest, form: PublishForm, done: Publication, membership: Membership
) -> HttpResponse:
    """The page again with the draft as it is now, and why it was not published."""
    seen = form.cleaned_data["revision"]
    draft = Draft.objects.select_related("assignment__course").get(pk=done.draft.pk)
    context = {
        **_publish_context(draft, membership),
        "form": PublishForm(initial={**form.cleaned_data, "revision": draft.revision}),
        "stale": done.result is PublishResult.STALE,
        "since": draft.edits.filter(revision__gt=seen).select_related("author")[:20],
        "message": done.message,
    }
    return render_page(request, "grading/pyramids/publish.html", context, status=CONFLICT)


# --- looking ---


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
    form = _compare_form(request, assignment)
    chosen = form.chosen()
    context = {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "chosen": chosen,
        "comparison": compare_pyramids(_pyramid(chosen[0]), _pyramid(chosen[1]))
        if chosen
        else None,
    }
    return render_form_page(request, "grading/pyramids/compare.html", context)


def _compare_form(request: SignedInRequest, assignment: Assignment) -> CompareForm:
    versions = list(assignment.pyramids.defer("document").order_by("-number"))
    drafts = list(assignment.drafts.defer("document", "first").order_by("-number"))
    asked = request.GET or _newest_two(versions, drafts)
    return CompareForm(asked, versions=versions, drafts=drafts)


def _newest_two(versions: list[StoredPyramid], drafts: list[Draft]) -> dict[str, str] | None:
    """The newest version and an open draft, or what the version before it was."""
    numbers = [f"v{version.number}" for version in versions[:2]]
    numbers += [f"d{draft.number}" for draft in drafts if draft.is_open][:1]
    if len(numbers) < 2:
        return None
    has_draft = numbers[-1].startswith("d")
    first, last = (numbers[0], numbers[-1]) if has_draft else (numbers[1], numbers[0])
    return {"a": first, "b": last}


def _pyramid(row: StoredPyramid | Draft) -> Pyramid:
    return pyramid_from_row(row) if isinstance(row, StoredPyramid) else pyramid_from_draft(row)

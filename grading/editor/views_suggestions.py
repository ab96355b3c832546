"""Suggestions about a draft: shown while a worker looks on; taken, dismissed, brought back."""

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from grading import access
from grading.editor import actions_analyses as actions
from grading.editor.forms import RevisionForm
from grading.editor.page_changes import render_outcome
from grading.models import Draft, Membership
from grading.pyramid.analysis import Kind, Suggestion
from grading.web.rendering import (
    SignedInRequest,
    asks_for_parts,
    render_page,
    render_part,
)

TITLES = {
    Kind.REFERENCE: "The references have changed",
    Kind.FIT: "A reference to fit in",
    Kind.MERGE: "Two ideas that look like one",
    Kind.SPLIT: "An idea that looks like two",
    Kind.ADD: "Words that fit an idea",
    Kind.NEW: "Words that make a new idea",
    Kind.STUDENTS: "What many students say",
    Kind.LABEL: "Clearer labels",
}


@dataclass(frozen=True, slots=True)
class Group:
    """The suggestions of one kind."""

    title: str
    suggestions: tuple[Suggestion, ...]


@require_http_methods(["GET", "HEAD", "POST"])
def draft_analysis(request: SignedInRequest, pk: int) -> HttpResponse:
    """The list; with ``progress`` only how far a worker is. POST asks a worker to look."""
    draft, membership = access.get_draft_for(request.user, pk)
    if request.method == "POST" and access.get_editable_draft_for(request.user, pk)[0].is_open:
        actions.analysis_start(draft=draft, requested_by=request.user)
    page = (request.POST or request.GET).get("progress")
    if page and asks_for_parts(request):
        context = progress_context(draft, membership) | {"page": page, "polled": True}
        return render_page(request, "grading/editor/_suggestions_progress.html", context)
    if request.method == "POST":
        return redirect("draft_quality" if page == "quality" else "draft_analysis", pk)
    return _render_list(request, draft, membership)


@require_POST
def suggestion_take(request: SignedInRequest, pk: int, key: str) -> HttpResponse:
    draft, _ = access.get_editable_draft_for(request.user, pk)
    form = RevisionForm(request.POST)
    if not form.is_valid():
        raise BadRequest("It is not said which state of the draft this is about.")
    sender = form.sender(request.user)
    outcome = actions.suggestion_take(draft=draft, key=key, sender=sender)
    return render_outcome(request, outcome, sender.revision)


@require_POST
def suggestion_dismiss(request: SignedInRequest, pk: int, key: str) -> HttpResponse:
    draft, membership = access.get_editable_draft_for(request.user, pk)
    actions.suggestion_dismiss(draft=draft, key=key, author=request.user)
    said = "Dismissed. To bring it back, open “Dismissed” at the end of the list."
    return _after_change(request, draft, membership, said)


@require_POST
def suggestion_bring_back(request: SignedInRequest, pk: int, key: str) -> HttpResponse:
    draft, membership = access.get_editable_draft_for(request.user, pk)
    actions.suggestion_bring_back(draft=draft, key=key)
    return _after_change(request, draft, membership, "Brought the suggestion back.")


def progress_context(draft: Draft, membership: Membership) -> dict[str, Any]:
    """How far the looking is (not begun, going on, failed, or done), and what was found."""
    job = actions.analysis_job(draft=draft)  # first: a worker may end between the two looks
    found = actions.analysis_found(draft=draft)
    return {
        "draft": draft,
        "assignment": draft.assignment,
        "membership": membership,
        "found": found,
        "is_current": found is not None and found.is_current,
        "job": job,
        "may_edit": membership.is_instructor and draft.is_open,
    }


def _after_change(
    request: SignedInRequest, draft: Draft, membership: Membership, said: str
) -> HttpResponse:
    if asks_for_parts(request):
        return _render_list(request, draft, membership, said)
    return redirect("draft_analysis", draft.pk)


def _render_list(
    request: SignedInRequest, draft: Draft, membership: Membership, said: str = ""
) -> HttpResponse:
    context = progress_context(draft, membership)
    suggestions = actions.suggestions_of(draft=draft, found=context["found"])
    context |= {
        "page": "suggestions",
        "said": said,
        "groups": [
            Group(TITLES[kind], tuple(members))
            for kind, members in groupby(suggestions.open, key=attrgetter("kind"))
        ],
        "dismissed": suggestions.dismissed,
    }
    part, page = "grading/editor/_suggestions.html", "grading/editor/suggestions.html"
    return render_part(request, part, page, context)

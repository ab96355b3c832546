"""The history of a draft: who did what and when, earlier states, discarding and bringing back."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.drafts import log as actions
from grading.drafts.log import Outcome, Result, Sender
from grading.models import Draft, DraftEdit
from grading.pyramids.forms_versions import RestoreForm
from grading.web.ideas import bands_of
from grading.web.rendering import SignedInRequest, render_page

EDITS_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Entry:
    """An edit, and whether the draft is as if it had not been made."""

    edit: DraftEdit
    undone: bool


@require_safe
def draft_history(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, membership = access.get_draft_for(request.user, pk)
    edits = draft.edits.defer("command", "inverse").select_related("author").order_by("-revision")
    page = Paginator(edits, EDITS_A_PAGE).get_page(request.GET.get("page"))
    standing = _standing(draft)
    context = {
        "draft": draft,
        "membership": membership,
        "assignment": draft.assignment,
        "page": page,
        "entries": [Entry(edit, _is_undone(edit, standing)) for edit in page],
    }
    return render_page(request, "grading/editor/history.html", context)


def _is_undone(edit: DraftEdit, standing: set[int]) -> bool:
    return edit.kind == DraftEdit.Kind.EDIT and edit.revision not in standing


def _standing(draft: Draft) -> set[int]:
    """The edits that count now: the stack of undoing, from its top down."""
    edits = draft.edits.filter(kind=DraftEdit.Kind.EDIT)
    below = dict(edits.values_list("revision", "below"))
    standing, top = set(), draft.undo_top
    while top:
        standing.add(top)
        top = below[top]
    return standing


@require_safe
def draft_state(request: SignedInRequest, pk: int, revision: int) -> HttpResponse:
    """The draft as it was after an edit, to look at."""
    draft, membership = access.get_draft_for(request.user, pk)
    if revision > draft.revision:
        raise Http404("There is no such edit yet.")
    later = draft.edits.filter(revision__gt=revision).select_related("author")
    context = {
        "draft": draft,
        "membership": membership,
        "assignment": draft.assignment,
        "revision": revision,
        "edit": draft.edits.filter(revision=revision).select_related("author").first(),
        "pyramid": bands_of(actions.draft_state(draft=draft, revision=revision)),
        "later": later.defer("command", "inverse").order_by("revision")[:EDITS_A_PAGE],
        "later_count": draft.revision - revision,
    }
    return render_page(request, "grading/editor/history_state.html", context)


@require_POST
def draft_restore(request: SignedInRequest, pk: int, revision: int) -> HttpResponse:
    draft, _ = access.get_editable_draft_for(request.user, pk)
    form = RestoreForm(request.POST)
    if revision > draft.revision or not form.is_valid():
        raise Http404("There is no such edit.")
    sender = Sender(request.user, form.cleaned_data["revision"], form.cleaned_data["token"])
    outcome = actions.draft_restore(draft=draft, revision=revision, sender=sender)
    if outcome.result is Result.DONE:
        messages.success(request, "The earlier state is back. Undo takes it away again.")
        return redirect("draft", pk)
    messages.error(request, _why_not(outcome))
    return redirect("draft_state", pk, revision)


def _why_not(outcome: Outcome) -> str:
    if outcome.result is Result.STALE:
        return "Somebody has edited the draft since you looked at it. See what came after, below."
    return outcome.message


@require_http_methods(["GET", "POST"])
def draft_discard(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, membership = access.get_editable_draft_for(request.user, pk)
    if request.method == "GET":
        context = {"draft": draft, "membership": membership, "assignment": draft.assignment}
        return render_page(request, "grading/editor/discard.html", context)
    if actions.draft_discard(draft=draft):
        messages.success(request, f"Draft {draft.number} is discarded. You can bring it back.")
    else:
        messages.info(request, f"Draft {draft.number} is no open draft any more.")
    return redirect("pyramid", draft.assignment_id)


@require_POST
def draft_bring_back(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, _ = access.get_editable_draft_for(request.user, pk)
    if actions.draft_bring_back(draft=draft):
        messages.success(request, f"Draft {draft.number} is back, with its whole history.")
    else:
        messages.info(request, f"Draft {draft.number} was not discarded.")
    return redirect("pyramid", draft.assignment_id)

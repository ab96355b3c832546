"""The editor of a draft, its suggestions, quality and history, and drafts from files and lists."""

from collections.abc import Callable
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import format_html_join
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from grading import access
from grading.drafts import log
from grading.drafts.log import Outcome, Result
from grading.editor import actions, queries
from grading.editor.answers import open_cards_in, render_changes, render_outcome
from grading.editor.forms import (
    AlikeForm,
    EditForm,
    Proposal,
    ProposalForm,
    PyramidFileForm,
    RevisionForm,
    RubricForm,
    ShownForm,
)
from grading.editor.page import EditorPage, other_ideas, text_html
from grading.models import Assignment, Draft, DraftEdit, Membership
from grading.pyramid.analysis.quality import Quality, advice_of
from grading.pyramid.analysis.suggestions import Kind
from grading.pyramid.structures import Pyramid
from grading.scoring.conversion import (
    differs_from_references,
    pyramid_from_draft,
    reference_to_text,
)
from grading.web.fields import error_of_hidden
from grading.web.ideas import band_of, bands_of, heaviest_of
from grading.web.pyramid_outline import outline_of
from grading.web.rendering import (
    UNPROCESSABLE,
    SignedInRequest,
    asks_for_parts,
    render_form_page,
    render_page,
    render_part,
)

EDITS_A_PAGE = 50
SUGGESTION_TITLES = {
    Kind.REFERENCE: "The references have changed",
    Kind.FIT: "A new reference to add",
    Kind.MERGE: "Two ideas that may be one",
    Kind.SPLIT: "An idea that may be two",
    Kind.ADD: "Words that fit an idea",
    Kind.NEW: "Words that may be a new idea",
    Kind.STUDENTS: "What many students say",
    Kind.LABEL: "Clearer labels",
}

# --- the page and its edits ---


@require_safe
def draft(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, membership = access.get_draft_for(request.user, pk)
    pyramid = pyramid_from_draft(draft)
    page = EditorPage(request, draft, pyramid, may_edit=_may_edit(draft, membership))
    frame = page.frame()
    context = frame | {
        "assignment": draft.assignment,
        "membership": membership,
        "bands": page.bands(),
        "texts_html": [(text, text_html(text)) for text in frame["texts"]],
        "notes": pyramid.notes,
        "outdated": differs_from_references(pyramid, draft.assignment),
    }
    return render_page(request, "grading/editor/editor.html", context)


def _may_edit(draft: Draft, membership: Membership) -> bool:
    return membership.is_instructor and draft.is_open


@require_safe
def draft_scu(request: SignedInRequest, pk: int, uid: int) -> HttpResponse:
    """An idea with all that can be done to it; with ``?closed`` as it is listed in its band."""
    draft, membership = access.get_draft_for(request.user, pk)
    pyramid = pyramid_from_draft(draft)
    if all(scu.uid != uid for scu in pyramid.scus):
        raise Http404("This idea no longer exists.")
    page = EditorPage(request, draft, pyramid, may_edit=_may_edit(draft, membership))
    card = page.card(uid, is_open="closed" not in request.GET)
    if asks_for_parts(request):
        return HttpResponse(card)
    context = {"card_html": card, "draft": draft, "assignment": draft.assignment}
    return render_page(request, "grading/editor/scu.html", context)


@require_safe
def draft_ideas(request: SignedInRequest, pk: int) -> HttpResponse:
    """Options of a list of ideas, for a script: the most alike to an idea, or to words, first."""
    draft, _ = access.get_draft_for(request.user, pk)
    pyramid = pyramid_from_draft(draft)
    form = AlikeForm(request.GET, pyramid=pyramid)
    others = other_ideas(pyramid, form.words, form.scu) if form.is_valid() else ()
    return HttpResponse(
        format_html_join(
            "", '<option value="{}">{} · {}</option>', ((uid, uid, name) for uid, name in others)
        )
    )


@require_safe
def draft_changes(request: SignedInRequest, pk: int) -> HttpResponse:
    """What changed since the revision that the browser shows; 204 for nothing."""
    draft, membership = access.get_draft_for(request.user, pk)
    form = ShownForm(request.GET)
    if not form.is_valid():
        return HttpResponseClientRefresh()
    since = form.cleaned_data["since"]
    if since == draft.revision:
        return HttpResponse(status=204)
    pyramid = pyramid_from_draft(draft)
    may_edit, open_cards = _may_edit(draft, membership), open_cards_in(request.GET)
    page = EditorPage(request, draft, pyramid, may_edit=may_edit, open_cards=open_cards)
    return render_changes(page, since)


@require_POST
def draft_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, _ = access.get_editable_draft_for(request.user, pk)
    form = EditForm(request.POST, draft=draft)
    if not form.is_valid():
        return _render_invalid(request, draft, form)
    sender = form.sender(request.user)
    outcome = log.draft_edit(draft=draft, command=form.edit(), sender=sender)
    return render_outcome(request, outcome, sender.revision)


@require_POST
def draft_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    return _undo_or_redo(request, pk, log.draft_undo)


@require_POST
def draft_redo(request: SignedInRequest, pk: int) -> HttpResponse:
    return _undo_or_redo(request, pk, log.draft_redo)


def _undo_or_redo(
    request: SignedInRequest, pk: int, action: Callable[..., Outcome]
) -> HttpResponse:
    draft, _ = access.get_editable_draft_for(request.user, pk)
    form = RevisionForm(request.POST)
    if not form.is_valid():
        return _render_invalid(request, draft, form)
    sender = form.sender(request.user)
    return render_outcome(request, action(draft=draft, sender=sender), sender.revision)


def _render_invalid(request: SignedInRequest, draft: Draft, form: RevisionForm) -> HttpResponse:
    """What is wrong with an edit that cannot be read."""
    message = str(next(iter(form.errors.values()))[0])
    if asks_for_parts(request):
        context = {"message": message, "draft": draft}
        return render(request, "grading/editor/_refusal.html", context, status=UNPROCESSABLE)
    messages.error(request, message)
    return redirect("draft", draft.pk)


# --- suggestions ---


@require_http_methods(["GET", "HEAD", "POST"])
def draft_analysis(request: SignedInRequest, pk: int) -> HttpResponse:
    """The list of suggestions; with ``progress`` only how far a worker is. POST starts a worker."""
    draft, membership = access.get_draft_for(request.user, pk)
    if request.method == "POST" and access.get_editable_draft_for(request.user, pk)[0].is_open:
        actions.analysis_start(draft=draft, requested_by=request.user)
    page = (request.POST or request.GET).get("progress")
    if page and asks_for_parts(request):
        context = _analysis_context(draft, membership) | {"page": page, "polled": True}
        return render_page(request, "grading/editor/_suggestions_progress.html", context)
    if request.method == "POST":
        return redirect("draft_quality" if page == "quality" else "draft_analysis", pk)
    return _render_suggestions(request, draft, membership)


@require_POST
def suggestion_accept(request: SignedInRequest, pk: int, key: str) -> HttpResponse:
    draft, _ = access.get_editable_draft_for(request.user, pk)
    form = RevisionForm(request.POST)
    if not form.is_valid():
        raise BadRequest("The form is out of date. Reload the page.")
    sender = form.sender(request.user)
    outcome = actions.suggestion_accept(draft=draft, key=key, sender=sender)
    return render_outcome(request, outcome, sender.revision)


@require_POST
def suggestion_dismiss(request: SignedInRequest, pk: int, key: str) -> HttpResponse:
    draft, membership = access.get_editable_draft_for(request.user, pk)
    actions.suggestion_dismiss(draft=draft, key=key, author=request.user)
    if not asks_for_parts(request):
        return redirect("draft_analysis", pk)
    message = "Dismissed. To restore it, open “Dismissed” at the end of the list."
    return _render_suggestions(request, draft, membership, message)


@require_POST
def suggestion_restore(request: SignedInRequest, pk: int, key: str) -> HttpResponse:
    draft, membership = access.get_editable_draft_for(request.user, pk)
    actions.suggestion_restore(draft=draft, key=key)
    if not asks_for_parts(request):
        return redirect("draft_analysis", pk)
    return _render_suggestions(request, draft, membership, "Suggestion restored.")


def _analysis_context(draft: Draft, membership: Membership) -> dict[str, Any]:
    """How far the analysis is (not begun, going on, failed, or done), and what was found."""
    job = queries.analysis_job(draft=draft)  # first: a worker may end between the two looks
    stored = queries.latest_analysis(draft=draft)
    return {
        "draft": draft,
        "assignment": draft.assignment,
        "membership": membership,
        "stored": stored,
        "is_current": stored is not None and stored.is_current,
        "job": job,
        "may_edit": _may_edit(draft, membership),
    }


def _render_suggestions(
    request: SignedInRequest, draft: Draft, membership: Membership, message: str = ""
) -> HttpResponse:
    context = _analysis_context(draft, membership)
    suggestions = queries.draft_suggestions(draft=draft, stored=context["stored"])
    context |= {
        "page": "suggestions",
        "message": message,
        "groups": [
            (SUGGESTION_TITLES[kind], list(members))
            for kind, members in groupby(suggestions.open, key=attrgetter("kind"))
        ],
        "dismissed": suggestions.dismissed,
    }
    part, page = "grading/editor/_suggestions.html", "grading/editor/suggestions.html"
    return render_part(request, part, page, context)


# --- quality ---

_WEAKEST = 10  # ideas shown at once; the others can be opened
_WIDTH = 260  # of the widest bar, in the picture's own measure
_LEFT = 64
_ROW = 30


@require_safe
def draft_quality(request: SignedInRequest, pk: int) -> HttpResponse:
    """Figures and advice, about the state of the draft that was analysed."""
    draft, membership = access.get_draft_for(request.user, pk)
    context = _analysis_context(draft, membership) | {"page": "quality"}
    stored = context["stored"]
    if stored is not None:
        pyramid = log.draft_state(draft=draft, revision=stored.revision)
        quality = stored.analysis.quality
        tiers = _quality_tiers(quality, heaviest_of(pyramid))
        # The ideas of several references; the contributors of the first hang together least.
        scus, heaviest = {scu.uid: scu for scu in pyramid.scus}, heaviest_of(pyramid)
        ideas = [
            {
                "uid": idea.scu_uid,
                "label": scus[idea.scu_uid].label,
                "weight": scus[idea.scu_uid].weight,
                "band": band_of(scus[idea.scu_uid].weight, heaviest),
                "attraction": idea.attraction,
                "is_apart": idea.attraction < quality.apart,
            }
            for idea in quality.attractions
            if idea.attraction is not None
        ]
        context |= {
            "quality": quality,
            "advice": advice_of(quality),
            "tiers": tiers,
            "height": _ROW * len(tiers),
            "coverages": [
                {
                    "number": number,
                    "name": text.name,
                    "share": coverage.share,
                    "uncovered": coverage.words - coverage.covered,
                    "stretches": [text.words_at((span,)) for span in coverage.stretches],
                }
                for number, (text, coverage) in enumerate(
                    zip(pyramid.references, quality.coverages, strict=True)
                )
            ],
            "weakest": ideas[:_WEAKEST],
            "stronger": ideas[_WEAKEST:],
        }
    return render_page(request, "grading/editor/quality.html", context)


def _quality_tiers(quality: Quality, heaviest: int) -> list[dict[str, object]]:
    """Bars in the middle, one above the other, so that the picture is a pyramid.

    ``marks`` are where the two ends of a bar of the expected width would be.
    """
    most = max((tier.count for tier in quality.shape), default=0) or 1
    middle = _LEFT + _WIDTH // 2
    tiers: list[dict[str, object]] = []
    for number, tier in enumerate(quality.shape):
        width = round(_WIDTH * tier.count / most)
        is_inside = tier.expected is not None and tier.expected <= most
        half = round(_WIDTH * (tier.expected or 0) / most / 2)
        tiers.append(
            {
                "weight": tier.weight,
                "band": band_of(tier.weight, heaviest),
                "count": tier.count,
                "expected": tier.expected,
                "y": _ROW * number,
                "x": middle - width // 2,
                "width": width,
                "marks": (middle - half, middle + half) if is_inside else (),
            }
        )
    return tiers


# --- history ---


@require_safe
def draft_history(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, membership = access.get_draft_for(request.user, pk)
    edits = draft.edits.defer("command", "inverse").select_related("author").order_by("-revision")
    page = Paginator(edits, EDITS_A_PAGE).get_page(request.GET.get("page"))
    in_force = queries.revisions_in_force(draft)
    undone = {
        edit.revision
        for edit in page
        if edit.kind == DraftEdit.Kind.EDIT and edit.revision not in in_force
    }
    context = {
        "draft": draft,
        "membership": membership,
        "assignment": draft.assignment,
        "page": page,
        "undone": undone,
    }
    return render_page(request, "grading/editor/history.html", context)


@require_safe
def draft_state(request: SignedInRequest, pk: int, revision: int) -> HttpResponse:
    """The draft as it was after an edit, to look at."""
    draft, membership = access.get_draft_for(request.user, pk)
    if revision > draft.revision:
        raise Http404("No such edit.")
    later = draft.edits.filter(revision__gt=revision).select_related("author")
    context = {
        "draft": draft,
        "membership": membership,
        "assignment": draft.assignment,
        "revision": revision,
        "edit": draft.edits.filter(revision=revision).select_related("author").first(),
        "pyramid": bands_of(log.draft_state(draft=draft, revision=revision)),
        "later": later.defer("command", "inverse").order_by("revision")[:EDITS_A_PAGE],
        "later_count": draft.revision - revision,
    }
    return render_page(request, "grading/editor/history_state.html", context)


@require_POST
def draft_restore(request: SignedInRequest, pk: int, revision: int) -> HttpResponse:
    draft, _ = access.get_editable_draft_for(request.user, pk)
    form = RevisionForm(request.POST)
    if revision > draft.revision or not form.is_valid():
        raise Http404("No such edit.")
    sender = form.sender(request.user)
    outcome = log.draft_restore(draft=draft, revision=revision, sender=sender)
    if outcome.result is Result.DONE:
        messages.success(request, "Earlier state restored. Undo reverses this.")
        return redirect("draft", pk)
    if outcome.result is Result.STALE:
        message = (
            "Somebody has edited the draft since you opened this page. See the later edits below."
        )
    else:
        message = outcome.message
    messages.error(request, message)
    return redirect("draft_state", pk, revision)


@require_http_methods(["GET", "POST"])
def draft_discard(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, membership = access.get_editable_draft_for(request.user, pk)
    if request.method == "GET":
        context = {"draft": draft, "membership": membership, "assignment": draft.assignment}
        return render_page(request, "grading/editor/discard.html", context)
    if log.draft_discard(draft=draft):
        messages.success(request, f"Draft {draft.number} discarded. You can restore it.")
    else:
        messages.info(request, f"Draft {draft.number} is no longer open.")
    return redirect("pyramid", draft.assignment_id)


@require_POST
def draft_bring_back(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, _ = access.get_editable_draft_for(request.user, pk)
    if log.draft_bring_back(draft=draft):
        messages.success(request, f"Draft {draft.number} restored, with its whole history.")
    else:
        messages.info(request, f"Draft {draft.number} was not discarded.")
    return redirect("pyramid", draft.assignment_id)


# --- drafts from a file, from a rubric, or from nothing: shown first, then made ---

IDEAS_SHOWN = 5  # of a band, before the draft is made


@require_http_methods(["GET", "POST"])
def draft_import(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    data = (request.POST, request.FILES) if request.method == "POST" else ()
    form = PyramidFileForm(*data, assignment=assignment, owner=request.user.pk)
    context = _proposal_context(assignment, membership, form) | {"imported": form.imported}
    return render_form_page(request, "grading/editor/import_draft.html", context)


@require_http_methods(["GET", "POST"])
def draft_rubric(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    data = (request.POST,) if request.method == "POST" else ()
    form = RubricForm(*data, assignment=assignment)
    context = _proposal_context(assignment, membership, form) | {"rubric": form.rubric}
    return render_form_page(request, "grading/editor/rubric.html", context)


def _proposal_context(
    assignment: Assignment, membership: Membership, form: PyramidFileForm | RubricForm
) -> dict[str, Any]:
    """With a preview of the draft where the form is valid."""
    context = {"assignment": assignment, "membership": membership, "form": form}
    proposal = form.proposal() if form.is_valid() else None
    if proposal is None:
        return context
    return context | {
        "proposal": ProposalForm(assignment=assignment, shown=proposal),
        "outline": outline_of(proposal.pyramid, most=IDEAS_SHOWN),
        "pyramid": proposal.pyramid,
    }


@require_POST
def draft_make(request: SignedInRequest, pk: int) -> HttpResponse:
    """Create the draft that was shown."""
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    form = ProposalForm(request.POST, assignment=assignment)
    if not form.is_valid():
        messages.error(request, error_of_hidden(form, "proposal"))
        return redirect("draft_import", pk)
    return _make_draft(request, assignment, form.cleaned_data["proposal"])


@require_POST
def draft_empty(request: SignedInRequest, pk: int) -> HttpResponse:
    """Begin with the references' texts and no idea."""
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    texts = tuple(reference_to_text(reference) for reference in assignment.references.all())
    return _make_draft(request, assignment, Proposal(Pyramid(texts, ()), Draft.Origin.EMPTY))


def _make_draft(
    request: SignedInRequest, assignment: Assignment, proposal: Proposal
) -> HttpResponse:
    draft = log.draft_create(
        assignment=assignment,
        pyramid=proposal.pyramid,
        origin=proposal.origin,
        author=request.user,
        origin_note=proposal.note,
    )
    messages.success(
        request, f"Draft {draft.number} created. Scores stay the same until you publish it."
    )
    return redirect("draft", draft.pk)

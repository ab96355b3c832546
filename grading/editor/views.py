"""The editor of a draft: the page, its open cards, and every edit."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from grading import access
from grading.drafts import log as actions
from grading.editor.forms import EditForm, RevisionForm, ShownForm
from grading.editor.page_changes import opened_in, render_changes, render_outcome
from grading.editor.page_html import Parts, Screen, texts_with_html
from grading.models import Draft
from grading.scoring.conversion import differs_from_references, pyramid_from_draft
from grading.web.rendering import (
    UNPROCESSABLE,
    SignedInRequest,
    asks_for_parts,
    render_page,
    render_part,
)


@require_safe
def draft(request: SignedInRequest, pk: int) -> HttpResponse:
    found, membership = access.get_draft_for(request.user, pk)
    may_edit = membership.is_instructor and found.is_open
    pyramid = pyramid_from_draft(found)
    parts = Parts(Screen(request, found, may_edit), pyramid)
    frame = parts.frame()
    context = frame | {
        "assignment": found.assignment,
        "membership": membership,
        "bands": parts.bands(),
        "texts_html": texts_with_html(frame["texts"]),
        "notes": pyramid.notes,
        "outdated": differs_from_references(pyramid, found.assignment),
    }
    return render_page(request, "grading/editor/editor.html", context)


@require_safe
def draft_scu(request: SignedInRequest, pk: int, uid: int) -> HttpResponse:
    """An idea with all that can be done to it; ``?closed`` as it stands in its band."""
    found, membership = access.get_draft_for(request.user, pk)
    pyramid = pyramid_from_draft(found)
    if all(scu.uid != uid for scu in pyramid.scus):
        raise Http404("This idea is not there any more.")
    screen = Screen(request, found, membership.is_instructor and found.is_open)
    card = Parts(screen, pyramid).card(uid, opened="closed" not in request.GET)
    context = {"card_html": card, "draft": found, "assignment": found.assignment}
    return render_part(request, "grading/editor/_one_card.html", "grading/editor/scu.html", context)


@require_safe
def draft_changes(request: SignedInRequest, pk: int) -> HttpResponse:
    """What changed since the revision that the browser shows; 204 for nothing."""
    found, membership = access.get_draft_for(request.user, pk)
    form = ShownForm(request.GET)
    if not form.is_valid():
        return HttpResponseClientRefresh()
    since = form.cleaned_data["since"]
    if since == found.revision:
        return HttpResponse(status=204)
    may_edit = membership.is_instructor and found.is_open
    screen = Screen(request, found, may_edit, opened_in(request.GET))
    return render_changes(screen, pyramid_from_draft(found), since)


@require_POST
def draft_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    found, _ = access.get_editable_draft_for(request.user, pk)
    form = EditForm(request.POST, draft=found)
    if not form.is_valid():
        return _refused(request, found, form)
    sender = form.sender(request.user)
    outcome = actions.draft_edit(draft=found, command=form.edit(), sender=sender)
    return render_outcome(request, outcome, sender.revision)


@require_POST
def draft_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    found, _ = access.get_editable_draft_for(request.user, pk)
    form = RevisionForm(request.POST)
    if not form.is_valid():
        return _refused(request, found, form)
    sender = form.sender(request.user)
    outcome = actions.draft_undo(draft=found, sender=sender)
    return render_outcome(request, outcome, sender.revision)


@require_POST
def draft_redo(request: SignedInRequest, pk: int) -> HttpResponse:
    found, _ = access.get_editable_draft_for(request.user, pk)
    form = RevisionForm(request.POST)
    if not form.is_valid():
        return _refused(request, found, form)
    sender = form.sender(request.user)
    outcome = actions.draft_redo(draft=found, sender=sender)
    return render_outcome(request, outcome, sender.revision)


def _refused(request: SignedInRequest, draft: Draft, form: RevisionForm) -> HttpResponse:
    """What is wrong with an edit that cannot be read."""
    errors = [str(error) for found in form.errors.values() for error in found]
    if asks_for_parts(request):
        context = {"message": errors[0], "draft": draft}
        return render(request, "grading/editor/_refusal.html", context, status=UNPROCESSABLE)
    messages.error(request, errors[0])
    return redirect("draft", draft.pk)

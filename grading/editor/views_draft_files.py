"""Beginning a draft from a file, from a rubric, or from nothing: shown first, then made."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from grading import access
from grading.drafts.log import draft_create
from grading.editor.forms_draft_files import PyramidFileForm, RubricForm
from grading.editor.forms_proposals import Proposal, ProposalForm
from grading.models import Assignment, Draft, Membership
from grading.pyramid.structures import Pyramid
from grading.scoring.conversion import reference_to_text
from grading.web.pyramid_outline import outline_of
from grading.web.rendering import SignedInRequest, render_form_page

IDEAS_SHOWN = 5  # of a band, before the draft is made


@require_http_methods(["GET", "POST"])
def draft_import(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = PyramidFileForm(*sent, assignment=assignment)
    proposal = form.proposal() if form.is_valid() else None
    context = _context(assignment, membership, form, proposal) | {"imported": form.imported}
    return render_form_page(request, "grading/editor/import_draft.html", context)


@require_http_methods(["GET", "POST"])
def draft_rubric(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    sent = (request.POST,) if request.method == "POST" else ()
    form = RubricForm(*sent, assignment=assignment)
    proposal = form.proposal() if form.is_valid() else None
    context = _context(assignment, membership, form, proposal) | {"rubric": form.rubric}
    return render_form_page(request, "grading/editor/rubric.html", context)


@require_POST
def draft_make(request: SignedInRequest, pk: int) -> HttpResponse:
    """Make the draft that was shown."""
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    form = ProposalForm(request.POST, assignment=assignment)
    if not form.is_valid():
        messages.error(request, form.errors["proposal"].as_text().removeprefix("* "))
        return redirect("draft_import", pk)
    return _make(request, assignment, form.cleaned_data["proposal"])


@require_POST
def draft_empty(request: SignedInRequest, pk: int) -> HttpResponse:
    """Begin with the references' texts and no idea."""
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    texts = tuple(reference_to_text(reference) for reference in assignment.references.all())
    return _make(request, assignment, Proposal(Pyramid(texts, ()), Draft.Origin.EMPTY))


def _make(request: SignedInRequest, assignment: Assignment, proposal: Proposal) -> HttpResponse:
    draft = draft_create(
        assignment=assignment,
        pyramid=proposal.pyramid,
        origin=proposal.origin,
        author=request.user,
        origin_note=proposal.note,
    )
    messages.success(request, f"Draft {draft.number} is made. Scores stay until you publish it.")
    return redirect("draft", draft.pk)


def _context(
    assignment: Assignment,
    membership: Membership,
    form: PyramidFileForm | RubricForm,
    proposal: Proposal | None,
) -> dict[str, Any]:
    context = {"assignment": assignment, "membership": membership, "form": form}
    if proposal is None:
        return context
    return context | {
        "proposal": ProposalForm(assignment=assignment, shown=proposal),
        "outline": outline_of(proposal.pyramid, most=IDEAS_SHOWN),
        "pyramid": proposal.pyramid,
    }

"""A proposal goes through the browser and comes back as it was, or not at all."""

import pytest

from grading.editor.forms_proposals import Proposal, ProposalForm
from grading.models import Assignment, Draft
from grading.pyramid.structures import Pyramid, Scu, Standing, Text

PYRAMID = Pyramid(
    (Text("Ada", "Wörds \U0001f41d."),),
    (Scu(3, "<b>label", (), "comment", 4, Standing.MUST),),
    notes=("a note",),
)
PROPOSAL = Proposal(PYRAMID, Draft.Origin.FILE, "bees.pyr")


@pytest.fixture
def signed(assignment: Assignment) -> str:
    return str(ProposalForm(assignment=assignment, shown=PROPOSAL).initial["proposal"])


def test_what_comes_back_is_what_was_shown(assignment: Assignment, signed: str) -> None:
    form = ProposalForm({"proposal": signed}, assignment=assignment)

    assert form.is_valid()
    assert form.cleaned_data["proposal"] == PROPOSAL


def test_nothing_else_comes_back(assignment: Assignment, signed: str) -> None:
    changed = signed.replace(signed[20], "x" if signed[20] != "x" else "y", 1)

    for sent in (changed, signed[:-1], "nonsense"):
        form = ProposalForm({"proposal": sent}, assignment=assignment)
        assert "not what was shown" in form.errors["proposal"].as_text()


def test_a_proposal_is_good_for_its_assignment_only(assignment: Assignment, signed: str) -> None:
    other = Assignment.objects.create(
        course=assignment.course, title="Other", min_words=1, max_words=9
    )

    assert not ProposalForm({"proposal": signed}, assignment=other).is_valid()

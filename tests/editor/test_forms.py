"""What is refused of edits, files, rubrics and proposals, in words."""

import re
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict

from grading.editor import forms as draft_files
from grading.editor.forms import (
    KINDS,
    EditForm,
    Proposal,
    ProposalForm,
    PyramidFileForm,
    RubricForm,
)
from grading.models import Assignment, Draft, User
from grading.pyramid.editing import Command
from grading.pyramid.editing.commands import (
    AddContributor,
    MergeScus,
    MoveContributor,
    MoveEnd,
    NewScu,
    RemoveContributor,
    RemovePart,
    Reorder,
    SetComment,
    SetStanding,
    SetWeight,
    SplitScu,
)
from grading.pyramid.formats.pyramid_json import write_pyramid_json
from grading.pyramid.formats.rubric_list import read_rubric
from grading.pyramid.structures import Pyramid, Scu, Span, Standing, Text
from tests.drafts.drafting import begun


@pytest.fixture
def draft(assignment: Assignment) -> Draft:
    return begun(assignment)


def form(draft: Draft, sent: str) -> EditForm:
    return EditForm(QueryDict(f"revision=0&{sent}"), draft=draft)


@pytest.mark.parametrize(
    ("sent", "command"),
    [
        (
            "command=new_scu&reference=Ada&spans=0-6 11-17",
            NewScu(4, "", "Ada", (Span(0, 6), Span(11, 17))),
        ),
        (
            "command=add_contributor&uid=1&reference=Ben&spans=0-5",
            AddContributor(1, "Ben", (Span(0, 5),)),
        ),
        ("command=merge_scus&uid=1&into=2", MergeScus(1, 2)),
        ("command=merge_scus&uid=1&other=2", MergeScus(1, 2)),
        ("command=move_contributor:Ada&uid=1&other=3", MoveContributor(1, "Ada", 3)),
        ("command=remove_contributor:A: B&uid=1", RemoveContributor(1, "A: B")),
        ("command=remove_contributor:end-later&uid=1", RemoveContributor(1, "end-later")),
        (
            "command=split_scu&uid=1&references=Ada&references=Ben",
            SplitScu(1, 4, ("Ada", "Ben")),
        ),
        (
            "command=move_end:end-later&uid=1&reference=Ada&part=0",
            MoveEnd(1, "Ada", 0, "end", 1),
        ),
        (
            "command=move_end&uid=1&reference=Ada&part=1&end=start&by=-1",
            MoveEnd(1, "Ada", 1, "start", -1),
        ),
        ("command=remove_part&uid=1&reference=Ada&part=1", RemovePart(1, "Ada", 1)),
        ("command=reorder&uid=1&before=", Reorder(1, None)),
        ("command=set_weight&uid=1&given_weight=", SetWeight(1, None)),
        ("command=set_weight&uid=1&given_weight=0", SetWeight(1, 0)),
        ("command=set_standing&uid=1&standing=aside", SetStanding(1, Standing.ASIDE)),
        ("command=set_comment&uid=1&comment=", SetComment(1, "")),
    ],
)
def test_an_edit_is_read(draft: Draft, sent: str, command: Command) -> None:
    read = form(draft, sent)

    assert read.is_valid(), read.errors
    assert read.edit() == command


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ("command=patch", "Unknown edit. Reload the page."),
        ("uid=1", "This field is required."),
        ("command=merge_scus&uid=1&other=", "Choose the other idea first."),
        ("command=split_scu&uid=1", "Tick some of the experts first."),
        ("command=new_scu&reference=Ada&spans=", ""),
        ("command=add_part&uid=1&reference=Ada", "Select some words of a reference first."),
        ("command=add_part&uid=1&reference=Ada&spans=x", "This edit can't be read."),
        ("command=add_part&uid=1&reference=Ada&spans=1", "This edit can't be read."),
        ("command=delete_scu&uid=9999999999999", "This edit can't be read."),
        ("command=delete_scu&uid=one", "This edit can't be read."),
        ("command=set_standing&uid=1&standing=gone", "This edit can't be read."),
        ("command=delete_scu", "This edit is incomplete. Reload the page."),
        ("command=delete_scu&uid=1&revision=", "Reload the page, then try again."),
        ("command=delete_scu&uid=1&token=x", "Reload the page, then try again."),
    ],
)
def test_what_cannot_be_read_is_told_in_words(draft: Draft, sent: str, message: str) -> None:
    read = form(draft, sent)

    errors = [str(error) for field_errors in read.errors.values() for error in field_errors]
    assert bool(errors) == bool(message)
    assert not message or errors[0].startswith(message)


def test_every_edit_of_a_person_has_a_name() -> None:
    assert {"new_scu", "label_from_contributor", "set_weight"} <= set(KINDS)
    assert not {"patch", "several", "add_reference"} & set(KINDS)


def test_an_edit_without_a_token_gets_one(draft: Draft) -> None:
    read = form(draft, "command=delete_scu&uid=1")
    assert read.is_valid()

    sender = read.sender(User())

    assert isinstance(sender.token, uuid.UUID)
    assert sender.revision == 0


def file_form(assignment: Assignment, data: bytes, name: str = "my.pyr") -> PyramidFileForm:
    files = {"file": SimpleUploadedFile(name, data)}
    return PyramidFileForm({}, files, assignment=assignment, owner=1)


def test_an_error_names_the_file_and_the_line(assignment: Assignment) -> None:
    form = file_form(assignment, b"SCU\t1\t1\twords\nSCU\tx\t1\twords", "list.tsv")

    [error] = form.errors["file"]
    what = "“list.tsv”: Line 2: the number of the idea, “x”"
    assert error == f"{what}, is not a whole number from 0 to 999,999,998."
    assert form.proposal() is None


def test_a_file_that_is_too_large_is_not_read(
    assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_files, "LARGEST_PYRAMID_FILE", 9)

    errors = file_form(assignment, b"0123456789").errors["file"]

    assert errors == ["“my.pyr” has 10 bytes; the limit is 9."]


def test_more_texts_than_an_assignment_takes_are_refused(assignment: Assignment) -> None:
    texts = tuple(Text(str(number), f"Text {number}.") for number in range(13))

    form = file_form(assignment, write_pyramid_json(Pyramid(texts, ())).encode(), "many.json")

    assert form.errors["file"] == ["“many.json” has 13 reference texts; the limit is 12."]


@pytest.mark.parametrize(("data", "message"), [({}, "Choose a file."), ({"file": ""}, "Choose")])
def test_no_file_is_said(assignment: Assignment, data: dict[str, str], message: str) -> None:
    form = PyramidFileForm(data, {}, assignment=assignment, owner=1)

    assert message in form.errors["file"][0]


def test_an_empty_file_is_said(assignment: Assignment) -> None:
    assert file_form(assignment, b"").errors["file"] == ["The file is empty."]


def test_a_rubric_becomes_a_proposal_on_the_references(assignment: Assignment) -> None:
    form = RubricForm({"statements": "Heat | 3\r\nTrees\r\n"}, assignment=assignment)

    assert form.is_valid()
    proposal = form.proposal()
    assert proposal is not None
    assert proposal.origin == Draft.Origin.RUBRIC
    assert [(scu.label, scu.weight) for scu in proposal.pyramid.scus] == [("Heat", 3), ("Trees", 1)]
    assert [text.name for text in proposal.pyramid.references] == ["Ada", "Ben", "Chi"]


def test_many_wrong_lines_are_not_all_named(assignment: Assignment) -> None:
    form = RubricForm({"statements": "heading:\n" * 30}, assignment=assignment)

    errors = form.errors["statements"]
    assert len(errors) == 11
    assert errors[10] == "20 more lines have errors, probably of the same kind."
    assert form.proposal() is None


def test_the_help_shows_ways_to_write_a_weight_that_are_read(assignment: Assignment) -> None:
    help_text = str(RubricForm(assignment=assignment).fields["statements"].help_text)

    examples = re.findall("“([^”]+)”", help_text)

    assert len(examples) == 2
    read = read_rubric("\n".join(examples)).statements
    assert [(item.text, item.weight) for item in read] == [("Dark roofs store heat", 3)] * 2


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
        assert "no longer valid" in form.errors["proposal"].as_text()


def test_a_proposal_is_good_for_its_assignment_only(assignment: Assignment, signed: str) -> None:
    other = Assignment.objects.create(
        course=assignment.course, title="Other", min_words=1, max_words=9
    )

    assert not ProposalForm({"proposal": signed}, assignment=other).is_valid()

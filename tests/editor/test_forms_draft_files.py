"""What is refused of files and rubrics, in words."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from grading.editor import forms_draft_files as draft_files
from grading.editor.forms_draft_files import PyramidFileForm, RubricForm
from grading.models import Assignment, Draft
from grading.pyramid.formats.pyramid_json_file import write_pyramid_json
from grading.pyramid.formats.rubric_list import read_rubric
from grading.pyramid.structures import Pyramid, Text


def file_form(assignment: Assignment, data: bytes, name: str = "my.pyr") -> PyramidFileForm:
    files = {"file": SimpleUploadedFile(name, data)}
    return PyramidFileForm({}, files, assignment=assignment)


def test_an_error_names_the_file_and_the_line(assignment: Assignment) -> None:
    form = file_form(assignment, b"SCU\t1\t1\twords\nSCU\tx\t1\twords", "list.tsv")

    assert form.errors["file"] == [
        "“list.tsv”: Line 2: the number of the idea, “x”, is no whole number from 0 to 999,999,998."
    ]
    assert form.proposal() is None


def test_a_file_that_is_too_large_is_not_read(
    assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_files, "LARGEST_PYRAMID_FILE", 9)

    errors = file_form(assignment, b"0123456789").errors["file"]

    assert errors == ["“my.pyr” has 10 bytes; at most 9 can be taken."]


def test_more_texts_than_an_assignment_takes_are_refused(assignment: Assignment) -> None:
    texts = tuple(Text(str(number), f"Text {number}.") for number in range(13))

    form = file_form(assignment, write_pyramid_json(Pyramid(texts, ())).encode(), "many.json")

    assert form.errors["file"] == [
        "“many.json” has 13 reference texts; at most 12 can be worked with."
    ]


@pytest.mark.parametrize(("data", "said"), [({}, "Choose a file."), ({"file": ""}, "Choose")])
def test_no_file_is_said(assignment: Assignment, data: dict[str, str], said: str) -> None:
    assert said in PyramidFileForm(data, {}, assignment=assignment).errors["file"][0]


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
    assert errors[10] == "20 more lines are wrong, most likely in the same way."
    assert form.proposal() is None


def test_the_help_shows_ways_to_write_a_weight_that_are_read(assignment: Assignment) -> None:
    told = str(RubricForm(assignment=assignment).fields["statements"].help_text)

    examples = re.findall("“([^”]+)”", told)

    assert len(examples) == 2
    read = read_rubric("\n".join(examples)).statements
    assert [(one.text, one.weight) for one in read] == [("Dark roofs store heat", 3)] * 2

"""What the editor sends, read as commands."""

import uuid

import pytest
from django.http import QueryDict

from grading.editor.forms import KINDS, EditForm
from grading.models import Assignment, Draft, User
from grading.pyramid.editing import Command
from grading.pyramid.editing.commands import (
    AddContributor,
    MergeScus,
    MoveContributor,
    NewScu,
    RemoveContributor,
    Reorder,
    SetComment,
    SetStanding,
    SetWeight,
    SplitScu,
)
from grading.pyramid.editing.part_commands import MoveEnd, RemovePart
from grading.pyramid.structures import Span, Standing
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
    ("sent", "told"),
    [
        ("command=patch", "This edit is not known here. Reload the page."),
        ("uid=1", "This field is required."),
        ("command=merge_scus&uid=1&other=", "Choose the other idea first."),
        ("command=split_scu&uid=1", "Tick some of the experts first."),
        ("command=new_scu&reference=Ada&spans=", ""),
        ("command=add_part&uid=1&reference=Ada", "Select some words of a reference first."),
        ("command=add_part&uid=1&reference=Ada&spans=x", "This edit cannot be read."),
        ("command=add_part&uid=1&reference=Ada&spans=1", "This edit cannot be read."),
        ("command=delete_scu&uid=9999999999999", "This edit cannot be read."),
        ("command=delete_scu&uid=one", "This edit cannot be read."),
        ("command=set_standing&uid=1&standing=gone", "This edit cannot be read."),
        ("command=delete_scu", "Something is missing in this edit."),
        ("command=delete_scu&uid=1&revision=", "Reload the page, then try again."),
        ("command=delete_scu&uid=1&token=x", "Reload the page, then try again."),
    ],
)
def test_what_cannot_be_read_is_told_in_words(draft: Draft, sent: str, told: str) -> None:
    read = form(draft, sent)

    errors = [str(error) for found in read.errors.values() for error in found]
    assert bool(errors) == bool(told)
    assert not told or errors[0].startswith(told)


def test_every_edit_of_a_person_has_a_name() -> None:
    assert {"new_scu", "label_from_contributor", "set_weight"} <= set(KINDS)
    assert not {"patch", "several", "add_reference"} & set(KINDS)


def test_an_edit_without_a_token_gets_one(draft: Draft) -> None:
    read = form(draft, "command=delete_scu&uid=1")
    assert read.is_valid()

    sender = read.sender(User())

    assert isinstance(sender.token, uuid.UUID)
    assert sender.revision == 0

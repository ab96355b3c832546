"""What people decided is not suggested again: what they split, moved apart, and took out."""

from collections.abc import Sequence

import pytest

from grading.pyramid.analysis.decided import Decisions, decisions_of
from grading.pyramid.editing import Command, patch_between
from grading.pyramid.editing.commands import (
    AddContributor,
    DeleteScu,
    MergeScus,
    MoveContributor,
    NewScu,
    RemoveContributor,
    SetLabel,
    Several,
    SplitScu,
)
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text

ADA = Text("Ada", "Cities are hotter. Roofs store heat.")
BEN = Text("Ben", "Towns are warmer. Roads store heat.")
FIRST, SECOND = Span(0, 18), Span(19, 36)
HOT = Scu(1, "Hot", (Contributor("Ada", (FIRST,)), Contributor("Ben", (Span(0, 17),))))
HEAT = Scu(2, "Heat", (Contributor("Ada", (SECOND,)),))
PYRAMID = Pyramid((ADA, BEN), (HOT, HEAT))


def decided(*commands: Command, in_force: Sequence[bool] = ()) -> tuple[Pyramid, Decisions]:
    pyramid, undoing = PYRAMID, list[tuple[Command, bool]]()
    for command, is_in_force in zip(commands, in_force or [True] * len(commands), strict=True):
        after = command.apply(pyramid)
        undoing.insert(0, (patch_between(after, pyramid, ""), is_in_force))
        pyramid = after
    return pyramid, decisions_of(pyramid, undoing)


def forbidden(command: Command, pyramid: Pyramid, decisions: Decisions) -> bool:
    return decisions.forbid(pyramid, command.apply(pyramid))


SPLIT = SplitScu(1, 3, ("Ben",))


def test_what_was_split_is_not_merged_again_whatever_its_number_is() -> None:
    pyramid, decisions = decided(SPLIT)
    assert forbidden(MergeScus(3, 1), pyramid, decisions)
    assert forbidden(Several("", (MergeScus(1, 2), MergeScus(2, 3))), pyramid, decisions)
    assert not forbidden(MergeScus(1, 2), pyramid, decisions)

    pyramid, decisions = decided(SPLIT, MergeScus(3, 2))
    assert forbidden(MergeScus(2, 1), pyramid, decisions)


def test_what_is_undone_or_merged_again_forbids_nothing() -> None:
    pyramid, decisions = decided(SPLIT, in_force=[False])
    assert not forbidden(MergeScus(3, 1), pyramid, decisions)

    pyramid, decisions = decided(SPLIT, MergeScus(3, 1))
    assert not forbidden(SetLabel(1, "Hotter"), pyramid, decisions)


def test_what_was_moved_does_not_come_back() -> None:
    pyramid, decisions = decided(MoveContributor(1, "Ben", 2))
    assert forbidden(MoveContributor(2, "Ben", 1), pyramid, decisions)
    assert forbidden(MergeScus(1, 2), pyramid, decisions)


@pytest.mark.parametrize("removal", [RemoveContributor(1, "Ben"), RemoveContributor(2, "Ada")])
def test_what_was_removed_is_not_added_again(removal: RemoveContributor) -> None:
    pyramid, decisions = decided(removal)
    spans = (Span(0, 17),) if removal.reference == "Ben" else (SECOND,)
    assert forbidden(NewScu(9, "", removal.reference, spans), pyramid, decisions)


def test_words_that_were_removed_may_be_added_to_another_idea() -> None:
    pyramid, decisions = decided(RemoveContributor(1, "Ben"))
    assert forbidden(AddContributor(1, "Ben", (Span(0, 8),)), pyramid, decisions)
    assert not forbidden(AddContributor(2, "Ben", (Span(0, 17),)), pyramid, decisions)
    assert not forbidden(AddContributor(1, "Ben", (Span(18, 35),)), pyramid, decisions)


def test_a_deleted_idea_is_not_suggested_as_a_new_one() -> None:
    pyramid, decisions = decided(DeleteScu(1))
    assert forbidden(NewScu(9, "", "Ada", (FIRST,)), pyramid, decisions)
    assert not forbidden(NewScu(9, "", "Ben", (Span(18, 35),)), pyramid, decisions)

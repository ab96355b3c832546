"""New ideas get the draft's next numbers."""

from grading.pyramid.analysis.suggestions import with_new_uids
from grading.pyramid.editing.commands import (
    AddContributor,
    DeleteScu,
    MergeScus,
    NewScu,
    Several,
    SplitScu,
)
from grading.pyramid.structures import Span

SPANS = (Span(0, 3),)


def test_placeholders_count_on_from_the_next_number() -> None:
    command = Several(
        "made two ideas",
        (
            NewScu(0, "", "Ada", SPANS),
            AddContributor(0, "Ben", SPANS),
            NewScu(-1, "Heat"),
            AddContributor(4, "Chi", SPANS),
        ),
    )

    assert with_new_uids(command, 90) == Several(
        "made two ideas",
        (
            NewScu(90, "", "Ada", SPANS),
            AddContributor(90, "Ben", SPANS),
            NewScu(91, "Heat"),
            AddContributor(4, "Chi", SPANS),
        ),
    )


def test_a_split_makes_an_idea_too() -> None:
    assert with_new_uids(SplitScu(3, 0, ("Ada",)), 90) == SplitScu(3, 90, ("Ada",))


def test_edits_of_what_is_there_stay_as_they_are() -> None:
    for command in (MergeScus(3, 4), DeleteScu(3)):
        assert with_new_uids(command, 90) == command

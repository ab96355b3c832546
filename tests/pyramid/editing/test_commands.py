"""Each edit of ideas: what it does, what the history says of it, and when it cannot be made."""

from dataclasses import replace

import pytest

from grading.pyramid.editing.changes import MOST_PARTS
from grading.pyramid.editing.commands import (
    AddContributor,
    AddPart,
    Command,
    DeleteScu,
    LabelFromContributor,
    MergeScus,
    MoveContributor,
    NewScu,
    RemoveContributor,
    Reorder,
    SetComment,
    SetLabel,
    SetSpans,
    SetStanding,
    SetWeight,
    Several,
    SplitScu,
)
from grading.pyramid.errors import EditError, JoinOfferError
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Spans, Standing, Text

ADA = Text("Ada", "Cities are hotter than the country. Dark roofs store the heat of the sun.")
BEN = Text("Ben", "Towns are warmer. Dark roofs store heat.")


def at(text: Text, *parts: str) -> Spans:
    starts = [text.content.index(part) for part in parts]
    return tuple(Span(i, i + len(part)) for i, part in zip(starts, parts, strict=True))


PYRAMID = Pyramid(
    (ADA, BEN),
    (
        Scu(
            1,
            "Cities are hotter",
            (
                Contributor("Ada", at(ADA, "Cities are hotter")),
                Contributor("Ben", at(BEN, "Towns are warmer"), "towns?"),
            ),
            "check",
        ),
        Scu(2, "Roofs store heat", (Contributor("Ada", at(ADA, "Dark roofs")),), "dark ones"),
        Scu(3, "Say it clearly", (), given_weight=4, standing=Standing.ASIDE),
    ),
)

TOO_MANY = (Span(0, 4),) * (MOST_PARTS + 1)
SOME_NOT_ALL = "Choose some of the experts of the idea, but not all of them."


def words_by_reference_of(pyramid: Pyramid, uid: int) -> dict[str, str]:
    words_by_reference = {}
    for contributor in pyramid.scu(uid).contributors:
        text = pyramid.reference(contributor.reference)
        words_by_reference[contributor.reference] = " | ".join(
            text.words_at((span,)) for span in contributor.spans
        )
    return words_by_reference


def refusal(command: Command, pyramid: Pyramid = PYRAMID) -> str:
    with pytest.raises(EditError) as caught:
        command.apply(pyramid)
    return str(caught.value)


def test_an_idea_from_selected_words_takes_cut_words_whole() -> None:
    start = ADA.content.index("ark roofs")
    new = NewScu(7, reference="Ada", spans=(Span(start, start + len("ark roofs sto")),))
    after = new.apply(PYRAMID)
    assert words_by_reference_of(after, 7) == {"Ada": "Dark roofs store"}
    assert after.scu(7).label == "Dark roofs store"
    assert new.words(PYRAMID) == "made the idea “Dark roofs store”"


def test_an_idea_from_a_statement_has_the_weight_that_it_is_given() -> None:
    scu = NewScu(7, "  Trees\n cool ", given_weight=3).apply(PYRAMID).scu(7)
    assert (scu.label, scu.weight, scu.contributors) == ("Trees cool", 3, ())


def test_a_label_out_of_long_words_is_shortened() -> None:
    long = Text("Eve", "word " * 200)
    pyramid = replace(PYRAMID, references=(*PYRAMID.references, long))
    made = NewScu(7, reference="Eve", spans=(Span(0, 1000),)).apply(pyramid).scu(7)
    assert len(made.label) <= 500
    assert made.label.endswith("word…")


def test_a_second_contributor_of_a_reference_is_offered_as_a_part() -> None:
    spans = at(ADA, "the sun")
    with pytest.raises(JoinOfferError, match="Ada says “Roofs store heat” already"):
        AddContributor(2, "Ada", spans).apply(PYRAMID)
    join = AddPart(2, "Ada", spans)
    assert words_by_reference_of(join.apply(PYRAMID), 2) == {"Ada": "Dark roofs | the sun"}
    assert join.words(PYRAMID) == "added “the sun” of Ada as a further part to “Roofs store heat”"


def test_a_contributor_is_added_by_name() -> None:
    add = AddPart(2, "Ben", at(BEN, "Dark roofs store heat"))
    assert list(words_by_reference_of(add.apply(PYRAMID), 2)) == ["Ada", "Ben"]
    assert add.words(PYRAMID) == "added “Dark roofs store heat” of Ben to “Roofs store heat”"
    same = AddContributor(2, "Ben", add.spans)
    assert (same.apply(PYRAMID), same.words(PYRAMID)) == (add.apply(PYRAMID), add.words(PYRAMID))


def test_parts_that_overlap_become_one() -> None:
    after = AddPart(2, "Ada", at(ADA, "roofs store", "heat of")).apply(PYRAMID)
    assert words_by_reference_of(after, 2) == {"Ada": "Dark roofs store | heat of"}


def test_parts_that_touch_what_is_added_become_one_with_it() -> None:
    text = Text("Ada", "hotter than, well, the country")
    scu = Scu(1, "hot", (Contributor("Ada", (Span(0, 6), Span(7, 11))),))
    after = AddPart(1, "Ada", (Span(11, 17),)).apply(Pyramid((text,), (scu,)))
    assert words_by_reference_of(after, 1) == {"Ada": "hotter | than, well"}


def test_odd_ends_stay_where_nobody_changed_them() -> None:
    # As out of a file: "ark", then "roofs " straight after "k ", which touch.
    start = ADA.content.index("ark")
    odd = (Span(start, start + 4), Span(start + 4, start + 10))
    pyramid = replace(PYRAMID, scus=(Scu(1, "odd", (Contributor("Ada", odd),)),))
    sun = at(ADA, "sun")
    assert AddPart(1, "Ada", sun).apply(pyramid).scu(1).contributors[0].spans == (*odd, *sun)
    longer = (odd[0], Span(odd[1].start, odd[1].end + 2))  # one end moved into "store"
    (changed,) = SetSpans(1, "Ada", longer).apply(pyramid).scu(1).contributors
    assert pyramid.reference("Ada").words_at(changed.spans) == "ark roofs store"
    assert changed.spans[0].start == odd[0].start
    with_a_third = (*odd, *at(ADA, "heat"))
    (changed,) = SetSpans(1, "Ada", with_a_third).apply(pyramid).scu(1).contributors
    assert changed.spans == with_a_third
    merged = MergeScus(1, 2).apply(replace(pyramid, scus=(*pyramid.scus, Scu(2, "even", ()))))
    assert merged.scu(2).contributors[0].spans == odd


@pytest.mark.parametrize(
    ("before", "sent", "after"),
    [
        ("ark roofs", "ark roofs stor", "ark roofs store"),  # the start stays, the end moved
        ("heat of th", "he heat of th", "the heat of th"),  # the other way round
        ("heat of th", "ea", "heat"),
    ],
)
def test_the_end_that_nobody_moved_stays(before: str, sent: str, after: str) -> None:
    scu = Scu(1, "odd", (Contributor("Ada", at(ADA, before)),))
    changed = SetSpans(1, "Ada", at(ADA, sent)).apply(replace(PYRAMID, scus=(scu,)))
    assert changed.scu(1).contributors[0].spans == at(ADA, after)


def test_words_are_set_anew() -> None:
    change = SetSpans(1, "Ada", at(ADA, "Cities", "the country"))
    assert words_by_reference_of(change.apply(PYRAMID), 1)["Ada"] == "Cities | the country"
    assert change.words(PYRAMID) == (
        "changed the words of Ada in “Cities are hotter” to “Cities the country”"
    )


def test_an_idea_goes_with_its_last_contributor() -> None:
    remove = RemoveContributor(2, "Ada")
    assert [scu.uid for scu in remove.apply(PYRAMID).scus] == [1, 3]
    assert remove.words(PYRAMID) == (
        "took the words of Ada out of “Roofs store heat”, its last expert, and deleted the idea"
    )
    given = SetWeight(2, 3).apply(PYRAMID)
    assert remove.apply(given).scu(2).weight == 3  # somebody wants it to count all the same


def test_moved_words_are_joined_to_what_is_there_and_no_comment_is_lost() -> None:
    pyramid = SetComment(2, "only some", "Ada").apply(PYRAMID)
    pyramid = SetComment(1, "all?", "Ada").apply(pyramid)
    move = MoveContributor(2, "Ada", 1)
    after = move.apply(pyramid)
    assert words_by_reference_of(after, 1)["Ada"] == "Cities are hotter | Dark roofs"
    assert after.scu(1).contributors[0].comment == "all?\nonly some"
    assert [scu.uid for scu in after.scus] == [1, 3]
    assert move.words(pyramid) == (
        "moved the words of Ada from “Roofs store heat” to “Cities are hotter”, "
        "its last expert, and deleted the idea"
    )


def test_merging_keeps_what_the_target_is() -> None:
    merge = MergeScus(1, 3)
    merged = merge.apply(PYRAMID).scu(3)
    assert words_by_reference_of(merge.apply(PYRAMID), 3) == words_by_reference_of(PYRAMID, 1)
    assert (merged.label, merged.given_weight, merged.standing) == (
        "Say it clearly",
        4,
        Standing.ASIDE,
    )
    assert merge.words(PYRAMID) == "merged “Cities are hotter” into “Say it clearly”"
    assert MergeScus(1, 2).apply(PYRAMID).scu(2).comment == "dark ones\ncheck"


def test_splitting_makes_an_idea_that_stands_as_the_whole_did() -> None:
    pyramid = SetWeight(1, 5).apply(SetStanding(1, Standing.ASIDE).apply(PYRAMID))
    split = SplitScu(1, 8, ("Ben", "Ben"))
    after = split.apply(pyramid)
    assert words_by_reference_of(after, 1) == {"Ada": "Cities are hotter"}
    assert after.scu(8) == Scu(
        8, "Towns are warmer", (PYRAMID.scu(1).contributors[1],), standing=Standing.ASIDE
    )
    assert after.scu(1).given_weight == 5
    assert split.words(pyramid) == (
        "split “Cities are hotter”: the words of Ben are an idea of their own"
    )


def test_an_idea_split_off_without_words_has_the_label_of_the_whole() -> None:
    gap = (Contributor("Ada", (Span(6, 7),)), *PYRAMID.scu(1).contributors[1:])  # out of a file
    pyramid = replace(PYRAMID, scus=(Scu(1, "Hot cities", gap),))
    assert SplitScu(1, 8, ("Ada",)).apply(pyramid).scu(8).label == "Hot cities"


def test_contributors_in_another_order_keep_it() -> None:
    scu = replace(PYRAMID.scu(1), contributors=PYRAMID.scu(1).contributors[::-1])
    after = AddPart(1, "Ada", at(ADA, "sun")).apply(replace(PYRAMID, scus=(scu,)))
    assert list(words_by_reference_of(after, 1)) == ["Ben", "Ada"]


def test_ideas_change_places_within_their_weight() -> None:
    pyramid = replace(PYRAMID, scus=tuple(Scu(uid, f"idea {uid}", ()) for uid in (1, 2, 3)))
    before, behind = Reorder(3, 1), Reorder(1, None)
    assert [scu.uid for scu in before.apply(pyramid).scus] == [3, 1, 2]
    assert [scu.uid for scu in behind.apply(pyramid).scus] == [2, 3, 1]
    assert before.words(pyramid) == "put “idea 3” before “idea 1”"
    assert behind.words(pyramid) == "put “idea 1” to the end"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (
            SetLabel(1, " Towns\nare  hot\x00 "),
            "changed the label “Cities are hotter” to “Towns are hot”",
        ),
        (
            LabelFromContributor(1, "Ben"),
            "took the words of Ben as the label of “Cities are hotter”",
        ),
        (SetComment(1, " why?\r\n"), "commented on “Cities are hotter”: “why?”"),
        (SetComment(1, "\x01"), "deleted the comment on “Cities are hotter”"),
        (
            SetComment(1, "so?", "Ben"),
            "commented on the words of Ben in “Cities are hotter”: “so?”",
        ),
        (DeleteScu(1), "deleted the idea “Cities are hotter”"),
        (SetStanding(1, Standing.MUST), "pinned “Cities are hotter” as must count"),
        (SetStanding(1, Standing.ASIDE), "set “Cities are hotter” aside"),
        (SetStanding(3, Standing.COUNTS), "let “Say it clearly” count as its weight says"),
        (SetWeight(1, 7), "gave “Cities are hotter” the weight 7"),
        (SetWeight(3, None), "let the references decide the weight of “Say it clearly”"),
        (Several("tidied\nup", (DeleteScu(1), DeleteScu(2))), "tidied up"),
    ],
)
def test_the_history_says_what_was_done(command: Command, words: str) -> None:
    assert command.apply(PYRAMID) != PYRAMID
    assert command.words(PYRAMID) == words


def test_what_nobody_sees_does_not_get_into_the_pyramid() -> None:
    after = SetLabel(1, "a\x00b\ud800 c\x1f d").apply(PYRAMID)
    assert after.scu(1).label == "ab c d"
    after = SetComment(1, "two\r\nlines\x00").apply(PYRAMID)
    assert after.scu(1).comment == "two\nlines"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (DeleteScu(9), "Idea 9 no longer exists."),
        (NewScu(1, "again"), "There is an idea of this number already."),
        (NewScu(0, "nothing"), "The number of an idea is 1 to 2,000,000,000, not 0."),
        (NewScu(10**10, "x"), "The number of an idea is 1 to 2,000,000,000, not 10,000,000,000."),
        (NewScu(7, "\u200b \t"), "An idea needs a label: a sentence that says it."),
        (SetLabel(1, "x" * 501), "A label has at most 500 characters; this one has 501."),
        (
            SetComment(1, "x" * 5001),
            "A comment has at most 5,000 characters; this one has 5,001.",
        ),
        (SetWeight(1, 101), "A weight is a number from 0 to 100, not 101."),
        (AddPart(1, "Nobody", (Span(0, 4),)), "There is no reference “Nobody” in this pyramid."),
        (AddPart(1, "Ada", ()), "Select some words of a reference first."),
        (AddPart(1, "Ada", TOO_MANY), "At most 200 parts can be selected together."),
        (AddPart(1, "Ada", (Span(17, 18),)), "Your selection has no words."),
        (AddPart(1, "Ada", (Span(-1, 4),)), "These words are not in the reference “Ada” any more."),
        (AddPart(1, "Ben", (Span(4, 99),)), "These words are not in the reference “Ben” any more."),
        (RemoveContributor(2, "Ben"), "“Ben” does not contribute to “Roofs store heat” any more."),
        (MoveContributor(1, "Ada", 1), "These words belong to this idea already."),
        (MergeScus(1, 1), "An idea cannot be merged into itself."),
        (SplitScu(1, 8, ()), SOME_NOT_ALL),
        (SplitScu(1, 8, ("Ada", "Ben")), SOME_NOT_ALL),
        (Reorder(1, 1), "An idea cannot be put before itself."),
        (Reorder(1, 2), "Only ideas of the same weight can be put in another order."),
        (Several("both", (DeleteScu(1), DeleteScu(1))), "Idea 1 no longer exists."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_in_words(command: Command, message: str) -> None:
    assert refusal(command) == message

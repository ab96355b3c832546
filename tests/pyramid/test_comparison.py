"""Two pyramids, idea by idea."""

import time
from dataclasses import replace

import pytest

from grading.pyramid.comparison import (
    Change,
    WordChange,
    compare_pyramids,
    compare_texts,
    compare_words,
)
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing, Text

ADA = Text("Ada", "Ice melts in spring. Water boils at a hundred degrees. Steam rises.")
BEN = Text("Ben", "Ice melts early. Steam rises from water.")


def contributor(text: Text, words: str) -> Contributor:
    start = text.content.index(words)
    return Contributor(text.name, (Span(start, start + len(words)),))


ICE = Scu(1, "Ice melts", (contributor(ADA, "Ice melts in spring"), contributor(BEN, "Ice melts")))
WATER = Scu(2, "Water boils", (contributor(ADA, "Water boils at a hundred degrees"),))
STEAM = Scu(3, "Steam rises", (contributor(ADA, "Steam rises"), contributor(BEN, "Steam rises")))
PYRAMID = Pyramid((ADA, BEN), (ICE, STEAM, WATER))


def changed(*scus: Scu) -> Pyramid:
    return replace(PYRAMID, scus=scus)


def test_the_same_pyramid_is_the_same() -> None:
    compared = compare_pyramids(PYRAMID, PYRAMID)

    assert [change.change for change in compared.scus] == [Change.SAME] * 3
    assert not compared.references_changed


def test_a_label_a_comment_a_weight_and_a_standing_are_changes() -> None:
    for other in (
        replace(ICE, label="Ice thaws"),
        replace(ICE, comment="Check this"),
        replace(ICE, given_weight=4),
        replace(ICE, standing=Standing.MUST),
    ):
        (change,) = compare_pyramids(PYRAMID, changed(other, STEAM, WATER)).changed
        assert (change.before, change.after) == (ICE, other)


def test_a_changed_label_is_told_word_by_word() -> None:
    (change,) = compare_pyramids(
        PYRAMID, changed(replace(ICE, label="Ice thaws"), STEAM, WATER)
    ).changed

    assert [(piece.change, piece.words) for piece in change.label] == [
        (WordChange.KEPT, "Ice"),
        (WordChange.REMOVED, "melts"),
        (WordChange.ADDED, "thaws"),
    ]


def test_contributors_that_came_went_or_have_other_words() -> None:
    other = replace(ICE, contributors=(contributor(ADA, "Ice melts"),))

    (change,) = compare_pyramids(PYRAMID, changed(other, STEAM, WATER)).changed

    assert [(contributor.reference, contributor.change) for contributor in change.contributors] == [
        ("Ada", Change.CHANGED),
        ("Ben", Change.GONE),
    ]
    assert change.contributors_changed == change.contributors
    assert change.contributors[0].words == compare_words("Ice melts in spring", "Ice melts")


def test_what_was_merged_is_gone_and_says_where_it_is() -> None:
    merged = replace(
        ICE, contributors=(replace(ICE.contributors[0], spans=(Span(0, 53),)), ICE.contributors[1])
    )

    compared = compare_pyramids(PYRAMID, changed(merged, STEAM))

    (gone,) = compared.gone
    assert gone.before == WATER
    assert gone.merged_into == merged


def test_what_was_split_is_new_and_says_where_it_comes_from() -> None:
    ours, theirs = (
        replace(STEAM, contributors=(contributor,)) for contributor in STEAM.contributors
    )
    theirs = replace(theirs, uid=9, label="It goes up")

    compared = compare_pyramids(PYRAMID, changed(ICE, ours, theirs, WATER))

    (new,) = compared.new
    assert new.after == theirs
    assert new.split_from == STEAM
    assert [change.before for change in compared.changed] == [STEAM]


def test_a_number_alone_pairs_nothing() -> None:
    """Pyramids that were built apart have the same numbers for other ideas."""
    other = replace(WATER, uid=1, label="Water boils")

    compared = compare_pyramids(changed(ICE), changed(other))

    assert [change.before for change in compared.gone] == [ICE]
    assert [change.after for change in compared.new] == [other]


def test_statements_without_words_are_paired_by_what_they_are_called() -> None:
    old = Scu(1, "Trees cool the streets of a city", (), given_weight=2)
    new = replace(old, uid=7, label="Trees cool the streets of every city", given_weight=3)

    (change,) = compare_pyramids(Pyramid((), (old,)), Pyramid((), (new,))).changed

    assert (change.before, change.after) == (old, new)


def test_references_that_came_went_or_changed() -> None:
    other_ada = replace(ADA, content=ADA.content.replace("hundred", "seventy"))
    chi = Text("Chi", "Nothing yet.")
    after = Pyramid((other_ada, chi), (replace(WATER, contributors=WATER.contributors),))

    compared = compare_pyramids(changed(WATER), after)

    assert compared.references_added == ("Chi",)
    assert compared.references_removed == ("Ben",)
    assert compared.references_changed == ("Ada",)
    (change,) = compared.changed  # its words are compared, since its places mean other ones now
    assert [piece.words for piece in change.contributors[0].words if piece.change != "kept"] == [
        "hundred",
        "seventy",
    ]


def test_the_order_of_the_ideas_changes_no_pair() -> None:
    twins = [replace(WATER, uid=uid) for uid in (5, 6)]
    after = [replace(WATER, uid=uid, comment=str(uid)) for uid in (6, 5)]

    for scus in (after, after[::-1]):
        compared = compare_pyramids(changed(*twins), changed(*scus))
        assert {
            (change.before.uid, change.after.uid)
            for change in compared.changed
            if change.before and change.after
        } == {(5, 5), (6, 6)}


def test_words_are_compared_in_order() -> None:
    assert compare_words("", "") == ()
    assert [piece.change for piece in compare_words("a b", "c")] == [
        WordChange.REMOVED,
        WordChange.ADDED,
    ]


def test_texts_are_compared_by_the_paragraphs_of_the_later_one() -> None:
    before = "Ice melts.\n\nWater boils in spring."
    after = "Ice melts early.\n\n \nWater boils\n\nin summer.\n"

    pairs = [
        [(piece.change.value, piece.words) for piece in pieces]
        for pieces in compare_texts(before, after)
    ]

    assert pairs == [
        [("kept", "Ice"), ("removed", "melts."), ("added", "melts early.")],
        [("kept", "Water boils")],
        [("kept", "in"), ("removed", "spring."), ("added", "summer.")],
    ]
    assert compare_texts("", " \n ") == ()


def test_a_small_word_that_stays_by_chance_is_no_change_of_its_own() -> None:
    before = "Old towns were once built of the finest stone by masons."
    after = "Today we make houses out of the cheap concrete instead."

    changes = [piece.change.value for piece in compare_texts(before, after)[0]]

    assert changes == ["removed", "added"]
    kept = compare_texts("The cat sat", "A cat slept")[0]
    assert [piece.words for piece in kept if piece.change is WordChange.KEPT] == ["cat"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (" ".join(f"x{i} the" for i in range(2_500)), " ".join(f"y{i} the" for i in range(2_500))),
        ("very " * 5_000, "very " * 4_000 + "much"),
        ("a b " * 2_500, "b a a " * 1_600),
    ],
)
def test_texts_that_repeat_themselves_are_compared_in_time(before: str, after: str) -> None:
    began = time.perf_counter()

    pieces = compare_words(before, after)

    assert time.perf_counter() - began < 20  # difflib alone takes hours over the first
    words = [piece.words for piece in pieces if piece.change is not WordChange.REMOVED]
    assert " ".join(words).split() == after.split()
    words = [piece.words for piece in pieces if piece.change is not WordChange.ADDED]
    assert " ".join(words).split() == before.split()

"""Spans, words and weights."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.structures import (
    Contributor,
    Evidence,
    HeldFor,
    Match,
    Pyramid,
    Repeat,
    Scu,
    Segment,
    Span,
    Spans,
    Standing,
    Text,
    join_spans,
    shared_length,
)

spans = st.builds(
    lambda start, length: Span(start, start + length), st.integers(0, 40), st.integers(1, 9)
)


@given(st.lists(spans, max_size=8))
def test_joined_spans_are_the_same_characters_in_order_and_apart(some: list[Span]) -> None:
    joined = join_spans(some)
    assert {i for span in joined for i in range(span.start, span.end)} == {
        i for span in some for i in range(span.start, span.end)
    }
    assert all(first.end < second.start for first, second in pairwise(joined))
    assert join_spans(reversed(some)) == joined


def test_a_reader_is_told_where_words_are_left_out() -> None:
    text = Text("Ada", "Cities, of all places, are hot.")
    assert text.quoted((Span(0, 6), Span(23, 30))) == "Cities … are hot"
    assert text.quoted((Span(23, 30),)) == "are hot"


def test_words_of_parts_stand_on_one_line() -> None:
    text = Text("Ada", "Cities are\n  hotter than the country.")
    assert text.words_at((Span(0, 19), Span(25, 32))) == "Cities are hotter the cou"
    assert text.words_at(()) == ""


def test_words_are_counted_as_word_processors_count_them() -> None:
    assert Text("Ada", " It's a well-known\n fact \u2013 2.5 %\u200bof it. ").word_count == 9
    assert Text("Ada", " \u200b\n").word_count == 0


def test_the_weight_is_counted_or_given() -> None:
    contributor = Contributor("Ada", (Span(0, 4),))
    assert Scu(1, "idea", ()).weight == 0
    assert Scu(1, "idea", (contributor,)).weight == 1
    assert Scu(1, "idea", (contributor,), given_weight=0).weight == 0
    assert Scu(1, "idea", (contributor,), given_weight=7).weight == 7


def test_a_contributor_is_found_by_its_reference() -> None:
    contributor = Contributor("Ada", (Span(0, 4),))
    scu = Scu(1, "idea", (contributor,))
    assert scu.contributor("Ada") is contributor
    assert scu.contributor("Ben") is None


def test_what_counts_keeps_all_but_weights() -> None:
    contributors = (Contributor("Ada", (Span(0, 4),)),)
    scus = (
        Scu(3, "pinned", contributors, "why", standing=Standing.MUST),
        Scu(1, "aside", contributors, standing=Standing.ASIDE),
        Scu(2, "counts", contributors),
    )
    texts = (Text("Ada", "idea"), Text("Ben", "other"))
    counted = Pyramid(texts, scus, "signed", ("noted",)).counted()
    assert counted == Pyramid(
        texts,
        (Scu(3, "pinned", contributors, "why", given_weight=2, standing=Standing.MUST), scus[2]),
        "signed",
        ("noted",),
    )
    assert counted.counted() == counted


def test_the_matched_share_is_that_of_statements_with_an_idea() -> None:
    first, two, three, four = (Segment((Span(at, at + 1),)) for at in range(4))
    matches = (Match(first, 1, 0.9), Match(first, 2, 0.9))
    evidence = Evidence((first, two, three, four), matches, (Repeat(two, 1),))

    assert evidence.unmatched == (three, four)
    assert evidence.matched_share == 3 / 5  # the first part tells two ideas
    assert Evidence((first,), ()).matched_share == 0
    assert Evidence((), ()).matched_share == 0


@pytest.mark.parametrize(
    ("held", "is_held"),
    [
        ((), False),
        ((Span(0, 20),), False),  # one of three statements
        ((Span(0, 15), Span(20, 26)), True),  # most of two of three
        ((Span(0, 30),), True),
    ],
    ids=str,
)
def test_a_text_is_held_where_most_of_its_statements_are(held: Spans, is_held: bool) -> None:
    statements = tuple(Segment((Span(at, at + 10),)) for at in (0, 20, 40))

    assert Evidence(statements, (), held=held).is_held is is_held


def test_half_of_the_statements_do_not_hold_a_text() -> None:
    statements = tuple(Segment((Span(at, at + 10),)) for at in (0, 20))

    assert not Evidence(statements, (), held=(Span(0, 10),)).is_held
    assert Evidence((), (), held=(Span(0, 10),)).is_held  # of nothing else is there anything to say


def test_why_words_are_held() -> None:
    held = Evidence((), (), held=(Span(0, 10),), held_reason="The words are in no order.")
    against = "3 matches in this text may contradict the experts."

    assert held.held_for is HeldFor.ORDER
    assert replace(held, held_reason=against).held_for is HeldFor.TRUTH
    again = "Of these 90 words, 81 are sentences that the text has already, word for word."
    assert replace(held, held_reason=again).held_for is HeldFor.REPEATED
    assert replace(held, held=()).held_for is None


def test_shared_length() -> None:
    assert shared_length((Span(0, 4), Span(6, 9)), (Span(3, 7),)) == 2
    assert shared_length((Span(0, 4),), (Span(4, 9),)) == shared_length((), (Span(0, 1),)) == 0

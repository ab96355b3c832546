"""Words: where they stand, their stems, and which of them carry content."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.encoders.words import content_words_in, sentence_starts, words_of


def cut(content: str) -> list[str]:
    words = words_of(content)
    pairs = zip(words.starts.tolist(), words.ends.tolist(), strict=True)
    return [content[start:end] for start, end in pairs]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", []),
        (" \n ", []),
        ("?! … \u2013 () 🐝", []),
        ("Ice melts.", ["Ice", "melts"]),
        ("don't can\u2019t l'eau", ["don't", "can\u2019t", "l'eau"]),
        ("'quoted' \u2019tis dogs'", ["quoted", "tis", "dogs"]),
        ("3.5 kg of 1,000; see 2.", ["3.5", "kg", "of", "1,000", "see", "2"]),
        ("e.g. snake_case well-known", ["e", "g", "snake", "case", "well", "known"]),
        ("bees🐝bees", ["bees", "bees"]),
        ("水は液体 です", ["水は液体", "です"]),
        ("x²  H2O", ["x²", "H2O"]),
    ],
)
def test_words_stand_where_they_stood(content: str, expected: list[str]) -> None:
    assert cut(content) == expected


@given(st.text(max_size=60))
def test_any_text_has_words_in_order_and_nothing_else_has_letters(content: str) -> None:
    words = words_of(content)
    assert content_words_in(content) == words.has_content.sum()
    bounds = [
        at for pair in zip(words.starts.tolist(), words.ends.tolist(), strict=True) for at in pair
    ]
    assert bounds == sorted(bounds)
    assert len(words.stems) == len(words.has_content) == len(words.vectors) == len(words.starts)
    inside = "".join(cut(content))
    assert sum(character.isalnum() for character in content) == sum(
        character.isalnum() for character in inside
    )


def test_stems_are_those_of_any_inflection_and_any_apostrophe() -> None:
    assert words_of("Cities city CITY").stems == ("citi",) * 3
    assert len(set(words_of("can't can\u2019t").stems)) == 1
    assert words_of("3.5 3,5").stems == ("3.5", "3,5")


def test_function_words_carry_no_content_with_their_endings_neither() -> None:
    assert not words_of("The it's I'm DON'T hasn\u2019t of which cannot").has_content.any()
    assert words_of("Ice 7 Mary's océan not2").has_content.all()
    mixed = words_of("the density of ice")
    assert mixed.has_content.tolist() == [False, True, False, True]


@pytest.mark.parametrize(
    ("content", "sentences"),
    [
        ("", [""]),
        ("One", ["One"]),
        ("One. Two! Three? Four", ["One. ", "Two! ", "Three? ", "Four"]),
        ("One… two.", ["One… ", "two."]),
        ('He said "no." Then left.', ['He said "no." ', "Then left."]),
        ("Wait... what?! Yes.", ["Wait... ", "what?! ", "Yes."]),
        ("3.5 kg. e.g.ice", ["3.5 kg. ", "e.g.ice"]),
        ("Heading\n\nText", ["Heading\n\n", "Text"]),
        ("\n\nText", ["\n\n", "Text"]),
        ("Text.\n", ["Text.\n"]),
    ],
)
def test_sentences_by_their_marks(content: str, sentences: list[str]) -> None:
    starts = sentence_starts(content)
    ends = [*starts[1:], len(content)]
    assert [content[start:end] for start, end in zip(starts, ends, strict=True)] == sentences


@given(st.text(alphabet="a .!?…\"')\n", max_size=40))
def test_sentences_begin_at_0_and_ascend(content: str) -> None:
    starts = sentence_starts(content)
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert all(start < len(content) for start in starts[1:])


def test_a_long_row_of_dots_is_no_trouble() -> None:
    before = time.process_time()
    assert sentence_starts("." * 100_000) == [0]
    assert sentence_starts(".)" * 50_000) == [0]
    assert time.process_time() - before < 2

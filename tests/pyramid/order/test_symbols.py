"""How a token is judged: as a function word, by its tag, and as part of a list."""

import pytest

from grading.pyramid.order.counts import (
    CONTENT,
    JOINING,
    JOINING_WORDS,
    LOOSE,
    LOOSE_WORDS,
    NAME,
    NEW_ITEM,
    Word,
    word_of,
)


def judged(text: str, tag: str = "NN", *, is_punct: bool = False, is_first: bool = False) -> Word:
    return word_of(text, tag, is_punct, is_first)


@pytest.mark.parametrize("text", ["the", "The", "THE", "-the", "3.the"])
def test_a_function_word_is_its_own_symbol_however_it_is_written(text: str) -> None:
    assert judged(text, "DT") == Word("the", True, True, JOINING)


def test_an_apostrophe_may_be_curved() -> None:
    assert judged("n\u2019t", "RB").symbol == "n't"


def test_other_words_are_their_tags() -> None:
    assert judged("streets", "NNS") == Word("NNS", True, False, CONTENT)
    assert judged("Lagos", "NNP") == Word("NNP", True, False, NAME)


def test_a_misspelt_function_word_joins_by_its_tag() -> None:
    assert judged("becuase", "IN") == Word("IN", True, True, JOINING)


def test_loose_words_weigh_less_against_a_list() -> None:
    assert judged("more", "JJR") == Word("more", True, True, LOOSE)
    assert not JOINING_WORDS & LOOSE_WORDS


@pytest.mark.parametrize(("text", "is_first", "symbol"), [("A", False, "NN"), ("A", True, "a")])
def test_a_capital_is_a_label_unless_it_begins_the_sentence(
    text: str, is_first: bool, symbol: str
) -> None:
    assert judged(text, is_first=is_first).symbol == symbol
    assert judged("I", "PRP").symbol == "i"


@pytest.mark.parametrize("text", ["5", "2,834", "x", "0.5"])
def test_numbers_and_letters_are_no_words(text: str) -> None:
    assert judged(text, "CD") == Word("CD", False, False, 0.0)


def test_marks() -> None:
    assert judged(",", ",", is_punct=True) == Word(",", False, False, 0.0)
    assert judged(":", ":", is_punct=True) == Word("", False, False, NEW_ITEM)
    assert judged("-", "HYPH", is_punct=True) == Word("", False, False, 0.0)


@pytest.mark.parametrize("text", ["-connection", "2.Data"])
def test_an_item_within_a_sentence_begins_anew(text: str) -> None:
    assert judged(text) == Word("NN", True, False, CONTENT + NEW_ITEM)

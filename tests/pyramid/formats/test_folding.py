"""Texts folded to their letters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.formats.word_search import fold, is_inside_a_word, occurrences


def test_letters_keep_their_places() -> None:
    folded = fold("Straße 7, É!", with_digits=True)

    assert folded.kept == "strasse7e"
    assert folded.positions == (0, 1, 2, 3, 4, 4, 5, 7, 10)
    assert fold("Straße 7", with_digits=False).kept == "strasse"


@pytest.mark.parametrize(
    ("content", "edge", "inside"),
    [("heat", 2, True), ("a b", 1, False), ("x2", 1, True), ("屋顶", 1, False), ("heat", 0, False)],
)
def test_the_inside_of_a_word(content: str, edge: int, inside: bool) -> None:
    assert is_inside_a_word(content, edge) is inside


@given(st.text(), st.booleans())
def test_each_sign_comes_from_its_place(text: str, with_digits: bool) -> None:
    folded = fold(text, with_digits=with_digits)

    assert len(folded.kept) == len(folded.positions)
    assert list(folded.positions) == sorted(folded.positions)


def test_occurrences_are_counted_up_to_a_limit() -> None:
    assert list(occurrences("ab", "abab")) == [0, 2]
    assert list(occurrences("", "abab")) == []
    assert len(list(occurrences("a", "a" * 10_000))) == 500

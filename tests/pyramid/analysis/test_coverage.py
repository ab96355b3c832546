"""Which words of a reference belong to an idea."""

from grading.pyramid.analysis.quality import CoveredText
from grading.pyramid.config import Config
from grading.pyramid.structures import Pyramid
from tests.pyramid.analysis.made import cut, pyramid_of

TEXT = cut("A", "Cities are hot now|and trees cool them", "Old people suffer most")


def test_words_are_counted_and_what_is_left_is_told() -> None:
    pyramid = pyramid_of([TEXT], {"A": "Cities are hot now"})

    result = CoveredText(pyramid, TEXT).coverage()

    assert (result.words, result.covered) == (12, 4)
    assert [TEXT.text.words_at((span,)) for span in result.stretches] == [
        "and trees cool them",
        "Old people suffer most",
    ]


def test_one_or_two_words_between_ideas_are_no_stretch() -> None:
    pyramid = pyramid_of([TEXT], {"A": "Cities are"}, {"A": "and trees cool them Old people"})

    result = CoveredText(pyramid, TEXT).coverage()

    assert result.stretches == ()
    assert result.covered == 8


def test_clauses_that_are_mostly_uncovered_are_found_in_all_cuts() -> None:
    pyramid = pyramid_of([TEXT], {"A": "Cities are hot now"})

    clauses = CoveredText(pyramid, TEXT).uncovered_clauses(Config())

    assert [clause.unit.words for clause in clauses] == [
        "and trees cool them",
        "Old people suffer most",
    ]


def test_a_text_of_which_nothing_is_covered_is_uncovered_as_a_whole() -> None:
    read = CoveredText(Pyramid((TEXT.text,), ()), TEXT)

    assert read.coverage().share == 0
    assert len(list(read.uncovered_clauses(Config()))) == 4


def test_a_text_without_words_is_covered() -> None:
    empty = cut("A", "…")

    assert CoveredText(Pyramid((empty.text,), ()), empty).coverage().share == 1

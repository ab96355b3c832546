"""Every method that can give a second opinion is explained in plain words."""

from grading.pyramid.content import Column
from grading.pyramid.method_words import MAIN, MAIN_TITLE, METHOD_WORDS, score_text, title_of
from grading.pyramid.registry import CONTENT_METHODS


def test_every_method_has_its_words() -> None:
    assert list(METHOD_WORDS) == list(CONTENT_METHODS)
    titles = [words.title for words in METHOD_WORDS.values()]
    assert len(set(titles)) == len(titles)
    for words in METHOD_WORDS.values():
        assert words.looks_at
        assert words.fails


def test_shares_and_points_are_those_of_the_registry() -> None:
    for name, words in METHOD_WORDS.items():
        assert words.is_share == (CONTENT_METHODS[name].headline is not Column.RAW)


def test_scores_are_written_as_what_they_are() -> None:
    assert score_text("rouge-1", 0.125) == "0.13"
    assert score_text("peak", 34.0) == "34"
    assert score_text("be-hm", 34.5) == "34.50"
    assert score_text(MAIN, 0.5) == "0.50"
    assert (title_of(MAIN), title_of("peak"), title_of("guess")) == (MAIN_TITLE, "PEAK", "guess")

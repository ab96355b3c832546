"""Sentences as a reader counts them."""

import time

import pytest

from grading.pyramid.feedback.next_steps import in_words, listed, plural, sentences_of
from grading.pyramid.structures import Span, Text


def cut(content: str) -> list[str]:
    text = Text("mine", content)
    return [text.words_at((span,)) for span in sentences_of(text).spans]


@pytest.mark.parametrize(
    ("content", "sentences"),
    [
        ("Heat rises. Ice melts!  Why?", ["Heat rises.", "Ice melts!", "Why?"]),
        ("Dr. Howard knew. It was hot.", ["Dr. Howard knew.", "It was hot."]),
        ("In the U.S. cities grow. Yes.", ["In the U.S. cities grow.", "Yes."]),
        ("Many (e.g. dark) roofs. Yes.", ["Many (e.g. dark) roofs.", "Yes."]),
        ("It was\nbroken by\nhand. Yes.", ["It was broken by hand.", "Yes."]),
        ("A heading\n\nHeat rises.", ["A heading", "Heat rises."]),
        ("He said “no.” They left.", ["He said “no.”", "They left."]),
        ("  ", []),
    ],
)
def test_sentences(content: str, sentences: list[str]) -> None:
    assert cut(content) == sentences


@pytest.mark.parametrize("content", ["Dr. " * 20_000, "A.\n" * 20_000, "Ice." + " " * 80_000 + "x"])
def test_it_takes_no_longer_than_the_text_is_long(content: str) -> None:
    started = time.process_time()
    sentences_of(Text("mine", content))

    assert time.process_time() - started < 3  # minutes, where each end looks at all before it


def named(content: str, words: str) -> str:
    start = content.index(words)
    spans = (Span(start, start + len(words)),)
    return sentences_of(Text("mine", content)).named(spans)


def test_a_sentence_has_an_ordinal() -> None:
    assert named("Heat rises. Ice melts. Why?", "melts") == "your second sentence"
    assert named("No. " * 11 + "Ice melts.", "Ice") == "your twelfth sentence"


def test_what_is_hard_to_count_out_is_quoted() -> None:
    assert named("No. " * 12 + "Ice melts.", "Ice melts") == "the part “Ice melts”"
    assert named("- Ice\n- Fire", "Fire") == "the part “Fire”"
    endless = "and ice melts in the warm sun " * 10
    assert named(endless, "ice melts in the warm sun") == "the part “ice melts in the warm …”"


def test_numbers_and_lists() -> None:
    assert [in_words(count) for count in (0, 1, 12, 13)] == ["no", "one", "twelve", "13"]
    assert [plural(count, "idea") for count in (1, 2)] == ["one idea", "two ideas"]
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"

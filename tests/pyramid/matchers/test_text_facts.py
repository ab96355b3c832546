"""What was found out about a text is kept for the next edit, and for that text only."""

from collections import OrderedDict
from dataclasses import replace

import pytest

from grading.pyramid.matchers import text_facts
from grading.pyramid.matchers.classroom import ClassroomMatcher
from grading.pyramid.matchers.text_facts import TextFacts, facts_about
from grading.pyramid.similarity import lexical_recall
from tests.pyramid.cutting import Written, cut, read_by_stops
from tests.pyramid.telling import HALF, matches_in_words, pyramid_of


def test_a_fact_is_found_once() -> None:
    facts = TextFacts()
    assert facts.get("key", lambda: 1) == 1
    assert facts.get("key", lambda: 2) == 1
    assert facts.get("other", lambda: 2) == 2


def test_too_many_facts_of_a_text_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_facts, "_MOST_FACTS", 2)
    facts = TextFacts()
    for number in range(3):
        facts.get(number, lambda: "old")
    assert facts.get(0, lambda: "new") == "new"
    assert facts.get(2, lambda: "new") == "old"


def test_facts_belong_to_words_and_similarity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_facts, "_facts_of_texts", OrderedDict())
    first = facts_about(cut("s", "x|y"), "stems")
    assert facts_about(cut("other name", "x|y"), "stems") is first
    assert facts_about(cut("s", "x|z"), "stems") is not first
    assert facts_about(cut("s", "x|y"), "vectors") is not first
    monkeypatch.setattr(text_facts, "TEXTS", 3)
    facts_about(cut("s", "z"), "stems")
    assert facts_about(cut("s", "x|y"), "stems") is not first


def test_the_parse_of_a_text_has_one_number() -> None:
    assert cut("s", "x|y").parse == cut("other name", "x|y").parse
    assert cut("s", "x|y").parse != replace(cut("s", "x|y"), sentences=()).parse


def test_a_text_that_is_divided_in_other_ways_is_compared_anew() -> None:
    pairs = {("x y", "a1"): 0.9, ("x", "a1"): 0.9}
    matcher = ClassroomMatcher(pyramid_of("a1"), Written(pairs), HALF, read_by_stops)
    divided = cut("s", "x|y")
    [sentence] = divided.sentences
    whole = replace(
        divided, sentences=(replace(sentence, segmentations=sentence.segmentations[:1]),)
    )
    for text, words in ((divided, "x"), (whole, "x y"), (divided, "x")):
        assert matches_in_words(text, matcher.match(text)) == [(words, 1)]


def test_what_is_kept_makes_the_same_evidence() -> None:
    pyramid = pyramid_of("a1+b1", "a2")
    text = cut("s", "a1|a2", "b1")
    matcher = ClassroomMatcher(pyramid, lexical_recall(), HALF, read_by_stops)
    assert matcher.match(text) == matcher.match(text)

"""What is said twice: each matcher names what a segment without a match says again."""

from collections.abc import Callable

import pytest

from grading.pyramid.config import Config
from grading.pyramid.matchers import exact, wmin
from grading.pyramid.matchers.classroom import ClassroomMatcher
from grading.pyramid.structures import (
    Evidence,
    Pyramid,
    SegmentedText,
)
from tests.pyramid.cutting import Pairs, Written, cut, read_by_stops
from tests.pyramid.telling import HALF, counted, matches_in_words, pyramid_of

WHOLE = ("x y z", "a1")
Matched = Callable[[SegmentedText, Pyramid, Pairs], Evidence]


def classroom(
    text: SegmentedText, pyramid: Pyramid, pairs: Pairs, config: Config = HALF
) -> Evidence:
    return ClassroomMatcher(pyramid, Written(pairs), config, read_by_stops).match(text)


def by_wmin(text: SegmentedText, pyramid: Pyramid, pairs: Pairs) -> Evidence:
    return wmin.prepare(pyramid, Written(pairs), HALF, read_by_stops).match(text)


def exactly(text: SegmentedText, pyramid: Pyramid, pairs: Pairs) -> Evidence:
    return exact.prepare(pyramid, Written(pairs), HALF, read_by_stops).match(text)


def again(text: SegmentedText, evidence: Evidence) -> list[tuple[str, int]]:
    return [
        (text.text.words_at(repeat.segment.spans), repeat.scu_uid) for repeat in evidence.repeats
    ]


@pytest.mark.parametrize("matched", [classroom, by_wmin, exactly])
def test_what_is_said_twice_is_matched_once_and_said_again(matched: Matched) -> None:
    text, pyramid = cut("s", "x", "y", "z"), pyramid_of("a1")
    pairs = {("x", "a1"): 0.9, ("y", "a1"): 0.4, ("z", "a1"): 0.6, WHOLE: 0.9}

    evidence = matched(text, pyramid, pairs)

    assert matches_in_words(text, evidence) == [("x", 1)]
    assert again(text, evidence) == [("z", 1)]
    # For the paper a repetition is a statement; for `classroom` it belongs to the one before.
    statements = ["x", "y"] if matched is classroom else ["x", "y", "z"]
    assert counted(text, evidence) == statements
    assert evidence.counted == len(statements)


@pytest.mark.parametrize("matched", [classroom, by_wmin, exactly])
def test_of_several_ideas_the_nearest_is_said_again(matched: Matched) -> None:
    text, pyramid = cut("s", "x", "y", "z"), pyramid_of("a1", "a2")
    pairs = {
        ("x", "a1"): 0.9,
        ("y", "a2"): 0.9,
        ("z", "a1"): 0.7,
        ("z", "a2"): 0.8,
        WHOLE: 0.9,
        ("x y z", "a2"): 0.9,
    }

    assert again(text, matched(text, pyramid, pairs)) == [("z", 2)]


def test_what_the_whole_text_tells_is_not_said_again_by_every_part_of_it() -> None:
    """Words that would not count as the only ones of a text do not, however much is around them."""
    text, pyramid = cut("s", "x", "y"), pyramid_of("a1")
    pairs = {("x", "a1"): 0.6, ("y", "a1"): 0.49, ("x y", "a1"): 1.0}

    assert classroom(text, pyramid, pairs).repeats == ()


def test_the_threshold_itself_counts() -> None:
    text, pyramid = cut("s", "x", "y"), pyramid_of("a1")
    pairs = {("x", "a1"): 0.9, ("y", "a1"): 0.5, ("x y", "a1"): 0.9}

    assert again(text, classroom(text, pyramid, pairs)) == [("y", 1)]


def test_nothing_in_common_says_nothing_again_whatever_the_threshold() -> None:
    zero = Config(min_words=1, match_threshold=0.0)
    text, pyramid = cut("s", "x", "y"), pyramid_of("a1")
    pairs = {("x", "a1"): 0.9, ("x y", "a1"): 0.9}

    assert classroom(text, pyramid, pairs, zero).repeats == ()


def test_an_idea_that_is_not_matched_is_not_said_again() -> None:
    text, pyramid = cut("s", "x", "y"), pyramid_of("a1", "a2")
    pairs = {("x", "a1"): 0.9, ("x y", "a1"): 0.9, ("y", "a2"): 0.6}

    evidence = classroom(text, pyramid, pairs)  # (.6 + 0) / 2: the whole text hides it

    assert matches_in_words(text, evidence) == [("x", 1)]
    assert evidence.repeats == ()


def test_a_part_of_a_sentence_can_say_something_again() -> None:
    text, pyramid = cut("s", "x", "y|z"), pyramid_of("a1", "a2")
    pairs = {
        ("x", "a1"): 0.9,
        ("y", "a1"): 0.8,
        ("y z", "a1"): 0.8,
        WHOLE: 0.9,
        ("z", "a2"): 0.9,
        ("y z", "a2"): 0.9,
        ("x y z", "a2"): 0.9,
    }

    evidence = classroom(text, pyramid, pairs)

    assert matches_in_words(text, evidence) == [("x", 1), ("z", 2)]
    assert again(text, evidence) == [("y", 1)]

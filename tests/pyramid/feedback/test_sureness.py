"""How likely it is that a text expresses an idea."""

from dataclasses import replace

import pytest

from grading.pyramid.feedback.sureness import (
    LIKELY_FROM,
    Confidence,
    confidence_in_words,
    confidence_of,
    is_doubtful,
    percent_of,
)
from grading.pyramid.structures import Candidate, Match, Segment, Span

MATCH = Match(Segment((Span(0, 5),)), 1, 0.5, (Candidate(2, 0.9),), probability=0.6)


@pytest.mark.parametrize(
    ("probability", "confidence"),
    [
        (0.5, Confidence.UNSURE),
        (0.694, Confidence.UNSURE),
        (0.696, Confidence.LIKELY),  # as it is shown
        (0.894, Confidence.LIKELY),
        (0.9, Confidence.CERTAIN),
        (1.0, Confidence.CERTAIN),
    ],
)
def test_three_steps(probability: float, confidence: Confidence) -> None:
    assert confidence_of(replace(MATCH, probability=probability)) is confidence


def test_confidence_is_told_with_the_percentage() -> None:
    assert confidence_in_words(replace(MATCH, probability=0.82)) == "likely, 82\u202f%"
    assert confidence_in_words(replace(MATCH, probability=None)) == ""
    assert (percent_of(0.001), percent_of(0.999)) == ("1\u202f%", "99\u202f%")


def test_below_seven_in_ten_is_doubtful() -> None:
    assert is_doubtful(MATCH)
    assert not is_doubtful(replace(MATCH, probability=LIKELY_FROM))


def test_a_persons_word_is_not() -> None:
    assert not is_doubtful(replace(MATCH, by_hand=True))


def test_what_came_close_does_not_matter() -> None:
    assert not is_doubtful(replace(MATCH, probability=None))

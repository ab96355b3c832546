"""How sure it is that a text tells an idea."""

from dataclasses import replace

from grading.pyramid.feedback.sureness import SURE_ENOUGH, is_doubtful
from grading.pyramid.structures import Candidate, Match, Segment, Span

MATCH = Match(Segment((Span(0, 5),)), 1, 0.5, (Candidate(2, 0.9),), probability=0.6)


def test_below_seven_in_ten_is_doubtful() -> None:
    assert is_doubtful(MATCH)
    assert not is_doubtful(replace(MATCH, probability=SURE_ENOUGH))


def test_a_persons_word_is_not() -> None:
    assert not is_doubtful(replace(MATCH, by_hand=True))


def test_what_came_close_does_not_matter() -> None:
    assert not is_doubtful(replace(MATCH, probability=None))

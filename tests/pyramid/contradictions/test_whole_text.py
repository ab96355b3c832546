"""When all of a text waits for a person, because much of it contradicts the experts."""

import pytest

from grading.pyramid.contradictions.whole_text import (
    denies_alone,
    is_doubtful,
    may_be_held,
    says_what_an_expert_says,
    sentences_against,
)
from tests.pyramid.contradictions.judging import Judge

NONE: frozenset[int] = frozenset()


def first(count: int) -> frozenset[int]:
    return frozenset(range(count))


@pytest.mark.parametrize(
    ("matched", "contradicting", "denying", "doubtful", "against"),
    [
        (10, 1, 0, 0, 0),
        (10, 2, 0, 0, 2),
        (12, 2, 0, 0, 2),
        (13, 2, 0, 0, 0),
        (10, 1, 4, 0, 4),
        (10, 1, 0, 4, 4),
        (12, 1, 0, 4, 4),
        (13, 1, 0, 4, 0),
        (10, 0, 4, 0, 4),
        (11, 0, 4, 11, 0),
        (6, 0, 4, 0, 4),
        (4, 0, 3, 0, 0),
    ],
)
def test_how_many_sentences_hold_a_text(
    matched: int, contradicting: int, denying: int, doubtful: int, against: int
) -> None:
    sentences = first(matched), first(contradicting), first(denying), first(doubtful)
    assert sentences_against(*sentences) == against
    assert may_be_held(*sentences[:2]) or not against


def test_nothing_is_asked_of_few_sentences_without_a_contradiction() -> None:
    assert not may_be_held(first(3), NONE)
    assert may_be_held(first(4), NONE)
    assert may_be_held(first(1), first(1))


def test_a_text_without_matches_is_not_held() -> None:
    assert not sentences_against(NONE, NONE, NONE, NONE)


@pytest.mark.models
@pytest.mark.parametrize(
    ("expert", "sentence", "alone", "doubtful"),
    [
        ("Dark roofs store heat.", "The heat never stays in them.", True, False),
        ("Dark roofs do not reflect light.", "They never shine.", False, False),
        ("Dark roofs do not reflect light.", "They shine.", False, True),
        ("Cheap transport helped trade.", "Trade was costly then.", False, True),
        ("Cheap transport helped trade.", "Trade became cheap.", False, False),
    ],
)
def test_what_may_contradict(
    judge_text: Judge, expert: str, sentence: str, alone: bool, doubtful: bool
) -> None:
    idea, [statement] = judge_text.statements(expert), judge_text.statements(sentence)
    assert denies_alone(idea, statement) == alone
    assert is_doubtful(idea, statement) == doubtful


@pytest.mark.models
@pytest.mark.parametrize(
    ("sentence", "is_said"),
    [
        ("Dark roofs store the heat of the day.", True),
        ("All day dark roofs store heat.", True),
        ("Dark roofs please tourists from abroad.", False),
        ("Bright walls warm the poor.", False),
        ("It is so.", False),
    ],
)
def test_what_is_not_held_with_a_text(judge_text: Judge, sentence: str, *, is_said: bool) -> None:
    idea = judge_text.statements("Dark roofs store heat during the day.")
    [statement] = judge_text.statements(sentence)
    assert says_what_an_expert_says(idea, statement) == is_said

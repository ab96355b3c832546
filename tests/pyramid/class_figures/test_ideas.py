"""Item analysis by hand, and what holds of every class."""

import statistics
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grading.pyramid.class_figures import Discrimination, Flag, Than, ideas_of
from grading.pyramid.structures import Pyramid, Scu, Standing
from tests.pyramid.class_figures.made import pyramid, texts


def test_a_class_of_four_by_hand() -> None:
    ideas = ideas_of(pyramid(4, 2, 1), texts([1, 2], [1], [1, 3], []))

    first, second, third = ideas.ideas
    assert [(idea.matched, idea.missed) for idea in ideas.ideas] == [(3, 1), (1, 3), (1, 3)]
    # 5 ideas in 4 texts; an expert has (4 + 2 + 1) / 4 of them.
    assert (ideas.mean_matched, ideas.of_an_expert) == (1.25, 1.75)
    assert ideas.level == pytest.approx(5 / 7)
    assert [idea.expected for idea in ideas.ideas] == pytest.approx([5 / 7, 5 / 14, 5 / 28])
    # Points lost on average: a quarter of 4, three quarters of 2 and of 1.
    assert [idea.lost for idea in ideas.ideas] == [1.0, 1.5, 0.75]
    assert [idea.uid for idea in ideas.to_teach] == [2, 1, 3]
    # Told 1, 1, 1, 0 with 2, 0, 1, 0 points of the rest; 1, 0, 0, 0 with 4, 4, 5, 0.
    assert first.correlation == pytest.approx(0.75 / (0.75 * 2.75) ** 0.5, abs=1e-4)
    assert second.correlation == pytest.approx(0.75 / (0.75 * 14.75) ** 0.5, abs=1e-4)
    assert third.correlation is not None
    assert {idea.discrimination for idea in ideas.ideas} == {Discrimination.UNKNOWN}  # four texts
    assert not ideas.flagged


def test_correlation_is_that_of_telling_it_with_the_points_of_the_others() -> None:
    ideas_of_texts = [[1, 2], [1], [2, 3], [], [1, 2, 3], [3]]
    ideas = ideas_of(pyramid(3, 2, 1), texts(*ideas_of_texts))

    weights = {1: 3, 2: 2, 3: 1}
    for idea in ideas.ideas:
        here = [float(idea.uid in uids) for uids in ideas_of_texts]
        rest = [
            float(sum(weights[uid] for uid in uids if uid != idea.uid)) for uids in ideas_of_texts
        ]
        assert idea.correlation == pytest.approx(statistics.correlation(here, rest), abs=1e-4)


def test_an_idea_that_tells_strong_from_weak_and_one_that_goes_against() -> None:
    strong, weak = [1, 2, 3], [4]
    ideas = ideas_of(pyramid(4, 3, 3, 1), texts(*[strong] * 10, *[weak] * 10, [1, 4]))

    assert [idea.discrimination for idea in ideas.ideas] == [
        *[Discrimination.CLEARLY] * 3,
        Discrimination.AGAINST,
    ]
    assert ideas.ideas[3].flags == (Flag.AGAINST,)
    assert ideas.flagged == (ideas.ideas[3],)


def test_an_idea_that_tells_little_in_a_large_class_and_nothing_in_a_small_one() -> None:
    apart = [[1, 2], [1], [2], []]
    assert (
        ideas_of(pyramid(2, 2), texts(*apart * 50)).ideas[0].discrimination is Discrimination.LITTLE
    )
    assert (
        ideas_of(pyramid(2, 2), texts(*apart * 5)).ideas[0].discrimination is Discrimination.UNKNOWN
    )


def test_what_all_tell_or_nobody_tells_parts_nobody() -> None:
    ideas = ideas_of(pyramid(4, 4, 1), texts(*[[1]] * 12, [1, 3]))

    assert [idea.discrimination for idea in ideas.ideas[:2]] == [Discrimination.SAME] * 2
    assert [idea.correlation for idea in ideas.ideas] == [None] * 3


def test_heavy_ideas_that_hardly_anyone_told_and_light_ones_that_nearly_all_did() -> None:
    ideas = ideas_of(pyramid(4, 3, 1, 1), texts(*[[2, 3]] * 8, [1, 3], [3, 4]))

    flagged = {flag: [idea.uid for idea in ideas.ideas if flag in idea.flags] for flag in Flag}
    assert (flagged[Flag.HEAVY_MISSED], flagged[Flag.LIGHT_MATCHED]) == ([1], [3])


def test_three_texts_are_too_few_for_a_flag() -> None:
    assert not ideas_of(pyramid(4, 1), texts([2], [2], [2])).flagged


def test_fewer_and_more_than_expected_only_where_chance_does_not_explain_it() -> None:
    ideas = ideas_of(pyramid(4, 2, 2), texts(*[[2]] * 30, *[[1, 2]] * 10))

    assert [idea.than for idea in ideas.ideas] == [Than.FEWER, Than.MORE, Than.FEWER]
    few = ideas_of(pyramid(4, 2), texts([2], [1]))
    assert {idea.than for idea in few.ideas} == {Than.AS_EXPECTED}


def test_what_no_expert_tells_is_expected_of_everyone() -> None:
    rubric = Pyramid((), (Scu(1, "Heat", (), given_weight=3), Scu(2, "Ice", (), given_weight=1)))
    ideas = ideas_of(rubric, texts([1], [1, 2]))

    assert [idea.expected for idea in ideas.ideas] == [0.75, 0.75]


def test_what_is_set_aside_is_not_there() -> None:
    first, second = pyramid(4, 2).scus
    aside = replace(pyramid(), scus=(first, replace(second, standing=Standing.ASIDE)))

    assert [idea.uid for idea in ideas_of(aside, texts([1, 2], [7])).ideas] == [1]


def test_nobody_and_no_ideas() -> None:
    (idea,) = ideas_of(pyramid(4), []).ideas
    assert (idea.share, idea.missed_share, idea.expected) == (0.0, 0.0, 0.0)
    assert ideas_of(pyramid(), texts([1])).ideas == ()


CLASSES = st.lists(st.frozensets(st.integers(1, 5)), min_size=1, max_size=25)


@given(CLASSES)
def test_as_much_is_expected_as_is_told_unless_that_is_more_than_everyone(
    ideas_of_texts: list[frozenset[int]],
) -> None:
    ideas = ideas_of(pyramid(4, 3, 2, 1, 1), texts(*ideas_of_texts))

    expected = sum(idea.expected for idea in ideas.ideas)
    assert expected <= ideas.mean_matched + 1e-9
    if max(idea.expected for idea in ideas.ideas) < 1:
        assert expected == pytest.approx(ideas.mean_matched)


ALL_FIVE = frozenset({1, 2, 3, 4, 5})


@given(CLASSES)
@example(  # a correlation of 31/32 lies between two numbers of four digits
    [
        *(frozenset({1, 2, 3, 4}), ALL_FIVE, ALL_FIVE, frozenset({4}), frozenset({3, 4})),
        *(ALL_FIVE, frozenset({4}), ALL_FIVE, ALL_FIVE),
    ]
)
def test_the_order_of_texts_makes_no_difference(ideas_of_texts: list[frozenset[int]]) -> None:
    assert ideas_of(pyramid(4, 3, 2, 1, 1), texts(*ideas_of_texts)) == ideas_of(
        pyramid(4, 3, 2, 1, 1), texts(*ideas_of_texts[::-1])
    )


@given(CLASSES)
def test_correlations_are_correlations(ideas_of_texts: list[frozenset[int]]) -> None:
    for idea in ideas_of(pyramid(4, 3, 2, 1, 1), texts(*ideas_of_texts)).ideas:
        around = idea.correlation_interval
        if idea.correlation is not None and around is not None:
            assert -1 <= around.low <= idea.correlation <= around.high <= 1

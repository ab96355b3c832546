"""Where methods disagree, and how they correlate: by hand."""

import pytest

from grading.pyramid.opinions import (
    FEWEST_OPINIONS,
    correlation,
    disagreements,
    rank_of,
    standard_differences,
    standardised,
)

# Four texts at -1 and four at 1: the mean is 0, the standard deviation 1.
MAIN = dict(enumerate([-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0]))


def scaled(scores: dict[int, float], factor: float, shift: float) -> dict[int, float]:
    return {text: factor * score + shift for text, score in scores.items()}


def test_a_method_with_another_scale_does_not_differ() -> None:
    points = scaled(MAIN, 12, 40)

    assert standardised(points) == MAIN
    assert set(standard_differences(MAIN, points).values()) == {0.0}
    assert disagreements(MAIN, {"peak": points}, 0.5) == {}


def test_a_text_that_changes_places_is_told_with_its_direction() -> None:
    swapped = MAIN | {0: 1.0, 7: -1.0}

    result = disagreements(MAIN, {"peak": swapped, "rouge-1": MAIN}, 1.5)

    assert set(result) == {0, 7}
    assert (result[0][0].method, result[0][0].difference) == ("peak", 2.0)
    assert result[7][0].difference == -2.0


def test_the_difference_that_was_set_counts_and_one_below_does_not() -> None:
    swapped = MAIN | {0: 1.0, 7: -1.0}

    assert set(disagreements(MAIN, {"peak": swapped}, 2.0)) == {0, 7}
    assert disagreements(MAIN, {"peak": swapped}, 2.01) == {}


def test_of_several_methods_the_one_that_differs_most_comes_first() -> None:
    # The mean is .25, the spread is not 1: text 0 is less far up than in “peak”.
    other = MAIN | {0: 0.5}

    first, second = disagreements(MAIN, {"be-hm": other, "peak": MAIN | {0: 1.0, 7: -1.0}}, 0.5)[0]

    assert (first.method, second.method) == ("peak", "be-hm")
    assert first.difference > second.difference > 0.5


def test_of_fewer_than_eight_texts_nothing_is_said() -> None:
    swapped = MAIN | {0: 1.0, 7: -1.0}
    few = {text: swapped[text] for text in range(1, FEWEST_OPINIONS)}

    assert standard_differences(MAIN, few) == {}
    assert standard_differences(few, MAIN) == {}


def test_texts_that_only_one_method_has_scored_are_left_out() -> None:
    more = scaled(MAIN, 3, 0) | {99: 1000.0}

    assert set(standard_differences(MAIN, more)) == set(MAIN)


def test_where_all_texts_score_the_same_nothing_disagrees() -> None:
    flat = dict.fromkeys(MAIN, 7.0)

    assert standardised(flat) == standardised({}) == {}
    assert standard_differences(MAIN, flat) == {}


def test_correlation_with_fisher_s_interval() -> None:
    other = {0: 0.1, 1: 0.3, 2: 0.2, 3: 0.4, 4: 0.3, 5: 0.9, 6: 0.7, 7: 0.8}

    figure = correlation(MAIN, other | {99: 5.0})

    assert figure.texts == 8
    # Products: (-1.0 + 2.7) / 8 = .2125; spreads: 1 and sqrt(2.33 / 8 - .4625 ** 2) = .2781.
    assert figure.value == pytest.approx(0.7641, abs=1e-4)
    # atanh(.7641) = 1.0061; 1.96 / sqrt(8 - 3) = .8765; tanh(.1296) and tanh(1.8826).
    assert figure.low == pytest.approx(0.129, abs=1e-3)
    assert figure.high == pytest.approx(0.955, abs=1e-3)


@pytest.mark.parametrize(
    "other", [{}, {0: 1.0}, dict.fromkeys(MAIN, 1.0)], ids=["none", "one", "all the same"]
)
def test_there_is_no_correlation_without_a_spread(other: dict[int, float]) -> None:
    figure = correlation(MAIN, other)

    assert (figure.value, figure.low, figure.high) == (None, None, None)
    assert figure.texts == len(other)


def test_equal_scores_have_equal_ranks() -> None:
    scores = [0.5, 0.9, 0.5, 0.1]

    assert [rank_of(score, scores) for score in scores] == [2, 1, 2, 4]

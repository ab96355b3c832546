"""Two judges' scores: correlation, mean difference, limits of agreement."""

import numpy as np
import pytest

from grading.pyramid.agreement import compare_scores

FIRST = [0.1, 0.3, 0.5, 0.4, 0.8, 0.6]
SECOND = [0.2, 0.3, 0.7, 0.5, 0.8, 0.9]


def test_the_figures_are_those_of_the_books() -> None:
    result = compare_scores(FIRST, SECOND)

    assert result is not None
    assert result.correlation.value == pytest.approx(np.corrcoef(FIRST, SECOND)[0, 1])
    assert (result.first_mean, result.second_mean) == pytest.approx((0.45, 3.4 / 6))
    assert result.difference.value == pytest.approx(3.4 / 6 - 0.45)
    apart = np.array(SECOND) - np.array(FIRST)
    half = 1.96 * apart.std(ddof=1)
    assert (result.low_limit, result.high_limit) == pytest.approx(
        (apart.mean() - half, apart.mean() + half)
    )


def test_intervals_hold_the_figures() -> None:
    result = compare_scores(FIRST, SECOND)

    assert result is not None
    for estimate in (result.correlation, result.difference):
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.value is not None
        assert estimate.low <= estimate.value <= estimate.high


def test_scores_that_do_not_vary_have_no_correlation() -> None:
    result = compare_scores([0.5] * 6, SECOND)

    assert result is not None
    assert result.correlation.value is None
    assert result.difference.value is not None


def test_one_text_has_a_difference_and_no_limits() -> None:
    result = compare_scores([0.5], [0.75])

    assert result is not None
    assert result.difference.value == pytest.approx(0.25)
    assert result.low_limit is None
    assert result.correlation.value is None


def test_no_texts_are_nothing_to_compare() -> None:
    assert compare_scores([], []) is None

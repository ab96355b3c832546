"""Two judges' scores: correlation, mean difference, limits of agreement."""

import numpy as np
import pytest

from grading.pyramid.agreement import compare_scores

FIRST = [0.1, 0.3, 0.5, 0.4, 0.8, 0.6]
SECOND = [0.2, 0.3, 0.7, 0.5, 0.8, 0.9]


def test_the_figures_are_those_of_the_books() -> None:
    found = compare_scores(FIRST, SECOND)

    assert found is not None
    assert found.correlation.value == pytest.approx(np.corrcoef(FIRST, SECOND)[0, 1])
    assert (found.first_mean, found.second_mean) == pytest.approx((0.45, 3.4 / 6))
    assert found.difference.value == pytest.approx(3.4 / 6 - 0.45)
    apart = np.array(SECOND) - np.array(FIRST)
    half = 1.96 * apart.std(ddof=1)
    assert (found.low_limit, found.high_limit) == pytest.approx(
        (apart.mean() - half, apart.mean() + half)
    )


def test_intervals_hold_the_figures() -> None:
    found = compare_scores(FIRST, SECOND)

    assert found is not None
    for one in (found.correlation, found.difference):
        assert one.low is not None
        assert one.high is not None
        assert one.value is not None
        assert one.low <= one.value <= one.high


def test_scores_that_do_not_vary_have_no_correlation() -> None:
    found = compare_scores([0.5] * 6, SECOND)

    assert found is not None
    assert found.correlation.value is None
    assert found.difference.value is not None


def test_one_text_has_a_difference_and_no_limits() -> None:
    found = compare_scores([0.5], [0.75])

    assert found is not None
    assert found.difference.value == pytest.approx(0.25)
    assert found.low_limit is None
    assert found.correlation.value is None


def test_no_texts_are_nothing_to_compare() -> None:
    assert compare_scores([], []) is None

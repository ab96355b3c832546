"""Intervals against values from tables and from hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.intervals import (
    correlation_interval,
    mean_interval,
    share_interval,
)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),  # Wilson, as in Brown, Cai & DasGupta's formula (4)
        (0, 5, 0.0, 0.4345),  # z² / (n + z²)
        (5, 5, 0.5655, 1.0),
        (500, 1000, 0.4691, 0.5309),
        (0, 0, 0.0, 1.0),
    ],
)
def test_shares(count: int, total: int, low: float, high: float) -> None:
    result = share_interval(count, total)
    assert (result.low, result.high) == pytest.approx((low, high), abs=1e-4)


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_of_a_share_holds_it_and_mirrors(share: tuple[int, int]) -> None:
    count, total = share
    result, other = share_interval(count, total), share_interval(total - count, total)
    assert 0 <= result.low <= count / total <= result.high <= 1
    assert (other.low, other.high) == pytest.approx((1 - result.high, 1 - result.low))


def test_means() -> None:
    result = mean_interval([0.5, 0.55, 0.6])  # sd .05, t 4.303 with two degrees of freedom
    assert result is not None
    half = 4.303 * 0.05 / 3**0.5
    assert (result.low, result.high) == pytest.approx((0.55 - half, 0.55 + half))
    assert mean_interval([0.5]) is None
    edges = mean_interval([0.0, 1.0])
    assert edges is not None
    assert (edges.low, edges.high) == (0.0, 1.0)
    many = mean_interval([0.4, 0.6] * 50)  # t 1.984 with 99
    assert many is not None
    assert many.high == pytest.approx(0.5 + 1.984 * 0.1005 / 10, abs=1e-4)


def test_correlations() -> None:
    result = correlation_interval(0.5, 28)
    assert result is not None
    assert (result.low, result.high) == pytest.approx((0.1561, 0.7356), abs=1e-3)
    assert correlation_interval(0.5, 3) is None
    alone = correlation_interval(-1.0, 10)
    assert alone is not None
    assert (alone.low, alone.high) == (-1.0, -1.0)

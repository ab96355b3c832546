"""Intervals: the same each time, none where texts are few or alike, as wide as theory says."""

import numpy as np
import pytest

from grading.pyramid.agreement import DRAWS, FEWEST, Figure, Numbers, draws, figure


def mean_of(values: list[float]) -> Figure:
    each = np.array(values)
    return figure(lambda counts: counts @ each / counts.sum(axis=1), len(each))


def test_it_is_the_same_each_time() -> None:
    values = [0.1, 0.4, 0.3, 0.9, 0.5, 0.6]

    first = mean_of(values)
    draws.cache_clear()

    assert mean_of(values) == first


def test_the_interval_of_a_mean_is_nearly_that_of_theory() -> None:
    values = np.random.default_rng(1).normal(0.5, 0.1, 100)

    mean = mean_of(values.tolist())

    assert mean.low is not None
    assert mean.high is not None
    half = 1.96 * values.std() / 10
    assert mean.low == pytest.approx(values.mean() - half, abs=0.003)
    assert mean.high == pytest.approx(values.mean() + half, abs=0.003)


def test_every_draw_has_as_many_texts() -> None:
    assert draws(7).shape == (DRAWS, 7)
    assert (draws(7).sum(axis=1) == 7).all()


@pytest.mark.parametrize("texts", range(FEWEST))
def test_few_texts_have_no_interval(texts: int) -> None:
    mean = mean_of([0.5] * texts)

    assert not mean.is_known
    assert mean.texts == texts
    assert (mean.value is None) is (texts == 0)


def test_what_does_not_exist_is_not_told() -> None:
    def nothing(counts: Numbers) -> Numbers:
        return np.full(len(counts), np.nan)

    assert figure(nothing, 8) == Figure(None, None, None, 8)


def test_where_most_draws_have_no_value_there_is_no_interval() -> None:
    def rarely(counts: Numbers) -> Numbers:
        return np.where((counts == 1).all(axis=1), 1.0, np.nan)

    assert figure(rarely, 8) == Figure(1.0, None, None, 8)

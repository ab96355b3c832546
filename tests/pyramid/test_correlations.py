"""Correlations and Williams's test, beside SciPy's and a published example."""

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from grading.pyramid.correlations import kendall, pearson, spearman, williams


@pytest.mark.parametrize("seed", range(5))
def test_correlations_are_those_of_scipy_with_ties_too(seed: int) -> None:
    xs, ys = np.random.default_rng(seed).integers(0, 6, (2, 30)).astype(np.float64)
    assert pearson(xs, ys) == pytest.approx(np.corrcoef(xs, ys)[0, 1])
    assert spearman(xs, ys) == pytest.approx(spearmanr(xs, ys)[0])
    assert kendall(xs, ys) == pytest.approx(kendalltau(xs, ys)[0])


def test_a_constant_has_no_correlation() -> None:
    for measure in (pearson, spearman, kendall):
        assert np.isnan(measure(np.ones(4), np.arange(4.0)))


def test_williams_on_a_published_example() -> None:
    """Steiger's case A, as the manual of R's psych tells it: t = -0.89, p = .37."""
    assert williams(0.4, 0.5, 0.1, 103) == pytest.approx(0.37, abs=0.01)
    assert williams(0.5, 0.4, 0.1, 103) == williams(0.4, 0.5, 0.1, 103)
    assert williams(0.6, 0.6, 0.2, 20) == 1
    assert williams(0.9, 0.2, 0.1, 50) < 0.001

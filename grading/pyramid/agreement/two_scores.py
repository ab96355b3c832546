"""Two judges' scores of the same texts: correlation, mean difference, limits of agreement.

Limits of agreement are those of Bland and Altman (1986): between them lie 95 % of the differences
of single texts, where these are spread evenly around their mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.agreement.figures_of_texts import Figure, figure

Numbers = NDArray[np.float64]

_WITHIN = 1.96  # standard deviations: 95 %
_FLAT = 1e-12  # a spread below this is rounding


@dataclass(frozen=True, slots=True)
class TwoScores:
    """``difference`` is the second judge's mean less the first's."""

    correlation: Figure
    first_mean: float
    second_mean: float
    difference: Figure
    low_limit: float | None
    high_limit: float | None


def compare_scores(first: Sequence[float], second: Sequence[float]) -> TwoScores | None:
    """The scores stand in the order of the texts; None where there are none."""
    if not first:
        return None
    xs, ys = np.array(first, dtype=np.float64), np.array(second, dtype=np.float64)
    apart = ys - xs
    spread = float(apart.std(ddof=1)) if len(apart) > 1 else None
    middle = float(apart.mean())
    return TwoScores(
        correlation=figure(lambda counts: pearson(counts, xs, ys), len(xs)),
        first_mean=float(xs.mean()),
        second_mean=float(ys.mean()),
        difference=figure(lambda counts: counts @ apart / counts.sum(axis=1), len(xs)),
        low_limit=None if spread is None else middle - _WITHIN * spread,
        high_limit=None if spread is None else middle + _WITHIN * spread,
    )


def pearson(counts: Numbers, xs: Numbers, ys: Numbers) -> Numbers:
    """Of each draw; not a number where one of the two does not vary."""
    total = counts.sum(axis=1)
    mean_x, mean_y = counts @ xs / total, counts @ ys / total
    both = counts @ (xs * ys) / total - mean_x * mean_y
    spread_x = counts @ (xs * xs) / total - mean_x**2
    spread_y = counts @ (ys * ys) / total - mean_y**2
    varies = (spread_x > _FLAT) & (spread_y > _FLAT)
    scale = np.sqrt(np.where(varies, spread_x * spread_y, 1.0))
    coefficients: Numbers = np.where(varies, np.clip(both / scale, -1, 1), np.float64("nan"))
    return coefficients

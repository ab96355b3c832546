"""How two columns of scores go together: Pearson, Spearman, Kendall, and Williams's test."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def pearson(xs: Numbers, ys: Numbers) -> float:
    """Not a number where one of the two is constant."""
    apart_x, apart_y = xs - xs.mean(), ys - ys.mean()
    length = np.sqrt((apart_x @ apart_x) * (apart_y @ apart_y))
    return float(apart_x @ apart_y / length) if length else float("nan")


def spearman(xs: Numbers, ys: Numbers) -> float:
    """The same of ranks; equal scores share a rank."""
    return pearson(_ranks(xs), _ranks(ys))


def kendall(xs: Numbers, ys: Numbers) -> float:
    """Kendall's tau-b: pairs in the same order less pairs in the other, corrected for ties."""
    upper = np.triu_indices(len(xs), 1)
    order_x = np.sign(xs[:, None] - xs)[upper]
    order_y = np.sign(ys[:, None] - ys)[upper]
    length = sqrt(float(order_x @ order_x) * float(order_y @ order_y))
    return float(order_x @ order_y) / length if length else float("nan")


def williams(xy: float, xz: float, yz: float, count: int) -> float:
    """How likely it is, two-sided, that y and z correlate as differently with x by chance.

    Williams's test of two correlations that share a variable (Williams 1959; Steiger 1980). It
    needs more than three rows.
    """
    from scipy.stats import t as student  # noqa: PLC0415

    left = 1 - xy**2 - xz**2 - yz**2 + 2 * xy * xz * yz  # the determinant
    shared = (xy + xz) ** 2 / 4 * (1 - yz) ** 3
    below = 2 * (count - 1) / (count - 3) * left + shared
    if below <= 0:
        return 1.0 if xy == xz else float("nan")
    t = (xy - xz) * sqrt((count - 1) * (1 + yz) / below)
    return float(2 * student.sf(abs(t), count - 3))


def _ranks(values: Numbers) -> Numbers:
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Numbers = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks

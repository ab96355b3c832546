"""How far a figure of so few texts may be from what a larger class would show: 95 % intervals."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

_Z = 1.959964  # of the normal distribution
# Of Student's t, by degrees of freedom from 1; beyond, a formula is right to three digits.
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
_FEWEST_PAIRS = 4  # Fisher's interval divides by three less


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


def share_interval(count: int, total: int) -> Interval:
    """Of a share, by Wilson (1927): right for few texts, and for shares of nothing and of all."""
    if not total:
        return Interval(0.0, 1.0)
    share, square = count / total, _Z * _Z
    centre = (share + square / (2 * total)) / (1 + square / total)
    spread = math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    half = _Z * spread / (1 + square / total)
    # The ends are exact there; what is calculated may be off by a hair.
    low = 0.0 if count == 0 else max(0.0, centre - half)
    return Interval(low, 1.0 if count == total else min(1.0, centre + half))


def mean_interval(scores: Sequence[float]) -> Interval | None:
    """Of the mean of scores from 0 to 1, by Student's t; None of a single one."""
    if len(scores) < 2:
        return None
    half = _quantile(len(scores) - 1) * stdev(scores) / math.sqrt(len(scores))
    mean = fmean(scores)
    return Interval(max(0.0, mean - half), min(1.0, mean + half))


def correlation_interval(correlation: float, pairs: int) -> Interval | None:
    """Of a correlation, by Fisher's transformation; None of too few pairs."""
    return None if pairs < _FEWEST_PAIRS else fisher_interval(correlation, pairs)


def fisher_interval(correlation: float, pairs: int) -> Interval:
    """Of more than three pairs."""
    if abs(correlation) >= 1:
        return Interval(correlation, correlation)
    middle, half = math.atanh(correlation), _Z / math.sqrt(pairs - 3)
    return Interval(math.tanh(middle - half), math.tanh(middle + half))


def _quantile(freedom: int) -> float:
    return _T[freedom - 1] if freedom <= len(_T) else _Z + 2.4 / freedom

"""Figures with their spread: correlation, AUC, F1, bootstrap and leave-one-out.

A statistic is a function of rows (students, documents or references, by number, some perhaps
more than once); so all of them get their spread in the same way, and all from the same draws.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.correlations import pearson

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]
Statistic = Callable[[Rows], float]

RESAMPLES = 1_000
SEED = 0


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure, its 95 % interval, and how low and how high it gets when any one row is left out.

    Of a timing, there is no interval: the figure is the median of the rounds, the range theirs.
    """

    value: float
    low: float | None = None
    high: float | None = None
    least: float | None = None
    most: float | None = None


def with_spread(statistic: Statistic, count: int) -> Measure:
    """The statistic of all rows. Draws for which it does not exist are passed over."""
    everything = np.arange(count)
    draws = np.random.default_rng(SEED).integers(0, count, (RESAMPLES, count))
    low, high = _percentiles([statistic(rows) for rows in draws])
    without = [statistic(np.delete(everything, row)) for row in everything]
    known = [value for value in without if np.isfinite(value)] or [float("nan")]
    return Measure(float(statistic(everything)), low, high, min(known), max(known))


def over_rounds(values: list[float]) -> Measure:
    """What repeated timings say; one alone has no range."""
    if len(values) == 1:
        return Measure(values[0])
    return Measure(float(np.median(values)), least=min(values), most=max(values))


def partial(xs: Numbers, ys: Numbers, given: Numbers) -> float:
    """The correlation of what the third does not explain."""
    xy, xg, yg = pearson(xs, ys), pearson(xs, given), pearson(ys, given)
    rest = (1 - xg**2) * (1 - yg**2)
    return float((xy - xg * yg) / np.sqrt(rest)) if rest > 0 else float("nan")


def auc(strengths: Numbers, truth: Mask) -> float:
    """How often a positive is stronger than a negative; equals count half."""
    _, places = np.unique(strengths, return_inverse=True)
    positive = np.bincount(places[truth], minlength=places.max(initial=-1) + 1)
    negative = np.bincount(places[~truth], minlength=len(positive))
    pairs = positive.sum() * negative.sum()
    below = np.cumsum(negative) - negative
    return float(positive @ (below + negative / 2) / pairs) if pairs else float("nan")


def f1(true: float, matched: float, wanted: float) -> float:
    """From the number of right ones, of those found, and of those to be found."""
    return 2 * true / (matched + wanted) if matched + wanted else 0.0


def kappa(matched: Mask, truth: Mask) -> float:
    """Cohen's: agreement beyond chance."""
    agreed = float((matched == truth).mean())
    yes, wanted = float(matched.mean()), float(truth.mean())
    chance = yes * wanted + (1 - yes) * (1 - wanted)
    return (agreed - chance) / (1 - chance) if chance < 1 else float("nan")


def best_threshold(strengths: Numbers, truth: Mask) -> float:
    """The strength from which on "yes" has the best F1, halfway to the next lower strength.

    Of equally good ones the highest.
    """
    order = np.argsort(-strengths, kind="stable")
    ordered = strengths[order]
    true, result = np.cumsum(truth[order]), np.arange(1, len(order) + 1)
    scores = 2 * true / (result + truth.sum())
    ends = np.append(ordered[1:] < ordered[:-1], True)  # equal strengths cannot be told apart
    best = int(np.argmax(np.where(ends, scores, -1.0)))
    below = ordered[best + 1] if best + 1 < len(ordered) else ordered[best]
    return float((ordered[best] + below) / 2)


def _percentiles(values: list[float]) -> tuple[float, float]:
    known = [value for value in values if np.isfinite(value)] or [float("nan")]
    low, high = np.percentile(known, [2.5, 97.5])
    return float(low), float(high)

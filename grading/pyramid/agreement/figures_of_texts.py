"""Figures over texts with their 95 % intervals: the texts are drawn anew, again and again.

A text is drawn as a whole, since what is said of the ideas of one text hangs together. The draws
are the same each time (a fixed seed), so a page says tomorrow what it said today. With fewer than
five texts there is no interval: draws of so few say more of chance than of anything else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Statistic = Callable[[Numbers], Numbers]  # of draws: how often each text is in each

DRAWS = 2_000
FEWEST = 5  # texts of an interval
_SEED = 6
_INSIDE = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number from so many texts; None where it does not exist, or nobody can tell yet."""

    value: float | None
    low: float | None
    high: float | None
    texts: int

    @property
    def is_told(self) -> bool:
        """Is there an interval?"""
        return self.low is not None


def figure(statistic: Statistic, texts: int) -> Figure:
    """The statistic of all texts once each, and its spread over the draws that have one."""
    value = _known(statistic(np.ones((1, texts)))[0]) if texts else None
    if value is None or texts < FEWEST:
        return Figure(value, None, None, texts)
    found = statistic(draws(texts))
    found = found[np.isfinite(found)]
    if len(found) < DRAWS / 2:  # most draws are all alike: the spread of the others is not it
        return Figure(value, None, None, texts)
    low, high = np.percentile(found, _INSIDE)
    return Figure(value, float(low), float(high), texts)


@cache
def draws(texts: int) -> Numbers:
    """How often each text is in each of the draws."""
    drawn = np.random.default_rng(_SEED).integers(0, texts, (DRAWS, texts))
    counts = np.zeros((DRAWS, texts))
    np.add.at(counts, (np.arange(DRAWS)[:, None], drawn), 1)
    counts.setflags(write=False)
    return counts


def _known(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None

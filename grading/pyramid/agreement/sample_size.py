"""How wide the intervals will be for so many texts, so that nobody annotates too few or too many.

An interval narrows with the square root of the number of texts. How wide it is with one is taken
from “What is Matter” (docs/methods.md, “Agreement”: 20 texts, 60 ideas), or, once a class has a
sample of its own, from that. The interval of a correlation is Fisher's.
"""

from dataclasses import dataclass
from math import sqrt

from grading.pyramid.agreement.figures_of_texts import FEWEST, Figure
from grading.pyramid.intervals import fisher_interval

SUGGESTED = 10
MOST = 40  # texts of a sample
SIZES = (5, 10, 15, 20, 30)
ALPHA_OF_ONE = 0.21  # half the interval, times the square root of the texts
MEAN_OF_ONE = 0.17  # of the mean difference in comprehensive scores, likewise
USUAL_CORRELATION = 0.9


@dataclass(frozen=True, slots=True)
class Expected:
    """Half the width of the intervals of alpha and of the mean difference, and a correlation's."""

    texts: int
    alpha: float
    mean: float
    low_correlation: float
    high_correlation: float


def expect(texts: int, alpha: Figure | None = None, mean: Figure | None = None) -> Expected:
    """``alpha`` and ``mean`` are what a sample of the class has given already."""
    root = sqrt(texts)
    likely = fisher_interval(USUAL_CORRELATION, max(texts, FEWEST))
    return Expected(
        texts,
        (_of_one(alpha) or ALPHA_OF_ONE) / root,
        (_of_one(mean) or MEAN_OF_ONE) / root,
        likely.low,
        likely.high,
    )


def _of_one(figure: Figure | None) -> float | None:
    if figure is None or figure.low is None or figure.high is None:
        return None
    return (figure.high - figure.low) / 2 * sqrt(figure.texts)

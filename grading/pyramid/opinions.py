"""Second opinions beside the main method: where they disagree, and how they correlate in a class.

Methods count in points and shares of their own, so scores are compared in standard deviations from
the mean of the class (z).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

import numpy as np

from grading.pyramid.agreement import Figure, pearson
from grading.pyramid.intervals import correlation_interval

FEWEST_OPINIONS = 8  # scored texts: of fewer, a mean and a spread say too little
_FLAT = 1e-9  # a spread below this is rounding

Scores = Mapping[int, float]  # by text


@dataclass(frozen=True, slots=True)
class Disagreement:
    """How many standard deviations a method puts a text above (or below) the main method."""

    method: str
    difference: float


def standardised(scores: Scores) -> dict[int, float]:
    """Each score as standard deviations from the mean; empty where all are the same."""
    if not scores:
        return {}
    mean, spread = fmean(scores.values()), pstdev(scores.values())
    if spread < _FLAT:
        return {}
    return {text: (score - mean) / spread for text, score in scores.items()}


def standard_differences(main: Scores, opinion: Scores) -> dict[int, float]:
    """By text, standard deviations of the opinion above the main method.

    Both are measured in the texts that both have scored; empty where there are too few of them.
    """
    both = main.keys() & opinion.keys()
    if len(both) < FEWEST_OPINIONS:
        return {}
    mine = standardised({text: main[text] for text in both})
    theirs = standardised({text: opinion[text] for text in both})
    return {text: theirs[text] - mine[text] for text in sorted(mine.keys() & theirs.keys())}


def disagreements(
    main: Scores, opinions: Mapping[str, Scores], least: float
) -> dict[int, tuple[Disagreement, ...]]:
    """By text the methods that differ from the main one by ``least`` or more, the most first."""
    by_text: dict[int, list[Disagreement]] = {}
    for method, opinion in opinions.items():
        for text, difference in standard_differences(main, opinion).items():
            if abs(difference) >= least:
                by_text.setdefault(text, []).append(Disagreement(method, difference))
    return {
        text: tuple(sorted(those, key=lambda disagreement: -abs(disagreement.difference)))
        for text, those in by_text.items()
    }


def correlation(first: Scores, second: Scores) -> Figure:
    """Pearson's, of the texts that both have scored, with Fisher's 95 % interval."""
    both = sorted(first.keys() & second.keys())
    if len(both) < 2:
        return Figure(None, None, None, len(both))
    xs, ys = (np.array([scores[text] for text in both], np.float64) for scores in (first, second))
    value = float(pearson(np.ones((1, len(both))), xs, ys)[0])
    if np.isnan(value):
        return Figure(None, None, None, len(both))
    interval = correlation_interval(value, len(both))
    low, high = (interval.low, interval.high) if interval else (None, None)
    return Figure(value, low, high, len(both))


def rank_of(score: float, scores: Sequence[float]) -> int:
    """1 for the highest; equal scores have equal ranks."""
    return 1 + sum(other > score + _FLAT for other in scores)

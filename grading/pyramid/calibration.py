"""Similarity to the probability that a person would call it a match: a logistic curve.

A curve has a slope and a threshold, the similarity at which the probability is one half. It is
learnt from examples without human labels: how well reference summaries match content units that
they did, or did not, contribute to. A prior keeps few examples from saying much.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_ROUNDS = 50  # of Newton's method, which needs about six


@dataclass(frozen=True, slots=True)
class Calibration:
    """The curve 1 / (1 + exp(-slope * (similarity - threshold)))."""

    slope: float
    threshold: float

    def log_odds(self, similarity: float) -> float:
        return self.slope * (similarity - self.threshold)

    def probability(self, similarity: float, penalty: float = 0.0) -> float:
        """Chances of a match, with what speaks against it taken off the log-odds."""
        odds = self.log_odds(similarity) - penalty
        return float(1 / (1 + np.exp(-odds)))

    def with_half_at(self, probability: float) -> "Calibration":
        """The curve that says one half where this one says ``probability``.

        What people decided for a class moves it: its log-odds are all higher, or lower, by as much.
        """
        return Calibration(self.slope, self.threshold + log_odds_of(probability) / self.slope)


@dataclass(frozen=True, slots=True)
class Priors:
    """How probable a match is, as far as other texts than a pyramid's own references tell.

    By the similarity of two clauses, and by the value of an idea in a text (``idea_similarity``);
    a statement is an idea of which no reference shows how it may be worded.
    """

    similarity: Calibration
    idea: Calibration
    statement: Calibration


def log_odds_of(probability: float) -> float:
    return log(probability / (1 - probability))


def probability_of(moved: float, half_at: float) -> float:
    """What ``with_half_at`` made ``moved`` of; 0 and 1 stay what they are."""
    if not 0 < moved < 1:
        return moved
    return 1 / (1 + exp(-log_odds_of(moved) - log_odds_of(half_at)))


def learn(
    similarities: Sequence[float], matches: Sequence[bool], prior: Calibration, strength: float
) -> Calibration:
    """The curve that fits best, drawn towards the prior as by ``strength`` examples.

    Half of the prior's examples lie one log-odd above its threshold and half below, matching as
    often as the prior says. The threshold stays nearer to the prior's than to 0 and 1, where it
    would say that everything matches, or nothing.
    """
    step = 1 / prior.slope
    likely = prior.probability(prior.threshold + step)
    xs = np.array([*similarities, prior.threshold + step, prior.threshold - step])
    ys = np.array([*matches, likely, 1 - likely], dtype=np.float64)
    counts = np.array([1.0] * len(similarities) + [strength / 2] * 2)
    order = np.lexsort((ys, xs))  # sums must not depend on the order of the examples
    slope, intercept = _fit(xs[order], ys[order], counts[order], prior)
    threshold = np.clip(-intercept / slope, prior.threshold / 2, (1 + prior.threshold) / 2)
    return Calibration(round(slope, 4), round(float(threshold), 4))


def _fit(xs: Numbers, ys: Numbers, counts: Numbers, prior: Calibration) -> tuple[float, float]:
    """Slope and intercept of weighted logistic regression, by damped Newton steps."""
    least = prior.slope / 10  # whatever the examples say: who tells more is not less likely a match
    features = np.stack([xs, np.ones_like(xs)], axis=1)
    weights = np.array([prior.slope, -prior.slope * prior.threshold])
    for _ in range(_ROUNDS):
        chances = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (counts * (ys - chances))
        curvature = (features * (counts * chances * (1 - chances))[:, None]).T @ features
        move = np.linalg.solve(curvature + 1e-9 * np.eye(2), gradient)
        weights = weights + move * min(1.0, prior.slope / max(float(np.abs(move).max()), 1e-12))
    if weights[0] >= least:
        return float(weights[0]), float(weights[1])
    return least, _intercept(least * xs, ys, counts)


def _intercept(odds: Numbers, ys: Numbers, counts: Numbers) -> float:
    """What is best added to the log-odds, for a slope that is given."""
    intercept = 0.0
    for _ in range(_ROUNDS):
        chances = 1 / (1 + np.exp(-odds - intercept))
        gradient = float((counts * (ys - chances)).sum())
        curvature = float((counts * chances * (1 - chances)).sum())
        intercept += float(np.clip(gradient / (curvature + 1e-9), -1, 1))
    return intercept

"""Learning from people's marks, idea by idea.

A label says whether a person found an idea in a text, and how probable the matcher had called it.
Penalised logistic regression on the log-odds of those probabilities learns one slope, one shift for
all ideas and one for each idea that has labels. The penalties draw them to 1, 0 and 0, the curve
of the matcher itself, so that few labels change little. They are half of ``IDEA_RIDGE`` times the
squared shift of an idea, and likewise for the others.

The cut is chosen so that the labelled texts have as many matches as the curve expects in them: the
sum of its probabilities. It is kept with the curve.

Labels are sorted before anything is summed, and results rounded: the same labels give the same
curve in any order.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, fsum
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.learnt_curve import LEAST_CUT, MOST_CUT, LearntCurve, log_odds

Numbers = NDArray[np.float64]

IDEA_RIDGE = 1.0
SLOPE_RIDGE = 0.5
SHIFT_RIDGE = 0.25
LEAST_SLOPE = 0.1  # whatever the labels say: a more similar text is not less likely a match
ASSUMED_WEIGHT = 0.5  # of what a person left as it was, in a text not marked as reviewed
_ROUNDS = 60  # of Newton's method, which needs about six
_LONGEST_STEP, _SHORTEST_STEP = 2.0, 1e-9
_DIGITS = 4
_ORDER = attrgetter("idea", "probability", "is_expressed", "text", "weight")


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says of an idea of a text, and the probability that the matcher gave it."""

    idea: int
    probability: float
    is_expressed: bool
    text: int = 0
    weight: float = 1.0


def learn_curve(labels: Iterable[Label]) -> LearntCurve:
    """The curve that fits the labels best; without labels, the matcher's own."""
    ordered = sorted(labels, key=_ORDER)
    if not ordered:
        return LearntCurve()
    examples = _Examples(ordered)
    slope, shift, idea_shifts = examples.fit()
    if slope < LEAST_SLOPE:
        slope, shift, idea_shifts = examples.fit(fixed_slope=LEAST_SLOPE)
    curve = LearntCurve(
        round(slope, _DIGITS),
        _rounded(shift),
        tuple(zip(examples.ideas, map(_rounded, idea_shifts.tolist()), strict=True)),
    )
    cells = {(label.text, label.idea): label.probability for label in ordered}
    cut = cut_of([curve.probability(idea, base) for (_, idea), base in cells.items()])
    return LearntCurve(curve.slope, curve.shift, curve.idea_shifts, cut)


def cut_of(probabilities: Sequence[float]) -> float:
    """From which probability on there are as many matches as all of them together expect."""
    if not probabilities:
        return LearntCurve().cut
    highest_first = [1.0, *sorted(probabilities, reverse=True), 0.0]
    expected = floor(fsum(probabilities) + 0.5)
    cut = (highest_first[expected] + highest_first[expected + 1]) / 2
    return round(min(max(cut, LEAST_CUT), MOST_CUT), _DIGITS)


class _Examples:
    """Labels as arrays, with the ideas numbered from 0."""

    def __init__(self, ordered: Sequence[Label]) -> None:
        self.ideas = sorted({label.idea for label in ordered})
        place = {idea: number for number, idea in enumerate(self.ideas)}
        self._idea = np.array([place[label.idea] for label in ordered])
        self._odds = np.array([log_odds(label.probability) for label in ordered])
        self._yes = np.array([label.is_expressed for label in ordered], dtype=np.float64)
        self._weights = np.array([label.weight for label in ordered])

    def fit(self, fixed_slope: float | None = None) -> tuple[float, float, Numbers]:
        """Slope, common shift and shifts of the ideas, by Newton's method with bounded steps."""
        slope = 1.0 if fixed_slope is None else fixed_slope
        shift, idea_shifts = 0.0, np.zeros(len(self.ideas))
        for _ in range(_ROUNDS):
            odds = slope * self._odds + shift + idea_shifts[self._idea]
            chances = 1 / (1 + np.exp(-odds))
            errors = self._weights * (self._yes - chances)
            curvature = self._weights * chances * (1 - chances)
            move = self._move(errors, curvature, (slope, shift, idea_shifts), fixed_slope is None)
            longest = max(abs(move[0]), abs(move[1]), float(np.abs(move[2]).max()))
            scale = min(1.0, _LONGEST_STEP / max(longest, _SHORTEST_STEP))
            slope += scale * move[0]
            shift += scale * move[1]
            idea_shifts = idea_shifts + scale * move[2]
            if longest < _SHORTEST_STEP:
                break
        return slope, shift, idea_shifts

    def _move(
        self,
        errors: Numbers,
        curvature: Numbers,
        current: tuple[float, float, Numbers],
        moves_slope: bool,
    ) -> tuple[float, float, Numbers]:
        """Newton's step. The ideas are eliminated first, as no label is about two of them."""
        slope, shift, idea_shifts = current
        of_slope = float((errors * self._odds).sum()) - SLOPE_RIDGE * (slope - 1)
        of_shift = float(errors.sum()) - SHIFT_RIDGE * shift
        of_ideas = self._by_idea(errors) - IDEA_RIDGE * idea_shifts
        with_shift = self._by_idea(curvature)
        with_slope = self._by_idea(curvature * self._odds)
        own = with_shift + IDEA_RIDGE
        a = float((curvature * self._odds**2).sum() - (with_slope**2 / own).sum()) + SLOPE_RIDGE
        b = float(with_slope.sum() - (with_slope * with_shift / own).sum())
        c = float(with_shift.sum() - (with_shift**2 / own).sum()) + SHIFT_RIDGE
        left_slope = of_slope - float((with_slope * of_ideas / own).sum())
        left_shift = of_shift - float((with_shift * of_ideas / own).sum())
        slope_move = (c * left_slope - b * left_shift) / (a * c - b * b) if moves_slope else 0.0
        shift_move = (left_shift - b * slope_move) / c
        return (
            slope_move,
            shift_move,
            (of_ideas - with_slope * slope_move - with_shift * shift_move) / own,
        )

    def _by_idea(self, values: Numbers) -> Numbers:
        summed: Numbers = np.bincount(self._idea, values, len(self.ideas)).astype(np.float64)
        return summed


def _rounded(number: float) -> float:
    return round(number, _DIGITS) + 0.0  # no minus before a zero

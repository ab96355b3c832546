"""The curve learnt from people's marks: a matcher's probability to the one that fits this class.

How it is learnt is in ``learning.py``. Applied to a text it needs nothing but the curve itself, so
that the score of a text does not depend on which others are scored with it.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp, isfinite, log

from grading.pyramid.errors import InputError

LEAST_CUT, MOST_CUT = 0.1, 0.9
_CERTAIN = 0.999  # a probability beyond it, or below 1 - it, says no more than this one
_MOST_ODDS = 700.0  # the exponential of more is no number


def log_odds(probability: float) -> float:
    """Of a probability between 0 and 1, which are no surer than .001 and .999 here."""
    bounded = min(max(probability, 1 - _CERTAIN), _CERTAIN)
    return log(bounded / (1 - bounded))


def _probability(odds: float) -> float:
    """Of log-odds, however large: a curve may come in a file."""
    return 1 / (1 + exp(-min(max(odds, -_MOST_ODDS), _MOST_ODDS)))


@dataclass(frozen=True, slots=True)
class LearntCurve:
    """Log-odds are multiplied by ``slope`` and moved by ``shift`` and by the shift of the idea.

    ``idea_shifts`` holds (uid, shift) in the order of the uids; an idea that is not there has 0.
    A match is shown from the probability ``cut``. What makes no sense raises an InputError.
    """

    slope: float = 1.0
    shift: float = 0.0
    idea_shifts: tuple[tuple[int, float], ...] = ()
    cut: float = 0.5

    def __post_init__(self) -> None:
        uids = [uid for uid, _ in self.idea_shifts]
        if uids != sorted(set(uids)):
            raise InputError(
                "The shifts of ideas must be in the order of their numbers, each once."
            )
        numbers = (self.slope, self.shift, *(shift for _, shift in self.idea_shifts))
        if not all(map(isfinite, numbers)):
            raise InputError("The slope and the shifts of a learnt curve must be finite numbers.")
        if self.slope <= 0:
            raise InputError(f"The slope of a learnt curve must be above 0, not {self.slope}.")
        if not 0 < self.cut < 1:
            raise InputError(f"The cut of a learnt curve must be between 0 and 1, not {self.cut}.")

    def probability(self, uid: int, base_probability: float) -> float:
        """Of a match with this idea, to four decimals; 0 stays 0."""
        if base_probability <= 0:
            return 0.0
        odds = self.slope * log_odds(base_probability) + self.shift + self.idea_shift(uid)
        return round(_probability(odds), 4)

    def base_cut(self, uid: int) -> float:
        """From which of the matcher's own probabilities on a match with this idea counts."""
        odds = (log_odds(self.cut) - self.shift - self.idea_shift(uid)) / self.slope
        return _probability(odds)

    def idea_shift(self, uid: int) -> float:
        place = bisect_left(self.idea_shifts, (uid,))
        if place < len(self.idea_shifts) and self.idea_shifts[place][0] == uid:
            return self.idea_shifts[place][1]
        return 0.0

    def carried(self, uids: Mapping[int, int]) -> "LearntCurve":
        """The curve for another version: ``uids`` has the numbers of the ideas that are in it."""
        shifts = {uids[uid]: shift for uid, shift in self.idea_shifts if uid in uids}
        return replace(self, idea_shifts=tuple(sorted(shifts.items())))

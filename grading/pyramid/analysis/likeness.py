"""How alike the wordings of ideas are: to one another, and to clauses that belong to no idea.

What counts as alike is learnt from the pyramid itself, because similarities differ from subject to
subject: pairs of experts' wordings of the same idea are compared with pairs of different ideas.
Where there are too few pairs to learn from, the similarity's own threshold is taken.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.calibration import Calibration
from grading.pyramid.similarity import Matrix, Similarity
from grading.pyramid.structures import Pyramid, Span, Text, Unit

_FEWEST_PAIRS = 10  # of one idea: fewer teach nothing
_DECIMALS = 6  # sums must not depend on the order of ideas


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Similarities that mean something in this pyramid."""

    alike: float  # nine of ten pairs of one idea are at least as alike
    likely: float  # eight of ten are
    fitting: float  # six of ten are
    very: float  # one of ten is
    apart: float  # three of four pairs of *different* ideas are less alike
    elsewhere: float  # in other texts, people call half of the pairs that are as alike a match


@dataclass(frozen=True, slots=True)
class Wording:
    """What a reference contributes to an idea (``scu`` is its place); a label, where nobody does.

    ``source`` tells references apart; a label is a source of its own.
    """

    scu: int
    source: int
    unit: Unit


class Likeness:
    """All wordings and clauses, compared once."""

    def __init__(self, pyramid: Pyramid, clauses: Sequence[Unit], similarity: Similarity) -> None:
        self.wordings = tuple(_wordings(pyramid))
        units = [*(wording.unit for wording in self.wordings), *clauses]
        self._matrix = similarity.among(units) if units else np.zeros((0, 0))
        count = len(self.wordings)
        self._places = np.array([wording.scu for wording in self.wordings], dtype=np.int64)
        owners = np.eye(len(pyramid.scus))[self._places].reshape(count, len(pyramid.scus))
        sources = np.array([wording.source for wording in self.wordings], dtype=np.int64)
        self._apart = (sources[:, None] != sources).astype(np.float64)
        self.yardstick = self._learn(similarity.priors.similarity)
        self.clauses: Matrix = self._matrix[count:, count:]
        apart = self._matrix[:count, :count] * self._apart
        self.ideas = _means(owners.T @ apart @ owners, owners.T @ self._apart @ owners)
        self.clauses_to_ideas = _means(self._matrix[count:, :count] @ owners, owners.sum(axis=0))

    def wordings_of(self, scu: int) -> list[Wording]:
        return [self.wordings[place] for place in self._of(scu)]

    def inside(self, scu: int) -> Matrix:
        """The wordings of an idea, compared with each other."""
        of = self._of(scu)
        among: Matrix = self._matrix[np.ix_(of, of)]
        return among

    def attraction(self, scu: int) -> float | None:
        """How alike the wordings of an idea are on average; None for a single one."""
        inside = self.inside(scu)
        pairs = inside[np.triu_indices(len(inside), 1)]
        return round(float(np.sort(pairs).mean()), 4) if len(pairs) else None

    def _of(self, scu: int) -> list[int]:
        return np.flatnonzero(self._places == scu).tolist()

    def _learn(self, prior: Calibration) -> Yardstick:
        count = len(self.wordings)
        upper = np.triu(self._apart, 1) > 0
        same = self._places[:, None] == self._places
        compared = self._matrix[:count, :count]
        within, across = compared[upper & same], compared[upper & ~same]
        if len(within) < _FEWEST_PAIRS or len(across) < _FEWEST_PAIRS:
            usual = prior.threshold
            return Yardstick(usual, usual, usual, (1 + usual) / 2, 0.0, usual)
        apart, least = np.percentile(across, [75, 95]).tolist()
        percentiles = np.maximum(np.percentile(within, [10, 20, 40, 90]), least)
        alike, likely, fitting, very = percentiles.tolist()
        return Yardstick(alike, likely, fitting, very, apart, prior.threshold)


def _means(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> Matrix:
    means: Matrix = np.round(sums / np.maximum(counts, 1), _DECIMALS)
    return means


def _wordings(pyramid: Pyramid) -> Iterator[Wording]:
    numbers = {text.name: number for number, text in enumerate(pyramid.references)}
    for place, scu in enumerate(pyramid.scus):
        for contributor in scu.contributors:
            unit = Unit(pyramid.reference(contributor.reference), contributor.spans)
            yield Wording(place, numbers[contributor.reference], unit)
        if not scu.contributors:
            unit = Unit(Text("", scu.label), (Span(0, len(scu.label)),))
            yield Wording(place, -1 - place, unit)

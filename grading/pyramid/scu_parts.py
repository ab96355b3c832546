"""What a content unit is known by: its contributors, and its label where that has words of its own.

A text is compared with each part; a unit is as similar as the mean of its best part and of all its
parts: one expert's wording may be met, but an idea is what the experts share.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.similarity import Matrix
from grading.pyramid.structures import Pyramid, Scu, Unit

DECIMALS = 6  # the last bits of a sum depend on the order of contributors
_NO_REFERENCE = ""  # where a label comes from


@dataclass(frozen=True, eq=False, slots=True)
class ScuParts:
    """The parts of all content units of a pyramid, those of a unit side by side."""

    units: tuple[Unit, ...]
    starts: NDArray[np.int64]  # of the parts of each content unit
    references: tuple[str, ...]  # that each part comes from

    @classmethod
    def of(cls, pyramid: Pyramid) -> "ScuParts":
        parts = [list(_parts(pyramid, scu)) for scu in pyramid.scus]
        sizes = [len(of_scu) for of_scu in parts]
        starts = np.cumsum([0, *sizes[:-1]]) if sizes else np.zeros(0, dtype=np.int64)
        units = tuple(unit for of_scu in parts for unit, _ in of_scu)
        return cls(units, starts, tuple(source for of_scu in parts for _, source in of_scu))

    def words(self, scu: int) -> list[str]:
        return [unit.words for unit in self.units[self._slice(scu)]]

    def join(self, similarity: Matrix) -> Matrix:
        """Rows by parts to rows by content units."""
        if not len(self.starts):
            return np.zeros((len(similarity), 0))
        sizes = np.diff([*self.starts, len(self.units)])
        best = np.maximum.reduceat(similarity, self.starts, axis=1)
        mean = np.add.reduceat(similarity, self.starts, axis=1) / sizes
        joined: Matrix = np.round((best + mean) / 2, DECIMALS)
        return joined

    def without(self, reference: str, similarity: Matrix) -> Iterator[tuple[float, bool]]:
        """Of one row, each unit's similarity without what a reference contributed to it.

        Units of which nothing is left are passed over. The last value tells whether the reference
        contributed.
        """
        for scu in range(len(self.starts)):
            at = self._slice(scu)
            others = [
                value
                for value, source in zip(similarity[at].tolist(), self.references[at], strict=True)
                if source != reference
            ]
            if others:
                joined = (max(others) + sum(others) / len(others)) / 2
                yield round(joined, DECIMALS), reference in self.references[at]

    def _slice(self, scu: int) -> slice:
        ends = [*self.starts.tolist(), len(self.units)]
        return slice(ends[scu], ends[scu + 1])


def _parts(pyramid: Pyramid, scu: Scu) -> Iterator[tuple[Unit, str]]:
    contributors = [
        (Unit(pyramid.reference(one.reference), one.spans), one.reference)
        for one in scu.contributors
    ]
    yield from contributors
    label = scu.label_unit
    words = label.words
    if not contributors or (words and words not in {unit.words for unit, _ in contributors}):
        yield label, _NO_REFERENCE

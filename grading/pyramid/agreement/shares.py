"""A share of few cases with its 95 % interval (Wilson 1927), which is honest at 0 of 3 as well."""

from dataclasses import dataclass
from math import sqrt

FEW = 5  # cases: below, a share is not spoken of
_Z = 1.96


@dataclass(frozen=True, slots=True)
class Share:
    count: int
    of: int

    @property
    def is_few(self) -> bool:
        return self.of < FEW

    @property
    def percent(self) -> int:
        return round(100 * self.count / self.of) if self.of else 0

    @property
    def low_percent(self) -> int:
        return round(100 * self._ends()[0])

    @property
    def high_percent(self) -> int:
        return round(100 * self._ends()[1])

    def _ends(self) -> tuple[float, float]:
        if not self.of:
            return 0.0, 1.0
        share, square = self.count / self.of, _Z**2 / self.of
        middle = (share + square / 2) / (1 + square)
        half = _Z * sqrt(share * (1 - share) / self.of + square / (4 * self.of)) / (1 + square)
        return max(0.0, middle - half), min(1.0, middle + half)

"""A text of a class, as far as figures need to know it."""

from dataclasses import dataclass
from enum import StrEnum

FEW = 10  # texts: figures of a smaller class say little, and pages say so


class Measure(StrEnum):
    """The three scores, the one that counts first."""

    COMPREHENSIVE = "comprehensive"
    QUALITY = "quality"
    COVERAGE = "coverage"


@dataclass(frozen=True, slots=True)
class ClassText:
    """The attempt of a student that counts, with its scores; ``told`` are the uids of its ideas."""

    key: int
    words: int
    quality: float
    coverage: float
    comprehensive: float
    told: frozenset[int] = frozenset()
    section: str = ""

    def of_measure(self, measure: Measure) -> float:
        return float(getattr(self, measure))

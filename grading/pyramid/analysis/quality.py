"""How good a pyramid is, in figures."""

from dataclasses import dataclass

from grading.pyramid.analysis.coverage import Coverage
from grading.pyramid.analysis.leaving_out import LeavingOut
from grading.pyramid.analysis.shape import WeightClass


@dataclass(frozen=True, slots=True)
class Attraction:
    """How alike the wordings of an idea are; None where only one reference tells it."""

    scu: int
    attraction: float | None


@dataclass(frozen=True, slots=True)
class Quality:
    """``usual`` is the attraction of the pyramid: the mean over ideas that several tell.

    ``apart`` is what three of four pairs of wordings of different ideas stay below.
    """

    shape: tuple[WeightClass, ...]
    departures: tuple[str, ...]
    coverages: tuple[Coverage, ...]
    attractions: tuple[Attraction, ...]
    usual: float | None
    apart: float
    leaving_out: LeavingOut

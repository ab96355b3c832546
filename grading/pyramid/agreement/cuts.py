"""From which probability on a match should count: what people's annotations of a sample suggest.

Every threshold of a short list is tried: the one with the highest Krippendorff's alpha between
program and people is best. As a threshold that is chosen on few texts flatters itself, what it is
worth is measured by leaving out one text after the other: each text is judged by the threshold that
is best on the others. A change is suggested only where that is better than the threshold in use,
over the draws of texts too (the 95 % interval of the gain is above 0).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.agreement.alpha import alpha
from grading.pyramid.agreement.figures_of_texts import FEWEST, Figure, figure
from grading.pyramid.agreement.sheets import Said

Numbers = NDArray[np.float64]

LEAST, MOST, STEP = 0.10, 0.90, 0.05
CUTS = tuple(round(LEAST + STEP * number, 2) for number in range(17))


@dataclass(frozen=True, eq=False, slots=True)
class JudgedText:
    """For each idea how probable it is that the text tells it, and what people said."""

    probabilities: Numbers
    people: tuple[Said, ...]


class Ground(StrEnum):
    """Why there is a suggestion, or none."""

    BETTER = "better"
    TOO_FEW = "too_few"  # texts
    SAME = "same"  # the threshold in use is the best one
    WEAK = "weak"  # another one is best, but not by more than chance


@dataclass(frozen=True, slots=True)
class CutAdvice:
    """``gone`` and ``new`` are matches of the sample, each text by the threshold of the others;

    ``gone_rightly`` and ``new_rightly`` are those on which people are of that opinion.
    """

    ground: Ground
    now: float
    best: float | None
    texts: int
    agreement_now: Figure
    agreement_then: Figure
    gain: Figure
    gone: int = 0
    gone_rightly: int = 0
    new: int = 0
    new_rightly: int = 0
    tried: tuple[tuple[float, float | None], ...] = field(default=())  # cut, alpha

    @property
    def suggested(self) -> float | None:
        return self.best if self.ground is Ground.BETTER else None


def advise(texts: Sequence[JudgedText], now: float) -> CutAdvice:
    """What the annotated texts say of the threshold that is in use."""
    judged, cuts = [text for text in texts if text.people], [*CUTS, now]
    if len(judged) < FEWEST:
        nothing = Figure(None, None, None, len(judged))
        return CutAdvice(Ground.TOO_FEW, now, None, len(judged), nothing, nothing, nothing)
    tables = np.stack([_tables(text, cuts) for text in judged])
    by_others = [_best(tables.sum(axis=0) - one, now) for one in tables]
    best = cuts[_best(tables.sum(axis=0), now)]
    then = np.stack([one[place] for one, place in zip(tables, by_others, strict=True)])
    before = tables[:, -1]
    gain = figure(lambda counts: _alpha(counts, then) - _alpha(counts, before), len(judged))
    moved = [_moved(one, cuts[place], now) for one, place in zip(judged, by_others, strict=True)]
    return CutAdvice(
        ground=_ground(best, now, gain),
        now=now,
        best=best,
        texts=len(judged),
        agreement_now=figure(lambda counts: _alpha(counts, before), len(judged)),
        agreement_then=figure(lambda counts: _alpha(counts, then), len(judged)),
        gain=gain,
        tried=tuple(zip(CUTS, map(_told, alpha(tables.sum(axis=0)[:-1])), strict=True)),
        **_sums(moved),
    )


def _tables(text: JudgedText, cuts: Sequence[float]) -> Numbers:
    """The coincidences of program and people by each of the thresholds."""
    found = text.probabilities[None, :] >= np.array(cuts)[:, None]
    tables = np.zeros((len(cuts), 2, 2))
    for said in text.people:
        apart = (found != said).sum(axis=1)
        tables[:, 0, 1] += apart
        tables[:, 1, 0] += apart
        tables[:, 1, 1] += 2 * (found & said).sum(axis=1)
        tables[:, 0, 0] += 2 * (~found & ~said).sum(axis=1)
    return tables


def _best(tables: Numbers, now: float) -> int:
    """The place of the best threshold; of equally good ones the nearest to the one in use."""
    cuts = [*CUTS, now]
    agreements = np.nan_to_num(alpha(tables), nan=-np.inf)
    return min(range(len(cuts)), key=lambda one: (-agreements[one], abs(cuts[one] - now)))


def _alpha(counts: Numbers, tables: Numbers) -> Numbers:
    return alpha((counts @ tables.reshape(len(tables), 4)).reshape(-1, 2, 2))


def _ground(best: float, now: float, gain: Figure) -> Ground:
    if best == now:
        return Ground.SAME
    return Ground.BETTER if gain.low is not None and gain.low > 0 else Ground.WEAK


def _moved(text: JudgedText, then: float, now: float) -> dict[str, int]:
    before, after = text.probabilities >= now, text.probabilities >= then
    gone, new = before & ~after, after & ~before
    return {
        "gone": int(gone.sum()) * len(text.people),
        "gone_rightly": sum(int((gone & ~said).sum()) for said in text.people),
        "new": int(new.sum()) * len(text.people),
        "new_rightly": sum(int((new & said).sum()) for said in text.people),
    }


def _sums(moved: Sequence[dict[str, int]]) -> dict[str, int]:
    return {what: sum(one[what] for one in moved) for what in moved[0]}


def _told(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None

"""Idea by idea: how many tell it, how many are expected to, and does it tell who is strong?

*Expected* is what the class would do if it told ideas in the proportions in which the experts do,
only as many fewer (or more) as it does on the whole: an idea that 4 of 5 experts tell, in a class
that tells half as many ideas as an expert, is expected in 40 % of the texts.

*Telling* is the correlation of telling the idea with the points of all other ideas (corrected
item-rest, point-biserial).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.class_figures.texts import FEW, ClassText
from grading.pyramid.intervals import Interval, correlation_interval, share_interval
from grading.pyramid.scores import ideas_of_a_reference
from grading.pyramid.structures import Pyramid, Scu

HARDLY, NEARLY = 0.2, 0.8  # shares of hardly anyone, and of nearly everyone
CLEAR = 0.2  # correlation from which on an idea tells strong texts from weak ones
AGAINST = -0.1

Numbers = NDArray[np.float64]


class Than(StrEnum):
    """Do more or fewer tell it than expected?"""

    FEWER = "fewer"
    AS_EXPECTED = "as expected"
    MORE = "more"


class Telling(StrEnum):
    """Does the idea tell strong texts from weak ones?"""

    CLEARLY = "clearly"
    LITTLE = "little"
    AGAINST = "against"
    UNKNOWN = "unknown"  # the class is too small
    SAME = "same"  # all tell it, or nobody does, or all others have the same points


class Flag(StrEnum):
    """Why somebody should look at an idea."""

    HEAVY_MISSED = "heavy missed"
    LIGHT_TOLD = "light told"
    AGAINST = "against"


@dataclass(frozen=True, slots=True)
class IdeaFigures:
    """An idea in the texts of a class."""

    uid: int
    label: str
    weight: int
    told: int
    texts: int
    expected: float
    interval: Interval  # of the share
    correlation: float | None
    correlation_interval: Interval | None
    telling: Telling
    flags: tuple[Flag, ...]

    @property
    def share(self) -> float:
        return self.told / self.texts if self.texts else 0.0

    @property
    def missed(self) -> int:
        return self.texts - self.told

    @property
    def missed_share(self) -> float:
        return self.missed / self.texts if self.texts else 0.0

    @property
    def lost(self) -> float:
        """The points that a text loses by it on average: what would be won by teaching it."""
        return self.weight * self.missed_share

    @property
    def than(self) -> Than:
        if self.interval.high < self.expected:
            return Than.FEWER
        return Than.MORE if self.interval.low > self.expected else Than.AS_EXPECTED


@dataclass(frozen=True, slots=True)
class ClassIdeas:
    """All ideas in the order of the pyramid. ``level``: ideas of a text beside an expert's."""

    ideas: tuple[IdeaFigures, ...]
    texts: int
    mean_told: float
    of_an_expert: float

    @property
    def level(self) -> float:
        return self.mean_told / self.of_an_expert if self.of_an_expert else 0.0

    @property
    def flagged(self) -> tuple[IdeaFigures, ...]:
        return tuple(idea for idea in self.ideas if idea.flags)

    @property
    def to_teach(self) -> tuple[IdeaFigures, ...]:
        """What somebody missed, that which costs the class most first."""
        missed = [idea for idea in self.ideas if idea.missed]
        return tuple(sorted(missed, key=lambda one: (-one.lost, -one.weight, one.uid)))


def ideas_of(pyramid: Pyramid, texts: Sequence[ClassText]) -> ClassIdeas:
    """``pyramid`` is the one that the texts were scored by."""
    counted = pyramid.counted()
    matched = _table(counted.scus, texts)
    mean = float(matched.sum() / len(texts)) if texts else 0.0
    of_an_expert = ideas_of_a_reference(counted)
    level = mean / of_an_expert if of_an_expert else 0.0
    weights = np.array([scu.weight for scu in counted.scus], dtype=np.float64)
    correlations = _item_rest(matched, weights)
    heaviest = max((scu.weight for scu in counted.scus), default=0)
    figures = (
        _figures(
            scu,
            int(matched[:, place].sum()),
            len(texts),
            expected=min(1.0, level * _expert_share(counted, scu)),
            correlation=correlations[place],
            is_heavy=2 * scu.weight > heaviest,
        )
        for place, scu in enumerate(counted.scus)
    )
    return ClassIdeas(tuple(figures), len(texts), mean, of_an_expert)


def _table(scus: Sequence[Scu], texts: Sequence[ClassText]) -> Numbers:
    """A row for each text, a column for each idea: 1 where it is told."""
    places = {scu.uid: place for place, scu in enumerate(scus)}
    table = np.zeros((len(texts), len(scus)))
    for row, text in zip(table, texts, strict=True):
        row[[places[uid] for uid in text.told if uid in places]] = 1
    return table


def _item_rest(matched: Numbers, weights: Numbers) -> list[float | None]:
    """Of each idea with the points of all others; None where one of the two is the same for all.

    Sums of whole numbers are exact, so that the order of the texts does not move the last digit.
    """
    if not len(matched):
        return [None] * len(weights)
    points = matched * weights
    rest = points.sum(axis=1, keepdims=True) - points
    together = _products_off_mean(matched, rest)
    apart = np.sqrt(_products_off_mean(matched, matched) * _products_off_mean(rest, rest))
    is_there = (np.ptp(matched, axis=0) > 0) & (np.ptp(rest, axis=0) > 0)
    correlations = np.divide(together, apart, out=np.zeros_like(together), where=is_there)
    rounded = np.clip(np.round(correlations, 4), -1, 1).tolist()
    return [value if there else None for value, there in zip(rounded, is_there, strict=True)]


def _products_off_mean(xs: Numbers, ys: Numbers) -> Numbers:
    """By column, the sum of the products of what is off the mean, times the number of rows."""
    products: Numbers = len(xs) * (xs * ys).sum(axis=0) - xs.sum(axis=0) * ys.sum(axis=0)
    return products


def _expert_share(pyramid: Pyramid, scu: Scu) -> float:
    """The share of the experts that tell it; what no expert tells is expected of everyone."""
    count = len(pyramid.references)
    return min(count, scu.weight) / count if scu.contributors and count else 1.0


def _figures(
    scu: Scu,
    told: int,
    texts: int,
    *,
    expected: float,
    correlation: float | None,
    is_heavy: bool,
) -> IdeaFigures:
    interval = share_interval(told, texts)
    around = None if correlation is None else correlation_interval(correlation, texts)
    telling = _telling(correlation, around, texts)
    return IdeaFigures(
        uid=scu.uid,
        label=" ".join(scu.label.split()),
        weight=scu.weight,
        told=told,
        texts=texts,
        expected=expected,
        interval=interval,
        correlation=correlation,
        correlation_interval=around,
        telling=telling,
        flags=_flags(told, texts, interval, telling, is_heavy=is_heavy),
    )


def _telling(correlation: float | None, around: Interval | None, texts: int) -> Telling:
    if correlation is None:
        return Telling.UNKNOWN if texts < FEW else Telling.SAME
    if around is None or texts < FEW:
        return Telling.UNKNOWN
    if correlation <= AGAINST and around.high < 0:
        return Telling.AGAINST
    if correlation >= CLEAR and around.low > 0:
        return Telling.CLEARLY
    return Telling.UNKNOWN if around.low <= 0 and around.high >= CLEAR else Telling.LITTLE


def _flags(
    matched: int, texts: int, interval: Interval, telling: Telling, *, is_heavy: bool
) -> tuple[Flag, ...]:
    """The share must be low, or high, and too few texts must not be all that makes it so."""
    flags = []
    if is_heavy and matched <= HARDLY * texts and interval.high < 0.5:
        flags.append(Flag.HEAVY_MISSED)
    if not is_heavy and matched >= NEARLY * texts and interval.low > 0.5:
        flags.append(Flag.LIGHT_TOLD)
    if telling is Telling.AGAINST:
        flags.append(Flag.AGAINST)
    return tuple(flags)

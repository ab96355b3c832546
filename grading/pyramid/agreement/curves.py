"""Is a curve learnt from people's marks better than the one in use, on texts that did not teach it?

Each text is judged by the curve that the marks of all other texts teach, and agreement with people
(Krippendorff's alpha) is compared with that of the curve in use, over the same draws of texts. A
change is suggested only where the 95 % interval of the gain is above 0.

Only texts of which a person judged every idea count here: where people corrected some ideas, they
chose those that were wrong, and agreement on them says nothing of the others. Such texts teach.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.agreement.alpha import alpha
from grading.pyramid.agreement.figures_of_texts import FEWEST, Figure, figure
from grading.pyramid.learning import Label, learn_curve
from grading.pyramid.learnt_curve import LearntCurve

Numbers = NDArray[np.float64]
_Table = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class LabelledText:
    """The marks on one text, by one person or several. ``is_whole``: every idea was judged."""

    labels: tuple[Label, ...]
    is_whole: bool = True


class Ground(StrEnum):
    """Why a curve is suggested, or not."""

    BETTER = "better"
    TOO_FEW = "too_few"  # texts of which every idea was judged
    WEAK = "weak"  # not better by more than chance


@dataclass(frozen=True, slots=True)
class CurveAdvice:
    """``gained`` and ``lost`` are matches of the texts, each by the curve of the others;

    ``gained_rightly`` and ``lost_rightly`` are those on which people are of that opinion.
    """

    ground: Ground
    curve: LearntCurve
    texts: int  # of which every idea was judged
    labels: int  # of all texts
    agreement_now: Figure
    agreement_then: Figure
    gain: Figure
    gained: int = 0
    gained_rightly: int = 0
    lost: int = 0
    lost_rightly: int = 0

    @property
    def is_suggested(self) -> bool:
        return self.ground is Ground.BETTER


def advise_curve(texts: Iterable[LabelledText], now: LearntCurve) -> CurveAdvice:
    """What the marks teach, and what it is worth in the place of ``now``."""
    marked = [text for text in texts if text.labels]
    whole = [text for text in marked if text.is_whole]
    curve = learn_curve(label for text in marked for label in text.labels)
    count = sum(len(text.labels) for text in marked)
    if len(whole) < FEWEST:
        nothing = Figure(None, None, None, len(whole))
        return CurveAdvice(Ground.TOO_FEW, curve, len(whole), count, nothing, nothing, nothing)
    by_others = [_learnt_without(text, marked) for text in whole]
    pairs = list(zip(whole, by_others, strict=True))
    before = np.array([_table(text, now) for text in whole])
    then = np.array([_table(text, other) for text, other in pairs])
    gain = figure(lambda counts: _alpha(counts, then) - _alpha(counts, before), len(whole))
    gained, gained_rightly = _sums(_changes(text, now, other) for text, other in pairs)
    lost, lost_as_people = _sums(_changes(text, other, now) for text, other in pairs)
    return CurveAdvice(
        ground=Ground.BETTER if gain.low is not None and gain.low > 0 else Ground.WEAK,
        curve=curve,
        texts=len(whole),
        labels=count,
        agreement_now=figure(lambda counts: _alpha(counts, before), len(whole)),
        agreement_then=figure(lambda counts: _alpha(counts, then), len(whole)),
        gain=gain,
        gained=gained,
        gained_rightly=gained_rightly,
        lost=lost,
        lost_rightly=lost - lost_as_people,
    )


def _learnt_without(text: LabelledText, marked: Sequence[LabelledText]) -> LearntCurve:
    return learn_curve(label for other in marked if other is not text for label in other.labels)


def _matches(label: Label, curve: LearntCurve) -> bool:
    return curve.probability(label.idea, label.probability) >= curve.cut


def _table(text: LabelledText, curve: LearntCurve) -> _Table:
    """The coincidences of the program with people: not found and found, by both."""
    judged = [(_matches(label, curve), label.is_expressed) for label in text.labels]
    apart = float(sum(by_program != by_person for by_program, by_person in judged))
    both = float(sum(by_program and by_person for by_program, by_person in judged))
    return (2 * (len(judged) - apart - both), apart), (apart, 2 * both)


def _alpha(counts: Numbers, tables: Numbers) -> Numbers:
    return alpha((counts @ tables.reshape(len(tables), 4)).reshape(-1, 2, 2))


def _changes(text: LabelledText, before: LearntCurve, after: LearntCurve) -> tuple[int, int]:
    """How many matches come, and how many of them people found."""
    new = [label for label in text.labels if _matches(label, after) and not _matches(label, before)]
    return len(new), sum(label.is_expressed for label in new)


def _sums(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    counts = list(pairs)
    return sum(first for first, _ in counts), sum(second for _, second in counts)

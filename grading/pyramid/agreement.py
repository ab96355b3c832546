"""How far judges of the same texts agree: the program with people, and people with each other."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.figures import hundredths, number_of
from grading.pyramid.intervals import fisher_interval, share_interval
from grading.pyramid.learning import Label, learn_curve
from grading.pyramid.learnt_curve import LearntCurve

# Krippendorff's alpha for nominal data, with missing values.
#
# Krippendorff, K. (2011), “Computing Krippendorff's Alpha-Reliability”, University of Pennsylvania,
# sections B to D. Counted are pairs of values of different judges on the same unit; a unit that
# fewer than two judged pairs nothing. Coincidences add up over units, so that the figure of any
# draw of texts is had from the sum of theirs.

Codes = NDArray[np.int64]
Numbers = NDArray[np.float64]

MISSING = -1
PRESENT_OR_NOT = 2  # values: 0 and 1


def coincidences(codes: Codes, values: int = PRESENT_OR_NOT) -> Numbers:
    """The coincidence matrix of codes 0 to ``values`` - 1: a row for each judge."""
    counts = np.stack([(codes == value).sum(axis=0) for value in range(values)], axis=1)
    judged = counts.sum(axis=1)
    counts, judged = counts[judged >= 2].astype(np.float64), judged[judged >= 2]
    shared = counts / (judged - 1)[:, None]
    matrix: Numbers = counts.T @ shared - np.diag(shared.sum(axis=0))
    return matrix


def alpha(matrix: Numbers) -> Numbers:
    """Of one coincidence matrix, or of each in a stack; not a number where nothing varies."""
    totals = matrix.sum(axis=-1)
    pairable = totals.sum(axis=-1)
    observed = pairable - np.trace(matrix, axis1=-2, axis2=-1)
    expected = pairable**2 - (totals**2).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        values: Numbers = np.where(
            expected > 0, 1 - (pairable - 1) * observed / expected, np.float64("nan")
        )
    return values


# Figures over texts with their 95 % intervals: the texts are drawn again and again.
#
# A text is drawn as a whole, since decisions on the ideas of one text hang together. The draws
# are the same each time (a fixed seed), so a page says tomorrow what it said today. With fewer than
# five texts there is no interval: draws of so few say more of chance than of anything else.

Statistic = Callable[[Numbers], Numbers]  # of draws: how often each text is in each

DRAWS = 2_000
FEWEST = 5  # texts of an interval
_SEED = 6
_INSIDE = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number from so many texts; None where it does not exist, or nobody can tell yet."""

    value: float | None
    low: float | None
    high: float | None
    texts: int

    @property
    def is_known(self) -> bool:
        """Is there an interval?"""
        return self.low is not None


def figure(statistic: Statistic, texts: int) -> Figure:
    """The statistic of all texts once each, and its spread over the draws that have one."""
    value = _known(statistic(np.ones((1, texts)))[0]) if texts else None
    if value is None or texts < FEWEST:
        return Figure(value, None, None, texts)
    drawn = statistic(draws(texts))
    drawn = drawn[np.isfinite(drawn)]
    if len(drawn) < DRAWS / 2:  # most draws are all alike: the spread of the others is not it
        return Figure(value, None, None, texts)
    low, high = np.percentile(drawn, _INSIDE)
    return Figure(value, float(low), float(high), texts)


@cache
def draws(texts: int) -> Numbers:
    """How often each text is in each of the draws."""
    drawn = np.random.default_rng(_SEED).integers(0, texts, (DRAWS, texts))
    counts = np.zeros((DRAWS, texts))
    np.add.at(counts, (np.arange(DRAWS)[:, None], drawn), 1)
    counts.setflags(write=False)
    return counts


def _known(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None


# A share of few cases with its 95 % interval, which is honest at 0 of 3 as well.

FEW = 5  # cases: below, a share is not spoken of


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
        return round(100 * share_interval(self.count, self.of).low)

    @property
    def high_percent(self) -> int:
        return round(100 * share_interval(self.count, self.of).high)


# How wide the intervals will be for so many texts, so that nobody annotates too few or too many.
#
# An interval narrows with the square root of the number of texts. How wide it is with one is taken
# from “What is Matter” (docs/methods.md, “Agreement”: 20 texts, 60 ideas), or, once a class has a
# sample of its own, from that. The interval of a correlation is Fisher's.

SUGGESTED = 10
MOST = 40  # texts of a sample
SIZES = (5, 10, 15, 20, 30)
ALPHA_OF_ONE = 0.21  # half the interval, times the square root of the texts
MEAN_OF_ONE = 0.17  # of the mean difference in comprehensive scores, likewise
USUAL_CORRELATION = 0.9


@dataclass(frozen=True, slots=True)
class Expected:
    """Half the width of the intervals of alpha and of the mean difference, and a correlation's."""

    texts: int
    alpha: float
    mean: float
    low_correlation: float
    high_correlation: float


def expect(texts: int, alpha: Figure | None = None, mean: Figure | None = None) -> Expected:
    """``alpha`` and ``mean`` are what a sample of the class has given already."""
    root = sqrt(texts)
    likely = fisher_interval(USUAL_CORRELATION, max(texts, FEWEST))
    return Expected(
        texts,
        (_of_one(alpha) or ALPHA_OF_ONE) / root,
        (_of_one(mean) or MEAN_OF_ONE) / root,
        likely.low,
        likely.high,
    )


def _of_one(figure: Figure | None) -> float | None:
    if figure is None or figure.low is None or figure.high is None:
        return None
    return (figure.high - figure.low) / 2 * sqrt(figure.texts)


# Two judges' scores of the same texts: correlation, mean difference, limits of agreement.
#
# Limits of agreement are those of Bland and Altman (1986): between them lie 95 % of the differences
# of single texts, where these are spread evenly around their mean.

_WITHIN = 1.96  # standard deviations: 95 %
_FLAT = 1e-12  # a spread below this is rounding


@dataclass(frozen=True, slots=True)
class TwoScores:
    """``difference`` is the second judge's mean less the first's."""

    correlation: Figure
    first_mean: float
    second_mean: float
    difference: Figure
    low_limit: float | None
    high_limit: float | None


def compare_scores(first: Sequence[float], second: Sequence[float]) -> TwoScores | None:
    """The scores are in the order of the texts; None where there are none."""
    if not first:
        return None
    xs, ys = np.array(first, dtype=np.float64), np.array(second, dtype=np.float64)
    apart = ys - xs
    spread = float(apart.std(ddof=1)) if len(apart) > 1 else None
    middle = float(apart.mean())
    return TwoScores(
        correlation=figure(lambda counts: pearson(counts, xs, ys), len(xs)),
        first_mean=float(xs.mean()),
        second_mean=float(ys.mean()),
        difference=figure(lambda counts: counts @ apart / counts.sum(axis=1), len(xs)),
        low_limit=None if spread is None else middle - _WITHIN * spread,
        high_limit=None if spread is None else middle + _WITHIN * spread,
    )


def pearson(counts: Numbers, xs: Numbers, ys: Numbers) -> Numbers:
    """Of each draw; not a number where one of the two does not vary."""
    total = counts.sum(axis=1)
    mean_x, mean_y = counts @ xs / total, counts @ ys / total
    both = counts @ (xs * ys) / total - mean_x * mean_y
    spread_x = counts @ (xs * xs) / total - mean_x**2
    spread_y = counts @ (ys * ys) / total - mean_y**2
    varies = (spread_x > _FLAT) & (spread_y > _FLAT)
    scale = np.sqrt(np.where(varies, spread_x * spread_y, 1.0))
    coefficients: Numbers = np.where(varies, np.clip(both / scale, -1, 1), np.float64("nan"))
    return coefficients


# What the figures mean, in words, as far as the intervals allow.
#
# The limits for alpha are Krippendorff's (2004, “Reliability in Content Analysis”): .8 and above
# can be relied on, from .667 on with care.

RELIABLE, WITH_CARE = 0.8, 0.667
_SAME_ORDER, _SIMILAR_ORDER = 0.8, 0.5


def alpha_in_words(figure: Figure) -> str:
    """Of program and people, or of two people: one sentence."""
    if figure.low is None or figure.high is None:
        return _not_yet(figure)
    if figure.low >= RELIABLE:
        return "They agree so well that you can rely on either."
    if figure.low >= WITH_CARE:
        return "They agree well enough to use with care. Check unsure matches."
    if figure.high < WITH_CARE:
        return "They agree too little. Check each text."
    return (
        f"{number_of(figure.texts, 'text')} are too few to tell whether they agree well enough. "
        "More texts would show it."
    )


def correlation_in_words(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return _not_yet(figure)
    if figure.low >= _SAME_ORDER:
        return "Both put the texts in nearly the same order."
    if figure.low >= _SIMILAR_ORDER:
        return "Both put the texts in a similar order."
    if figure.high < _SIMILAR_ORDER:
        return "The two put the texts in different orders."
    return f"{number_of(figure.texts, 'text')} are too few to tell how alike the orders are."


def difference_in_words(figure: Figure, first: str, second: str) -> str:
    """``second`` is who gives that much more, or less, than ``first``."""
    if figure.value is None or figure.low is None or figure.high is None:
        return _not_yet(figure)
    if figure.low <= 0 <= figure.high:
        most = hundredths(max(-figure.low, figure.high))
        return f"On average no difference can be seen; it is hardly more than {most}."
    more = "more" if figure.value > 0 else "less"
    return f"On average {second} gives {hundredths(abs(figure.value))} {more} than {first}."


def _not_yet(figure: Figure) -> str:
    texts = number_of(figure.texts, "text")
    if figure.texts < FEWEST:
        be = "is" if figure.texts == 1 else "are"
        return f"At least {FEWEST} texts are needed to tell. So far, there {be} {texts}."
    return f"These {texts} are too alike to tell."


# What judges decided about the ideas of texts, and how far they agree.
#
# A sheet is one text: for each idea of the pyramid, in its order, whether the program found it and
# whether each person did who has annotated the text.

Judgements = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, slots=True)
class Sheet:
    """``people`` by the number of the person."""

    text: int
    program: Judgements
    people: dict[int, Judgements]


@dataclass(frozen=True, slots=True)
class IdeaDifference:
    """How often an idea was judged alike and differently, over all annotations.

    ``program_only`` and ``people_only`` are the texts in which one of them has it, each once.
    """

    place: int
    both: int
    neither: int
    program: int
    people: int
    program_only: tuple[int, ...]
    people_only: tuple[int, ...]

    @property
    def differences(self) -> int:
        return self.program + self.people


def program_and_people(sheets: Sequence[Sheet]) -> Figure:
    """Krippendorff's alpha of the program with people, each annotation paired with the program."""
    return _figure([_paired(sheet) for sheet in sheets if sheet.people])


def people_among_themselves(sheets: Sequence[Sheet], people: Sequence[int]) -> Figure:
    """Of these people, over the texts that two of them have annotated at least."""
    judgements = [
        [sheet.people[person] for person in people if person in sheet.people]
        for sheet in sheets
        if sum(person in sheet.people for person in people) > 1
    ]
    return _figure([coincidences(_codes(several)) for several in judgements])


def pairs_of_people(sheets: Iterable[Sheet]) -> list[tuple[int, int]]:
    """Who has annotated a text that the other has annotated too."""
    pairs = {pair for sheet in sheets for pair in combinations(sorted(sheet.people), 2)}
    return sorted(pairs)


def differences_by_idea(sheets: Sequence[Sheet], ideas: int) -> list[IdeaDifference]:
    """Those with the most differences first, then in the pyramid's order."""
    differences = [_difference(sheets, place) for place in range(ideas)]
    return sorted(differences, key=lambda difference: (-difference.differences, difference.place))


def _paired(sheet: Sheet) -> Numbers:
    each = [coincidences(_codes([sheet.program, answers])) for answers in sheet.people.values()]
    summed: Numbers = np.stack(each).sum(axis=0)
    return summed


def _codes(judges: Sequence[Judgements]) -> NDArray[np.int64]:
    codes = np.full((len(judges), max((len(judge) for judge in judges), default=0)), MISSING)
    for row, answers in zip(codes, judges, strict=True):
        row[: len(answers)] = answers
    return codes


def _figure(matrices: Sequence[Numbers]) -> Figure:
    if not matrices:
        return Figure(None, None, None, 0)
    stacked = np.stack(matrices)
    size = stacked.shape[1:]
    flat = stacked.reshape(len(stacked), -1)
    return figure(lambda counts: alpha((counts @ flat).reshape(-1, *size)), len(stacked))


def _difference(sheets: Sequence[Sheet], place: int) -> IdeaDifference:
    judgements = [
        (sheet.text, bool(sheet.program[place]), bool(answers[place]))
        for sheet in sheets
        for answers in sheet.people.values()
    ]
    program = [text for text, by_program, by_person in judgements if by_program and not by_person]
    people = [text for text, by_program, by_person in judgements if by_person and not by_program]
    return IdeaDifference(
        place=place,
        both=sum(by_program and by_person for _, by_program, by_person in judgements),
        neither=sum(not by_program and not by_person for _, by_program, by_person in judgements),
        program=len(program),
        people=len(people),
        program_only=tuple(dict.fromkeys(program)),
        people_only=tuple(dict.fromkeys(people)),
    )


# Is a curve learnt from people's marks better than the one in use, on texts that did not teach it?
#
# Each text is judged by the curve that the marks of all other texts teach, and agreement with
# people (Krippendorff's alpha) is compared with that of the curve in use, over the same draws of
# texts. A change is suggested only where the 95 % interval of the gain is above 0.
#
# Only texts of which a person judged every idea count here: where people corrected some ideas, they
# chose those that were wrong, and agreement on them shows nothing about others. Such texts teach.

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
    """What the marks teach, and what it is worth compared with ``now``."""
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

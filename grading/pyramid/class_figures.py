"""What a class's results say of the class, and of the ideas that it was asked for."""

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, median, quantiles

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.figures import hundredths, tenths
from grading.pyramid.intervals import Interval, correlation_interval, mean_interval, share_interval
from grading.pyramid.scores import ideas_of_a_reference
from grading.pyramid.structures import Pyramid, Scu, Spans

# A text of a class, as far as figures need to know it.

FEW = 10  # texts: figures of a smaller class say little, and pages say so


class Measure(StrEnum):
    """The three scores, the one that counts first."""

    COMPREHENSIVE = "comprehensive"
    QUALITY = "quality"
    COVERAGE = "coverage"


@dataclass(frozen=True, slots=True)
class ClassText:
    """A student's attempt that counts, with its scores; ``matched`` are the uids of its ideas."""

    key: int
    words: int
    quality: float
    coverage: float
    comprehensive: float
    matched: frozenset[int] = frozenset()
    section: str = ""

    def of_measure(self, measure: Measure) -> float:
        return float(getattr(self, measure))


# How scores are spread over a class, or over a section of it.


@dataclass(frozen=True, slots=True)
class Spread:
    """``lower`` and ``upper`` are the quartiles; ``counts`` how many texts lie in each tenth."""

    texts: int
    mean: float
    interval: Interval | None  # of the mean
    least: float
    lower: float
    median: float
    upper: float
    most: float
    counts: tuple[int, ...]

    @property
    def is_one_score(self) -> bool:
        """Has everybody the same, as a page shows it?"""
        return hundredths(self.least) == hundredths(self.most)


def spread_of(texts: Sequence[ClassText], measure: Measure) -> Spread | None:
    """None where there is nothing."""
    scores = sorted(text.of_measure(measure) for text in texts)
    if not scores:
        return None
    alone = len(scores) == 1
    lower, middle, upper = scores * 3 if alone else quantiles(scores, method="inclusive")
    return Spread(
        texts=len(scores),
        mean=fmean(scores),
        interval=mean_interval(scores),
        least=scores[0],
        lower=lower,
        median=median(scores) if not alone else middle,
        upper=upper,
        most=scores[-1],
        counts=tenths(float(hundredths(score)) for score in scores),
    )


# Idea by idea: how many texts express it, how many are expected to, and does it separate strong
# texts from weak ones?
#
# *Expected* is what the class would do if it expressed ideas in the experts' proportions, only as
# many fewer (or more) as it does on the whole: an idea that 4 of 5 experts express, in a class that
# expresses half as many ideas as an expert, is expected in 40 % of the texts.
#
# *Discrimination* is the correlation of expressing the idea with the points of all other ideas
# (corrected item-rest, point-biserial).

HARDLY, NEARLY = 0.2, 0.8  # shares of hardly anyone, and of nearly everyone
CLEAR = 0.2  # correlation from which on an idea separates strong texts from weak ones
AGAINST = -0.1

Numbers = NDArray[np.float64]


class Than(StrEnum):
    """Do more or fewer express it than expected?"""

    FEWER = "fewer"
    AS_EXPECTED = "as expected"
    MORE = "more"


class Discrimination(StrEnum):
    """Does the idea separate strong texts from weak ones?"""

    CLEARLY = "clearly"
    LITTLE = "little"
    AGAINST = "against"
    UNKNOWN = "unknown"  # the class is too small
    SAME = "same"  # all express it, or nobody does, or all others have the same points


class Flag(StrEnum):
    """Why somebody should look at an idea."""

    HEAVY_MISSED = "heavy missed"
    LIGHT_MATCHED = "light told"
    AGAINST = "against"


@dataclass(frozen=True, slots=True)
class IdeaFigures:
    """An idea in the texts of a class."""

    uid: int
    label: str
    weight: int
    matched: int
    texts: int
    expected: float
    interval: Interval  # of the share
    correlation: float | None
    correlation_interval: Interval | None
    discrimination: Discrimination
    flags: tuple[Flag, ...]

    @property
    def share(self) -> float:
        return self.matched / self.texts if self.texts else 0.0

    @property
    def missed(self) -> int:
        return self.texts - self.matched

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
    mean_matched: float
    of_an_expert: float

    @property
    def level(self) -> float:
        return self.mean_matched / self.of_an_expert if self.of_an_expert else 0.0

    @property
    def flagged(self) -> tuple[IdeaFigures, ...]:
        return tuple(idea for idea in self.ideas if idea.flags)

    @property
    def to_teach(self) -> tuple[IdeaFigures, ...]:
        """What somebody missed, that which costs the class most first."""
        missed = [idea for idea in self.ideas if idea.missed]
        return tuple(sorted(missed, key=lambda idea: (-idea.lost, -idea.weight, idea.uid)))


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
    """A row for each text, a column for each idea: 1 where it is matched."""
    places = {scu.uid: place for place, scu in enumerate(scus)}
    table = np.zeros((len(texts), len(scus)))
    for row, text in zip(table, texts, strict=True):
        row[[places[uid] for uid in text.matched if uid in places]] = 1
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
    """The share of the experts that express it; 1 for an idea that none of them expresses."""
    count = len(pyramid.references)
    return min(count, scu.weight) / count if scu.contributors and count else 1.0


def _figures(
    scu: Scu,
    matched: int,
    texts: int,
    *,
    expected: float,
    correlation: float | None,
    is_heavy: bool,
) -> IdeaFigures:
    interval = share_interval(matched, texts)
    around = None if correlation is None else correlation_interval(correlation, texts)
    discrimination = _discrimination(correlation, around, texts)
    return IdeaFigures(
        uid=scu.uid,
        label=" ".join(scu.label.split()),
        weight=scu.weight,
        matched=matched,
        texts=texts,
        expected=expected,
        interval=interval,
        correlation=correlation,
        correlation_interval=around,
        discrimination=discrimination,
        flags=_flags(matched, texts, interval, discrimination, is_heavy=is_heavy),
    )


def _discrimination(
    correlation: float | None, around: Interval | None, texts: int
) -> Discrimination:
    if correlation is None:
        return Discrimination.UNKNOWN if texts < FEW else Discrimination.SAME
    if around is None or texts < FEW:
        return Discrimination.UNKNOWN
    if correlation <= AGAINST and around.high < 0:
        return Discrimination.AGAINST
    if correlation >= CLEAR and around.low > 0:
        return Discrimination.CLEARLY
    return (
        Discrimination.UNKNOWN
        if around.low <= 0 and around.high >= CLEAR
        else Discrimination.LITTLE
    )


def _flags(
    matched: int, texts: int, interval: Interval, discrimination: Discrimination, *, is_heavy: bool
) -> tuple[Flag, ...]:
    """The share must be low, or high, and too few texts must not be all that makes it so."""
    flags = []
    if is_heavy and matched <= HARDLY * texts and interval.high < 0.5:
        flags.append(Flag.HEAVY_MISSED)
    if not is_heavy and matched >= NEARLY * texts and interval.low > 0.5:
        flags.append(Flag.LIGHT_MATCHED)
    if discrimination is Discrimination.AGAINST:
        flags.append(Flag.AGAINST)
    return tuple(flags)


# Sections of a class beside each other, and the ideas that they express differently.
#
# Each idea is asked of each pair of sections, so that by chance alone some would differ: a
# difference counts where it is that unlikely that even one so large would come about in all of them
# together (two shares, normal approximation, Bonferroni).

_FEWEST_OF_SECTION = 5  # texts of a section that is compared
_UNLIKELY = 0.05


@dataclass(frozen=True, slots=True)
class Difference:
    """An idea that one section expresses clearly more often than another."""

    least_in: str
    least: IdeaFigures
    most_in: str
    most: IdeaFigures

    @property
    def apart(self) -> float:
        return self.most.share - self.least.share


def by_section(texts: Sequence[ClassText]) -> dict[str, list[ClassText]]:
    """In the order of their names; those without one last."""
    names = sorted({text.section for text in texts}, key=lambda name: (not name, name.casefold()))
    return {name: [text for text in texts if text.section == name] for name in names}


def differences(pyramid: Pyramid, sections: Mapping[str, Sequence[ClassText]]) -> list[Difference]:
    """The largest first, of those that chance hardly explains."""
    figures = {
        name: ideas_of(pyramid, texts).ideas
        for name, texts in sections.items()
        if len(texts) >= _FEWEST_OF_SECTION
    }
    if len(figures) < 2:
        return []
    results = [_difference(list(figures), row) for row in zip(*figures.values(), strict=True)]
    tests = len(results) * math.comb(len(figures), 2)
    clear = [
        result for result in results if tests * _by_chance(result.least, result.most) < _UNLIKELY
    ]
    return sorted(clear, key=lambda result: (-result.apart, -result.most.weight, result.most.uid))


def _by_chance(first: IdeaFigures, second: IdeaFigures) -> float:
    """How probable so large a difference would be if both sections were alike."""
    matched, texts = first.matched + second.matched, first.texts + second.texts
    share = matched / texts
    variance = share * (1 - share) * (1 / first.texts + 1 / second.texts)
    if not variance:
        return 1.0
    return math.erfc(abs(first.share - second.share) / math.sqrt(2 * variance))


def _difference(names: Sequence[str], ideas: Sequence[IdeaFigures]) -> Difference:
    shares = [idea.share for idea in ideas]
    least, most = shares.index(min(shares)), shares.index(max(shares))
    return Difference(names[least], ideas[least], names[most], ideas[most])


# Who needs help: a rule that is the same for everyone, each reason with the number behind it.
#
# A score is low below a quarter, and in a class of five or more also below half of the class's
# median, whichever is higher.

LOW = 0.25
HALF = 0.5  # of the median
FALL = 0.1  # of the comprehensive score, from one attempt to the next
_FEWEST_TEXTS = 5  # texts whose median says something


class Reason(StrEnum):
    """The most serious first."""

    NOTHING = "nothing found"
    COVERAGE = "low coverage"
    QUALITY = "low quality"
    FALLING = "falling"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class Ground:
    """A reason with the text's own number, and the one that it is held against."""

    reason: Reason
    value: float
    limit: float


@dataclass(frozen=True, slots=True)
class NeedsHelp:
    text: ClassText
    grounds: tuple[Ground, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """Below these a text is in need of help."""

    quality: float
    coverage: float
    words: float


def limits_of(texts: Sequence[ClassText], *, min_words: int) -> Limits:
    """``min_words`` is what the assignment asks for; 0 where it asks for nothing."""
    if len(texts) < _FEWEST_TEXTS:
        return Limits(LOW, LOW, min_words)
    return Limits(
        quality=max(LOW, HALF * median(text.quality for text in texts)),
        coverage=max(LOW, HALF * median(text.coverage for text in texts)),
        words=max(min_words, HALF * median(text.words for text in texts)),
    )


def needing_help(
    texts: Sequence[ClassText], limits: Limits, before: Mapping[int, float]
) -> list[NeedsHelp]:
    """Those with a reason: the one with the most serious and the most reasons first.

    ``before`` has the comprehensive score of the attempt before, by the key of the later text.
    """
    students = [
        NeedsHelp(text, grounds)
        for text in texts
        if (grounds := _grounds(text, limits, before.get(text.key)))
    ]
    return sorted(students, key=_most_serious_first)


def _grounds(text: ClassText, limits: Limits, before: float | None) -> tuple[Ground, ...]:
    grounds = []
    if not text.comprehensive:
        grounds.append(Ground(Reason.NOTHING, 0.0, 0.0))
    else:
        if text.coverage < limits.coverage:
            grounds.append(Ground(Reason.COVERAGE, text.coverage, limits.coverage))
        if text.quality < limits.quality:
            grounds.append(Ground(Reason.QUALITY, text.quality, limits.quality))
    if before is not None and _fall(before, text.comprehensive) >= FALL:
        grounds.append(Ground(Reason.FALLING, text.comprehensive, before))
    if text.words < limits.words:
        grounds.append(Ground(Reason.SHORT, text.words, limits.words))
    return tuple(grounds)


def _fall(before: float, now: float) -> float:
    """As a reader sees it: of scores of two decimals."""
    return float(hundredths(before) - hundredths(now))


def _most_serious_first(needs_help: NeedsHelp) -> tuple[bool, int, float, int]:
    nothing = needs_help.grounds[0].reason is Reason.NOTHING
    return not nothing, -len(needs_help.grounds), needs_help.text.comprehensive, needs_help.text.key


# Ideas that many students wrote and the pyramid lacks, as they were found in a class.


@dataclass(frozen=True, slots=True)
class NewIdea:
    """In words of a student; ``spans`` has the words of each text that expresses it, by its key."""

    label: str
    spans: Mapping[int, Spans]


@dataclass(frozen=True, slots=True)
class NewIdeas:
    """What was found, and the keys of the texts that were looked at."""

    texts: frozenset[int]
    ideas: tuple[NewIdea, ...]

    def among(self, texts: Container[int]) -> "NewIdeas":
        """The same for some of the texts: only ideas of these texts, the most common first."""
        fewer = (
            NewIdea(idea.label, {key: spans for key, spans in idea.spans.items() if key in texts})
            for idea in self.ideas
        )
        shared = sorted((idea for idea in fewer if idea.spans), key=lambda idea: -len(idea.spans))
        return NewIdeas(frozenset(key for key in self.texts if key in texts), tuple(shared))

    def share(self, idea: NewIdea) -> float:
        return len(idea.spans) / len(self.texts) if self.texts else 0.0

    def interval(self, idea: NewIdea) -> Interval:
        """Of that share."""
        return share_interval(len(idea.spans), len(self.texts))

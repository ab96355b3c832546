"""Who needs help: a rule that is the same for everyone, each reason with the number behind it.

A score is low below a quarter, and in a class of five or more also below half of the class's
median, whichever is higher.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from grading.pyramid.class_figures.texts import ClassText
from grading.pyramid.figures import hundredths

LOW = 0.25
HALF = 0.5  # of the median
FALL = 0.1  # of the comprehensive score, from one attempt to the next
_FEWEST = 5  # texts whose median says something


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
    if len(texts) < _FEWEST:
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

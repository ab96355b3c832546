"""What a rule says. Each part refuses by itself what it cannot mean."""

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from typing import Final

from grading.pyramid.errors import InputError

MOST_POINTS: Final = Decimal(10_000)
MOST_BANDS: Final = 30
LONGEST_LABEL: Final = 20
MOST_GRACE: Final = 7 * 24 * 60  # minutes
ROUNDINGS: Final = (Decimal("0.01"), Decimal("0.1"), Decimal("0.5"), Decimal(1))
MEASURES: Final = ("comprehensive", "quality", "coverage")
_ZERO, _ONE, _HUNDRED = Decimal(0), Decimal(1), Decimal(100)


class RuleError(InputError):
    """``part`` is the field of the rule that cannot be so."""

    def __init__(self, part: str, sentence: str) -> None:
        super().__init__(sentence)
        self.part = part


def plain(number: Decimal) -> str:
    """Without zeros at the end: 5.50 is 5.5, 100 is 100."""
    return f"{number.normalize():f}" if number else "0"


@dataclass(frozen=True, slots=True)
class Weights:
    """Whole percents of the three scores, which are 100 together."""

    comprehensive: int = 100
    quality: int = 0
    coverage: int = 0

    def __post_init__(self) -> None:
        parts = (self.comprehensive, self.quality, self.coverage)
        if min(parts) < 0 or sum(parts) != _HUNDRED:
            raise RuleError(
                "weights", f"The three percents are {sum(parts)} together; make them 100."
            )

    @property
    def single(self) -> str:
        """The one score that counts; empty where several do."""
        return next((name for name in MEASURES if getattr(self, name) == _HUNDRED), "")


@dataclass(frozen=True, slots=True)
class Linear:
    """``least`` points up to the score ``floor``, all from ``ceiling`` on, evenly in between."""

    floor: Decimal = _ZERO
    ceiling: Decimal = _ONE
    least: Decimal = _ZERO

    def __post_init__(self) -> None:
        if not (_ZERO <= self.floor <= _ONE):
            raise RuleError("floor", "The least points end at a score from 0 to 1.")
        if not (self.floor < self.ceiling <= _ONE):
            raise RuleError(
                "ceiling",
                "All points begin at a score above the one where the least end, and up to 1.",
            )
        if self.least < _ZERO:
            raise RuleError("least", "The least points are 0 or more.")


@dataclass(frozen=True, slots=True)
class Band:
    """The points of every score from ``start`` up to the next band."""

    label: str
    start: Decimal
    points: Decimal


@dataclass(frozen=True, slots=True)
class Bands:
    """The highest first, whatever order they are given in; the last begins at 0."""

    bands: tuple[Band, ...]

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.bands, key=lambda band: -band.start))
        object.__setattr__(self, "bands", ordered)
        if fault := _fault_of(ordered):
            raise RuleError("bands", fault)

    def of_score(self, score: Decimal) -> Band:
        return next(band for band in self.bands if score >= band.start)

    def of_points(self, points: Decimal) -> Band:
        """The highest whose points are reached, else the lowest."""
        return next((band for band in self.bands if points >= band.points), self.bands[-1])


def _fault_of(bands: tuple[Band, ...]) -> str:
    """What is wrong with bands, the highest first."""
    if not 2 <= len(bands) <= MOST_BANDS:
        return f"Give 2 to {MOST_BANDS} bands, one a line."
    if len({band.label for band in bands}) < len(bands):
        return "Two bands have the same name."
    if len({band.start for band in bands}) < len(bands):
        return "Two bands begin at the same score."
    return _fault_of_order(bands)


def _fault_of_order(bands: tuple[Band, ...]) -> str:
    if bands[0].start > _ONE or bands[-1].start < _ZERO:
        return "A band begins at a score from 0 to 1, for example 0.85."
    if bands[-1].start != _ZERO:
        lowest = plain(bands[-1].start)
        return f"What has a score below {lowest} is in no band. Add one that begins at 0."
    for higher, lower in pairwise(bands):
        if lower.points > higher.points:
            return f"“{lower.label}” begins lower than “{higher.label}” but gives more points."
    return "" if bands[-1].points >= _ZERO else "The points of a band are 0 or more."


Scale = Linear | Bands


class Unit(StrEnum):
    """What is taken: percent of the points that the text earned, or points."""

    PERCENT = "percent"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class LatePenalty:
    """For each day begun after the due date, or once; ``most`` is taken in all, if it is given.

    Within the grace nothing is taken; after it the days count from the due date.
    """

    amount: Decimal
    unit: Unit = Unit.PERCENT
    per_day: bool = True
    most: Decimal | None = None
    grace_minutes: int = 0

    def __post_init__(self) -> None:
        highest = _HUNDRED if self.unit is Unit.PERCENT else MOST_POINTS
        if not _ZERO < self.amount <= highest:
            raise RuleError("late_amount", f"Take more than 0 and at most {plain(highest)}.")
        if self.most is not None and not self.amount <= self.most <= highest:
            raise RuleError(
                "late_most",
                f"The most that is taken is {plain(self.amount)} (one day) to {plain(highest)}.",
            )
        if not 0 <= self.grace_minutes <= MOST_GRACE:
            raise RuleError("grace_minutes", f"Give 0 to {MOST_GRACE} minutes, which is a week.")

    def taken(self, days: int) -> Decimal:
        """In the unit, for so many days begun."""
        if days <= 0:
            return _ZERO
        amount = self.amount * days if self.per_day else self.amount
        return amount if self.most is None else min(amount, self.most)


class Attempt(StrEnum):
    """Which of several finals the grade rests on."""

    LAST = "last"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class GradeRule:
    """``drafts_count``: does a student who handed in drafts only get a grade for them?

    ``passes_from`` are the points from which a grade passes, where passing means something.
    """

    points: Decimal = _HUNDRED
    weights: Weights = field(default_factory=Weights)
    scale: Scale = field(default_factory=Linear)
    rounding: Decimal = ROUNDINGS[0]
    late: LatePenalty | None = None
    attempt: Attempt = Attempt.LAST
    drafts_count: bool = True
    passes_from: Decimal | None = None

    def __post_init__(self) -> None:
        if self.rounding not in ROUNDINGS:
            raise RuleError("rounding", "Round to 0.01, 0.1, 0.5 or 1.")
        if not _ZERO < self.points <= MOST_POINTS:
            raise RuleError("points", f"Give more than 0 and at most {plain(MOST_POINTS)} points.")
        self._check_even("points", "points", self.points)
        if self.passes_from is not None and not _ZERO <= self.passes_from <= self.points:
            raise RuleError("passes_from", f"Give 0 to {plain(self.points)} points.")
        if isinstance(self.scale, Bands):
            self._check_bands(self.scale)
        elif self.scale.least > self.points:
            raise RuleError("least", f"The least points are at most {plain(self.points)}.")

    def _check_bands(self, scale: Bands) -> None:
        for band in scale.bands:
            if band.points > self.points:
                raise RuleError(
                    "bands",
                    f"“{band.label}” gives {plain(band.points)} of {plain(self.points)} points.",
                )
            self._check_even("bands", f"points of “{band.label}”", band.points)

    def _check_even(self, part: str, what: str, points: Decimal) -> None:
        """Rounding may not change what was said by hand."""
        if points % self.rounding:
            raise RuleError(
                part,
                f"The {what}, {plain(points)}, would be changed by rounding to "
                f"{plain(self.rounding)}. Round to less, or give other points.",
            )


DEFAULT_RULE: Final = GradeRule()

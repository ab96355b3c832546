"""From scores to grades: which score counts, what it is worth, lateness, rounding, attempts.

The order of the steps is fixed, and docs/methods.md tells it with an example: the scores to four
places, the weighted mean, the scale, the penalty, one rounding at the end (halves go up), the band.
Numbers are decimals and fractions throughout; what is not scored has no grade, which is never 0.
"""

import re
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.figures import MINUS, number_of

# What a rule says. Each part refuses on its own what it cannot mean.

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
            raise RuleError("weights", f"The three percentages add up to {sum(parts)}, not 100.")

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
            raise RuleError("floor", "Enter a score from 0 to 1 for the lowest points.")
        if not (self.floor < self.ceiling <= _ONE):
            raise RuleError(
                "ceiling",
                "Full points need a higher score than the lowest points, up to 1.",
            )
        if self.least < _ZERO:
            raise RuleError("least", "The lowest points are 0 or more.")


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
        return f"Enter 2 to {MOST_BANDS} bands, one a line."
    if len({band.label for band in bands}) < len(bands):
        return "Two bands have the same name."
    if len({band.start for band in bands}) < len(bands):
        return "Two bands start at the same score."
    return _fault_of_order(bands)


def _fault_of_order(bands: tuple[Band, ...]) -> str:
    if bands[0].start > _ONE or bands[-1].start < _ZERO:
        return "A band starts at a score from 0 to 1, for example 0.85."
    if bands[-1].start != _ZERO:
        lowest = plain(bands[-1].start)
        return f"A score below {lowest} is in no band. Add a band from 0."
    for higher, lower in pairwise(bands):
        if lower.points > higher.points:
            return f"“{lower.label}” starts lower than “{higher.label}” but gives more points."
    return "" if bands[-1].points >= _ZERO else "The points of a band are 0 or more."


Scale = Linear | Bands


class Unit(StrEnum):
    """Penalty: percent of the points that the text earned, or points."""

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
    """``drafts_count``: does a student who submitted only drafts get a grade for them?

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
            raise RuleError("least", f"The lowest points are at most {plain(self.points)}.")

    def _check_bands(self, scale: Bands) -> None:
        for band in scale.bands:
            if band.points > self.points:
                raise RuleError(
                    "bands",
                    f"“{band.label}” gives {plain(band.points)} of {plain(self.points)} points.",
                )
            self._check_even("bands", f"points of “{band.label}”", band.points)

    def _check_even(self, part: str, what: str, points: Decimal) -> None:
        """Rounding may not change a manual grade."""
        if points % self.rounding:
            raise RuleError(
                part,
                f"The {what}, {plain(points)}, would change when rounded to "
                f"{plain(self.rounding)}. Round to less, or enter other points.",
            )


DEFAULT_RULE: Final = GradeRule()


# The grade of a text by a rule, and how it was calculated, step by step in words.
#
# Fractions inside, so that nothing is lost before the one rounding at the end.

_PLACES = Decimal("0.0001")
TIMES = "\u00d7"


@dataclass(frozen=True, slots=True)
class Scores:
    """Of a text, to four places, as in the gradebook's file: anyone can check the grade."""

    comprehensive: Decimal
    quality: Decimal
    coverage: Decimal

    @classmethod
    def of(cls, *, comprehensive: float, quality: float, coverage: float) -> "Scores":
        exact = (Decimal(repr(float(score))) for score in (comprehensive, quality, coverage))
        return cls(*(score.quantize(_PLACES, ROUND_HALF_UP) for score in exact))


@dataclass(frozen=True, slots=True)
class Grade:
    """``label`` is the band's, ``passed`` is None where the rule knows no passing."""

    points: Decimal
    label: str = ""
    passed: bool | None = None
    steps: tuple[str, ...] = ()


def days_late(late_by: timedelta, penalty: LatePenalty | None) -> int:
    """Days begun since the due date; none within the grace."""
    grace = timedelta(minutes=penalty.grace_minutes) if penalty else timedelta(0)
    if late_by <= max(grace, timedelta(0)):
        return 0
    return -(-late_by // timedelta(days=1))


def grade_of(rule: GradeRule, scores: Scores, days: int = 0) -> Grade:
    """The grade of a text with these scores, submitted so many days late."""
    score, first = _counted(rule, scores)
    earned, band, second = _on_scale(rule, score)
    left, third = _less_penalty(rule, earned, days)
    points = _rounded(left, rule.rounding)
    steps = (first, second, *third, *_rounding_in_words(left, points, rule))
    if band and left < earned and isinstance(rule.scale, Bands):
        lower = rule.scale.of_points(points)
        band = lower.label if lower.start < rule.scale.of_score(score).start else band
        steps += (f"{plain(points)} points: {band}.",)
    return Grade(points, band, passes(rule, points), steps + _pass_in_words(rule, points))


def passes(rule: GradeRule, points: Decimal) -> bool | None:
    return None if rule.passes_from is None else points >= rule.passes_from


def label_of(rule: GradeRule, points: Decimal) -> str:
    """The band of points that were set manually."""
    return rule.scale.of_points(points).label if isinstance(rule.scale, Bands) else ""


def number_in_words(number: Fraction | Decimal) -> str:
    """To four places at most; what has more is shown as about that."""
    exact = Fraction(number)
    near = _rounded(exact, _PLACES)
    return plain(near) if Fraction(near) == exact else f"about {plain(near)}"


def _rounded(number: Fraction, step: Decimal) -> Decimal:
    """To a multiple of the step; what is just between two goes up."""
    steps = floor(number / Fraction(step) + Fraction(1, 2))
    return (steps * step).quantize(step)


def _counted(rule: GradeRule, scores: Scores) -> tuple[Decimal, str]:
    """The score that counts."""
    if name := rule.weights.single:
        score: Decimal = getattr(scores, name)
        return score, f"{name.capitalize()} score: {plain(score)}."
    parts = [(getattr(rule.weights, name), name, getattr(scores, name)) for name in MEASURES]
    score = sum((weight * part_score for weight, _, part_score in parts), Decimal(0)) / 100
    sums = " + ".join(
        f"{weight} % of {name} {plain(value)}" for weight, name, value in parts if weight
    )
    return score, f"{sums} = {plain(score)}."


def _on_scale(rule: GradeRule, score: Decimal) -> tuple[Fraction, str, str]:
    """The points earned, the band, and the words."""
    scale, whole = rule.scale, plain(rule.points)
    if isinstance(scale, Bands):
        band = scale.of_score(score)
        words = f"From {plain(band.start)}: “{band.label}”, {plain(band.points)} of {whole} points."
        return Fraction(band.points), band.label, words
    if scale == Linear():
        points = Fraction(score) * Fraction(rule.points)
        return (
            points,
            "",
            f"{plain(score)} {TIMES} {whole} = {number_in_words(points)} of {whole} points.",
        )
    points, words = _between(rule.points, scale, score)
    return points, "", f"{words} of {whole} points."


def _between(most: Decimal, scale: Linear, score: Decimal) -> tuple[Fraction, str]:
    """The points on the line from the least to the most, and the words."""
    start, end = plain(scale.floor), plain(scale.ceiling)
    if score >= scale.ceiling:
        return Fraction(most), f"At {end} or more: {plain(most)}"
    if score <= scale.floor:
        return Fraction(scale.least), f"Up to {start}: the lowest, {plain(scale.least)}"
    share = Fraction(score - scale.floor) / Fraction(scale.ceiling - scale.floor)
    points = Fraction(scale.least) + share * Fraction(most - scale.least)
    ends = f"{start} ({number_of_points(scale.least)}) and {end} ({plain(most)})"
    return points, f"Between {ends}: {number_in_words(points)}"


def _less_penalty(rule: GradeRule, earned: Fraction, days: int) -> tuple[Fraction, tuple[str, ...]]:
    if rule.late is None or days <= 0:
        return earned, ()
    amount = rule.late.taken(days)
    if rule.late.unit is Unit.PERCENT:
        left, penalty = earned * (1 - Fraction(amount) / 100), f"{plain(amount)} % of it"
    else:
        left, penalty = earned - Fraction(amount), number_of_points(amount)
    left = max(left, Fraction(0))
    most = " (the most)" if amount == rule.late.most else ""
    late = f"{number_of(days, 'day')} late" if rule.late.per_day else "Late"
    return left, (f"{late}: {MINUS}{penalty}{most} leaves {number_in_words(left)}.",)


def number_of_points(points: Decimal) -> str:
    return f"{plain(points)} point{'' if points == 1 else 's'}"


def _rounding_in_words(left: Fraction, points: Decimal, rule: GradeRule) -> tuple[str, ...]:
    if Fraction(points) == left:
        return ()
    return (f"Rounded to {plain(rule.rounding)}: {plain(points)}.",)


def _pass_in_words(rule: GradeRule, points: Decimal) -> tuple[str, ...]:
    if rule.passes_from is None:
        return ()
    verb = "passes" if passes(rule, points) else "does not pass"
    return (f"{plain(points)} {verb}: the pass mark is {plain(rule.passes_from)}.",)


# A rule as sentences, for whoever made it and whoever is graded by it.


def rule_in_words(rule: GradeRule) -> list[tuple[str, str]]:
    """What each part is about, and what it says."""
    rows = [
        ("Score", _score(rule)),
        ("Points", _points(rule)),
        ("Late work", _late(rule.late)),
        ("Rounding", f"To {plain(rule.rounding)}, once at the end. Halves go up."),
        ("Attempt", attempt_in_words(rule)),
    ]
    if rule.passes_from is not None:
        rows.append(("Pass", f"{number_of_points(rule.passes_from)} or more."))
    return rows


def _score(rule: GradeRule) -> str:
    if name := rule.weights.single:
        return f"The {name} score counts."
    parts = [(name, getattr(rule.weights, name)) for name in MEASURES]
    return f"{' + '.join(f'{part} % {name}' for name, part in parts if part)}."


def _points(rule: GradeRule) -> str:
    whole, scale = number_of_points(rule.points), rule.scale
    if isinstance(scale, Bands):
        bands = "; ".join(
            f"“{band.label}” from {plain(band.start)}: {plain(band.points)}" for band in scale.bands
        )
        return f"Of {whole}, by bands: {bands}."
    if scale == Linear():
        return f"The score {TIMES} {whole}."
    return (
        f"{plain(scale.least)} up to a score of {plain(scale.floor)}, rising evenly to {whole} at "
        f"{plain(scale.ceiling)} or more."
    )


def _late(late: LatePenalty | None) -> str:
    if late is None:
        return "No penalty."
    percent = late.unit is Unit.PERCENT
    amount = f"{plain(late.amount)} %" if percent else number_of_points(late.amount)
    words = f"{amount} of what was earned" if percent else amount
    words += " for each started day" if late.per_day else ", however late"
    if late.per_day and late.most is not None:
        words += f", at most {plain(late.most)}{' %' if percent else ''}"
    if late.grace_minutes:
        words += f"; none within {number_of(late.grace_minutes, 'minute')} of the due date"
    return f"{words}."


def attempt_in_words(rule: GradeRule) -> str:
    """Which of several counts."""
    if rule.attempt is Attempt.BEST:
        words = "The final submission with the best grade counts"
    else:
        words = "The last final submission counts"
    drafts = ", or a draft if there is none" if rule.drafts_count else ". Drafts get no grade"
    return f"{words}{drafts}."


# Bands as a list, one a line: ``A | 0.85 | 10``, with tabs, semicolons or bars between.

_BETWEEN: Final = re.compile(r"\s*[|;\t]\s*")
_NUMBER: Final = re.compile(r"[0-9]{1,5}(?:[.,][0-9]{1,4})?")
_ASKED: Final = "a line is a name, the score it begins at, and its points, such as “A | 0.85 | 10”"


def read_bands(text: str) -> tuple[tuple[Band, ...], list[str]]:
    """The bands in their order, and what is wrong, by line."""
    bands: list[Band] = []
    problems: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        band = _band(line)
        if isinstance(band, Band):
            bands.append(band)
        else:
            problems.append(f"Line {number}: {band}")
        if len(bands) + len(problems) > MOST_BANDS:
            return (), [f"There are more than {MOST_BANDS} bands."]
    return tuple(bands), problems


def bands_text(scale: Bands) -> str:
    """What ``read_bands`` reads again."""
    lines = (f"{band.label} | {plain(band.start)} | {plain(band.points)}" for band in scale.bands)
    return "\n".join(lines)


def _band(line: str) -> Band | str:
    """The band of a line, or what is wrong with the line."""
    cells = _BETWEEN.split(line.strip().strip("|").strip())
    if len(cells) != 3:
        return f"{_ASKED}."
    label, start, points = cells
    if not label or len(label) > LONGEST_LABEL:
        return f"the name of a band has 1 to {LONGEST_LABEL} characters."
    for cell in (start, points):
        if not _NUMBER.fullmatch(cell):
            return f"“{cell[:20]}” is no number; {_ASKED}."
    return Band(label, _decimal(start), _decimal(points))


def _decimal(cell: str) -> Decimal:
    return Decimal(cell.replace(",", "."))

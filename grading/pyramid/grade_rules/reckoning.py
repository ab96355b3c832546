"""The grade of a text by a rule, and how it was reckoned, step by step in words.

Fractions inside, so that nothing is lost before the one rounding at the end.
"""

from dataclasses import dataclass
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from math import floor

from grading.pyramid.figures import MINUS, number_of
from grading.pyramid.grade_rules.rules import (
    MEASURES,
    Bands,
    GradeRule,
    LatePenalty,
    Linear,
    Unit,
    plain,
)

_PLACES = Decimal("0.0001")
TIMES = "\u00d7"


@dataclass(frozen=True, slots=True)
class Scores:
    """Of a text, to four places as the gradebook's file has them, so that anyone can reckon."""

    comprehensive: Decimal
    quality: Decimal
    coverage: Decimal

    @classmethod
    def of(cls, *, comprehensive: float, quality: float, coverage: float) -> "Scores":
        exact = (Decimal(repr(float(one))) for one in (comprehensive, quality, coverage))
        return cls(*(one.quantize(_PLACES, ROUND_HALF_UP) for one in exact))


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
    """The grade of a text with these scores, handed in so many days late."""
    score, first = _counted(rule, scores)
    earned, band, second = _on_scale(rule, score)
    left, third = _less_penalty(rule, earned, days)
    points = _rounded(left, rule.rounding)
    steps = (first, second, *third, *_told_rounding(left, points, rule))
    if band and left < earned and isinstance(rule.scale, Bands):
        lower = rule.scale.of_points(points)
        band = lower.label if lower.start < rule.scale.of_score(score).start else band
        steps += (f"{plain(points)} points: {band}.",)
    return Grade(points, band, passes(rule, points), steps + _told_pass(rule, points))


def passes(rule: GradeRule, points: Decimal) -> bool | None:
    return None if rule.passes_from is None else points >= rule.passes_from


def label_of(rule: GradeRule, points: Decimal) -> str:
    """The band of points that were given by hand."""
    return rule.scale.of_points(points).label if isinstance(rule.scale, Bands) else ""


def told(number: Fraction | Decimal) -> str:
    """To four places at most; what has more is said to be about that."""
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
    score = sum((weight * one for weight, _, one in parts), Decimal(0)) / 100
    sums = " + ".join(f"{weight} % of {name} {plain(one)}" for weight, name, one in parts if weight)
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
        return points, "", f"{plain(score)} {TIMES} {whole} = {told(points)} of {whole} points."
    points, words = _between(rule.points, scale, score)
    return points, "", f"{words} of {whole} points."


def _between(most: Decimal, scale: Linear, score: Decimal) -> tuple[Fraction, str]:
    """The points on the line from the least to the most, and the words."""
    start, end = plain(scale.floor), plain(scale.ceiling)
    if score >= scale.ceiling:
        return Fraction(most), f"From {end} on: {plain(most)}"
    if score <= scale.floor:
        return Fraction(scale.least), f"Up to {start}: the least, {plain(scale.least)}"
    share = Fraction(score - scale.floor) / Fraction(scale.ceiling - scale.floor)
    points = Fraction(scale.least) + share * Fraction(most - scale.least)
    ends = f"{start} ({number_of_points(scale.least)}) to {end} ({plain(most)})"
    return points, f"On the way from {ends}: {told(points)}"


def _less_penalty(rule: GradeRule, earned: Fraction, days: int) -> tuple[Fraction, tuple[str, ...]]:
    if rule.late is None or days <= 0:
        return earned, ()
    amount = rule.late.taken(days)
    if rule.late.unit is Unit.PERCENT:
        left, what = earned * (1 - Fraction(amount) / 100), f"{plain(amount)} % of it"
    else:
        left, what = earned - Fraction(amount), number_of_points(amount)
    left = max(left, Fraction(0))
    most = " (the most)" if amount == rule.late.most else ""
    late = f"{number_of(days, 'day')} late" if rule.late.per_day else "Late"
    return left, (f"{late}: {MINUS}{what}{most} leaves {told(left)}.",)


def number_of_points(points: Decimal) -> str:
    return f"{plain(points)} point{'' if points == 1 else 's'}"


def _told_rounding(left: Fraction, points: Decimal, rule: GradeRule) -> tuple[str, ...]:
    if Fraction(points) == left:
        return ()
    return (f"Rounded to {plain(rule.rounding)}: {plain(points)}.",)


def _told_pass(rule: GradeRule, points: Decimal) -> tuple[str, ...]:
    if rule.passes_from is None:
        return ()
    verb = "passes" if passes(rule, points) else "does not pass"
    return (f"{plain(points)} {verb}: the line is at {plain(rule.passes_from)}.",)

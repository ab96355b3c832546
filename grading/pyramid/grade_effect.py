"""What another rule does to a class: who moves, by how much, and over which line.

Grades of different rules may be out of different points, so that all is compared as shares of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from statistics import median
from typing import Final

BINS: Final = 10
_ROUNDING: Final = Fraction(1, 2000)  # of other points: what is shown in tenths of a percent as 0


@dataclass(frozen=True, slots=True)
class GradeByRule:
    """What a student has by a rule; ``points`` is None where there is no grade."""

    points: Decimal | None
    possible: Decimal
    label: str = ""
    passed: bool | None = None

    @property
    def share(self) -> Fraction | None:
        return None if self.points is None else Fraction(self.points) / Fraction(self.possible)


@dataclass(frozen=True, slots=True)
class Move:
    """One student, before and after."""

    student: int
    before: GradeByRule
    after: GradeByRule

    @property
    def by(self) -> Fraction | None:
        """The change of the share; None where there is no grade before or after.

        Out of other points each grade is rounded again, and so little is no change.
        """
        was, now = self.before.share, self.after.share
        if was is None or now is None:
            return None
        is_rounding = self.before.possible != self.after.possible and abs(now - was) < _ROUNDING
        return Fraction(0) if is_rounding else now - was

    @property
    def is_move(self) -> bool:
        if self.by is None:
            return self.before.share != self.after.share
        return self.by != 0 or self.crosses

    @property
    def crosses(self) -> bool:
        """Into another band, or over the line of passing."""
        if self.by is None:
            return False
        return self.crosses_band or self.crosses_pass

    @property
    def crosses_band(self) -> bool:
        both = bool(self.before.label and self.after.label)
        return both and self.before.label != self.after.label

    @property
    def crosses_pass(self) -> bool:
        both = self.before.passed is not None and self.after.passed is not None
        return both and self.before.passed != self.after.passed


@dataclass(frozen=True, slots=True)
class Spread:
    """How many grades are in each tenth of the points, and where the middle is, in percent."""

    counts: tuple[int, ...]
    mean: Decimal | None
    median: Decimal | None

    @property
    def graded(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class GradeEffect:
    """All students whom the rule grades; those set manually or excused are not among them."""

    moves: tuple[Move, ...]

    @property
    def before(self) -> Spread:
        return _spread(move.before.share for move in self.moves)

    @property
    def after(self) -> Spread:
        return _spread(move.after.share for move in self.moves)

    @property
    def ungraded_before(self) -> int:
        return len(self.moves) - self.before.graded

    @property
    def ungraded_after(self) -> int:
        return len(self.moves) - self.after.graded

    @property
    def passing(self) -> tuple[int | None, int | None]:
        """How many pass before and after; None where the rule knows no passing."""
        return _passing(move.before for move in self.moves), _passing(
            move.after for move in self.moves
        )

    @property
    def bands(self) -> list[tuple[str, int, int]]:
        """Of each band, the highest grades first, how many are in it before and after."""
        was = Counter(move.before.label for move in self.moves)
        now = Counter(move.after.label for move in self.moves)
        held = [grade for move in self.moves for grade in (move.after, move.before) if grade.label]
        best: dict[str, Fraction] = {}
        for grade in held:
            best[grade.label] = max(best.get(grade.label, Fraction(0)), grade.share or Fraction(0))
        labels = sorted(best, key=lambda label: (-best[label], label))
        return [(label, was[label], now[label]) for label in labels]

    @property
    def movers(self) -> list[Move]:
        """The largest moves first; who gets or loses a grade before all."""
        return sorted((move for move in self.moves if move.is_move), key=_largest_first)

    @property
    def ups(self) -> int:
        return sum(move.by is not None and move.by > 0 for move in self.moves)

    @property
    def downs(self) -> int:
        return sum(move.by is not None and move.by < 0 for move in self.moves)

    @property
    def graded_now(self) -> int:
        """Who had no grade and gets one."""
        return sum(_has_only(move.after, move.before) for move in self.moves)

    @property
    def graded_no_more(self) -> int:
        return sum(_has_only(move.before, move.after) for move in self.moves)

    @property
    def crossing(self) -> int:
        return sum(move.crosses for move in self.moves)


def effect_of_rules(
    before: Mapping[int, GradeByRule], after: Mapping[int, GradeByRule]
) -> GradeEffect:
    """Of the same students, by number."""
    return GradeEffect(tuple(Move(student, before[student], after[student]) for student in before))


def percent(share: Fraction) -> Decimal:
    """Halves go up, as in grades."""
    tenths = Decimal(share.numerator * 1000) / Decimal(share.denominator)
    return (tenths.quantize(Decimal(1), ROUND_HALF_UP) / 10).quantize(Decimal("0.1"))


def _passing(grades: Iterable[GradeByRule]) -> int | None:
    passed = [grade.passed for grade in grades if grade.passed is not None]
    return sum(passed) if passed else None


def _has_only(grade: GradeByRule, other: GradeByRule) -> bool:
    return grade.points is not None and other.points is None


def _largest_first(move: Move) -> tuple[int, Fraction, int]:
    by = move.by
    return (0, Fraction(0), move.student) if by is None else (1, -abs(by), move.student)


def _spread(shares: Iterable[Fraction | None]) -> Spread:
    there: Sequence[Fraction] = [share for share in shares if share is not None]
    bins = Counter(min(BINS - 1, share * BINS // 1) for share in there)
    counts = tuple(bins[place] for place in range(BINS))
    if not there:
        return Spread(counts, None, None)
    mean = sum(there, Fraction(0)) / len(there)
    return Spread(counts, percent(mean), percent(Fraction(median(there))))

"""What a rule would do to the class, as the page shows it: summary, picture, table, who moves."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from grading.grades.actions import RuleProspect
from grading.pyramid.figures import MINUS, number_of
from grading.pyramid.grade_rules.grade_effect import (
    GradeEffect,
    Held,
    Move,
    percent,
)
from grading.pyramid.grade_rules.rules import plain
from grading.scoring.grades import StudentGrade
from grading.web.charts import PairedHistogram

SHOWN = 15  # rows of the table; the others can be opened


@dataclass(frozen=True, slots=True)
class Mover:
    """A row of the table of students; ``crosses`` are the lines, in words."""

    grade: StudentGrade
    before: str
    after: str
    direction: str
    change: str
    crosses: str


@dataclass(frozen=True, slots=True)
class ShownRuleEffect:
    prospect: RuleProspect
    effect: GradeEffect
    summary: str
    picture: PairedHistogram
    movers: list[Mover]

    @property
    def first_movers(self) -> list[Mover]:
        return self.movers[:SHOWN]

    @property
    def other_movers(self) -> list[Mover]:
        return self.movers[SHOWN:]

    @property
    def other_points(self) -> list[StudentGrade]:
        """Points by hand that were given out of other points than the rule's."""
        return [grade for grade in self.prospect.by_hand if grade.hand_was_of is not None]

    @property
    def crosses(self) -> bool:
        return any(mover.crosses for mover in self.movers)

    @property
    def told_now(self) -> bool:
        """Do students come to see grades by it?"""
        stored = self.prospect.stored
        return self.prospect.new.students_see and not (stored and stored.students_see)

    @property
    def told_no_more(self) -> bool:
        stored = self.prospect.stored
        return bool(stored and stored.students_see) and not self.prospect.new.students_see


def shown_effect(prospect: RuleProspect) -> ShownRuleEffect:
    effect = prospect.effect
    grades = {grade.result.student.pk: grade for grade in prospect.after}
    before, after = effect.before, effect.after
    return ShownRuleEffect(
        prospect=prospect,
        effect=effect,
        summary=_summary(effect),
        picture=PairedHistogram(before, after, most=100),
        movers=[_mover(move, grades[move.student]) for move in effect.movers],
    )


def _summary(effect: GradeEffect) -> str:
    """What the page says first."""
    total = number_of(len(effect.moves), "student")
    was, now = effect.before.mean, effect.after.mean
    if was is None and now is None:
        return f"None of {total} has a grade, before or after: nothing is scored."
    parts = [f"{number} {words}" for number, words in _kinds(effect) if number]
    if not parts:
        return f"No grade of {total} moves.{_told_passing(effect)}"
    mean = f"the mean stays {now} %" if was == now else f"the mean goes from {was} % to {now} %"
    means = "" if None in {was, now} else f"; {mean} of the points"
    return f"Of {total}: {', '.join(parts)}{means}.{_told_passing(effect)}"


def _told_passing(effect: GradeEffect) -> str:
    was, now = effect.passing
    if now is None:
        return ""
    return f" {now} pass." if was is None else f" {now} pass, {was} did before."


def _kinds(effect: GradeEffect) -> list[tuple[int, str]]:
    return [
        (effect.ups, "up"),
        (effect.downs, "down"),
        (effect.graded_now, "graded who had no grade"),
        (effect.graded_no_more, "without a grade who had one"),
        (effect.crossing, "over a line"),
    ]


def _mover(move: Move, grade: StudentGrade) -> Mover:
    by = move.by
    return Mover(
        grade=grade,
        before=told_held(move.before),
        after=told_held(move.after),
        direction="same" if not by else "up" if by > 0 else "down",
        change="" if by is None else told_change(move, by),
        crosses=", ".join(_crosses(move)),
    )


def told_held(held: Held) -> str:
    if held.points is None:
        return "no grade"
    band = f" ({held.label})" if held.label else ""
    return f"{plain(held.points)} of {plain(held.possible)}{band}"


def told_change(move: Move, by: Fraction) -> str:
    """In points where both are out of the same, else in percent of the points."""
    if move.before.possible == move.after.possible:
        was, now = move.before.points or Decimal(0), move.after.points or Decimal(0)
        number, unit = abs(now - was), ""
    else:
        number, unit = percent(abs(by)), " %"
    sign = "+" if by > 0 else MINUS if by < 0 else ""
    return f"{sign}{plain(number)}{unit}"


def _crosses(move: Move) -> list[str]:
    lines = []
    if move.crosses_band and move.by is not None:
        lines.append(f"{move.before.label} → {move.after.label}")
    if move.crosses_pass and move.by is not None:
        lines.append("passes now" if move.after.passed else "no longer passes")
    return lines

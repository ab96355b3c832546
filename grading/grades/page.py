"""Grades as pages show them: what a rule would do to the class, and the rows of the gradebook."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final
from urllib.parse import urlencode

from grading.grades.queries import RulePreview
from grading.pyramid.figures import MINUS, number_of
from grading.pyramid.grade_effect import GradeByRule, GradeEffect, Move, percent
from grading.pyramid.grade_rules import plain
from grading.scoring.grades import StudentGrade
from grading.web.charts import PairedHistogram

FIRST_CHANGES = 15  # rows of the table; the others can be opened


# --- what a rule would do to the class: summary, chart, table ---


def rule_effect(preview: RulePreview) -> dict[str, Any]:
    """The context of ``grading/grades/_effect.html``."""
    effect, stored = preview.effect, preview.stored
    grades = {grade.result.student.pk: grade for grade in preview.after}
    students_see, students_saw = preview.proposed.students_see, bool(stored and stored.students_see)
    changes = [_changed_grade(move, grades[move.student]) for move in effect.movers]
    return {
        "is_same": preview.is_same,
        "stamp": preview.stamp,
        "summary": effect_summary(effect),
        "chart": PairedHistogram(effect.before, effect.after, most=100),
        "numbers": effect,
        "first_changes": changes[:FIRST_CHANGES],
        "other_changes": changes[FIRST_CHANGES:],
        "has_crossings": any(change["crosses"] for change in changes),
        "manual": preview.manual,
        "other_points": [grade for grade in preview.manual if grade.manual_points_out_of],
        "students_see": students_see,
        "begins_to_show": students_see and not students_saw,
        "ceases_to_show": students_saw and not students_see,
    }


def effect_summary(effect: GradeEffect) -> str:
    """The first sentences of the effect."""
    total = number_of(len(effect.moves), "student")
    was, now = effect.before.mean, effect.after.mean
    if was is None and now is None:
        return f"None of {total} has a grade, before or after: nothing is scored."
    counts = [
        (effect.ups, "up"),
        (effect.downs, "down"),
        (effect.graded_now, "newly graded"),
        (effect.graded_no_more, "no longer graded"),
        (effect.crossing, "across a pass mark or band"),
    ]
    parts = [f"{number} {words}" for number, words in counts if number]
    passed, passes = effect.passing
    passing = ""
    if passes is not None:
        passing = (
            f" {passes} pass."
            if passed is None
            else f" {passes} pass, compared with {passed} before."
        )
    if not parts:
        return f"Of {total}: no grade changes.{passing}"
    means = ""
    if was is not None and now is not None:
        mean = f"the mean stays {now} %" if was == now else f"the mean goes from {was} % to {now} %"
        means = f"; {mean} of the points"
    return f"Of {total}: {', '.join(parts)}{means}.{passing}"


def _changed_grade(move: Move, grade: StudentGrade) -> dict[str, Any]:
    """A row of the table of students; ``crosses`` are the lines that the grade crosses."""
    by, crosses = move.by, []
    if move.crosses_band and by is not None:
        crosses.append(f"{move.before.label} → {move.after.label}")
    if move.crosses_pass and by is not None:
        crosses.append("passes now" if move.after.passed else "no longer passes")
    return {
        "grade": grade,
        "before": points_in_words(move.before),
        "after": points_in_words(move.after),
        "direction": "same" if not by else "up" if by > 0 else "down",
        "change": change_in_words(move),
        "crosses": ", ".join(crosses),
    }


def points_in_words(grade: GradeByRule) -> str:
    if grade.points is None:
        return "no grade"
    band = f" ({grade.label})" if grade.label else ""
    return f"{plain(grade.points)} of {plain(grade.possible)}{band}"


def change_in_words(move: Move) -> str:
    """In points if both grades are out of the same points, else in percent of the points."""
    by = move.by
    if by is None:
        return ""
    if move.before.possible == move.after.possible:
        was, now = move.before.points or Decimal(0), move.after.points or Decimal(0)
        number, unit = abs(now - was), ""
    else:
        number, unit = percent(abs(by)), " %"
    sign = "+" if by > 0 else MINUS if by < 0 else ""
    return f"{sign}{plain(number)}{unit}"


# --- the gradebook ---

NAME: Final = "name"
# Rows without a value (no grade, no submission) come last in either direction.
_SORTS: Final[Mapping[str, Callable[[StudentGrade], float | str | None]]] = {
    "section": lambda row: row.result.membership.section.casefold() or None,
    "handed-in": lambda row: (
        row.result.submission.submitted_at.timestamp() if row.result.submission else None
    ),
    "quality": lambda row: row.result.numbers.quality if row.result.numbers else None,
    "coverage": lambda row: row.result.numbers.coverage if row.result.numbers else None,
    "comprehensive": lambda row: row.result.numbers.comprehensive if row.result.numbers else None,
    "contradicted": lambda row: row.result.score.contradicted if row.result.score else None,
    "grade": lambda row: None if row.grade is None else float(row.grade),
}
_ORDERS: Final = (
    (NAME, "By name"),
    ("-grade", "Highest grade first"),
    ("grade", "Lowest grade first"),
    ("-comprehensive", "Highest comprehensive first"),
    ("comprehensive", "Lowest comprehensive first"),
    ("-handed-in", "Latest submission first"),
    ("section", "By section"),
)


class GradebookRows:
    """``every`` is the class by name; ``rows`` are those to show, in the order to show."""

    def __init__(self, every: Sequence[StudentGrade], query: Mapping[str, str]) -> None:
        self.every = every
        sections = {row.result.membership.section for row in every} - {""}
        self.sections = sorted(sections, key=str.casefold)
        section = query.get("section", "")
        self.section = section if section in self.sections else ""
        order = query.get("sort", NAME)
        self.is_descending = order.startswith("-")
        self.column = order.lstrip("-") if order.lstrip("-") in {NAME, *_SORTS} else NAME
        self.rows = [row for row in every if self.section in {"", row.result.membership.section}]
        if self.column == NAME:
            self.rows = self.rows[::-1] if self.is_descending else self.rows
        else:  # what has no value comes last in either direction
            key = _SORTS[self.column]
            known = [row for row in self.rows if key(row) is not None]
            known.sort(key=key, reverse=self.is_descending)  # type: ignore[arg-type]
            self.rows = known + [row for row in self.rows if key(row) is None]
        states = Counter(row.state for row in self.rows)
        self.counts = {
            "submitted": sum(row.result.submission is not None for row in self.rows),
            "scored": sum(row.result.numbers is not None for row in self.rows),
            "held": sum(row.result.is_held for row in self.rows),
            "graded": states["graded"],
            "ungraded": states["ungraded"] + states["held"],
            "excused": states["excused"],
        }

    @property
    def order(self) -> str:
        """The current order as an address has it: a column, with - before it to turn it round."""
        return f"-{self.column}" if self.is_descending else self.column

    @property
    def heads(self) -> dict[str, tuple[str, str]]:
        """By column, with _ for -: the value of aria-sort, and the address that sorts by it."""
        direction = "descending" if self.is_descending else "ascending"
        heads = {}
        for name in (NAME, *_SORTS):
            is_current = name == self.column
            order = f"-{name}" if is_current and not self.is_descending else name
            heads[name.replace("-", "_")] = (direction if is_current else "", self._address(order))
        return heads

    @property
    def orders(self) -> list[tuple[str, str]]:
        """The options of the list, which phones have too; the heads of the table offer more."""
        orders = [(order, words) for order, words in _ORDERS if order != "section" or self.sections]
        if self.order not in dict(orders):
            words = self.column.replace("-", " ")
            orders.append(
                (self.order, f"By {words}{', highest first' if self.is_descending else ''}")
            )
        return orders

    def _address(self, order: str) -> str:
        query = {"sort": order} | ({"section": self.section} if self.section else {})
        return f"?{urlencode(query)}"

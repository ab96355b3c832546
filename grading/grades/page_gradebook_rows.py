"""The rows of the gradebook: of one section or of all, in the order that was asked for."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from grading.scoring.grades import StudentGrade

# What cannot be put in order (no grade, nothing handed in) stands last either way.
_ORDERS: Final[Mapping[str, Callable[[StudentGrade], float | str | None]]] = {
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
NAME: Final = "name"
_TOLD: Final = (
    (NAME, "By name"),
    ("-grade", "Highest grade first"),
    ("grade", "Lowest grade first"),
    ("-comprehensive", "Highest comprehensive first"),
    ("comprehensive", "Lowest comprehensive first"),
    ("-handed-in", "Latest handed in first"),
    ("section", "By section"),
)


class GradebookRows:
    """``every`` is the class by name; ``rows`` are those to show."""

    def __init__(self, every: Sequence[StudentGrade], query: Mapping[str, str]) -> None:
        self.every = every
        sections = {row.result.membership.section for row in every}
        self.sections = sorted(sections - {""}, key=str.casefold)
        asked = query.get("section", "")
        self.section = asked if asked in self.sections else ""
        order = query.get("sort", NAME)
        self.falling = order.startswith("-")
        self.order = order.lstrip("-") if order.lstrip("-") in {NAME, *_ORDERS} else NAME
        self.rows = self._ordered([row for row in every if self._is_asked(row)])
        self.states = Counter(row.state for row in self.rows)

    def _is_asked(self, row: StudentGrade) -> bool:
        return not self.section or row.result.membership.section == self.section

    def _ordered(self, rows: list[StudentGrade]) -> list[StudentGrade]:
        if self.order == NAME:
            return rows[::-1] if self.falling else rows
        key = _ORDERS[self.order]
        there = [row for row in rows if key(row) is not None]
        there.sort(key=key, reverse=self.falling)  # type: ignore[arg-type]
        return there + [row for row in rows if key(row) is None]

    @property
    def submitted(self) -> int:
        return sum(row.result.submission is not None for row in self.rows)

    @property
    def scored(self) -> int:
        return sum(row.result.numbers is not None for row in self.rows)

    @property
    def held(self) -> int:
        return sum(row.result.is_held for row in self.rows)

    @property
    def graded(self) -> int:
        return self.states["graded"]

    @property
    def ungraded(self) -> int:
        return self.states["ungraded"] + self.states["held"]

    @property
    def excused(self) -> int:
        return self.states["excused"]

    @property
    def heads(self) -> dict[str, tuple[str, str]]:
        """By column, with _ for -: what aria-sort says, and the address that sorts by it."""
        return {name.replace("-", "_"): self._head(name) for name in (NAME, *_ORDERS)}

    def _head(self, name: str) -> tuple[str, str]:
        is_by = name == self.order
        said = ("descending" if self.falling else "ascending") if is_by else ""
        return said, self._address(f"-{name}" if is_by and not self.falling else name)

    @property
    def asked_order(self) -> str:
        return f"-{self.order}" if self.falling else self.order

    @property
    def orders(self) -> list[tuple[str, str]]:
        """What a list offers, which is there on a phone too; the heads of the table offer more."""
        told = [(order, words) for order, words in _TOLD if order != "section" or self.sections]
        here = self.asked_order
        if here not in dict(told):
            words = self.order.replace("-", " ")
            told.append((here, f"By {words}{', highest first' if self.falling else ''}"))
        return told

    @property
    def page_address(self) -> str:
        """Of other pages of the same, to which a number is added."""
        return f"{self._address(self.asked_order)}&page="

    def _address(self, order: str) -> str:
        asked = {"sort": order} | ({"section": self.section} if self.section else {})
        return f"?{urlencode(asked)}"

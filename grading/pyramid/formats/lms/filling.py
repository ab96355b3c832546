"""Filling the file that a platform exported: what will change, and the bytes in which it has."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import SequenceMatcher
from enum import Enum
from typing import Final

from grading.pyramid.characters import with_one_line_end
from grading.pyramid.formats.gradebook import FORMULA_STARTS
from grading.pyramid.formats.lms.cells import (
    Place,
    decimals_of,
    number_in,
    rounded,
    separator_of,
    written,
)
from grading.pyramid.formats.lms.grade_file import Column, GradeFile
from grading.pyramid.formats.lms.matching import Matching, Pair, Student, match
from grading.pyramid.stamps import stamp_of

# Comments as Moodle takes them: HTML that shows a person's words exactly as they were written.

_STARTS: Final = re.escape("".join(FORMULA_STARTS))
# An entity ends in a semicolon, at which a spreadsheet may cut the line: what comes after it, too,
# may only be another entity.
_AFTER_CUT: Final = re.compile(rf"(?<=;)[\s\"]*[{_STARTS}][{_STARTS}\s\"]*")
_START: Final = re.compile(rf"[{_STARTS}]")


def html_comment(text: str) -> str:
    """A paragraph; a letter that could begin a formula in a cut line is written as an entity."""
    escaped = html.escape(text.strip(), quote=True)
    lines = with_one_line_end(escaped).replace("\n", "<br>")
    return f"<p>{_AFTER_CUT.sub(_as_entities, lines)}</p>"


def _as_entities(hit: re.Match[str]) -> str:
    return _START.sub(lambda letter: f"&#{ord(letter[0])};", hit[0])


_ALIKE = 0.6  # of two titles, from which on one is meant by the other


@dataclass(frozen=True, slots=True)
class Grade:
    """What a student gets; nothing to write where ``points`` is None, which is never a zero."""

    student: Student
    points: Decimal | None = None
    is_excused: bool = False
    why_none: str = ""  # “not submitted”, “not released”


@dataclass(frozen=True, slots=True)
class Choices:
    """What the person chose.

    ``out_of`` are the points of the column, where the file is silent. ``ticks`` say of a cell
    whether it may change; without one it may, unless the platform has excused the student there.
    """

    column: int
    points: Decimal  # that our grades are out of
    scale: bool = False
    out_of: Decimal | None = None
    confirmed: frozenset[tuple[int, int]] = frozenset()
    comments: Mapping[int, str] = field(default_factory=dict)
    ticks: Mapping[Place, bool] = field(default_factory=dict)


class Effect(Enum):
    NEW = "fills an empty cell"
    OTHER = "overwrites another value"
    EXCUSED = "overwrites the LMS's mark for an excused student"
    SAME = "is already there"


@dataclass(frozen=True, slots=True)
class Change:
    """What a cell would become. It does so only where it is ticked."""

    pair: Pair
    place: Place
    old: str
    new: str
    effect: Effect
    is_ticked: bool
    is_comment: bool = False

    @property
    def key(self) -> str:
        """The cell, as a form names it."""
        return f"{self.place[0]}-{self.place[1]}"


@dataclass(frozen=True, slots=True)
class Kept:
    """A row of ours that stays as it is, and why."""

    pair: Pair
    why: str
    value: str


@dataclass(frozen=True, slots=True)
class Filling:
    """All that a person has to see before the file is given, and the file.

    ``data`` has the ticked changes. ``stamp`` is the same for the same changes, whatever is ticked.
    """

    file: GradeFile
    column: Column
    matching: Matching
    changes: tuple[Change, ...]
    kept: tuple[Kept, ...]
    refusal: str  # why nothing is filled in: points that differ
    data: bytes
    students: int  # of ours
    stamp: str

    def of(self, effect: Effect) -> list[Change]:
        return [change for change in self.changes if change.effect is effect]

    @property
    def new(self) -> list[Change]:
        return self.of(Effect.NEW)

    @property
    def others(self) -> list[Change]:
        return self.of(Effect.OTHER)

    @property
    def excused(self) -> list[Change]:
        return self.of(Effect.EXCUSED)

    @property
    def same(self) -> list[Change]:
        return self.of(Effect.SAME)

    @property
    def offered(self) -> list[Change]:
        """Changes that a person can tick."""
        return [change for change in self.changes if change.effect is not Effect.SAME]

    @property
    def unticked(self) -> list[Change]:
        """Changes that are not in the file."""
        return [change for change in self.offered if not change.is_ticked]

    @property
    def students_in_file(self) -> int:
        """Students whose grade is in the file."""
        in_file = (
            change for change in self.changes if change.is_ticked or change.effect is Effect.SAME
        )
        return sum(not change.is_comment for change in in_file)

    @property
    def unknown_rows(self) -> int:
        return len(self.file.people) - len(self.matching.pairs)

    @property
    def above(self) -> list[Change]:
        """Grades that are more than the column gives; not every platform takes them."""
        most = self.column.points
        numbers = [(change, number_in(change.new)) for change in self.changes if change.is_ticked]
        return [change for change, number in numbers if most and number and number > most]

    @property
    def odd(self) -> list[Pair]:
        """Matched, but with another name or another id than here: worth a look."""
        return [pair for pair in self.matching.pairs if pair.is_odd]


def guess_column(file: GradeFile, title: str, points: Decimal) -> tuple[Column | None, bool]:
    """The likeliest column, and whether a person need not be asked before it is shown filled."""
    candidates = file.candidates
    if not candidates:
        return None, False
    best = max(
        candidates,
        key=lambda candidate: (_likeness(candidate.title, title), candidate.points == points),
    )
    return best, len(candidates) == 1 or _likeness(best.title, title) >= _ALIKE


def _likeness(first: str, other: str) -> float:
    plain, sought = first.strip().casefold(), other.strip().casefold()
    return SequenceMatcher(None, plain[:200], sought[:200], autojunk=False).ratio()


def fill(file: GradeFile, column: Column, grades: Sequence[Grade], choices: Choices) -> Filling:
    """Only ticked cells of ``column`` (and of comments, where there are some) change."""
    matching = match(file.people, [grade.student for grade in grades], choices.confirmed)
    factor, refusal = _factor(column, choices)
    by_student = {grade.student.key: grade for grade in grades}
    filler = _Filler(file, column, by_student, factor, choices.ticks)
    for pair in matching.pairs if factor is not None else ():
        filler.grade(pair)
        filler.comment(pair, choices.comments.get(pair.student.key, ""))
    offered = [change for change in filler.changes if change.effect is not Effect.SAME]
    return Filling(
        file,
        column,
        matching,
        tuple(filler.changes),
        tuple(filler.kept),
        refusal,
        file.cells.filled({change.place: change.new for change in offered if change.is_ticked}),
        len(grades),
        stamp_of(*sorted((change.place, change.old, change.new) for change in offered)),
    )


def _factor(column: Column, choices: Choices) -> tuple[Decimal | None, str]:
    """What our points are multiplied by; or why nothing can be filled in."""
    theirs = column.points if column.points is not None else choices.out_of
    if theirs is None or theirs == choices.points:
        return Decimal(1), ""
    if choices.scale and theirs > 0 and choices.points > 0:
        return theirs / choices.points, ""
    return None, (
        f"“{column.title}” is out of {written(theirs)} points, and the grades here are out of "
        f"{written(choices.points)}."
    )


class _Filler:
    """Collects what becomes of the rows, one after the other."""

    def __init__(
        self,
        file: GradeFile,
        column: Column,
        grades: Mapping[int, Grade],
        factor: Decimal | None,
        ticks: Mapping[Place, bool],
    ) -> None:
        self.file, self.column, self._grades = file, column, grades
        self._factor = factor or Decimal(1)
        self._ticks = ticks
        self.changes: list[Change] = []
        self.kept: list[Kept] = []
        own = [file.cells.value((person.row, column.index)) for person in file.people]
        # Of decimals: as in the column, else as in the file, else as goes with its delimiter.
        others = (cell.value for row in file.cells.rows[1:] for cell in row.cells)
        separator = separator_of(own) or separator_of(others)
        self._separator = separator or ("," if file.cells.delimiter == ";" else ".")
        self._decimals = decimals_of(own)

    def grade(self, pair: Pair) -> None:
        grade = self._grades[pair.student.key]
        place = (pair.person.row, self.column.index)
        old = self.file.cells.value(place)
        if why := self._why_kept(grade, old):
            self.kept.append(Kept(pair, why, old))
            return
        new = self._written(grade)
        was_excused = self.file.says_excused(old)
        if _means_the_same(old, new) or (was_excused and grade.is_excused):
            self.changes.append(Change(pair, place, old, new, Effect.SAME, is_ticked=False))
            return
        is_blank = old.strip() in self.file.blanks
        effect = Effect.EXCUSED if was_excused else Effect.NEW if is_blank else Effect.OTHER
        is_ticked = self._ticks.get(place, not was_excused)
        self.changes.append(Change(pair, place, old, new, effect, is_ticked))

    def comment(self, pair: Pair, text: str) -> None:
        """A comment that is there is never emptied."""
        if self.file.comments is None or not text.strip():
            return
        place = (pair.person.row, self.file.comments)
        old, new = self.file.cells.value(place), html_comment(text)
        if old == new:
            return
        if not self.file.cells.can_encode(new):
            why = "the comment has letters that the encoding of the file cannot hold"
            self.kept.append(Kept(pair, why, old))
            return
        effect = Effect.OTHER if old.strip() else Effect.NEW
        is_ticked = self._ticks.get(place, True)
        self.changes.append(Change(pair, place, old, new, effect, is_ticked, is_comment=True))

    def _why_kept(self, grade: Grade, old: str) -> str:
        if old.strip() in self.file.untouchable:
            return f"“{old.strip()}” is in the cell: the student doesn't have this assignment"
        if grade.is_excused:
            return "" if self.file.excused else "excused: set this in the LMS"
        return "" if grade.points is not None else grade.why_none or "no grade yet"

    def _written(self, grade: Grade) -> str:
        if grade.is_excused or grade.points is None:
            return self.file.excused
        return written(grade.points * self._factor, self._separator, self._decimals)


def _means_the_same(old: str, new: str) -> bool:
    number, other = number_in(old), number_in(new)
    if number is not None and other is not None:
        return rounded(number) == rounded(other) and number == rounded(number)
    return old.strip().casefold() == new.casefold()

"""What is known of a platform's gradebook file, whichever platform wrote it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from grading.pyramid.formats.lms.cells import Cells, ragged


class Platform(StrEnum):
    """The kinds of file; the values are kept in the log of exports."""

    CANVAS = "canvas"
    MOODLE = "moodle"
    WORKSHEET = "moodle-worksheet"
    BLACKBOARD = "blackboard"
    BRIGHTSPACE = "brightspace"
    SAKAI = "sakai"


PLATFORM_NAMES = {
    Platform.CANVAS: "Canvas gradebook",
    Platform.MOODLE: "Moodle gradebook",
    Platform.WORKSHEET: "Moodle grading worksheet of one assignment",
    Platform.BLACKBOARD: "Blackboard gradebook",
    Platform.BRIGHTSPACE: "Brightspace gradebook",
    Platform.SAKAI: "Sakai gradebook",
}


# Where the filled file goes; what each platform then shows or asks.
NEXT_STEPS = {
    Platform.CANVAS: "In Canvas, import it in the gradebook; Canvas shows the changes first.",
    Platform.MOODLE: "In Moodle, import it as CSV under Grades. Choose the column that "
    "identifies students, and map only this column to its grade item.",
    Platform.WORKSHEET: "In Moodle, upload it as the grading worksheet, with Moodle in the "
    "language in which you downloaded it.",
    Platform.BLACKBOARD: "In Blackboard, upload it under Work Offline. It lists the columns that "
    "change. Tick this column.",
    Platform.BRIGHTSPACE: "In Brightspace, import it under Grades.",
    Platform.SAKAI: "In Sakai, import it in the Gradebook, and choose this column only.",
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of grades; ``why_not`` is empty where it can be filled."""

    index: int
    title: str
    points: Decimal | None = None  # None: the file does not say
    why_not: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """A row of the file, with what it says of who it is."""

    row: int
    line: int
    name: str
    lms_id: str = ""
    number: str = ""
    login: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class GradeFile:
    """``blanks`` are cells without a grade; ``excused`` is how an excused student is written.

    ``also_excused`` are further words that the platform reads as that, in small letters.
    """

    platform: Platform
    cells: Cells
    columns: tuple[Column, ...]
    people: tuple[Person, ...]
    remarks: tuple[str, ...] = ()
    blanks: frozenset[str] = frozenset({""})
    excused: str = ""
    also_excused: frozenset[str] = frozenset()
    untouchable: frozenset[str] = frozenset()  # cells that stay, whatever is known of the student
    comments: int | None = None  # the column of comments to students, in HTML

    @property
    def name(self) -> str:
        return PLATFORM_NAMES[self.platform]

    @property
    def next_step(self) -> str:
        return NEXT_STEPS[self.platform]

    @property
    def candidates(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if not column.why_not)

    def says_excused(self, value: str) -> bool:
        words = {self.excused.casefold(), *self.also_excused} - {""}
        return value.strip().casefold() in words

    def column(self, index: int | None) -> Column | None:
        return next((candidate for candidate in self.candidates if candidate.index == index), None)


@dataclass(frozen=True, slots=True)
class Keys:
    """Which columns say who a row is about; a name may take several."""

    name: tuple[int, ...] = ()
    lms_id: int | None = None
    number: int | None = None
    login: int | None = None
    email: int | None = None


@dataclass(frozen=True, slots=True)
class People:
    rows: tuple[Person, ...]
    remarks: tuple[str, ...]


def people_in(cells: Cells, keys: Keys, skipped: Iterable[int] = ()) -> People:
    """Rows below the head but for ``skipped``; one with too few or too many cells gets a remark."""
    uneven = ragged(cells.rows)
    left_out = {0, *skipped}
    people, remarks = [], []
    for number, row in enumerate(cells.rows):
        if number in left_out or row.is_blank:
            continue
        if number in uneven:
            remarks.append(
                f"Line {row.line} has {len(row.cells)} cells where the first line has "
                f"{len(cells.head)}: it is unchanged."
            )
        else:
            people.append(_person(number, row.line, row.values, keys))
    return People(tuple(people), tuple(remarks))


def _person(number: int, line: int, values: Sequence[str], keys: Keys) -> Person:
    def at(index: int | None) -> str:
        return "" if index is None else bare_id(values[index])

    name = " ".join(filter(None, (bare_id(values[index]) for index in keys.name)))
    return Person(
        number, line, name, at(keys.lms_id), at(keys.number), at(keys.login), at(keys.email)
    )


_SPREADSHEET_TEXT = re.compile(r'="(.*)"')


def bare_id(value: str) -> str:
    """Without what keeps spreadsheets from reading it as a number or a formula: ``="007"``."""
    value = value.strip()
    armoured = _SPREADSHEET_TEXT.fullmatch(value)
    return armoured[1].strip() if armoured else value


def places(head: Sequence[str]) -> Mapping[str, int]:
    """Where each heading stands (the first of its name), in small letters."""
    columns: dict[str, int] = {}
    for index, title in enumerate(head):
        columns.setdefault(plain(title), index)
    return columns


def plain(title: str) -> str:
    """A heading as it is compared."""
    return title.strip("\ufeff \t").casefold()

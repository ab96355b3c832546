"""Canvas: docs/gradebook.md, “Canvas gradebook CSV”."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.lms.cells import Cells, Row, number_in
from grading.pyramid.formats.lms.grade_file import (
    Column,
    GradeFile,
    Keys,
    Platform,
    people_in,
    places,
    plain,
)

POINTS_POSSIBLE: Final = "    Points Possible"
EXCUSED: Final = "EX"
ALSO_EXCUSED: Final = frozenset({"excused"})
# Canvas ignores every column whose heading holds one of these.
_IGNORED: Final = re.compile(
    "Current Score|Current Points|Current Grade|Final Score|Final Points|Final Grade"
    "|Override Score|Override Grade|Override Status"
)
_ASSIGNMENT: Final = re.compile(r"(.*)\s\((\d+)\)", re.DOTALL)
_POSTING: Final = re.compile(r"(muted|manual posting.*)?", re.IGNORECASE)
_READ_ONLY: Final = re.compile(r"read\s+only", re.IGNORECASE)
_TEST_STUDENTS: Final = frozenset({"student, test", "test student"})


def recognises(head: Sequence[Sequence[str]]) -> bool:
    first = [plain(title) for title in head[0][:3]]
    return first[:2] == ["student", "id"] or first == ["lastname", "firstname", "id"]


def read(cells: Cells) -> GradeFile:
    section = _section(cells)
    special = {number for number, row in enumerate(cells.rows) if _is_special(row)}
    test_students = _test_students(cells)
    people = people_in(cells, _keys(cells.head, section), special | set(test_students))
    remarks = [
        f"Line {line} is Canvas's test student: it is unchanged." for line in test_students.values()
    ]
    return GradeFile(
        Platform.CANVAS,
        cells,
        tuple(_columns(cells, section, special)),
        people.rows,
        (*people.remarks, *remarks),
        excused=EXCUSED,
        also_excused=ALSO_EXCUSED,
        untouchable=frozenset({"N/A"}),
    )


def dropped_words(title: str) -> str:
    """What makes Canvas ignore a column of this title; "" where nothing does."""
    hit = _IGNORED.search(title)
    return hit[0] if hit else ""


def looks_numbered(title: str) -> bool:
    """Would Canvas take the end of the title for the number of one of its assignments?"""
    return _ASSIGNMENT.fullmatch(title) is not None


def _section(cells: Cells) -> int:
    section = places(cells.head).get("section")
    if section is None:
        raise InputError(
            "Line 1: this looks like Canvas's gradebook, but the column “Section” is missing. "
            "Export it from Canvas again, and leave all columns in it."
        )
    return section


def _keys(head: Sequence[str], section: int) -> Keys:
    """Columns after the section are the teacher's, whatever they are called."""
    columns = {title: index for title, index in places(head).items() if index < section}
    name = (
        (columns["student"],)
        if "student" in columns
        else (columns["firstname"], columns["lastname"])
    )
    return Keys(name, columns.get("id"), columns.get("sis user id"), columns.get("sis login id"))


def _is_special(row: Row) -> bool:
    """The points, or how grades are posted; such a row may be shorter than the others."""
    if "points possible" in row.cells[0].value.casefold():
        return True
    return all(_POSTING.fullmatch(value.strip()) for value in row.values)


def _test_students(cells: Cells) -> dict[int, int]:
    """Number and line of the last row, where it is about nobody."""
    number, row = [pair for pair in enumerate(cells.rows) if not pair[1].is_blank][-1]
    name = ", ".join(row.values[:2]) if plain(cells.head[0]) == "lastname" else row.values[0]
    return {number: row.line} if name.strip().casefold() in _TEST_STUDENTS else {}


def _columns(cells: Cells, section: int, special: Iterable[int]) -> Iterable[Column]:
    rows = [cells.rows[number].values for number in sorted(special)]
    for index, heading in enumerate(cells.head[section + 1 :], start=section + 1):
        if not heading.strip():
            continue
        below = [values[index] for values in rows if len(values) > index]
        yield _column(index, heading, below)


def _column(index: int, heading: str, below: Sequence[str]) -> Column:
    numbered = _ASSIGNMENT.fullmatch(heading.strip())
    title = numbered[1] if numbered else heading
    points = next((number for value in below if (number := number_in(value)) is not None), None)
    posts = any(value.strip().casefold().startswith("manual posting") for value in below)
    note = "Canvas shows these grades to students only after you post them." if posts else ""
    return Column(index, title, points, _why_not(heading, numbered is not None, below), note)


def _why_not(heading: str, is_numbered: bool, below: Sequence[str]) -> str:
    if words := dropped_words(heading):
        return f"Canvas ignores columns with “{words}” in their heading"
    if any(_READ_ONLY.search(value) for value in below):
        return "Canvas calculates it itself"
    return "" if is_numbered else "it has no number of a Canvas assignment"

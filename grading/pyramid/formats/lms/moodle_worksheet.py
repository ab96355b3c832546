"""Moodle's worksheet of one assignment: docs/gradebook.md, “Moodle assignment offline grading
worksheet”. The number of the participant is of that assignment alone, so nobody is known by it."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from grading.pyramid.formats.lms.cells import Cells, number_in
from grading.pyramid.formats.lms.grade_file import (
    Column,
    GradeFile,
    Keys,
    Platform,
    people_in,
    places,
    plain,
)

_NEEDED = {"identifier", "grade", "last modified (grade)"}


def recognises(head: Sequence[Sequence[str]]) -> bool:
    return {plain(title) for title in head[0]} >= _NEEDED


def read(cells: Cells) -> GradeFile:
    columns = places(cells.head)
    name = [
        columns[title] for title in ("full name", "first name", "last name") if title in columns
    ]
    keys = Keys(
        name=tuple(name),
        number=columns.get("id number"),
        login=columns.get("username"),
        email=columns.get("email address"),
    )
    people = people_in(cells, keys)
    return GradeFile(
        Platform.WORKSHEET,
        cells,
        (_grade_column(cells),),
        people.rows,
        (*people.remarks, *_remarks(cells, keys)),
        comments=columns.get("feedback comments") or None,  # Moodle does not see it in first place
    )


def _grade_column(cells: Cells) -> Column:
    columns = places(cells.head)
    scale = "scale" in columns
    why_not = "it is graded by the words of a scale, not by points" if scale else ""
    return Column(columns["grade"], "Grade", _maximum(cells), why_not)


def _maximum(cells: Cells) -> Decimal | None:
    index = places(cells.head).get("maximum grade")
    if index is None:
        return None
    maxima = {number_in(row.values[index]) for row in cells.rows[1:] if len(row.cells) > index}
    numbers = maxima - {None}
    return numbers.pop() if len(numbers) == 1 else None


def _remarks(cells: Cells, keys: Keys) -> Iterable[str]:
    if not keys.name:
        yield (
            "The worksheet doesn't name the participants (anonymous submissions). "
            "Reveal student identities in Moodle, and download it again."
        )
    index = places(cells.head).get("grade can be changed")
    if index is None:
        return
    locked = [
        str(row.line)
        for row in cells.rows[1:]
        if len(row.cells) > index and row.values[index].strip().casefold() == "no"
    ]
    if locked:
        yield (
            f"Moodle says that the grades in line {', '.join(locked)} cannot be changed; it will "
            "ignore them."
        )

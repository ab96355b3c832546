"""Moodle's gradebook export: docs/gradebook.md, “Moodle gradebook export / import”.

Headings are in the language of who exported. Where they are not English, e-mail addresses and the
time of the download, which ends each row, are known by how they look.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

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

_KIND: Final = re.compile(r"(.+) \((Real|Percentage|Letter|Feedback)\)", re.DOTALL)
_LAST: Final = "last downloaded from this course"
_ABOUT_PEOPLE: Final = frozenset(
    {
        "first name", "last name", "surname", "full name", "username", "id number", "institution",
        "department", "email address", "suspended", _LAST,
    }
)  # fmt: skip
_UNIX_TIME: Final = re.compile(r"\d{9,10}")
_TOTALS: Final = re.compile(r"(course|category) total|.* total")


def recognises(head: Sequence[Sequence[str]]) -> bool:
    titles = {plain(title) for title in head[0]}
    if _LAST in titles or (
        titles & _ABOUT_PEOPLE and any(_KIND.fullmatch(title) for title in head[0])
    ):
        return True
    rows = [row for row in head[1:] if any(row)]
    return len(head[0]) > 3 and bool(rows) and all(_ends_in_time(row) for row in rows)


def _ends_in_time(row: Sequence[str]) -> bool:
    return _UNIX_TIME.fullmatch(row[-1].strip()) is not None


def read(cells: Cells) -> GradeFile:
    columns = places(cells.head)
    name = [
        columns[title] for title in ("full name", "first name", "last name") if title in columns
    ]
    if "surname" in columns:
        name.append(columns["surname"])
    email = columns.get("email address")
    keys = Keys(
        name=tuple(name) if name else (0, 1),
        number=columns.get("id number"),
        login=columns.get("username"),
        email=_emails(cells) if email is None else email,
    )
    people = people_in(cells, keys)
    about_people = {keys.number, keys.login, keys.email, *keys.name}
    return GradeFile(
        Platform.MOODLE,
        cells,
        tuple(_columns(cells, about_people)),
        people.rows,
        (*people.remarks, *_remarks(cells)),
        blanks=frozenset({"", "-"}),
    )


def _emails(cells: Cells) -> int | None:
    """The first column in which all that is written are addresses."""
    for index in range(len(cells.head)):
        values = [row.values[index] for row in cells.rows[1:] if len(row.cells) > index]
        filled = [value for value in values if value]
        if filled and all(re.fullmatch(r"[^@\s]+@[^@\s]+", value) for value in filled):
            return index
    return None


def _columns(cells: Cells, about_people: Iterable[int | None]) -> Iterable[Column]:
    for index, heading in enumerate(cells.head):
        is_last = index == len(cells.head) - 1
        if index in about_people or plain(heading) in _ABOUT_PEOPLE or not heading.strip():
            continue
        if is_last and any(_ends_in_time(row.values) for row in cells.rows[1:] if not row.is_blank):
            continue  # no grade has so many digits, whatever stands in other rows
        kind = _KIND.fullmatch(heading)
        title = kind[1] if kind else heading
        why_not = _why_not(title, kind[2] if kind else "", _column(cells, index))
        yield Column(index, title, why_not=why_not)


def _column(cells: Cells, index: int) -> list[str]:
    return [row.values[index] for row in cells.rows[1:] if len(row.cells) > index]


def _why_not(title: str, kind: str, values: Sequence[str]) -> str:
    if kind and kind != "Real":
        return {
            "Percentage": "it holds percentages; export “Real” grades",
            "Letter": "it holds letters; export “Real” grades",
            "Feedback": "it holds comments",
        }[kind]
    if _TOTALS.fullmatch(plain(title)):
        return "Moodle calculates it itself"
    if kind or all(value.strip() in {"", "-"} or number_in(value) is not None for value in values):
        return ""
    return "it holds words"


def _remarks(cells: Cells) -> Iterable[str]:
    if _LAST in places(cells.head):
        yield (
            "Moodle refuses the file if a grade has changed there since. Export, fill and import "
            "it on the same day."
        )

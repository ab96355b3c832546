"""Brightspace (D2L): docs/gradebook.md, “Brightspace / D2L”."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from grading.pyramid.formats.lms.cells import Cells, first_number_in
from grading.pyramid.formats.lms.grade_file import (
    Column,
    GradeFile,
    Keys,
    Platform,
    people_in,
    places,
    plain,
)

_POINTS: Final = re.compile(r"(.+) Points Grade(?:\s*<(.*)>)?\s*", re.DOTALL)
_WORDS: Final = re.compile(r"(.+) (Grade Symbol|Text Grade)(?:\s*<.*>)?\s*", re.DOTALL)
_MAXIMUM: Final = re.compile(r":\s*(\d+(?:[.,]\d+)?)")
_END: Final = "end-of-line indicator"
_KEYS: Final = ("orgdefinedid", "username")


def recognises(head: Sequence[Sequence[str]]) -> bool:
    titles = {plain(title) for title in head[0]}
    has_key = any(key in titles for key in _KEYS)
    return has_key and (_END in titles or any(_POINTS.fullmatch(title) for title in head[0]))


def read(cells: Cells) -> GradeFile:
    columns = places(cells.head)
    name = [columns[title] for title in ("first name", "last name") if title in columns]
    people = people_in(
        cells,
        Keys(
            name=tuple(name),
            number=columns.get("orgdefinedid"),
            login=columns.get("username"),
            email=columns.get("email"),
        ),
    )
    return GradeFile(
        Platform.BRIGHTSPACE,
        cells,
        tuple(_columns(cells.head)),
        people.rows,
        (*people.remarks, *_remarks(cells.head)),
    )


def _columns(head: Sequence[str]) -> Iterable[Column]:
    for index, heading in enumerate(head):
        if points := _POINTS.fullmatch(heading):
            most = _MAXIMUM.search(points[2] or "")
            yield Column(index, points[1], first_number_in(most[1]) if most else None)
        elif words := _WORDS.fullmatch(heading):
            yield Column(index, words[1], why_not=f"it is a “{words[2]}”, not points")
        elif plain(heading).endswith(("numerator", "denominator")):
            yield Column(index, heading, why_not="Brightspace calculates it itself")


def _remarks(head: Sequence[str]) -> Iterable[str]:
    if _END not in places(head):
        yield (
            "The column “End-of-Line Indicator” is missing. Brightspace may misread rows that end "
            "in an empty cell; export the file again, and leave all columns in it."
        )

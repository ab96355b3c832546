"""Blackboard Learn: docs/gradebook.md, “Blackboard Learn”."""

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
)

# The words in the brackets are in the language of who exported.
_ITEM: Final = re.compile(r"(.*?)\s*\[([^\[\]]*)\]\s*\|(\d+)", re.DOTALL)
_UP_TO: Final = re.compile(r":\s*up to\b", re.IGNORECASE)
_KIND: Final = re.compile(r"\b(Letter|Text|Percentage|Complete/Incomplete)\s*$", re.IGNORECASE)


def recognises(head: Sequence[Sequence[str]]) -> bool:
    return len(head[0]) > 3 and any(_ITEM.fullmatch(title.strip()) for title in head[0])


def read(cells: Cells) -> GradeFile:
    columns = places(cells.head)
    people = people_in(
        cells,
        Keys(
            name=(columns.get("first name", 1), columns.get("last name", 0)),
            number=columns.get("student id"),
            login=columns.get("username", 2),
        ),
    )
    return GradeFile(
        Platform.BLACKBOARD, cells, tuple(_columns(cells.head)), people.rows, people.remarks
    )


def _columns(head: Sequence[str]) -> Iterable[Column]:
    for index, heading in enumerate(head):
        if item := _ITEM.fullmatch(heading.strip()):
            title, brackets = item[1], item[2]
            yield Column(index, title, first_number_in(brackets), _why_not(brackets))


def _why_not(brackets: str) -> str:
    if _UP_TO.search(brackets):
        return "Blackboard calculates it itself"
    kind = _KIND.search(brackets)
    return f"it is shown as “{kind[1]}”; let Blackboard show its score" if kind else ""

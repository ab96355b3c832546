"""Sakai's Gradebook: docs/gradebook.md, “Sakai (Gradebook NG)”. The first two columns are known by
their place, the others by how their headings are made."""

import re
from collections import Counter
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

_ITEM: Final = re.compile(r"([^\[\]*#]+?)\s*\[(\d+(?:[.,]\d+)?)\]\s*")
_OTHER: Final = re.compile(r"(\*|#) .+")
_NAMES: Final = frozenset({"name", "student name"})


def recognises(head: Sequence[Sequence[str]]) -> bool:
    titles = head[0]
    items = any(_ITEM.fullmatch(title) for title in titles[2:])
    others = any(_OTHER.fullmatch(title) for title in titles[2:])
    english = len(titles) > 2 and plain(titles[0]) == "student id" and plain(titles[1]) in _NAMES
    return (items and others) or (english and (items or others))


def read(cells: Cells) -> GradeFile:
    people = people_in(
        cells, Keys(name=(1,), number=places(cells.head).get("# student number"), login=0)
    )
    return GradeFile(
        Platform.SAKAI,
        cells,
        tuple(_columns(cells.head)),
        people.rows,
        (*people.remarks, *_remarks(cells)),
    )


def _columns(head: Sequence[str]) -> Iterable[Column]:
    for index, heading in enumerate(head[2:], start=2):
        if item := _ITEM.fullmatch(heading):
            yield Column(index, item[1], number_in(item[2]))
        elif heading.strip() and not _OTHER.fullmatch(heading):
            yield Column(index, heading, why_not="its heading has no points, and Sakai ignores it")


def _remarks(cells: Cells) -> Iterable[str]:
    twice = [title for title, count in Counter(cells.head).items() if count > 1]
    for title in twice:
        words = f"is called “{title}”" if title.strip() else "has no heading"
        yield f"More than one column {words}: Sakai refuses the whole file. Export it again."
    if not cells.source.mark and not cells.source.text.isascii():
        yield (
            "The file has no byte order mark, so Sakai reads its letters as Western European "
            "(Windows-1252). Names with accents may look wrong there. Grades are safe."
        )

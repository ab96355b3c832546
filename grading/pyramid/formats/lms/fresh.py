"""New files for platforms, for who has none to fill: only students who have a grade are in them.

An empty cell would clear a grade in Canvas, in Moodle's gradebook and in Sakai.
"""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from grading.pyramid.formats.gradebook import disarm, is_formula
from grading.pyramid.formats.lms.canvas import (
    EXCUSED,
    POINTS_POSSIBLE,
    dropped_words,
    looks_numbered,
)
from grading.pyramid.formats.lms.cells import written
from grading.pyramid.formats.lms.filling import Grade
from grading.pyramid.formats.lms.matching import Student


@dataclass(frozen=True, slots=True)
class Fresh:
    """A new file; ``left_out`` are students who are not in it, each with the reason."""

    data: bytes
    students: int
    left_out: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class _Id:
    """A column that the platform knows students by."""

    heading: str
    of: Callable[[Student], str]

    def written(self, student: Student) -> str:
        """The value as it is, but nothing for what a spreadsheet would run."""
        value = self.of(student)
        return "" if is_formula(value) else value


_CANVAS_NEXT = (
    "In Canvas, import it in the gradebook. Canvas creates a new assignment for an unknown "
    "title, and asks first."
)
_SIS_ID = _Id("SIS User ID", lambda student: student.number)
_CANVAS_LOGIN = _Id("SIS Login ID", lambda student: student.login)
_CANVAS_ID = _Id("ID", lambda student: student.lms_id)
_MOODLE_IDS = (
    _Id("ID number", lambda student: student.number),
    _Id("Username", lambda student: student.login),
    _Id("Email address", lambda student: student.email),
)


def canvas_file(
    title: str, points: Decimal, grades: Sequence[Grade], sections: dict[int, str]
) -> Fresh:
    """Canvas's gradebook with one column, of an assignment that it finds by its title."""
    ids = (_CANVAS_ID, _SIS_ID, _CANVAS_LOGIN)
    known, left_out = _with_ids([grade for grade in grades if _has_value(grade)], ids)
    rest = [(grade.student.name, _why(grade)) for grade in grades if not _has_value(grade)]
    rows = [
        ["Student", *(id_column.heading for id_column in ids), "Section", disarm(title)],
        [POINTS_POSSIBLE, *("" for _ in ids), "", written(points)],
        *(
            [
                disarm(grade.student.name),
                *(id_column.written(grade.student) for id_column in ids),
                disarm(sections.get(grade.student.key, "")),
                EXCUSED if grade.points is None else written(grade.points),
            ]
            for grade in known
        ),
    ]
    warnings = (*_canvas_title(title), *_formulas(known, ids))
    return Fresh(_csv(rows), len(known), (*left_out, *rest), warnings, _CANVAS_NEXT)


def moodle_file(title: str, grades: Sequence[Grade]) -> Fresh:
    """For Moodle's grade import, where a person says by which one column students are known.

    A row with an empty key would give its grade to the student before, and an unknown one stops the
    import: so a column of ids is there only where every row has one.
    """
    graded = [grade for grade in grades if grade.points is not None]
    rest = [(grade.student.name, _why(grade)) for grade in grades if grade.points is None]
    whole = [
        id_column
        for id_column in _MOODLE_IDS
        if all(id_column.written(grade.student) for grade in graded)
    ]
    ids = whole or [max(_MOODLE_IDS, key=lambda id_column: _count(id_column, graded))]
    known, left_out = _with_ids(graded, ids)
    rows = [
        ["Full name", *(id_column.heading for id_column in ids), disarm(title)],
        *(
            [
                disarm(grade.student.name),
                *(id_column.written(grade.student) for id_column in ids),
                written(grade.points),
            ]
            for grade in known
            if grade.points is not None
        ),
    ]
    named = " or ".join(f"“{id_column.heading}”" for id_column in ids)
    hint = f"In Moodle, import it as CSV under Grades, and identify users by {named}."
    return Fresh(_csv(rows), len(known), (*left_out, *rest), tuple(_formulas(graded, ids)), hint)


def _has_value(grade: Grade) -> bool:
    return grade.is_excused or grade.points is not None


def _why(grade: Grade) -> str:
    if grade.is_excused:
        return "excused: set this in the LMS"
    return grade.why_none or "no grade yet"


def _count(id_column: _Id, grades: Iterable[Grade]) -> int:
    return sum(bool(id_column.written(grade.student)) for grade in grades)


def _with_ids(
    grades: Iterable[Grade], ids: Sequence[_Id]
) -> tuple[list[Grade], list[tuple[str, str]]]:
    """Those whom the platform can know, and the others: a name alone is nothing to go by."""
    known, unknown = [], []
    for grade in grades:
        if any(id_column.written(grade.student) for id_column in ids):
            known.append(grade)
        else:
            needed = " or ".join(id_column.heading for id_column in ids)
            unknown.append((grade.student.name, f"no {needed} in the roster"))
    return known, unknown


def _formulas(grades: Iterable[Grade], ids: Iterable[_Id]) -> list[str]:
    return [
        f"The {id_column.heading} of {grade.student.name}, “{id_column.of(grade.student)}”, would "
        "run as a formula in a spreadsheet. Its cell is empty. Fix it in the roster."
        for grade in grades
        for id_column in ids
        if is_formula(id_column.of(grade.student))
    ]


def _canvas_title(title: str) -> Iterable[str]:
    if words := dropped_words(title):
        yield (
            f"Canvas ignores columns with “{words}” in their title. Choose another title here and "
            "in Canvas."
        )
    if looks_numbered(title):
        yield (
            "Canvas reads a number in brackets as an assignment's id and would put the grades "
            "there. Choose another title."
        )


def _csv(rows: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()

"""Filling a platform's file changes nothing but its column, however the file is written."""

import re
from dataclasses import dataclass
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.formats.encodings import decode_exactly
from grading.pyramid.formats.lms.cells import DELIMITERS, number_in
from grading.pyramid.formats.lms.filling import Choices, Grade, fill
from grading.pyramid.formats.lms.matching import Student
from grading.pyramid.formats.lms.reading import read_grade_file
from tests.pyramid.formats.lms.test_cells import ENCODINGS, ENDS, TEXTS, written

HEAD = ("Student", "ID", "SIS Login ID", "Section", "Other, one (1)", "Essay: x (2)", "Third (3)")
OURS = 5
OLD = st.sampled_from(["", "7", "7.5", "7,25", "EX", "-", 'late; "sic"'])
POINTS = st.decimals(0, 10, places=2) | st.none() | st.just("excused")
ANY_CELL = r'(?:[^"\r\n]*|"(?:[^"]|"")*")'


@dataclass(frozen=True)
class Made:
    """A file; ``pattern`` is what it may become: any cell in the place of ours, else the same."""

    text: str
    mark: bytes
    codec: str
    pattern: str
    rows: tuple[tuple[str, ...], ...]
    grades: tuple[Grade, ...]

    @property
    def data(self) -> bytes:
        return self.mark + self.text.encode(self.codec)


@st.composite
def files(draw: st.DrawFn) -> Made:
    codec, mark = draw(st.sampled_from(ENCODINGS))
    delimiter = draw(st.sampled_from(tuple(DELIMITERS)))
    always, ends_open = draw(st.booleans()), draw(st.booleans())
    rows = [draw(_row(number)) for number in range(1, draw(st.integers(1, 4)) + 1)]
    text, pattern = "", ""
    for number, row in enumerate([HEAD, *rows]):
        for index, value in enumerate(row):
            cell = written(value, delimiter, always or draw(st.booleans()))
            behind = delimiter if index < len(row) - 1 else draw(st.sampled_from(ENDS))
            if number == len(rows) and index == len(row) - 1 and ends_open:
                behind = ""
            text += cell + behind
            is_ours = number > 0 and index == OURS
            pattern += (ANY_CELL if is_ours else re.escape(cell)) + re.escape(behind)
    grades = tuple(_grade(int(row[1]), draw(POINTS)) for row in rows)
    return Made(text, mark, codec, pattern, tuple(rows), grades)


@st.composite
def _row(draw: st.DrawFn, number: int) -> tuple[str, ...]:
    name, section, other, third = (draw(TEXTS) for _ in range(4))
    return (name, str(number), f"s{number}", section, other, draw(OLD), third)


def _grade(number: int, points: object) -> Grade:
    student = Student(number, "", lms_id=str(number))
    if isinstance(points, Decimal):
        return Grade(student, points)
    return Grade(student, is_excused=points is not None)


def _filled(made: Made, data: bytes) -> bytes:
    file = read_grade_file(data)
    column = next(candidate for candidate in file.columns if candidate.index == OURS)
    return fill(file, column, made.grades, Choices(OURS, Decimal(10))).data


@given(files())
def test_filling_changes_nothing_but_its_column_and_reads_back(made: Made) -> None:
    source = decode_exactly(made.data)
    if source.codec != made.codec:
        return  # what Windows wrote, and happens to be good UTF-8
    after = _filled(made, made.data)

    decoded = decode_exactly(after)
    assert (decoded.codec, decoded.mark) == (source.codec, source.mark)
    assert re.fullmatch(made.pattern, decoded.text)
    rows = read_grade_file(after).cells.rows[1:]
    for row, before, grade in zip(rows, made.rows, made.grades, strict=True):
        assert row.values[:OURS] == before[:OURS]
        assert row.values[OURS + 1 :] == before[OURS + 1 :]
        _check(row.values[OURS], before[OURS], grade)


def _check(now: str, before: str, grade: Grade) -> None:
    if (before == "EX" and grade.points is not None) or grade.is_excused:
        assert now == "EX"
    elif grade.points is None:
        assert now == before
    else:
        assert number_in(now) == grade.points


@given(files())
def test_filling_again_changes_nothing(made: Made) -> None:
    after = _filled(made, made.data)

    assert _filled(made, after) == after

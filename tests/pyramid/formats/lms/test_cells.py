"""Cells of a file are changed while everything else stays, whatever wrote the file."""

import codecs
import csv
import io
import re
from dataclasses import dataclass

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats.encodings import decode_exactly
from grading.pyramid.formats.lms.cells import DELIMITERS, Cells, read_cells

ENCODINGS = (
    ("utf-8", b""),
    ("utf-8", codecs.BOM_UTF8),
    ("utf-16-le", codecs.BOM_UTF16_LE),
    ("utf-16-be", codecs.BOM_UTF16_BE),
    ("cp1252", b""),
)
ENDS = ("\n", "\r\n", "\r")
COLUMNS = 4
# Everything that could be mistaken for what holds the file together, and letters besides.
TEXTS = st.text(alphabet=",;:\t\"\n\r'= -aé7.€", max_size=6)


@dataclass(frozen=True)
class Made:
    """A file with its cells, and the bytes on either side of each cell of one column."""

    data: bytes
    delimiter: str
    values: tuple[tuple[str, ...], ...]
    column: int
    around: tuple[bytes, ...]
    codec: str


@st.composite
def files(draw: st.DrawFn) -> Made:
    codec, mark = draw(st.sampled_from(ENCODINGS))
    delimiter = draw(st.sampled_from(tuple(DELIMITERS)))
    column = draw(st.integers(0, COLUMNS - 1))
    values = draw(st.lists(st.tuples(*[TEXTS] * COLUMNS), min_size=1, max_size=5))
    always = draw(st.booleans())
    around, text = [], ""
    for number, row in enumerate(values):
        for index, value in enumerate(row):
            cell = written(value, delimiter, always or draw(st.booleans()))
            if index == column:
                around.append(text.encode(codec))
                text = ""
            else:
                text += cell
            text += delimiter if index < COLUMNS - 1 else ""
        is_last = number == len(values) - 1
        text += "" if is_last and draw(st.booleans()) else draw(st.sampled_from(ENDS))
    around.append(text.encode(codec))
    cells = [written(row[column], delimiter, always) for row in values]
    pieces = [around[0]]
    for cell, after in zip(cells, around[1:], strict=True):
        pieces += [cell.encode(codec), after]
    around[0] = mark + around[0]
    return Made(mark + b"".join(pieces), delimiter, tuple(values), column, tuple(around), codec)


def written(value: str, delimiter: str, quotes: object) -> str:
    if quotes or any(special in value for special in f'"\r\n{delimiter}'):
        doubled = value.replace('"', '""')
        return f'"{doubled}"'
    return value


def _read(made: Made) -> Cells | None:
    try:
        source = decode_exactly(made.data)
    except InputError:  # nothing but blanks
        return None
    if source.codec != made.codec:
        return None  # what Windows wrote can happen to be good UTF-8
    return read_cells(source, made.delimiter)


@given(files(), st.data())
def test_filling_changes_nothing_but_its_column(made: Made, data: st.DataObject) -> None:
    cells = _read(made)
    if cells is None:
        return
    new = [data.draw(TEXTS) for _ in made.values]

    after = cells.filled({(row, made.column): value for row, value in enumerate(new)})

    pattern = b""
    for before, value in zip(made.around, new, strict=False):
        ways = [written(value, made.delimiter, quotes).encode(made.codec) for quotes in (0, 1)]
        pattern += re.escape(before) + b"(?:" + b"|".join(map(re.escape, ways)) + b")"
    assert re.fullmatch(pattern + re.escape(made.around[-1]), after)


@given(files(), st.data())
def test_what_was_filled_in_is_read_back(made: Made, data: st.DataObject) -> None:
    cells = _read(made)
    if cells is None:
        return
    new = [data.draw(TEXTS) for _ in made.values]

    after = cells.filled({(row, made.column): value for row, value in enumerate(new)})

    assume(after.decode(made.codec).lstrip("\ufeff").strip())  # blanks alone are no file to read
    again = read_cells(decode_exactly(after), made.delimiter)
    rows = [list(row) for row in made.values]
    for row, value in zip(rows, new, strict=True):
        row[made.column] = value
    assert [list(row.values) for row in again.rows] == rows


@given(files())
def test_filling_with_what_stands_there_changes_nothing(made: Made) -> None:
    cells = _read(made)
    if cells is None:
        return
    assert [row.values for row in cells.rows] == list(made.values)

    same = {(row, made.column): values[made.column] for row, values in enumerate(made.values)}

    assert cells.filled(same) == made.data
    assert cells.filled({}) == made.data


@pytest.mark.parametrize(
    ("column", "quoted"),
    [('1\n"2"\n\n"3"', True), ("1\n2\n\n3", False), ('1\n\n""\n', False), ('"1"\n\n\n', True)],
)
def test_an_empty_cell_is_quoted_as_its_column_is(column: str, quoted: bool) -> None:
    cells = read_cells(decode_exactly(f"x,y\n{column}".replace("\n", ",z\n").encode()), ",")
    empty = next(number for number, row in enumerate(cells.rows) if not row.cells[0].value)

    after = cells.filled({(empty, 0): "8"})

    assert (b'"8"' in after) is (quoted or cells.rows[empty].cells[0].is_quoted)


def test_backslashes_before_quotes_are_read_as_php_writes_them() -> None:
    php = decode_exactly(b'name,words,grade\nAda,"says \\"no\\", twice",7\nBo,none,8\n')

    cells = read_cells(php, ",")

    assert [row.values[2] for row in cells.rows] == ["grade", "7", "8"]
    assert cells.filled({(1, 2): "9"}) == php.text.replace("7", "9").encode()


def test_lines_are_counted_through_cells_that_hold_some() -> None:
    cells = read_cells(decode_exactly(b'a,"b\r\nc"\r\nd,e\rf,g\n'), ",")

    assert [row.line for row in cells.rows] == [1, 3, 4]


def test_a_quotation_mark_that_is_never_closed_is_named_by_its_line() -> None:
    with pytest.raises(InputError, match="Line 2: a quotation mark is never closed"):
        read_cells(decode_exactly(b'a,b\nc,"d\ne,f\n'), ",")


@given(st.binary(max_size=60))
def test_whatever_is_read_comes_back_as_it_was(data: bytes) -> None:
    try:
        cells = read_cells(decode_exactly(data), ",")
    except InputError:
        return
    assert cells.filled({}) == data


def test_python_reads_the_same() -> None:
    text = 'a,"b ""c""",,"d\ne"\n1,2,"",4\n'

    cells = read_cells(decode_exactly(text.encode()), ",")

    assert [list(row.values) for row in cells.rows] == list(csv.reader(io.StringIO(text)))

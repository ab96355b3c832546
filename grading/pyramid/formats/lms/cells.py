"""A file of cells in which single cells can be changed while every other byte stays as it is.

Nothing is written out again: the place of each cell in the text is remembered, and only what stands
between its first and its last character is replaced.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from grading.pyramid.errors import InputError
from grading.pyramid.formats.encodings import Decoded

# Numbers as gradebooks write them: a decimal point or comma, and nothing between thousands.

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_FRACTION = re.compile(r"-?\d+([.,])(\d+)%?")
_FIRST_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_HUNDREDTH = Decimal("0.01")  # no platform keeps more of what is imported
_MOST_DIGITS = 20  # what has more is no grade, and more than can be rounded


def number_in(text: str) -> Decimal | None:
    """The number that this is; None for words, blanks, ids and what has two separators."""
    text = text.strip()
    return _number(text) if _NUMBER.fullmatch(text) else None


def first_number_in(text: str) -> Decimal | None:
    hit = _FIRST_NUMBER.search(text)
    return _number(hit[0]) if hit else None


def _number(text: str) -> Decimal | None:
    return Decimal(text.replace(",", ".")) if len(text) <= _MOST_DIGITS else None


def rounded(number: Decimal) -> Decimal:
    return number.quantize(_HUNDREDTH, ROUND_HALF_UP)


def written(number: Decimal, separator: str = ".", decimals: int = 0) -> str:
    """With as many decimals as it needs, and at least ``decimals``."""
    exact = rounded(number)
    needed = len(f"{exact:f}".rstrip("0").partition(".")[2])
    return f"{exact:.{max(needed, min(decimals, 2))}f}".replace(".", separator)


def separator_of(texts: Iterable[str]) -> str:
    """What most of the numbers have before their decimals; "" where none has any.

    Three digits behind it may be thousands, and say nothing.
    """
    hits = (_FRACTION.fullmatch(text.strip()) for text in texts)
    counted = Counter(match[1] for match in hits if match and len(match[2]) != 3)
    return counted.most_common(1)[0][0] if counted else ""


def decimals_of(texts: Iterable[str]) -> int:
    """How many decimals all of the numbers have, if all have the same number of them."""
    separators = {
        len(text.strip().replace(",", ".").partition(".")[2])
        for text in texts
        if _NUMBER.fullmatch(text.strip())
    }
    return separators.pop() if len(separators) == 1 else 0


DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", ":": "colons"}
MOST_COLUMNS = 2_000
MOST_CELLS = 500_000
_BREAK = re.compile(r"\r\n|\r|\n")
# PHP writes a quote behind a backslash as it is, the others double it.
_INSIDE = {False: r'[^"]*+(?:""[^"]*+)*+', True: r'(?:\\"|""|[^"])*+'}

Place = tuple[int, int]  # row and column, from 0


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands from ``start`` to ``end``, quotes included, and what it means."""

    start: int
    end: int
    value: str
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class Row:
    line: int  # of the file, from 1
    cells: tuple[Cell, ...]

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(cell.value for cell in self.cells)

    @property
    def is_blank(self) -> bool:
        return not any(cell.value.strip() for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Cells:
    """The whole file; ``rows[0]`` is its head."""

    source: Decoded
    delimiter: str
    rows: tuple[Row, ...]

    @property
    def head(self) -> tuple[str, ...]:
        return self.rows[0].values

    def value(self, place: Place) -> str:
        return self.rows[place[0]].cells[place[1]].value

    def can_encode(self, value: str) -> bool:
        """Has the encoding of the file all the characters?"""
        try:
            value.encode(self.source.codec)
        except UnicodeEncodeError:
            return False
        return True

    def filled(self, values: Mapping[Place, str]) -> bytes:
        """The file with these cells, quoted as the cells that stood there or as their column is."""
        columns = {column for _, column in values}
        quoted = {column: self._is_quoted(column) for column in columns}
        pieces, at = [], 0
        for row, column in sorted(values):
            cell = self.rows[row].cells[column]
            if cell.value == values[row, column]:
                continue
            old_is_a_sign = cell.is_quoted or cell.value != ""
            quotes = cell.is_quoted if old_is_a_sign else quoted[column]
            pieces += [
                self.source.text[at : cell.start],
                self._written(values[row, column], quotes),
            ]
            at = cell.end
        pieces.append(self.source.text[at:])
        return self.source.mark + "".join(pieces).encode(self.source.codec)

    def _is_quoted(self, column: int) -> bool:
        """Are the cells of this column quoted? Where all are empty, those of the whole file."""
        rows = self.rows[1:]
        own = [row.cells[column] for row in rows if len(row.cells) > column]
        quoted = [cell.is_quoted for cell in own if cell.value]
        if quoted:
            return 2 * sum(quoted) > len(quoted)
        others = [cell.is_quoted for row in rows for cell in row.cells if cell.value]
        return bool(others) and all(others)

    def _written(self, value: str, quotes: bool) -> str:
        if quotes or any(special in value for special in f'"\r\n{self.delimiter}'):
            doubled = value.replace('"', '""')
            return f'"{doubled}"'
        return value


def head_of(source: Decoded, delimiter: str, rows: int = 3) -> list[tuple[str, ...]]:
    """The first rows as this delimiter would cut them; none where they cannot be cut."""
    table_rows: list[tuple[str, ...]] = []
    try:
        for row in _rows(source.text, delimiter, escapes=False):
            table_rows.append(row.values)
            if len(table_rows) == rows:
                break
    except InputError:
        pass
    return table_rows


def read_cells(source: Decoded, delimiter: str) -> Cells:
    """InputError names the line of a quotation mark that is never closed."""
    if "\\" not in source.text:
        return Cells(source, delimiter, tuple(_rows(source.text, delimiter, escapes=False)))
    return _tidier(source, delimiter)


def _tidier(source: Decoded, delimiter: str) -> Cells:
    """A backslash before a quote may mean two things: the fewest ragged rows tell which."""
    ways: list[Cells] = []
    refusals: list[InputError] = []
    for escapes in (False, True):
        try:
            rows = tuple(_rows(source.text, delimiter, escapes=escapes))
        except InputError as error:
            refusals.append(error)
        else:
            ways.append(Cells(source, delimiter, rows))
    if not ways:
        raise refusals[0]
    return min(ways, key=lambda cells: len(ragged(cells.rows)))


def ragged(rows: Sequence[Row]) -> Collection[int]:
    """Numbers of the rows that have not as many cells as the head; blank ones do not count."""
    width = len(rows[0].cells)
    return {
        number
        for number, row in enumerate(rows)
        if not row.is_blank and not _fits(row.cells, width)
    }


def _fits(cells: Sequence[Cell], width: int) -> bool:
    """Empty cells at the end of a row are no harm."""
    return len(cells) >= width and not any(cell.value for cell in cells[width:])


def line_ends(text: str) -> int:
    return sum(1 for _ in _BREAK.finditer(text))


def _rows(text: str, delimiter: str, *, escapes: bool) -> Iterator[Row]:
    pattern, at, line, count = _pattern(delimiter, escapes), 0, 1, 0
    while at < len(text):
        start, cells, ended = at, [], False
        while not ended:
            match = pattern.match(text, at)
            if match is None:
                opened = line + line_ends(text[start:at])
                raise InputError(f"Line {opened}: a quotation mark is never closed.")
            cells.append(_cell(match))
            if len(cells) > MOST_COLUMNS or count + len(cells) > MOST_CELLS:
                raise InputError(
                    f"Line {line}: a gradebook has at most {MOST_COLUMNS:,} columns, and "
                    f"{MOST_CELLS:,} cells in all."
                )
            at, ended = match.end(), match["end"] != delimiter
        yield Row(line, tuple(cells))
        count += len(cells)
        line += line_ends(text[start:at])


@cache
def _pattern(delimiter: str, escapes: bool) -> re.Pattern[str]:
    """One cell and what ends it. Letters behind a closing quote belong to the cell."""
    plain = rf"[^{delimiter}\r\n]*+"
    return re.compile(
        rf'(?P<cell>"(?P<inside>{_INSIDE[escapes]})"(?P<tail>{plain})|(?!"){plain})'
        rf"(?P<end>{delimiter}|\r\n|\r|\n|\Z)"
    )


def _cell(match: re.Match[str]) -> Cell:
    start, end = match.span("cell")
    inside = match["inside"]
    if inside is None:
        return Cell(start, end, match["cell"], is_quoted=False)
    return Cell(start, end, inside.replace('""', '"') + match["tail"], is_quoted=True)

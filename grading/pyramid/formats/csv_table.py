"""Tables as spreadsheets and learning platforms write them: any delimiter, any encoding.

Cells are text and stay as they are written; only what is seen by nobody is taken from their ends.
"""

import csv
import io
import unicodedata
from dataclasses import dataclass
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.encodings import decode

DELIMITERS: Final = (",", ";", "\t")
MOST_ROWS: Final = 3_000
_NAMED: Final = {",": "commas", ";": "semicolons", "\t": "tabs"}
_UNSEEN: Final = " \t\n\xa0\ufeff\u200b"


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is not empty, with the line of the file that it begins in."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class Table:
    """The heading is the first row that is not empty."""

    heading: tuple[str, ...]
    rows: tuple[Row, ...]
    delimiter: str
    remark: str = ""


def read_table(data: bytes) -> Table:
    """The rows of a file; InputError names the line that is wrong."""
    decoded = decode(data)
    text, skipped = _without_separator_line(decoded.text)
    delimiter = _delimiter(text)
    rows = _rows(text, delimiter, skipped)
    if not rows:
        raise InputError("This file has no rows.")
    return Table(rows[0].cells, tuple(rows[1:]), delimiter, decoded.remark)


def named_delimiter(table: Table) -> str:
    return _NAMED[table.delimiter]


def squash(words: str) -> str:
    """Letters and digits in one case without accents: “E-Mail Address” is “emailaddress”.

    Vowels that are written as marks, as in Hindi, Tamil and Thai, are letters.
    """
    plain = unicodedata.normalize("NFKD", words.casefold())
    return "".join(
        character for character in plain if character.isalnum() or _is_written_vowel(character)
    )


def _is_written_vowel(character: str) -> bool:
    """A mark that is neither an accent nor a point of Hebrew or Arabic."""
    place = unicodedata.combining(character)
    is_accent = 10 <= place <= 36 or place >= 200
    return unicodedata.category(character) in {"Mn", "Mc"} and not is_accent


def _without_separator_line(text: str) -> tuple[str, int]:
    """Excel's own first line, such as “sep=;”, holds nothing."""
    first, _, rest = text.partition("\n")
    is_one = first.lower().startswith("sep=") and len(first) == 5
    return (rest, 1) if is_one else (text, 0)


def _delimiter(text: str) -> str:
    """What cuts the first row into most cells; a comma where nothing does."""
    first = next((line for line in text.split("\n") if line.strip(" ,;\t")), "")
    try:
        return max(
            DELIMITERS,
            key=lambda delimiter: len(next(csv.reader([first], delimiter=delimiter), [])),
        )
    except csv.Error:
        raise InputError("The first row is too long for a heading.") from None


def _rows(text: str, delimiter: str, skipped: int) -> list[Row]:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    rows: list[Row] = []
    line = skipped + 1
    try:
        for cells in reader:
            if any(cell.strip(_UNSEEN) for cell in cells):
                rows.append(Row(line, tuple(cell.strip(_UNSEEN) for cell in cells)))
            if len(rows) > MOST_ROWS + 1:
                raise InputError(f"The file has more than {MOST_ROWS:,} rows.")
            line = skipped + reader.line_num + 1
    except csv.Error as error:
        if "field limit" in str(error):
            raise InputError(
                f"Line {line}: a cell has more than {csv.field_size_limit():,} characters. Perhaps "
                'a quotation mark (") is opened there and never closed.'
            ) from None
        raise InputError(f'Line {line}: a quotation mark (") is in the wrong place.') from None
    return rows

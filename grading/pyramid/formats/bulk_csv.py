"""Work in a table: a column that says who, and one with what they wrote.

Moodle's worksheet of an assignment may come beside its zip: it has the numbers that the zip's names
have, with e-mail addresses or ID numbers to know the students by.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.bulk_names import PLAIN, NamedFile
from grading.pyramid.formats.csv_table import Table, read_table, squash
from grading.pyramid.formats.online_text import text_of_html
from grading.pyramid.formats.person_names import as_said
from grading.pyramid.formats.roster_csv import columns_of
from grading.pyramid.formats.typed_text import as_typed

_TEXTS: Final = frozenset(
    [
        "text",
        "summary",
        "submission",
        "essay",
        "answer",
        "response",
        "onlinetext",
        "submissiontext",
        "work",
        "writing",
        "antwort",
        "zusammenfassung",
        "resumen",
        "texto",
        "resume",
        "texte",
        "riassunto",
        "testo",
    ]
)
_WORDS_OF_A_TEXT: Final = 8  # a column of fewer on average holds no summaries
_TAG: Final = "</"


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """A row of the table as if it were a file."""

    named: NamedFile
    text: str


def read_written_table(data: bytes, name: str) -> list[WrittenRow]:
    """A text for each row that has one; InputError names what the table lacks."""
    table = read_table(data)
    columns = columns_of(table.heading)
    if not columns:
        raise InputError(
            "No column says who wrote what. Its heading is such as “Login”, “Student number”, "
            "“E-mail” or “Name”."
        )
    column = _text_column(table, columns)
    rows = []
    for row in table.rows:
        cell = row.cell(column)
        text = text_of_html(cell) if _TAG in cell else as_typed(cell)
        ids = {what: row.cell(index) for what, index in columns.items()}
        spelled = " ".join(filter(None, (ids.get("first"), ids.get("last"))))
        named = NamedFile(
            f"{name}, line {row.line}",
            PLAIN,
            name=spelled or as_said(ids.get("name", "")),
            lms_id=ids.get("lms_id", ""),
            logins=tuple(
                filter(None, (ids.get("student_number"), ids.get("login"), ids.get("email")))
            ),
        )
        rows.append(WrittenRow(named, text))
    return rows


def read_worksheet(data: bytes) -> Mapping[str, NamedFile] | None:
    """By the number in Moodle's names who it is; None where the table is no worksheet."""
    table = read_table(data)
    cells = [squash(cell) for cell in table.heading]
    columns = columns_of(table.heading)
    if "identifier" not in cells or not {"name", "email", "student_number"} & set(columns):
        return None
    texts = {}
    for row in table.rows:
        number = "".join(one for one in row.cell(cells.index("identifier")) if one.isdigit())
        ids = [row.cell(columns[what]) for what in ("student_number", "email") if what in columns]
        name = row.cell(columns["name"]) if "name" in columns else ""
        texts[number] = NamedFile("", name=name, logins=tuple(filter(None, ids)))
    return texts


def _text_column(table: Table, columns: Mapping[str, int]) -> int:
    taken = set(columns.values())
    for index, cell in enumerate(table.heading):
        if squash(cell) in _TEXTS and index not in taken:
            return index
    lengths = {
        index: sum(len(row.cell(index).split()) for row in table.rows)
        for index in range(len(table.heading))
        if index not in taken
    }
    best = max(lengths, key=lambda index: lengths[index], default=None)
    if best is None or lengths[best] < _WORDS_OF_A_TEXT * max(1, len(table.rows)):
        raise InputError("No column with texts was found. Call it “Text”.")
    return best

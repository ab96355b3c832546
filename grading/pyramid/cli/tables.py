"""Tables as text, CSV or JSON."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from pathlib import Path

from grading.pyramid.figures import points_in_file

Cell = str | int | float | None


class Format(StrEnum):
    TEXT = "text"
    CSV = "csv"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; None where there is no number. ``points`` names the columns of points."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    points: frozenset[str] = frozenset()

    def written(self, form: Format) -> str:
        """The whole table, with a line break at its end."""
        if form is Format.JSON:
            rows = [dict(zip(self.columns, map(_json_cell, row), strict=True)) for row in self.rows]
            return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
        rows_as_text = [
            [self._cell(column, cell) for column, cell in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]
        if form is Format.TEXT:
            return _aligned([list(self.columns), *rows_as_text], self._numeric())
        written = io.StringIO()
        table = csv.writer(written, lineterminator="\n")
        table.writerow(self.columns)
        table.writerows(rows_as_text)
        return written.getvalue()

    def _cell(self, column: str, cell: Cell) -> str:
        if cell is None or (isinstance(cell, float) and not isfinite(cell)):
            return ""
        if isinstance(cell, float):
            return points_in_file(cell) if column in self.points else f"{cell:.4f}"
        return str(cell)

    def _numeric(self) -> list[bool]:
        """Which columns have no words in them: they are aligned to the right."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.columns)
        return [not any(isinstance(cell, str) for cell in column) for column in columns]


def format_of(path: Path | None) -> Format:
    """What the ending of a file asks for; text where there is none, or another."""
    endings = {".csv": Format.CSV, ".json": Format.JSON}
    return endings.get(path.suffix.lower(), Format.TEXT) if path else Format.TEXT


def _json_cell(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and not isfinite(cell) else cell


def _aligned(rows: Sequence[Sequence[str]], to_the_right: Sequence[bool]) -> str:
    one_line = [[" ".join(cell.split()) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*one_line, strict=True)]
    return "".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, to_the_right, strict=True)
        ).rstrip()
        + "\n"
        for row in one_line
    )

"""The generic gradebook: a CSV that any spreadsheet opens, safe and complete.

UTF-8 with a byte order mark, so that Excel reads names right. Text that a spreadsheet would take
for a formula gets an apostrophe in front, also where one that cuts lines at semicolons would begin
a cell; numbers are written by us and never altered. What is not scored is an empty cell, never a
zero.
"""

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields

BYTE_ORDER_MARK = "\ufeff"
# The wide ones are what a keyboard for Chinese or Japanese types.
FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_UNSEEN_STARTS = ("\t", "\r", "\n")
_FORMULA_WITHIN = re.compile(rf"([;\t\r\n][\s\"]*)(?=[{re.escape(''.join(FORMULA_STARTS))}])")


@dataclass(frozen=True, slots=True)
class GradebookRow:
    """One student; the field names are the columns."""

    name: str
    login: str
    email: str
    state: str
    attempt: int | None = None
    submitted_at: str = ""
    late: str = ""
    words: int | None = None
    scus: int | None = None
    raw: int | None = None
    quality: float | None = None
    coverage: float | None = None
    comprehensive: float | None = None
    pyramid: int | None = None
    signature: str = ""
    final: str = ""  # “no” is a draft, handed in for feedback
    shown: str = ""  # does the student see the result?
    copied: float | None = None  # the share of the words that stand in the source in a row


def disarm(text: str) -> str:
    """The text, made harmless where a spreadsheet would run it."""
    is_armed = text.startswith(_UNSEEN_STARTS) or text.lstrip().startswith(FORMULA_STARTS)
    within = _FORMULA_WITHIN.sub(r"\1'", text)
    return f"'{within}" if is_armed else within


def _cell(value: str | int | float | None) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}"
    return disarm(value) if isinstance(value, str) else str(value)


def gradebook_csv(rows: Iterable[GradebookRow]) -> str:
    """The whole file as text."""
    return table_csv([field.name for field in fields(GradebookRow)], map(astuple, rows))


def table_csv(columns: Iterable[str], rows: Iterable[Iterable[str | int | float | None]]) -> str:
    """Any table as text, as safe as the gradebook."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return BYTE_ORDER_MARK + out.getvalue()

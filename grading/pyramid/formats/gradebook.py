"""The generic gradebook: a CSV that any spreadsheet opens, safe and complete.

UTF-8 with a byte order mark, so that Excel reads names right. Text that a spreadsheet would take
for a formula gets an apostrophe in front, also where one that cuts lines at semicolons would begin
a cell. Numbers and ids are never altered; what should be an id and would run as a formula is left
out. What is not scored is an empty cell, never a zero.
"""

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from decimal import Decimal

from grading.pyramid.figures import points_in_file

BYTE_ORDER_MARK = "\ufeff"
# The wide ones are what a keyboard for Chinese or Japanese types.
FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_UNSEEN_STARTS = ("\t", "\r", "\n")
_HARMLESS_ID = re.compile(r"[\w.@+-]+")  # what log-ins are made of: nothing that a formula could do
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
    statements: int | None = None  # that were counted, with or without an idea
    raw: float | None = None
    quality: float | None = None
    coverage: float | None = None
    comprehensive: float | None = None
    pyramid: int | None = None
    signature: str = ""
    final: str = ""  # “no” is a draft, submitted for feedback
    shown: str = ""  # does the student see the result?
    copied: float | None = None  # the share of the words that are in the source in a row
    grade: Decimal | None = None
    points_possible: Decimal | None = None
    grade_state: str = ""
    by_hand: str = ""
    reason: str = ""  # of what was set manually
    section: str = ""
    student_number: str = ""
    lms_id: str = ""
    lms_login: str = ""
    grade_label: str = ""  # of its band
    grade_attempt: int | None = None  # that the grade rests on
    contradicted: int | None = None  # matches that may contradict the experts, undecided
    held: str = ""  # are words held? "yes", "in part" or "no"
    ideas_matched: int | None = None
    flags: str = ""  # reasons why a person should look at the text
    reviewed: str = ""  # has a grader reviewed it, as it is scored now?


_IDS = frozenset({"login", "email", "student_number", "lms_id", "lms_login"})
Value = str | int | float | Decimal | None


def disarm(text: str) -> str:
    """The text, made harmless where a spreadsheet would run it."""
    is_armed = text.startswith(_UNSEEN_STARTS) or text.lstrip().startswith(FORMULA_STARTS)
    within = _FORMULA_WITHIN.sub(r"\1'", text)
    return f"'{within}" if is_armed else within


def is_formula(value: str) -> bool:
    """Would a spreadsheet run this id? Then it is none, and nothing may be put before one."""
    return disarm(value) != value and not _HARMLESS_ID.fullmatch(value)


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}"
    return disarm(value) if isinstance(value, str) else str(value)


def gradebook_csv(rows: Iterable[GradebookRow]) -> str:
    """The whole file as text."""
    columns = [field.name for field in fields(GradebookRow)]
    cells = ([_cell_of(row, column) for column in columns] for row in rows)
    return _written(columns, cells)


def _cell_of(row: GradebookRow, column: str) -> str:
    value: Value = getattr(row, column)
    if column == "raw" and row.raw is not None:
        return points_in_file(row.raw)
    if column in _IDS and isinstance(value, str):
        return "" if is_formula(value) else value
    return _cell(value)


def table_csv(columns: Iterable[str], rows: Iterable[Iterable[Value]]) -> str:
    """Any table as text, as safe as the gradebook."""
    return _written(columns, ([_cell(value) for value in row] for row in rows))


def _written(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows(rows)
    return BYTE_ORDER_MARK + out.getvalue()

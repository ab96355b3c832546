"""From the bytes of a file to what is known of it: which platform wrote it, and who is in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from grading.pyramid.errors import InputError
from grading.pyramid.formats.encodings import Decoded, decode_exactly
from grading.pyramid.formats.lms import (
    blackboard,
    brightspace,
    canvas,
    moodle,
    moodle_worksheet,
    sakai,
)
from grading.pyramid.formats.lms.cells import DELIMITERS, Cells, head_of, read_cells
from grading.pyramid.formats.lms.grade_file import GradeFile

LONGEST_NAMED = 40  # characters of a heading, where a file is described
LONGEST_HEADING = 2_000  # characters; no platform writes longer ones
_HEADINGS_NAMED = 6


@dataclass(frozen=True, slots=True)
class Reader:
    recognises: Callable[[Sequence[Sequence[str]]], bool]
    read: Callable[[Cells], GradeFile]


# The first that recognises a file reads it.
READERS = tuple(
    Reader(module.recognises, module.read)
    for module in (canvas, moodle_worksheet, blackboard, brightspace, sakai, moodle)
)

EXPECTED = (
    "Canvas: Student, ID, …, Section, then assignments such as “Essay 1 (4410)”",
    "Moodle, grade export: First name, Last name, …, and columns that end in “(Real)”",
    "Moodle, grading worksheet, in English: Identifier, …, Grade, …, Last modified (grade)",
    "Blackboard: Last Name, First Name, Username, …, “Essay 1 [Total Pts: 100 Score] |664617”",
    "Brightspace: OrgDefinedId, Username, …, “Essay 1 Points Grade”, End-of-Line Indicator",
    "Sakai: Student ID, Name, …, “Essay 1 [100]”",
)


def read_grade_file(data: bytes) -> GradeFile:
    """InputError says what the file looks like where no platform writes such files."""
    try:
        source = decode_exactly(data)
    except InputError as error:
        raise InputError(f"{error} Upload gradebooks as CSV or text files.") from None
    for delimiter in DELIMITERS:
        head = head_of(source, delimiter)
        if not head or max(map(len, head[0])) > LONGEST_HEADING:
            continue
        for reader in READERS:
            if reader.recognises(head):
                grade_file = reader.read(read_cells(source, delimiter))
                return replace(
                    grade_file, remarks=(*grade_file.remarks, *filter(None, [source.remark]))
                )
    raise InputError(_looks_like(source))


def _looks_like(source: Decoded) -> str:
    """What the first line is, cut in the way that gives the most cells."""
    heads = {delimiter: head_of(source, delimiter, rows=1) for delimiter in DELIMITERS}
    if not any(heads.values()):
        return "Line 1: a quotation mark is never closed."
    delimiter = max(heads, key=lambda head: len(heads[head][0]) if heads[head] else 0)
    titles = heads[delimiter][0]
    named = ", ".join(f"“{_short(title)}”" for title in titles[:_HEADINGS_NAMED])
    more = len(titles) - _HEADINGS_NAMED
    and_more = f" and {more} more" if more > 0 else ""
    if len(titles) == 1:
        return f"Line 1 is {named}: no columns can be told apart in it."
    return (
        f"Line 1 has {len(titles)} columns, cut at {DELIMITERS[delimiter]}: {named}{and_more}. "
        "No gradebook that we know begins like this."
    )


def _short(title: str) -> str:
    words = " ".join(title.strip("\ufeff").split())
    return words if len(words) <= LONGEST_NAMED else f"{words[:LONGEST_NAMED]}…"

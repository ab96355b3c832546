"""A rubric as a list of statements with weights, one a line, as people write them.

``3<tab>Dark roofs store heat``, ``Dark roofs store heat | 3``, ``Dark roofs store heat (3)``, or
with a bullet or a number in front and no weight, which is then 1.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from grading.pyramid.formats.pyramid_json import HEAVIEST
from grading.pyramid.structures import Pyramid, Scu, Text

LEAST_STATEMENTS: Final = 2
MOST_STATEMENTS: Final = 200
LONGEST_STATEMENT: Final = 500

_BULLET: Final = re.compile(r"(?:[-*•\u2013·]|\(?[0-9]{1,3}[.)])\s+")
_RULED: Final = re.compile(r"[\s|:=_*~-]+")  # a line under a heading, or of a table
_WHOLE: Final = re.compile(r"[0-9]{1,9}")
_IN_BRACKETS: Final = re.compile(r"[(\[] ?([0-9]{1,2}) ?(?:points?|pts?\.?)?[)\]]$", re.IGNORECASE)
_NUMBER_FIRST: Final = re.compile(r"[0-9]{1,2}\s")
_LETTER: Final = re.compile(r"[^\W\d_]")
_COLUMN_NAMES: Final = {"weight", "weights", "statement", "statements", "points", "idea", "label"}


@dataclass(frozen=True, slots=True)
class Statement:
    line: int
    text: str
    weight: int


@dataclass(frozen=True, slots=True)
class Rubric:
    """What was read; ``problems`` must be fixed, ``remarks`` should be checked."""

    statements: tuple[Statement, ...]
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


def read_rubric(text: str) -> Rubric:
    """The statements of a list; each problem names its line."""
    statements: list[Statement] = []
    problems: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        statement = _statement(number, line.strip(" "))
        if isinstance(statement, Statement):
            statements.append(statement)
        else:
            problems.append(f"Line {number}: {statement}")
    if not problems:
        problems += _wrong_number(len(statements))
    remarks = (*_duplicates(statements), *_numbers_first(statements))
    return Rubric(tuple(statements), tuple(problems), remarks)


def pyramid_of_rubric(rubric: Rubric, references: Sequence[Text]) -> Pyramid:
    """Ideas with these weights and no words yet, heaviest first, on the references."""
    scus = [
        Scu(uid, statement.text, (), given_weight=statement.weight)
        for uid, statement in enumerate(rubric.statements, 1)
    ]
    scus.sort(key=lambda scu: -scu.weight)
    return Pyramid(tuple(references), tuple(scus))


def _statement(number: int, line: str) -> Statement | str:
    """The statement of a line, or what is wrong with the line."""
    if wrong := _heading(line):
        return wrong
    text, weight = _parted(line)
    text = " ".join(_BULLET.sub("", text, count=1).split()) if _BULLET.match(text) else text
    if not _WHOLE.fullmatch(weight) or not 1 <= int(weight) <= HEAVIEST:
        return f"the weight, “{weight[:40]}”, is not a whole number from 1 to {HEAVIEST}."
    if not _LETTER.search(text):
        return "there is no statement, only a weight or signs."
    if len(text) > LONGEST_STATEMENT:
        return f"the statement is longer than {LONGEST_STATEMENT} characters. Split it into two."
    return Statement(number, " ".join(text.split()), int(weight))


def _heading(line: str) -> str:
    shown = " ".join(line.split())[:60]
    names = {cell.strip().casefold() for cell in re.split(r"[\t|]", line) if cell.strip()}
    if (
        _RULED.fullmatch(line)
        or line.startswith("#")
        or line.endswith(":")
        or (names and names <= _COLUMN_NAMES)
    ):
        return f"“{shown}” looks like a heading, not a statement. Delete the line."
    return ""


def _parted(line: str) -> tuple[str, str]:
    """Statement and weight: before or behind a tab, behind a bar, or in brackets at the end."""
    cells = [cell.strip() for cell in line.split("\t") if cell.strip()]
    if len(cells) == 2 and _is_number(cells[0]):
        return cells[1], cells[0]
    if len(cells) >= 2:
        return " ".join(cells[:-1]), cells[-1]
    if "|" in line:
        text, _, weight = line.strip().strip("|").rpartition("|")
        return (text, weight.strip()) if text.strip() else (weight, "1")
    if hit := _IN_BRACKETS.search(line):
        return line[: hit.start()], hit[1]
    return line, "1"


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[-+]?[0-9.,]+", cell) is not None


def _wrong_number(count: int) -> Iterator[str]:
    if not LEAST_STATEMENTS <= count <= MOST_STATEMENTS:
        yield (
            f"A rubric has {LEAST_STATEMENTS} to {MOST_STATEMENTS} statements; these are "
            f"{count or 'none'}."
        )


def _duplicates(statements: Sequence[Statement]) -> Iterator[str]:
    first: dict[str, int] = {}
    for statement in statements:
        key = "".join(sign for sign in statement.text.casefold() if sign.isalnum())
        before = first.setdefault(key, statement.line)
        if before != statement.line:
            yield (
                f"Lines {before} and {statement.line} say the same: a student who expresses it "
                "gains both weights."
            )


def _numbers_first(statements: Sequence[Statement]) -> Iterator[str]:
    for statement in statements:
        if statement.weight == 1 and _NUMBER_FIRST.match(statement.text):
            yield (
                f"Line {statement.line} begins with a number and weighs 1. If the number is its "
                "weight, put a tab after it, or write “| weight” at the end."
            )

"""Bands as a list, one a line: ``A | 0.85 | 10``, with tabs, semicolons or bars between."""

import re
from decimal import Decimal
from typing import Final

from grading.pyramid.grade_rules.rules import LONGEST_LABEL, MOST_BANDS, Band, Bands, plain

_BETWEEN: Final = re.compile(r"\s*[|;\t]\s*")
_NUMBER: Final = re.compile(r"[0-9]{1,5}(?:[.,][0-9]{1,4})?")
_ASKED: Final = "a line is a name, the score it begins at, and its points, such as “A | 0.85 | 10”"


def read_bands(text: str) -> tuple[tuple[Band, ...], list[str]]:
    """The bands in their order, and what is wrong, by line."""
    bands: list[Band] = []
    problems: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        band = _band(line)
        if isinstance(band, Band):
            bands.append(band)
        else:
            problems.append(f"Line {number}: {band}")
        if len(bands) + len(problems) > MOST_BANDS:
            return (), [f"These are more than {MOST_BANDS} bands."]
    return tuple(bands), problems


def bands_text(scale: Bands) -> str:
    """What ``read_bands`` reads again."""
    lines = (f"{band.label} | {plain(band.start)} | {plain(band.points)}" for band in scale.bands)
    return "\n".join(lines)


def _band(line: str) -> Band | str:
    """The band of a line, or what is wrong with the line."""
    cells = _BETWEEN.split(line.strip().strip("|").strip())
    if len(cells) != 3:
        return f"{_ASKED}."
    label, start, points = cells
    if not label or len(label) > LONGEST_LABEL:
        return f"the name of a band has 1 to {LONGEST_LABEL} characters."
    for cell in (start, points):
        if not _NUMBER.fullmatch(cell):
            return f"“{cell[:20]}” is no number; {_ASKED}."
    return Band(label, _decimal(start), _decimal(points))


def _decimal(cell: str) -> Decimal:
    return Decimal(cell.replace(",", "."))

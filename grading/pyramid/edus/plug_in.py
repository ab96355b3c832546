"""EDUs that a better segmenter found, out of a file: what ``read_units`` writes, read again.

A line of JSON a text: ``{"summary": its name, "units": [{"kind": "edu", "spans": [[0, 31]]}]}``.
Spans are characters of the text as it was written. Units of other kinds are left aside.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from grading.pyramid.content import PluggedFile
from grading.pyramid.errors import InputError
from grading.pyramid.parsing import ParsedText
from grading.pyramid.structures import Span, Spans

KIND = "edu"


@dataclass(frozen=True, slots=True)
class PluggedUnits:
    """The units of each text by its name, and the line that they stand in."""

    file: str
    units: Mapping[str, tuple[int, tuple[Spans, ...]]]
    name: str = "edus-from-file"

    def spans_of(self, text: ParsedText) -> list[Spans]:
        name, length = text.text.name, len(text.text.content)
        if name not in self.units:
            raise InputError(f"“{self.file}” has no units of the text “{name}”.")
        line, units = self.units[name]
        for spans in units:
            if spans[-1].end > length:
                raise InputError(
                    f"“{self.file}”, line {line}: the unit that ends at {spans[-1].end} lies "
                    f"outside the text “{name}”, which has {length} characters."
                )
        return list(units)


def read_units_file(file: PluggedFile) -> PluggedUnits:
    """The units in a file; InputError names the line that cannot be read."""
    try:
        lines = file.data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"“{file.name}” is not UTF-8 text (at byte {error.start}).") from error
    units: dict[str, tuple[int, tuple[Spans, ...]]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            name, of_text = _text_of(line)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(
                f"“{file.name}”, line {number}: not the units of a text ({error})."
            ) from error
        if name in units:
            raise InputError(
                f"“{file.name}”, line {number}: the text “{name}” is in line {units[name][0]} too."
            )
        units[name] = number, of_text
    return PluggedUnits(file.name, units)


def _text_of(line: str) -> tuple[str, tuple[Spans, ...]]:
    told = json.loads(line)
    name = told["summary"]
    if not isinstance(name, str):
        raise TypeError("“summary” must be the name of a text")
    units = [_spans(unit["spans"]) for unit in told["units"] if unit["kind"] == KIND]
    units.sort()
    ends = sorted(span for spans in units for span in spans)
    if any(one.end > other.start for one, other in pairwise(ends)):
        raise ValueError("two spans overlap")
    return name, tuple(units)


def _spans(value: object) -> Spans:
    if not isinstance(value, list) or not value:
        raise TypeError("“spans” must be a list of [start, end]")
    spans = []
    for pair in value:
        start, end = pair
        if type(start) is not int or type(end) is not int or not 0 <= start < end:
            raise ValueError(f"[{start}, {end}] is no span")
        spans.append(Span(start, end))
    return tuple(sorted(spans))

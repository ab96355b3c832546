"""Elementary discourse units of a text: found by the segmenter, or brought in a file.

A citation in brackets, which the parser does not see, begins a unit, as in RST corpora; of several
in a row the first does. Words are compared as ROUGE compares them: small letters and digits,
stemmed by Porter's rules (or not, by option). Marks are no words.
"""

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from grading.pyramid.content import PluggedFile
from grading.pyramid.edus.segmenter import Segmenter
from grading.pyramid.errors import InputError
from grading.pyramid.parsing import ParsedText, citations_of
from grading.pyramid.rouge import rouge_words
from grading.pyramid.structures import Span, Spans

_BETWEEN_CITATIONS = " ,;-\u2013\n"


@dataclass(frozen=True, slots=True)
class Edu:
    """A unit, its words as they are compared, and the number of its sentence."""

    spans: Spans
    words: tuple[str, ...]
    sentence: int


class FindSpans(Protocol):
    """What cuts a text into units."""

    @property
    def name(self) -> str:
        """For signatures."""

    def spans_of(self, text: ParsedText) -> list[Spans]:
        """The units of a text in order."""


@dataclass(frozen=True, slots=True)
class SegmentedUnits:
    """The units that the segmenter finds: they follow each other without a gap."""

    segmenter: Segmenter

    @property
    def name(self) -> str:
        return self.segmenter.name

    def spans_of(self, text: ParsedText) -> list[Spans]:
        starts: set[int] = set()
        ends: list[int] = []
        for sentence in text.sentences:
            starts.update(
                sentence.tokens[at].start for at in self.segmenter.starts(sentence.tokens)
            )
            ends += (token.end for token in sentence.tokens)
        for citation in _hidden_citations(text):
            starts.add(citation.start)
            ends.append(citation.end)
        if not starts:
            return []
        in_order, ends = sorted(starts), sorted(ends)
        limits = [*in_order[1:], len(text.text.content) + 1]
        return [
            (Span(start, ends[bisect_right(ends, limit) - 1]),)
            for start, limit in zip(in_order, limits, strict=True)
        ]


def _hidden_citations(text: ParsedText) -> Iterator[Span]:
    """The first of each row of citations that hold no token."""
    starts = [token.start for sentence in text.sentences for token in sentence.tokens]
    last = -1
    for citation in citations_of(text.text.content):
        is_hidden = bisect_right(starts, citation.end - 1) == bisect_right(
            starts, citation.start - 1
        )
        goes_on = last >= 0 and not text.text.content[last : citation.start].strip(
            _BETWEEN_CITATIONS
        )
        if is_hidden:
            if not goes_on:
                yield citation
            last = citation.end


class UnitPlaces:
    """Which unit a character is in."""

    def __init__(self, units: Sequence[Spans]) -> None:
        self._places = sorted(
            (span.start, span.end, unit) for unit, spans in enumerate(units) for span in spans
        )
        self._starts = [start for start, _, _ in self._places]

    def unit_at(self, offset: int) -> int | None:
        """The index of the unit, None where there is none."""
        place = bisect_right(self._starts, offset) - 1
        if place < 0 or self._places[place][1] <= offset:
            return None
        return self._places[place][2]


def edus_of(text: ParsedText, cutter: FindSpans, *, stemmed: bool) -> list[Edu]:
    """The units of a text with their words; a word belongs to the unit that it begins in."""
    spans = cutter.spans_of(text)
    places = UnitPlaces(spans)
    words: list[list[str]] = [[] for _ in spans]
    sentences: dict[int, int] = {}
    for number, sentence in enumerate(text.sentences):
        for token in sentence.tokens:
            unit = places.unit_at(token.start)
            if unit is not None:
                forms = rouge_words(token.text, stemmed=stemmed)
                words[unit] += (word.form for word in forms)
                sentences.setdefault(unit, number)
    last, units = 0, []
    for unit, of in enumerate(spans):
        last = sentences.get(unit, last)
        units.append(Edu(of, tuple(words[unit]), last))
    return units


# EDUs that a better segmenter found, out of a file: what ``read_units`` writes, read again.
#
# A line of JSON a text: ``{"summary": its name, "units": [{"kind": "edu", "spans": [[0, 31]]}]}``.
# Spans are characters of the text as it was written. Units of other kinds are left aside.

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
    """The units in a file; InputError names the line and the field that cannot be read."""
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
        except (ValueError, TypeError, RecursionError) as error:
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
    fields = json.loads(line)
    if not isinstance(fields, dict):
        raise TypeError("it must be an object with “summary” and “units”")
    name = _field(fields, "summary")
    if not isinstance(name, str):
        raise TypeError("“summary” must be the name of a text")
    listed = _field(fields, "units")
    if not isinstance(listed, list):
        raise TypeError("“units” must be a list")
    units = []
    for number, unit in enumerate(listed):
        place = f"units[{number}]"
        if not isinstance(unit, dict):
            raise TypeError(f"“{place}” must be an object")
        if _field(unit, "kind", f"{place}.") == KIND:
            units.append(_spans(_field(unit, "spans", f"{place}."), f"{place}.spans"))
    units.sort()
    ends = sorted(span for spans in units for span in spans)
    for end, other in pairwise(ends):
        if end.end > other.start:
            raise ValueError(
                f"two spans overlap, [{end.start}, {end.end}] and [{other.start}, {other.end}]"
            )
    return name, tuple(units)


def _field(fields: Mapping[str, object], name: str, within: str = "") -> object:
    if name not in fields:
        raise ValueError(f"“{within}{name}” is missing")
    return fields[name]


def _spans(value: object, place: str) -> Spans:
    if not isinstance(value, list) or not value:
        raise TypeError(f"“{place}” must be a list of [start, end]")
    spans = []
    for number, pair in enumerate(value):
        if (
            not isinstance(pair, list)
            or [type(end) for end in pair] != [int, int]
            or not 0 <= pair[0] < pair[1]
        ):
            raise ValueError(f"“{place}[{number}]”: {json.dumps(pair)} is no span")
        spans.append(Span(*pair))
    return tuple(sorted(spans))

"""Places in the text of a DUCView file: from ``part`` elements to spans, and back.

A part says twice what it is: by its words and by its offsets. Offsets are counted in characters;
DUCView, a Java program, counts what lies beyond the Basic Multilingual Plane (emoji) as two, and
files that were edited by hand or converted are often off by some characters. Where offsets and
words disagree the words are believed, at the occurrence nearest to the offset.
"""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from grading.pyramid.formats.ducview_xml import Element, escaped, writable, written_attributes
from grading.pyramid.structures import Span, Spans, join_spans

_BETWEEN_PARTS: Final = "..."  # how DUCView shows that words were left out


class FileText:
    """The text of a file, in which parts are looked up."""

    def __init__(self, element: Element) -> None:
        self.content = "\n".join(line.text for line in element.all("line"))

    def spans(self, contributor: Element) -> Spans:
        """Where the words of a contributor stand, in the order of the text."""
        spans = [self._span(part) for part in contributor.all("part")]
        if not spans:
            raise contributor.error("a contributor has no part.")
        return join_spans(spans)

    def _span(self, part: Element) -> Span:
        span = Span(part.integer("start"), part.integer("end"))
        words = _squeezed(part.attributes.get("label", ""))
        for candidate in (span, self._from_utf16(span)):
            if self._holds(candidate, words):
                return candidate
        start = self._nearest(words, span.start) if words else None
        if start is None:
            shown = part.attributes.get("label", "")[:80]
            raise part.error(f"the words “{shown}” are not in the text.")
        return start

    def _holds(self, span: Span, words: str) -> bool:
        inside = 0 <= span.start < span.end <= len(self.content)
        return inside and words in {"", _squeezed(self.content[span.start : span.end])}

    def _from_utf16(self, span: Span) -> Span:
        """The span, had its offsets been counted in units of UTF-16."""
        if self.content.isascii() or span.start < 0:
            return span
        return Span(*(self._characters_before(offset) for offset in (span.start, span.end)))

    def _characters_before(self, offset: int) -> int:
        return len(self._utf16[: 2 * offset].decode("utf-16-le", errors="ignore"))

    @cached_property
    def _utf16(self) -> bytes:
        return self.content.encode("utf-16-le")

    def _nearest(self, words: str, offset: int) -> Span | None:
        """The occurrence that begins nearest to the offset, white space aside; of two the first.

        White space is left aside since DUCView drops the line breaks within a part.
        """
        # One on each side is enough: a file can have many thousands of parts and occurrences.
        here = bisect_left(self._visible, offset)
        before = self._squeezed.rfind(words, 0, max(0, here - 1 + len(words)))
        candidates = [index for index in (before, self._squeezed.find(words, here)) if index >= 0]
        if not candidates:
            return None
        first = min(candidates, key=lambda index: abs(self._visible[index] - offset))
        return Span(self._visible[first], self._visible[first + len(words) - 1] + 1)

    @cached_property
    def _visible(self) -> list[int]:
        return [index for index, char in enumerate(self.content) if not char.isspace()]

    @cached_property
    def _squeezed(self) -> str:
        return "".join(self.content[index] for index in self._visible)


def _squeezed(text: str) -> str:
    return "".join(text.split())


# --- writing ---


def text_lines(text: str) -> Iterator[str]:
    """The ``text`` element."""
    yield " <text>"
    for line in text.split("\n"):
        yield f"  <line>{escaped(line)}</line>"
    yield " </text>"


def contributor_lines(text: str, spans: Spans, comment: str) -> Iterator[str]:
    """A ``contributor`` element; the offsets are those in the text given."""
    words = [text[span.start : span.end] for span in spans]
    label = written_attributes(label=_BETWEEN_PARTS.join(words), comment=comment_of(comment))
    yield f"  <contributor{label}>"
    for span, part in zip(spans, words, strict=True):
        place = written_attributes(label=part, start=span.start, end=span.end)
        yield f"   <part{place}/>"
    yield "  </contributor>"


def comment_of(comment: str) -> str | None:
    """A comment as an attribute: left out where there is none."""
    return writable(comment) or None

"""Edits of one part of what a reference contributes: an end moved by a word, the part removed.

The other parts, and the other end, stay as they are, also where they do not end with a word (as in
files that other programs wrote).
"""

from dataclasses import dataclass, replace
from typing import Literal

from grading.pyramid.editing.changes import (
    WORD,
    get_contributor,
    get_reference,
    get_scu,
    put_contributor,
    put_scu,
    told_by,
    with_spans,
    without_contributor,
    words_of,
)
from grading.pyramid.editing.errors import EditError
from grading.pyramid.editing.wording import quoted
from grading.pyramid.structures import Contributor, Pyramid, Span, Text

End = Literal["start", "end"]


@dataclass(frozen=True, slots=True)
class MoveEnd:
    """The start or the end of a part (counted from 0) by one word: -1 to the front, 1 onwards."""

    uid: int
    reference: str
    part: int
    end: End
    by: int

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        contributor = get_contributor(scu, self.reference)
        text = get_reference(pyramid, self.reference)
        others = (*contributor.spans[: self.part], *contributor.spans[self.part + 1 :])
        moved = self._moved(text, _get_part(contributor, self.part))
        return put_scu(
            pyramid, put_contributor(scu, replace(contributor, spans=with_spans(others, (moved,))))
        )

    def words(self, pyramid: Pyramid) -> str:
        scu = get_scu(pyramid, self.uid)
        text = get_reference(pyramid, self.reference)
        old = _get_part(get_contributor(scu, self.reference), self.part)
        new = self._moved(text, old)
        change = "longer" if new.end - new.start > old.end - old.start else "shorter"
        quote = told_by(pyramid, self.reference, (new,))
        return f"made a part of {quoted(scu.label)} {change} by a word: {quote}"

    def _moved(self, text: Text, span: Span) -> Span:
        if self.end not in {"start", "end"} or self.by not in {-1, 1}:
            raise EditError("The start or the end of a part moves by one word at a time.")
        if self.end == "start":
            return _longer_start(text, span) if self.by < 0 else _shorter(text, span, "start")
        return _longer_end(text, span) if self.by > 0 else _shorter(text, span, "end")


@dataclass(frozen=True, slots=True)
class RemovePart:
    """One part (counted from 0) of what a reference contributes; with the only one, all of it."""

    uid: int
    reference: str
    part: int

    def apply(self, pyramid: Pyramid) -> Pyramid:
        scu = get_scu(pyramid, self.uid)
        contributor = get_contributor(scu, self.reference)
        _get_part(contributor, self.part)
        left = (*contributor.spans[: self.part], *contributor.spans[self.part + 1 :])
        if not left:
            return put_scu(pyramid, without_contributor(scu, self.reference))
        return put_scu(pyramid, put_contributor(scu, replace(contributor, spans=left)))

    def words(self, pyramid: Pyramid) -> str:
        scu = get_scu(pyramid, self.uid)
        part = _get_part(get_contributor(scu, self.reference), self.part)
        quote = told_by(pyramid, self.reference, (part,))
        return f"took {quote} out of {quoted(scu.label)}"


def _get_part(contributor: Contributor, part: int) -> Span:
    if not 0 <= part < len(contributor.spans):
        raise EditError(f"This part of the words of {contributor.reference} is not there any more.")
    return contributor.spans[part]


def _longer_start(text: Text, span: Span) -> Span:
    starts = [word.start() for word in WORD.finditer(text.content) if word.start() < span.start]
    if not starts:
        raise EditError("This is the first word of the reference.")
    return Span(starts[-1], span.end)


def _longer_end(text: Text, span: Span) -> Span:
    ends = (word.end() for word in WORD.finditer(text.content) if word.end() > span.end)
    end = next(ends, None)
    if end is None:
        raise EditError("This is the last word of the reference.")
    return Span(span.start, end)


def _shorter(text: Text, span: Span, end: End) -> Span:
    words = words_of(text, span)
    if len(words) < 2:
        raise EditError("This part has only one word. Remove the part instead.")
    if end == "start":
        return Span(words[1].start, span.end)
    return Span(span.start, words[-2].end)

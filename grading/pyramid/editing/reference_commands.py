"""Edits of the references themselves: one that came later, was changed, or is taken out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import accumulate

from grading.pyramid.editing.changes import (
    WORD,
    get_reference,
    put_contributor,
    without_contributor,
)
from grading.pyramid.editing.errors import EditError
from grading.pyramid.structures import Pyramid, Scu, Span, Text, join_spans

_TOKEN = re.compile(r"\w+|\W+")


@dataclass(frozen=True, slots=True)
class AddReference:
    """A text that belongs to no idea yet."""

    name: str
    content: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        if any(text.name == self.name for text in pyramid.references):
            raise EditError(f"There is a reference “{self.name}” in this pyramid already.")
        texts = (*pyramid.references, Text(self.name, self.content))
        ordered = sorted(texts, key=lambda text: text.name)
        return replace(pyramid, references=tuple(ordered))

    def words(self, pyramid: Pyramid) -> str:
        del pyramid
        return f"added the reference “{self.name}”"


@dataclass(frozen=True, slots=True)
class RemoveReference:
    """With what it contributes; ideas that nobody else tells go too."""

    name: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        gone = get_reference(pyramid, self.name)
        left = [_without(scu, self.name) for scu in pyramid.scus]
        return replace(
            pyramid,
            references=tuple(text for text in pyramid.references if text is not gone),
            scus=tuple(scu for scu in left if scu is not None),
        )

    def words(self, pyramid: Pyramid) -> str:
        del pyramid
        return f"took the reference “{self.name}” out, with its words"


@dataclass(frozen=True, slots=True)
class ChangeReference:
    """Another text or name. Contributors keep the words that are still there."""

    name: str
    new_name: str
    content: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        old = get_reference(pyramid, self.name)
        others = [text for text in pyramid.references if text is not old]
        if any(text.name == self.new_name for text in others):
            raise EditError(f"There is a reference “{self.new_name}” in this pyramid already.")
        new = Text(self.new_name, self.content)
        kept = _kept(old.content, self.content)
        moved = [_moved(scu, self.name, new, kept) for scu in pyramid.scus]
        return replace(
            pyramid,
            references=tuple(sorted([*others, new], key=lambda text: text.name)),
            scus=tuple(scu for scu in moved if scu is not None),
        )

    def words(self, pyramid: Pyramid) -> str:
        del pyramid
        return f"took over the new text of the reference “{self.new_name}”"


_Kept = list[tuple[int, int, int]]  # start in the old text, start in the new one, length


def _kept(old: str, new: str) -> _Kept:
    """Runs of words, with what stands between them, that are in both texts."""
    ours, theirs = _TOKEN.findall(old), _TOKEN.findall(new)
    starts = [list(accumulate(map(len, tokens), initial=0)) for tokens in (ours, theirs)]
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return [
        (starts[0][one.a], starts[1][one.b], starts[0][one.a + one.size] - starts[0][one.a])
        for one in blocks
    ]


def _moved(scu: Scu, name: str, new: Text, kept: _Kept) -> Scu | None:
    told = scu.contributor(name)
    if told is None:
        return scu
    found = (span for old in told.spans for span in _still_there(old, kept))
    spans = join_spans(span for span in found if WORD.search(new.content, span.start, span.end))
    without = without_contributor(scu, name)
    if spans:
        return put_contributor(without, replace(told, reference=new.name, spans=spans))
    return without if without.contributors or without.given_weight is not None else None


def _still_there(span: Span, kept: _Kept) -> Iterator[Span]:
    for old, new, length in kept:
        start, end = max(span.start, old), min(span.end, old + length)
        if start < end:
            yield Span(start - old + new, end - old + new)


def _without(scu: Scu, name: str) -> Scu | None:
    if scu.contributor(name) is None:
        return scu
    left = without_contributor(scu, name)
    return left if left.contributors or left.given_weight is not None else None

"""Edits of the references themselves: one that came later, was changed, or is taken out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from grading.pyramid.editing.changes import (
    WORD,
    apart,
    get_reference,
    is_emptied,
    place_of,
    put_contributor,
    without_contributor,
)
from grading.pyramid.editing.wording import checked_name, is_storable, quoted
from grading.pyramid.errors import EditError
from grading.pyramid.structures import Pyramid, Scu, Span, Spans, Text


@dataclass(frozen=True, slots=True)
class AddReference:
    """A text that belongs to no idea yet."""

    name: str
    content: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        new = Text(checked_name(self.name), _checked_content(self.content))
        return replace(pyramid, references=_with_text(pyramid.references, new))

    def words(self, pyramid: Pyramid) -> str:
        del pyramid
        return f"added the reference {quoted(self.name)}"


@dataclass(frozen=True, slots=True)
class RemoveReference:
    """With what it contributes; ideas that nobody else tells go too."""

    name: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        gone = get_reference(pyramid, self.name)
        left = (
            without_contributor(scu, self.name) if scu.contributor(self.name) else scu
            for scu in pyramid.scus
        )
        return replace(
            pyramid,
            references=tuple(text for text in pyramid.references if text is not gone),
            scus=_still_expressed(pyramid.scus, left),
        )

    def words(self, pyramid: Pyramid) -> str:
        del pyramid
        return f"took the reference {quoted(self.name)} out, with its words"


@dataclass(frozen=True, slots=True)
class ChangeReference:
    """Another text or name. Contributors keep the words that are still there."""

    name: str
    new_name: str
    content: str

    def apply(self, pyramid: Pyramid) -> Pyramid:
        old = get_reference(pyramid, self.name)
        name = old.name if self.new_name == old.name else checked_name(self.new_name)
        new = Text(name, _checked_content(self.content))
        if new.name == old.name:
            texts = tuple(new if text is old else text for text in pyramid.references)
        else:
            others = tuple(text for text in pyramid.references if text is not old)
            texts = _with_text(others, new)
        move = _Move(old, new)
        moved = (move.scu(scu) for scu in pyramid.scus)
        return replace(pyramid, references=texts, scus=_still_expressed(pyramid.scus, moved))

    def words(self, pyramid: Pyramid) -> str:
        old, new = quoted(self.name), quoted(self.new_name)
        if self.content == get_reference(pyramid, self.name).content:
            return f"renamed the reference {old} to {new}"
        renamed = "" if new == old else f", which is called {new} now"
        return f"took over the new text of the reference {old}{renamed}"


def _checked_content(content: str) -> str:
    if not WORD.search(content):
        raise EditError("This reference has no words.")
    if not is_storable(content):
        raise EditError("There are characters in this reference that cannot be stored.")
    return content


def _with_text(texts: tuple[Text, ...], new: Text) -> tuple[Text, ...]:
    """At its place by name."""
    names = [text.name for text in texts]
    if new.name in names:
        raise EditError(f"There is a reference {quoted(new.name)} in this pyramid already.")
    place = place_of(new.name, names)
    return (*texts[:place], new, *texts[place:])


def _still_expressed(before: Iterable[Scu], after: Iterable[Scu]) -> tuple[Scu, ...]:
    """Without ideas that have lost their last contributor."""
    pairs = zip(before, after, strict=True)
    return tuple(new for old, new in pairs if not is_emptied(old, new))


class _Move:
    """Contributors from an old text to a new one, by the words that are in both."""

    def __init__(self, old: Text, new: Text) -> None:
        self._old, self._new = old, new
        self._old_words = [Span(*word.span()) for word in WORD.finditer(old.content)]
        self._new_words = [Span(*word.span()) for word in WORD.finditer(new.content)]
        self._places = self._same_words()

    def scu(self, scu: Scu) -> Scu:
        contributor = scu.contributor(self._old.name)
        if contributor is None:
            return scu
        spans = apart(
            span for stored_span in contributor.spans for span in self._spans(stored_span)
        )
        if spans and self._new.name == self._old.name:
            return put_contributor(scu, replace(contributor, spans=spans))
        without = without_contributor(scu, self._old.name)
        if not spans:
            return without
        return put_contributor(without, replace(contributor, reference=self._new.name, spans=spans))

    def _same_words(self) -> Mapping[int, int]:
        """Places of words of the old text, to their places in the new one."""
        ours = [self._old.content[word.start : word.end] for word in self._old_words]
        theirs = [self._new.content[word.start : word.end] for word in self._new_words]
        blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
        return {block.a + i: block.b + i for block in blocks for i in range(block.size)}

    def _spans(self, span: Span) -> Spans:
        """What is left of a part: as it was if that is possible, else the words still there."""
        if self._old.content == self._new.content:
            return (span,)
        words = [
            place
            for place, word in enumerate(self._old_words)
            if word.end > span.start and word.start < span.end
        ]
        whole = self._unchanged(span, words)
        return (whole,) if whole else tuple(self._runs(words))

    def _unchanged(self, span: Span, words: Sequence[int]) -> Span | None:
        if not words or words[0] not in self._places:
            return None
        first = self._new_words[self._places[words[0]]]
        by = first.start - self._old_words[words[0]].start
        moved = Span(span.start + by, span.end + by)
        same = self._new.content[max(0, moved.start) : moved.end]
        return moved if same == self._old.content[span.start : span.end] else None

    def _runs(self, words: Sequence[int]) -> Iterator[Span]:
        """Words that follow each other in both texts, as one part."""
        last = -2
        start = end = 0
        for place in (self._places[word] for word in words if word in self._places):
            if place != last + 1:
                if end:
                    yield Span(start, end)
                start = self._new_words[place].start
            end, last = self._new_words[place].end, place
        if end:
            yield Span(start, end)

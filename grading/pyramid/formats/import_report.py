"""What an import found and did, to be read before anything is done with it."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from grading.pyramid.structures import Pyramid, Span, Spans, Text


class Kinship(StrEnum):
    """How a text of a file stands to the references of the assignment."""

    SAME = "same"  # letter for letter
    SPACED = "spaced"  # but for white space
    REWORDED = "reworded"  # alike, in other words
    OTHER = "other"  # none of them


@dataclass(frozen=True, slots=True)
class FoundReference:
    """A text of the file: its name there and in the pyramid, and what it is kin to."""

    name_in_file: str
    name: str
    kinship: Kinship
    kin: str = ""


@dataclass(frozen=True, slots=True)
class LostWords:
    """Words of a line that are in no reference: the idea keeps its weight without them."""

    line: int
    idea: int
    words: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """``kind`` says in words what the file is; ``missing`` are references that it has not."""

    kind: str
    found: tuple[FoundReference, ...] = ()
    missing: tuple[str, ...] = ()
    lost: tuple[LostWords, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """The pyramid that a draft would begin with, and how it was made."""

    pyramid: Pyramid
    report: ImportReport

    @property
    def contributors(self) -> int:
        return sum(len(scu.contributors) for scu in self.pyramid.scus)


# Texts that came with a file, told apart from the assignment's own references.
#
# Where a text is one of the references, be it with other white space, the pyramid is moved over to
# that reference and its name. A text that differs in words stays what it was in the file: the
# words of the ideas stand there, and nowhere else.

_ALIKE: Final = 0.6  # shared words of two texts that are versions of one
_LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class Anchored:
    pyramid: Pyramid
    found: tuple[FoundReference, ...]
    missing: tuple[str, ...]


def anchored(pyramid: Pyramid, own: Sequence[Text]) -> Anchored:
    """The pyramid on the assignment's references where they are the same."""
    twins = _twins(pyramid, own)
    names = _names(pyramid.references, twins)
    free = [text for text in own if text not in twins.values()]
    contributors = []
    for text in pyramid.references:
        kin, kinship = _kin(text, twins.get(text.name), free)
        if kin in free:
            free.remove(kin)
        contributors.append(
            FoundReference(text.name, names[text.name], kinship, kin.name if kin else "")
        )
    moved = _moved(pyramid, twins, names)
    return Anchored(moved, tuple(contributors), tuple(text.name for text in free))


def _twins(pyramid: Pyramid, own: Sequence[Text]) -> dict[str, Text]:
    """The same text among our own, by the name in the file; each serves once."""
    twins: dict[str, Text] = {}
    for same in (_equal, _equal_but_for_spaces):
        for text in pyramid.references:
            free = (other for other in own if other not in twins.values())
            twin = next((other for other in free if same(text, other)), None)
            if text.name not in twins and twin and _can_move(pyramid, text):
                twins[text.name] = twin
    return twins


def _equal(text: Text, other: Text) -> bool:
    return text.content == other.content


def _equal_but_for_spaces(text: Text, other: Text) -> bool:
    return "".join(text.content.split()) == "".join(other.content.split()) != ""


def _can_move(pyramid: Pyramid, text: Text) -> bool:
    """Blank words would be nowhere in a text with other white space."""
    spans = (
        span
        for scu in pyramid.scus
        for contributor in scu.contributors
        if contributor.reference == text.name
        for span in contributor.spans
    )
    return all(text.content[span.start : span.end].strip() for span in spans)


def _kin(text: Text, twin: Text | None, free: Iterable[Text]) -> tuple[Text | None, Kinship]:
    if twin is not None:
        return twin, Kinship.SAME if _equal(text, twin) else Kinship.SPACED
    alike = max(free, key=lambda other: _likeness(text, other), default=None)
    if alike is None or _likeness(text, alike) < _ALIKE:
        return None, Kinship.OTHER
    return alike, Kinship.REWORDED


def _likeness(text: Text, other: Text) -> float:
    words, others = (Counter(compared.content.casefold().split()) for compared in (text, other))
    return (words & others).total() / max(words.total(), others.total(), 1)


def _names(references: Sequence[Text], twins: dict[str, Text]) -> dict[str, str]:
    """The names in the pyramid: one line, not too long, no two alike."""
    names = {name: twin.name for name, twin in twins.items()}
    for number, text in enumerate(references, 1):
        if text.name in names:
            continue
        plain = " ".join(text.name.split())[:_LONGEST_NAME] or f"Text {number}"
        names[text.name] = _free_name(plain, set(names.values()))
    return names


def _free_name(name: str, taken: set[str]) -> str:
    free, number = name, 1
    while free in taken:
        number += 1
        ending = f" ({number})"
        free = name[: _LONGEST_NAME - len(ending)] + ending
    return free


# --- moving ---


def _moved(pyramid: Pyramid, twins: dict[str, Text], names: dict[str, str]) -> Pyramid:
    moves = {text.name: _Move(text, twins.get(text.name, text)) for text in pyramid.references}
    scus = tuple(
        replace(
            scu,
            contributors=tuple(
                replace(
                    contributor,
                    reference=names[contributor.reference],
                    spans=moves[contributor.reference].spans(contributor.spans),
                )
                for contributor in scu.contributors
            ),
        )
        for scu in pyramid.scus
    )
    references = (Text(names[name], move.to.content) for name, move in moves.items())
    return replace(pyramid, references=tuple(references), scus=scus)


class _Move:
    """From a text to one that differs in white space at most."""

    def __init__(self, text: Text, to: Text) -> None:
        self.to = to
        self._same = text.content == to.content
        self._from = () if self._same else _visible(text.content)
        self._to = () if self._same else _visible(to.content)

    def spans(self, spans: Spans) -> Spans:
        return spans if self._same else tuple(self._span(span) for span in spans)

    def _span(self, span: Span) -> Span:
        first = bisect_left(self._from, span.start)
        behind = bisect_left(self._from, span.end)
        return Span(self._to[first], self._to[behind - 1] + 1)


def _visible(content: str) -> tuple[int, ...]:
    return tuple(index for index, character in enumerate(content) if not character.isspace())

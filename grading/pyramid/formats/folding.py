"""A text folded to its letters (and digits) in one case, each with the place where it stands."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grading.pyramid.structures import Span

_MOST_OCCURRENCES: Final = 500
_LEAST_LETTERS: Final = 3  # fewer, without their marks, could be anything


@dataclass(frozen=True, slots=True)
class Folding:
    """``positions[i]`` is the place in the content of the sign ``kept[i]``."""

    content: str
    kept: str
    positions: tuple[int, ...]
    with_digits: bool

    def places(self, words: str) -> Iterator[Span]:
        """Where the words stand, folded like the text."""
        sought = fold_words(words, self.with_digits)
        if len(sought) < _LEAST_LETTERS:
            return
        for index in occurrences(sought, self.kept):
            last = index + len(sought) - 1
            if self.begins_a_word(index) and self.ends_a_word(last):
                yield Span(self.positions[index], self.positions[last] + 1)

    def begins_a_word(self, index: int) -> bool:
        return not is_inside_a_word(self.content, self.positions[index])

    def ends_a_word(self, index: int) -> bool:
        return not is_inside_a_word(self.content, self.positions[index] + 1)


def fold(text: str, *, with_digits: bool) -> Folding:
    kept: list[str] = []
    positions: list[int] = []
    for position, character in enumerate(text):
        for sign in unicodedata.normalize("NFKD", character).casefold():
            if sign.isalpha() or (with_digits and sign.isalnum()):
                kept.append(sign)
                positions.append(position)
    return Folding(text, "".join(kept), tuple(positions), with_digits)


def occurrences(words: str, text: str) -> Iterator[int]:
    """Where the words begin in the text; only so many, for most could be within other words."""
    index = text.find(words) if words else -1
    for _ in range(_MOST_OCCURRENCES):
        if index < 0:
            return
        yield index
        index = text.find(words, index + 1)


@lru_cache(maxsize=8)  # the same words are looked for in one reference after the other
def fold_words(words: str, with_digits: bool) -> str:
    return fold(words, with_digits=with_digits).kept


def is_inside_a_word(content: str, edge: int) -> bool:
    """Is the edge between two signs of a word? Scripts without case have no such words."""
    return 0 < edge < len(content) and (_in_a_word(content[edge - 1]) and _in_a_word(content[edge]))


def _in_a_word(character: str) -> bool:
    return character.isdigit() or character.lower() != character.upper()

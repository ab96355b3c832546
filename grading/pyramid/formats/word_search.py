"""Finding words in references: as they stand, else whatever their white space, case and marks.

PyrEval deletes digits and apostrophes from the texts that it reads ("aren t", "In July , "), so
letters alone are what is gone by next; then the same words with others between them.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Final

from grading.pyramid.structures import Contributor, Span, Spans, Text, join_spans

# A text folded to its letters (and digits) in one case, each with the place where it stands.

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


# Words that are in a sentence in this order, with others between them.
#
# PyrEval takes the subject of a clause along ("Cellan Jones writes" … "both have contacted me") and
# writes the parts as if they were one; here they are found again, in a few runs of one sentence.

_LEAST_WORDS: Final = 4  # fewer could be scattered anywhere
_MOST_RUNS: Final = 3
_MOST_BEGINNINGS: Final = 10  # of a first word as frequent as "the"
_MOST_FOLLOWING: Final = 20  # places of a next word in the rest of the sentence
_LONGEST_SENTENCE: Final = 500  # characters
_SENTENCE_END: Final = re.compile(r"[.!?]\W*\s|\n\s*\n")
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Run:
    """Words from ``first`` on that stand together at this place; ``words`` many."""

    place: Span
    words: int


def scattered(words: str, content: str, letters: Folding) -> Spans:
    """The runs of the words in the first sentence that has them all; else nothing."""
    folded = (fold(word, with_digits=False).kept for word in _WORD.findall(words))
    sought = [word for word in folded if word]  # “¼” is no digit, and has no letter
    if len(sought) < _LEAST_WORDS:
        return ()
    reader = _Reader(content, letters, sought)
    beginnings = islice(reader.runs(0, Span(0, len(content))), _MOST_BEGINNINGS)
    return next(filter(None, map(reader.from_run, beginnings)), ())


class _Reader:
    def __init__(self, content: str, letters: Folding, sought: Sequence[str]) -> None:
        self._content = content
        self._letters = letters
        self._sought = sought

    def from_run(self, run: _Run) -> Spans:
        """What follows from this run on, each time with the longest run of the sentence."""
        spans, words = [run.place], run.words
        while words < len(self._sought) and len(spans) < _MOST_RUNS:
            rest = self._rest_of_sentence(spans[-1].end)
            following = islice(self.runs(words, rest), _MOST_FOLLOWING)
            longest = max(following, key=lambda candidate: candidate.words, default=None)
            if longest is None:
                return ()
            spans.append(longest.place)
            words += longest.words
        return join_spans(spans) if words == len(self._sought) else ()

    def _rest_of_sentence(self, start: int) -> Span:
        limit = min(len(self._content), start + _LONGEST_SENTENCE)
        end = _SENTENCE_END.search(self._content, start, limit)
        return Span(start, end.start() if end else limit)

    def runs(self, first: int, within: Span) -> Iterator[_Run]:
        """Every place there at which the words from ``first`` on begin."""
        positions, word = self._letters.positions, self._sought[first]
        low, high = (bisect_left(positions, edge) for edge in (within.start, within.end))
        at = self._letters.kept.find(word, low, high)
        while at >= 0:
            run = self._run(first, at) if self._letters.begins_a_word(at) else None
            if run is not None:
                yield run
            at = self._letters.kept.find(word, at + 1, high)

    def _run(self, first: int, at: int) -> _Run | None:
        count, end = 0, at
        while first + count < len(self._sought):
            word = self._sought[first + count]
            if not self._letters.kept.startswith(word, end):
                break
            end += len(word)
            count += 1
        while count and not self._letters.ends_a_word(end - 1):
            count -= 1
            end -= len(self._sought[first + count])
        if not count:
            return None
        positions = self._letters.positions
        return _Run(Span(positions[at], positions[end - 1] + 1), count)


_MOST_SCATTERED: Final = 100  # lines of a list
PARTED: Final = " ... "  # between the parts of discontinuous words, as DUCView writes them


class Search:
    """Looks words up in references, the costly way only so many times."""

    def __init__(self, references: Iterable[Text]) -> None:
        self._texts = [SearchedText(text) for text in references]
        self._tries = _MOST_SCATTERED

    def places(self, words: str) -> tuple[Contributor, ...]:
        """Where the words stand, once in each reference; together in one if in any."""
        together = [Contributor(text.name, text.find(words)) for text in self._texts]
        matches = tuple(match for match in together if match.spans)
        return matches or self._scattered(words)

    def _scattered(self, words: str) -> tuple[Contributor, ...]:
        if not self._tries:
            return ()
        self._tries -= 1
        apart = [Contributor(text.name, text.find_scattered(words)) for text in self._texts]
        return tuple(match for match in apart if match.spans)


class SearchedText:
    """A reference, readied for searches."""

    def __init__(self, text: Text) -> None:
        self.name = text.name
        self._content = text.content

    def find(self, words: str) -> Spans:
        """The first place of the words; nothing where there is none."""
        exact = next(self._places(words.strip()), None)
        if exact is not None:
            return (exact,)
        parts = [part for part in words.replace("…", "...").split("...") if part.strip()]
        spans = self._find_parts(parts) if len(parts) > 1 else ()
        return spans or self._find_parts([words])

    def find_scattered(self, words: str) -> Spans:
        """The words in order within a sentence, with others between them."""
        if any(map(str.isdigit, words)):
            return ()
        return scattered(words, self._content, self._letters)

    def _find_parts(self, parts: Sequence[str]) -> Spans:
        """Each part behind the one before it, as near as can be."""
        spans: list[Span] = []
        for part in parts:
            span = self._find(part.strip(), spans[-1].end if spans else 0)
            if span is None:
                return ()
            spans.append(span)
        return join_spans(spans)

    def _find(self, words: str, start: int) -> Span | None:
        folded = chain.from_iterable(folding.places(words) for folding in self._foldings(words))
        places = chain(self._places(words), folded)
        return next((place for place in places if place.start >= start), None)

    def _foldings(self, words: str) -> Iterator[Folding]:
        """Letters alone only for words without digits: another number is another statement."""
        yield self._signs
        if not any(map(str.isdigit, words)):
            yield self._letters

    def _places(self, words: str) -> Iterator[Span]:
        for index in occurrences(words, self._content):
            end = index + len(words)
            if not any(is_inside_a_word(self._content, edge) for edge in (index, end)):
                yield Span(index, end)

    @cached_property
    def _signs(self) -> Folding:
        return fold(self._content, with_digits=True)

    @cached_property
    def _letters(self) -> Folding:
        return fold(self._content, with_digits=False)

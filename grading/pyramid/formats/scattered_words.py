"""Words that stand in a sentence in order, with others between them that were left out.

PyrEval takes the subject of a clause along ("Cellan Jones writes" … "both have contacted me") and
writes the parts as if they were one; here they are found again, in a few runs of one sentence.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from grading.pyramid.formats.folding import Folding, fold
from grading.pyramid.structures import Span, Spans, join_spans

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
    sought = [fold(word, with_digits=False).kept for word in _WORD.findall(words)]
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
            longest = max(following, key=lambda found: found.words, default=None)
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

"""How much of a summary is copied: the share of its words that are in the source in a row.

Words count as copied where at least ``RUN`` of them in a row are in the source in the same order;
case, accents, punctuation, letters that only look the same and characters that nobody sees make no
difference. Shorter runs are names, terms and turns of phrase that everybody shares.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice

from grading.pyramid.characters import look_of
from grading.pyramid.structures import Span

RUN = 6
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class SeenWord:
    """As a reader sees it, and where it stands."""

    seen: str
    span: Span


def copied_share(text: str, source: str) -> float | None:
    """From 0 to 1; None where there is no source, or no text, to compare."""
    words, known = seen_words(text), _runs_in(source)
    if not words or not known.has_words:
        return None
    return sum(_copied(words, known)) / len(words)


def copied_passages(text: str, source: str) -> tuple[Span, ...]:
    """Where the copied words are in the text, in its order; what adjoins is one passage."""
    words = seen_words(text)
    copied = _copied(words, _runs_in(source))
    runs = groupby(zip(copied, words, strict=True), key=lambda each: each[0])
    passages = [[word.span for _, word in run] for is_copied, run in runs if is_copied]
    return tuple(Span(spans[0].start, spans[-1].end) for spans in passages)


def _copied(words: Sequence[SeenWord], known: "_Runs") -> list[bool]:
    """Of each word whether it is part of a run."""
    copied = [False] * len(words)
    for start, run in enumerate(runs_of(words)):
        if run in known:
            copied[start : start + RUN] = [True] * RUN
    return copied


class _Runs:
    """The runs of a source by their hashes, in 8 bytes each.

    Python's hashes differ from process to process, so nobody can make two runs that share one.
    """

    def __init__(self, spellings: Sequence[str]) -> None:
        self.has_words = bool(spellings)
        self._hashes = array("q", sorted(run_hashes(spellings)))

    def __contains__(self, run: tuple[str, ...]) -> bool:
        wanted = hash(run)
        place = bisect_left(self._hashes, wanted)
        return place < len(self._hashes) and self._hashes[place] == wanted


@lru_cache(maxsize=64)
def _runs_in(source: str) -> _Runs:
    """Made once for all texts of an assignment that a process sees: sources may be long."""
    return _Runs(spellings_of(source))


def runs_of(words: Sequence[SeenWord]) -> Iterator[tuple[str, ...]]:
    """``RUN`` words in a row, from each word on that so many follow."""
    return _runs([word.seen for word in words])


def run_hashes(spellings: Sequence[str]) -> Iterator[int]:
    """The same of words without their places, each run as its hash, which is small."""
    return map(hash, _runs(spellings))


def _runs(spellings: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(islice(spellings, start, None) for start in range(RUN)), strict=False)


def spellings_of(text: str) -> list[str]:
    """Its words as a reader sees them, without their places: much faster than ``seen_words``."""
    return _WORD.findall("".join(map(look_of, text)).replace("\u2019", "'"))


def seen_words(text: str) -> Sequence[SeenWord]:
    """The words of a text as a reader takes them."""
    spellings: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for letter in look_of(character):
            spellings.append(letter)
            places.append(place)
    return [
        SeenWord(word[0], Span(places[word.start()], places[word.end() - 1] + 1))
        for word in _WORD.finditer("".join(spellings).replace("\u2019", "'"))
    ]

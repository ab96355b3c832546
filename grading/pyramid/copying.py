"""How much of a summary is copied: the share of its words that stand in the source in a row.

Words count as copied where at least ``RUN`` of them in a row stand in the source in the same order;
case, accents, punctuation, letters that only look the same and characters that nobody sees make no
difference. Shorter runs are names, terms and turns of phrase that everybody shares.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

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
    words, known = seen_words(text), seen_words(source)
    if not words or not known:
        return None
    return sum(_copied(words, known)) / len(words)


def copied_passages(text: str, source: str) -> tuple[Span, ...]:
    """Where the copied words stand in the text, in its order; what adjoins is one passage."""
    words = seen_words(text)
    copied = _copied(words, seen_words(source))
    runs = groupby(zip(copied, words, strict=True), key=lambda each: each[0])
    passages = [[word.span for _, word in run] for is_copied, run in runs if is_copied]
    return tuple(Span(spans[0].start, spans[-1].end) for spans in passages)


def _copied(words: Sequence[SeenWord], known: Sequence[SeenWord]) -> list[bool]:
    """Of each word whether it is part of a run."""
    runs = set(runs_of(known))
    copied = [False] * len(words)
    for start, run in enumerate(runs_of(words)):
        if run in runs:
            copied[start : start + RUN] = [True] * RUN
    return copied


def runs_of(words: Sequence[SeenWord]) -> Iterator[tuple[str, ...]]:
    """``RUN`` words in a row, from each word on that so many follow."""
    spellings = [word.seen for word in words]
    return (tuple(spellings[start : start + RUN]) for start in range(len(spellings) - RUN + 1))


def seen_words(text: str) -> Sequence[SeenWord]:
    """The words of a text as a reader takes them."""
    spellings: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for one in look_of(character):
            spellings.append(one)
            places.append(place)
    return [
        SeenWord(word[0], Span(places[word.start()], places[word.end() - 1] + 1))
        for word in _WORD.finditer("".join(spellings).replace("\u2019", "'"))
    ]

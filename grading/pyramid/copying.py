"""How much of a summary is copied: the share of its words that stand in the source in a row.

Words count as copied where at least ``RUN`` of them in a row stand in the source in the same order;
case, accents of typing (curly quotes) and punctuation make no difference. Shorter runs are names,
terms and turns of phrase that everybody shares.
"""

import re
from collections.abc import Sequence
from itertools import groupby

from grading.pyramid.structures import Span

RUN = 6
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


def copied_share(text: str, source: str) -> float | None:
    """From 0 to 1; None where there is no source, or no text, to compare."""
    words, known = _words(text), _words(source)
    if not words or not known:
        return None
    return sum(_copied(words, known)) / len(words)


def copied_passages(text: str, source: str) -> tuple[Span, ...]:
    """Where the copied words stand in the text, in its order; what adjoins is one passage."""
    places = [match.span() for match in _WORD.finditer(text)]
    copied = _copied(_words(text), _words(source))
    runs = groupby(zip(copied, places, strict=True), key=lambda each: each[0])
    passages = [[place for _, place in run] for is_copied, run in runs if is_copied]
    return tuple(Span(places[0][0], places[-1][1]) for places in passages)


def _copied(words: Sequence[str], known: Sequence[str]) -> list[bool]:
    """Of each word whether it is part of a run."""
    runs = {tuple(known[start : start + RUN]) for start in range(len(known) - RUN + 1)}
    copied = [False] * len(words)
    for start in range(len(words) - RUN + 1):
        if tuple(words[start : start + RUN]) in runs:
            copied[start : start + RUN] = [True] * RUN
    return copied


def _words(text: str) -> Sequence[str]:
    return [word.casefold().replace("\u2019", "'") for word in _WORD.findall(text)]

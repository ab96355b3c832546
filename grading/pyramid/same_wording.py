"""Which words of two texts are the same, or nearly: a decision on one may then hold for the other.

Case, accents, punctuation and white space make no difference. Wordings are nearly the same where
hardly any word differs, and those that do only in their endings or by an article: a "not", another
number or another name makes another statement.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from grading.pyramid.copying import seen_words
from grading.pyramid.structures import Span

WORDS_A_DIFFERENCE: Final = 5  # of so many words one may differ
_ARTICLES: Final = frozenset({"a", "an", "the"})
SHORTEST_STEM: Final = 4

Wording = tuple[str, ...]


def wording_of(words: str) -> Wording:
    """The words as a reader sees them."""
    return tuple(word.seen for word in seen_words(words))


def is_nearly(wording: Wording, other: Wording) -> bool:
    """Are they the same, or do they hardly differ?"""
    if wording == other:
        return bool(wording)
    most = max(len(wording), len(other)) // WORDS_A_DIFFERENCE
    if not most or abs(len(wording) - len(other)) > most:
        return False
    changes = SequenceMatcher(None, wording, other, autojunk=False).get_opcodes()
    different = [change for change in changes if change[0] != "equal"]
    if sum(max(change[2] - change[1], change[4] - change[3]) for change in different) > most:
        return False
    return all(
        _says_the_same(wording[start:end], other[first:last])
        for _, start, end, first, last in different
    )


def may_contain(content: Wording, wanted: Wording) -> bool:
    """Can a text contain words that are nearly these? Quick, and never wrong where it says no."""
    there = set(content)
    stems = {word[:SHORTEST_STEM] for word in content}
    missing = sum(
        word not in there and word not in _ARTICLES and word[:SHORTEST_STEM] not in stems
        for word in wanted
    )
    return not missing


def find_wording(content: str, wanted: Wording) -> Span | None:
    """Where exactly these words are in a text for the first time."""
    words = seen_words(content)
    for start in range(len(words) - len(wanted) + 1):
        run = words[start : start + len(wanted)]
        if run and tuple(word.seen for word in run) == wanted:
            return Span(run[0].span.start, run[-1].span.end)
    return None


def _says_the_same(some: Sequence[str], others: Sequence[str]) -> bool:
    if not some or not others:
        return _ARTICLES.issuperset(some) and _ARTICLES.issuperset(others)
    return len(some) == len(others) and all(map(_is_inflected, some, others))


def _is_inflected(first: str, other: str) -> bool:
    if _ARTICLES.issuperset((first, other)):
        return True
    stem = max(SHORTEST_STEM, min(len(first), len(other)) - 2)
    return first.isalpha() and other.isalpha() and first[:stem] == other[:stem]

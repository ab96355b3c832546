"""Lists of words within a text: stretches of content words that nothing joins to a sentence.

A word that carries content adds to a stretch, what joins words takes away; a stretch ends where it
has lost as much as ``DROP`` since its best. Enumerations of a sentence are shorter or have words
that join them ("such as copper, iron, gold and silver").
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grading.pyramid.order.symbols import Word

PROSE = 0.2  # least share of joining words
DROP = 6.0


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of a text from ``start`` to ``end`` (exclusive), and how much of a list they are."""

    start: int
    end: int
    weight: float


def list_stretches(sentences: Iterable[Sequence[Word]]) -> Iterator[Stretch]:
    """The stretches of a text whose words weigh most, apart from each other and in order.

    None goes from prose into a list, or from a list into prose, with a new sentence.
    """
    start = 0
    for words in _groups(sentences):
        for stretch in heaviest([word.list_weight for word in words]):
            yield Stretch(start + stretch.start, start + stretch.end, stretch.weight)
        start += len(words)


def _groups(sentences: Iterable[Sequence[Word]]) -> list[list[Word]]:
    """The words of each sentence of prose, and those of each row of others."""
    groups: list[list[Word]] = []
    was_prose = True
    for words in sentences:
        count, joining = sum(word.is_word for word in words), sum(word.joins for word in words)
        is_prose = joining >= PROSE * count
        if is_prose or was_prose:
            groups.append([])
        groups[-1].extend(words)
        was_prose = is_prose
    return groups


def heaviest(weights: Sequence[float]) -> Iterator[Stretch]:
    """The stretches of numbers that add up to most, each until it has lost ``DROP``."""
    start = end = 0
    total = best = 0.0
    for index, weight in enumerate(weights):
        if total <= 0:
            total, best, start = 0.0, 0.0, index
        total += weight
        if total > best:
            best, end = total, index + 1
        elif best and (total <= 0 or total <= best - DROP):
            yield Stretch(start, end, round(best, 6))
            total = best = 0.0
    if best:
        yield Stretch(start, end, round(best, 6))

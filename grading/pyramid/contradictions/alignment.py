"""Content words of two statements put side by side, one to one."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.contradictions.opposites import OPPOSITES, are_opposites
from grading.pyramid.contradictions.statements import Statement

SIMILAR = 0.52  # the least cosine of words that are aligned
SAME = 0.68  # the least cosine of predicates that say the same
_STEM = 2.0  # what the same stem counts, beside a cosine
_OPPOSITE = 1.5  # what opposites count
_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """A word of the experts with one of the text, by their places in their sentences.

    ``sign`` is -1 where one of them denies the other ("sufficient", "insufficient").
    """

    expert: int
    text: int
    likeness: float  # their cosine, more where they have the same stem
    same_stem: bool
    sign: int = 1
    opposite: bool = False

    @property
    def says_the_same(self) -> bool:
        return not self.opposite and self.likeness >= SAME


def align(expert: Statement, text: Statement) -> dict[int, Pair]:
    """The pairs by the place of the expert's word; the most similar words come first."""
    pairs: dict[int, Pair] = {}
    taken: set[int] = set()
    for option in sorted(_options(expert, text)):
        first, second = expert.content[option.expert], text.content[option.text]
        if first in pairs or second in taken:
            continue
        taken.add(second)
        same = option.likeness <= -_STEM
        opposite = not same and are_opposites(expert.stems[first], text.stems[second])
        pairs[first] = Pair(first, second, -option.likeness, same, option.sign, opposite)
    return pairs


class _Option(NamedTuple):
    likeness: float  # negative: the most similar comes first
    expert: int  # positions in the content
    text: int
    sign: int


def _options(expert: Statement, text: Statement) -> Iterator[_Option]:
    cosines = _cosines(expert, text)
    if cosines is not None:
        rows, columns = np.nonzero(cosines >= SIMILAR)
        close = cosines[rows, columns].tolist()
        for row, column, cosine in zip(rows.tolist(), columns.tolist(), close, strict=True):
            yield _Option(-cosine, row, column, 1)
    for (row, column), sign in _same_stems(expert, text):
        cosine = 0.0 if cosines is None else float(cosines[row, column])
        yield _Option(-_STEM - cosine, row, column, sign)
    for stem in expert.by_stem.keys() & OPPOSITES.keys():
        for other in OPPOSITES[stem] & text.by_stem.keys():
            for row, column in product(expert.by_stem[stem], text.by_stem[other]):
                yield _Option(-_OPPOSITE, row, column, 1)


def _cosines(expert: Statement, text: Statement) -> NDArray[np.float64] | None:
    rows, columns = expert.content_vectors, text.content_vectors
    if rows is None or columns is None or not len(rows) or not len(columns):
        return None
    return (rows @ columns.T).astype(np.float64).round(_DECIMALS)


def _same_stems(expert: Statement, text: Statement) -> Iterator[tuple[tuple[int, int], int]]:
    """Positions of words with the same stem, or of which one denies the other by a prefix."""
    for first, second, sign in (
        (expert.by_stem, text.by_stem, 1),
        (expert.by_base, text.by_stem, -1),
        (expert.by_stem, text.by_base, -1),
    ):
        for stem in first.keys() & second.keys():
            for pair in product(first[stem], second[stem]):
                yield pair, sign

"""Texts that are cut by hand, and similarities that are written down, for small worked cases."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.structures import (
    Segment,
    Segmentation,
    SegmentedText,
    Sentence,
    Span,
    Text,
    Unit,
)

Compare = Callable[[Sequence[Unit]], NDArray[np.float64]]
Pairs = Mapping[tuple[str, str], float]


def cut(name: str, *sentences: str) -> SegmentedText:
    """A text of sentences whose bars show where they may be cut, such as ``ice melts|and drips``.

    The segmentations are the whole sentence, the full split, and all others.
    """
    content, cuts = "", []
    for sentence in sentences:
        bounds = [len(content)]
        for clause in sentence.split("|"):
            content += clause + " "
            bounds.append(len(content))
        cuts.append(bounds)
    return SegmentedText(Text(name, content.rstrip()), tuple(_sentence(bounds) for bounds in cuts))


def _sentence(bounds: list[int]) -> Sentence:
    inner = bounds[1:-1]
    sizes = sorted(range(1, len(inner) + 1), reverse=True)
    choices = [(), *(chosen for size in sizes for chosen in combinations(inner, size))]
    segmentations = tuple(
        Segmentation(
            tuple(
                Segment((Span(start, end - 1),))
                for start, end in pairwise([bounds[0], *chosen, bounds[-1]])
            )
        )
        for chosen in choices
    )
    return Sentence(Span(bounds[0], bounds[-1] - 1), segmentations)


def against(pairs: Pairs) -> Callable[[Sequence[Unit]], Compare]:
    """Similarities by words in either order: 1 for the same words, 0 for pairs not given."""

    def similarity(row: Unit, column: Unit) -> float:
        if row.words == column.words:
            return 1.0
        one, other = row.words, column.words
        return pairs.get((one, other), pairs.get((other, one), 0.0))

    def ready(columns: Sequence[Unit]) -> Compare:
        return lambda rows: np.array(
            [[similarity(row, column) for column in columns] for row in rows], dtype=np.float64
        ).reshape(len(rows), len(columns))

    return ready


def by_words(pairs: Pairs) -> Compare:
    """The similarities of units with one another."""
    return lambda units: against(pairs)(units)(units)


def random_references(seed: int, references: int, sentences: int) -> list[SegmentedText]:
    """References of clauses that are told apart by numbers."""
    random = np.random.default_rng(seed)
    return [
        cut(
            f"R{i}",
            *(
                "|".join(f"r{i}s{j}c{k}" for k in range(random.integers(1, 4)))
                for j in range(sentences)
            ),
        )
        for i in range(references)
    ]


def by_chance(seed: int) -> Compare:
    """Similarities of clauses that follow from their words alone; few values, so many ties."""

    def compare(units: Sequence[Unit]) -> NDArray[np.float64]:
        vectors = np.array([_vector(unit.words, seed) for unit in units])
        similarities: NDArray[np.float64] = np.round(np.clip(vectors @ vectors.T / 9, 0, 1), 6)
        return similarities

    return compare


def _vector(words: str, seed: int) -> NDArray[np.float64]:
    """The mean of a vector for each clause, of nine zeros and ones."""
    clauses = [np.random.default_rng([seed, *one.encode()]) for one in words.split()]
    mean: NDArray[np.float64] = np.mean([random.integers(0, 2, 9) for random in clauses], axis=0)
    return mean

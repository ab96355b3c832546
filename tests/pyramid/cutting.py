"""Texts that are cut by hand, and similarities that are written down, for small worked cases."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.calibration import Calibration, Priors
from grading.pyramid.encoders.words import sentence_starts
from grading.pyramid.similarity import Compare, Matrix, Meanings
from grading.pyramid.structures import (
    Segment,
    Segmentation,
    SegmentedText,
    Sentence,
    Span,
    Text,
    Unit,
)

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


def read_by_stops(texts: Sequence[Text]) -> list[SegmentedText]:
    """Texts cut into sentences by their full stops alone, without a parse."""
    return [SegmentedText(text, tuple(_sentences_by_stops(text.content))) for text in texts]


def _sentences_by_stops(content: str) -> Iterator[Sentence]:
    for start, end in pairwise([*sentence_starts(content), len(content)]):
        words = content[start:end]
        if words.strip():
            span = Span(start, start + len(words.rstrip()))
            yield Sentence(span, (Segmentation((Segment((span,)),)),))


class Written:
    """Similarities by words in either order: 1 for the same words, 0 for pairs not given."""

    name = "written"
    priors = Priors(*[Calibration(slope=10.0, threshold=0.5)] * 3)
    memory = None

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs

    def words(self, content: str) -> None:
        """No vectors."""

    def among(self, units: Sequence[Unit]) -> Matrix:
        return self.against(units)(units)

    def against(self, columns: Sequence[Unit]) -> Compare:
        return lambda rows: np.array(
            [[self._similarity(row, column) for column in columns] for row in rows],
            dtype=np.float64,
        ).reshape(len(rows), len(columns))

    def meanings(self, units: Sequence[Unit]) -> Meanings:
        """None."""
        return np.zeros((len(units), 0), dtype=np.float16)

    def _similarity(self, row: Unit, column: Unit) -> float:
        if row.words == column.words:
            return 1.0
        first, other = row.words, column.words
        return self._pairs.get((first, other), self._pairs.get((other, first), 0.0))


class Chance:
    """Similarities of clauses that follow from their words alone; few values, so many ties."""

    name = "chance"
    priors = Priors(*[Calibration(slope=10.0, threshold=0.5)] * 3)
    memory = None

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def words(self, content: str) -> None:
        """No vectors."""

    def among(self, units: Sequence[Unit]) -> Matrix:
        return self.against(units)(units)

    def against(self, columns: Sequence[Unit]) -> Compare:
        def compare(rows: Sequence[Unit]) -> Matrix:
            products = self._vectors(rows) @ self._vectors(columns).T
            similarities: Matrix = (products / 9).clip(0, 1).round(6)
            return similarities

        return compare

    def meanings(self, units: Sequence[Unit]) -> Meanings:
        """None."""
        return np.zeros((len(units), 0), dtype=np.float16)

    def _vectors(self, units: Sequence[Unit]) -> Matrix:
        vectors = [_vector(unit.words, self._seed) for unit in units]
        table: Matrix = np.array(vectors, dtype=np.float64).reshape(len(units), 9)
        return table


def by_words(pairs: Pairs) -> Compare:
    """The similarities of units with one another."""
    return Written(pairs).among


def by_chance(seed: int) -> Compare:
    return Chance(seed).among


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


def _vector(words: str, seed: int) -> NDArray[np.float64]:
    """The mean of a vector for each clause, of nine zeros and ones."""
    clauses = [np.random.default_rng([seed, *word.encode()]) for word in words.split()]
    mean: NDArray[np.float64] = np.mean([random.integers(0, 2, 9) for random in clauses], axis=0)
    return mean

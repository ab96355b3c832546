"""Cosines of vectors, as PyrEval compares segments (Gao, Sun and Passonneau 2019, section 4.3).

Deviation: a negative cosine counts as 0, like that of a vector without length. Cosines are rounded
to six decimals: the last bits of a matrix product depend on the shape and order of its factors,
and must not decide between equals.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.calibration import Calibration, Priors
from grading.pyramid.encoders import Encoder
from grading.pyramid.similarity import Compare, Matrix
from grading.pyramid.structures import Unit

DECIMALS = 6


class CosineSimilarity:
    """The cosine of the vectors that an encoder gives; the same in both directions."""

    # Cosines differ so much from text to text that this is no more than a guess.
    priors = Priors(*[Calibration(slope=4.8, threshold=0.431)] * 2)
    memory = None  # vectors of sentences are made as fast as they are looked up

    def __init__(self, encoder: Encoder) -> None:
        self.name = f"cosine-{encoder.name}"
        self._encoder = encoder

    def words(self, content: str) -> None:
        """Sentences have vectors here, and words have none."""

    def among(self, units: Sequence[Unit]) -> Matrix:
        vectors = self._encoder.encode(units)
        return cosine_matrix(vectors, vectors)

    def against(self, columns: Sequence[Unit]) -> Compare:
        vectors = self._encoder.encode(columns)
        return lambda rows: cosine_matrix(self._encoder.encode(rows), vectors)


def cosine_matrix(rows: NDArray[np.floating[Any]], columns: NDArray[np.floating[Any]]) -> Matrix:
    """The cosine of each row vector with each column vector, in [0, 1]."""
    cosines = np.clip(_unit_length(rows) @ _unit_length(columns).T, 0.0, 1.0)
    rounded: Matrix = np.round(cosines, DECIMALS)
    return rounded


def _unit_length(vectors: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    exact = np.ascontiguousarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    scaled: NDArray[np.float64] = np.divide(
        exact, lengths, out=np.zeros_like(exact), where=lengths > 0
    )
    return scaled

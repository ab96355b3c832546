"""The mean of several similarities."""

from collections.abc import Sequence

import numpy as np

from grading.pyramid.calibration import Priors
from grading.pyramid.encoders.words import Words
from grading.pyramid.similarity import Compare, Matrix, Similarity
from grading.pyramid.structures import Unit


class Blend:
    """Each part has the same say."""

    def __init__(self, *parts: Similarity, priors: Priors) -> None:
        self.priors = priors
        self.name = "+".join(part.name for part in parts)
        # Of several memories one is used: a part whose own is not reads texts itself.
        self.memory = next((part.memory for part in parts if part.memory), None)
        self._parts = parts

    def words(self, content: str) -> Words | None:
        return self._parts[0].words(content)

    def among(self, units: Sequence[Unit]) -> Matrix:
        return _mean([part.among(units) for part in self._parts])

    def against(self, columns: Sequence[Unit]) -> Compare:
        ready = [part.against(columns) for part in self._parts]
        return lambda rows: _mean([compare(rows) for compare in ready])


def _mean(matrices: Sequence[Matrix]) -> Matrix:
    mean: Matrix = np.mean(matrices, axis=0)
    return mean

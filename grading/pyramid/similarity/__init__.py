"""Two batches of units to a matrix of similarities in [0, 1]."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.calibration import Priors
from grading.pyramid.encoders import VectorMemory
from grading.pyramid.encoders.words import Words
from grading.pyramid.structures import Unit

Matrix = NDArray[np.float64]
Compare = Callable[[Sequence[Unit]], Matrix]  # units to their similarities with others, a row each


class Memory(VectorMemory, Protocol):
    """Keeps what was found out about a text besides."""

    def has_news_of(self, content: str) -> bool:
        """Is there more to keep of a text than was kept or given back last?"""


class Similarity(Protocol):
    """What builders and matchers need: one measure among equals, one of a text against ideas."""

    @property
    def name(self) -> str:
        """Name and content of the models, for signatures."""

    @property
    def priors(self) -> Priors:
        """How probable a match is by this similarity, as far as other texts than these tell."""

    @property
    def memory(self) -> Memory | None:
        """What spares texts from being read again; None where reading takes no time."""

    def words(self, content: str) -> Words | None:
        """The words of a text as they are compared, with vectors; None where there are none."""

    def among(self, units: Sequence[Unit]) -> Matrix:
        """How similar the units are to one another; symmetric."""

    def against(self, columns: Sequence[Unit]) -> Compare:
        """Ready units, once, for others to be compared with: how much of a column a row tells."""

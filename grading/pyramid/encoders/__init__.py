"""Words to vectors, one file an encoder; the only gensim door."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.structures import Unit


class Encoder(Protocol):
    """What the core needs of an encoder."""

    @property
    def name(self) -> str:
        """Name and content of the model, for signatures."""

    def encode(self, units: Sequence[Unit]) -> NDArray[np.float64]:
        """A row for each unit, all zeros if nothing in it is known.

        The row of a unit depends on its words only, to the last bit: not on its neighbours.
        """

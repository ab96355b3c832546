"""Words to vectors, one file an encoder; the only gensim door."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.structures import Unit


class VectorMemory(Protocol):
    """What was read of texts, for whoever wants to keep it and to spare the reading another time.

    Whatever is given back makes the same numbers as reading the text anew, to the last bit.
    """

    @property
    def name(self) -> str:
        """Name of the model and of the form in which it keeps."""

    def read_ahead(self, contents: Sequence[str]) -> None:
        """Read texts together, which is quicker than one by one."""

    def keep(self, content: str) -> bytes:
        """What was read of a text; read now if it is not at hand."""

    def give_back(self, content: str, kept: bytes | memoryview) -> None:
        """Have the text read already. InputError where this was not kept of this text."""


class Encoder(Protocol):
    """What the core needs of an encoder."""

    @property
    def name(self) -> str:
        """Name and content of the model, for signatures."""

    def encode(self, units: Sequence[Unit]) -> NDArray[np.float64]:
        """A row for each unit, all zeros if nothing in it is known.

        The row of a unit depends on its words only, to the last bit: not on its neighbours.
        """

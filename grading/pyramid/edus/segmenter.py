"""Where elementary discourse units begin: two passes of logistic regression over a parse.

The second pass sees what the first found around (Feng and Hirst 2014). The shipped model is made by
``manage.py train_edus``; docs/methods.md has the recipe. Each sentence begins a unit.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.edus import logistic
from grading.pyramid.edus.boundary_features import first_pass, second_pass
from grading.pyramid.edus.tree import Tree
from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.structures import Token

MODEL_FILE = Path(__file__).parent / "data" / "segmenter.npz"
PASSES = 2
_DECIMALS = 9  # what is left of a probability is noise of the processor
_KEYS = ("weights", "cut")


@dataclass(frozen=True, slots=True, eq=False)
class Segmenter:
    """The weights of both passes, and the probability from which a word begins a unit."""

    weights: NDArray[np.float16]  # a row a pass
    cut: float
    name: str = "segmenter"

    def probabilities(self, tokens: Sequence[Token]) -> list[float]:
        """For each word but the first, how likely it begins a unit."""
        if len(tokens) < 2:
            return []
        tree = Tree(tokens)
        rows = first_pass(tree)
        first = _rounded(self.weights[0], rows)
        both = [[*row, *more] for row, more in zip(rows, second_pass(tree, first), strict=True)]
        return _rounded(self.weights[1], both)

    def starts(self, tokens: Sequence[Token]) -> list[int]:
        """The indexes of the words that begin a unit; the first word of a sentence always does."""
        likely = self.probabilities(tokens)
        return [0, *(at for at, one in enumerate(likely, 1) if one >= self.cut)]


def _rounded(weights: NDArray[np.float16], rows: Sequence[Sequence[str]]) -> list[float]:
    likely = logistic.probabilities(weights, logistic.columns_of(rows))
    return [round(one, _DECIMALS) for one in likely.tolist()]


def write_segmenter(segmenter: Segmenter, path: Path) -> None:
    """Store the model; equal models, equal bytes."""
    with path.open("wb") as file:
        np.savez_compressed(file, weights=segmenter.weights, cut=np.float64(segmenter.cut))


def read_segmenter(path: Path) -> Segmenter:
    """Load a model; a ResourceMissingError says how to make one."""
    try:
        data = path.read_bytes()
        with np.load(path, allow_pickle=False) as stored:
            weights, cut = (stored[key] for key in _KEYS)
        if weights.shape != (PASSES, logistic.WEIGHTS) or weights.dtype != np.float16:
            raise ValueError("other weights than this program's")
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise ResourceMissingError(
            f"There is no segmenter in “{path}”. Make it with: "
            f"python manage.py train_edus --data DIR --out “{path}”"
        ) from error
    digest = hashlib.sha256(data).hexdigest()[:8]
    return Segmenter(weights, float(cut), f"edus-{digest}")


@cache
def shipped_segmenter() -> Segmenter:
    """The model that goes with the program, read when first needed."""
    return read_segmenter(MODEL_FILE)

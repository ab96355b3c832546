"""Where elementary discourse units begin: by the parse, and by MiniLM's middle layer.

Two passes of logistic regression look at the parse, and a small network at the states of the words.
The second pass looks also at what the first and the network found around (Feng and Hirst 2014), and
is averaged with the network. The shipped model is made by ``manage.py train_edus``; docs/methods.md
has the recipe.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol
from zipfile import BadZipFile
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.edus.boundary_features import Tree, first_pass, second_pass
from grading.pyramid.edus.perceptron import Perceptron
from grading.pyramid.encoders.middle_layer import packaged_middle_layer
from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.structures import Token

# Logistic regression over hashed features that are on or off, in numpy alone.
#
# A feature is hashed to one of 2**19 columns (CRC-32, so that no run differs from another): so many
# that one never seen in training seldom shares the column of another. Training minimises the log
# loss with an L2 penalty by L-BFGS (Nocedal 1980); sums are made in a fixed order, without BLAS, so
# that the number of threads makes no difference.

Columns = NDArray[np.int32]  # of each row those that are on, filled up with ``COLUMNS``
Floats = NDArray[np.float64]

COLUMNS = 1 << 19
WEIGHTS = COLUMNS + 2  # then a column for padding, which weighs nothing, and the bias
_REMEMBERED = 8  # steps of L-BFGS
_SMALLEST_STEP = 1e-6
_SMALLEST_GAIN = 2e-5  # of the loss, in proportion: where training ends


def columns_of(rows: Sequence[Sequence[str]]) -> Columns:
    """The columns of each row's features; the last column of the weights is for padding."""
    width = max(map(len, rows), default=0)
    columns = np.full((len(rows), width), COLUMNS, dtype=np.int32)
    known: dict[str, int] = {}
    for row, features in zip(columns, rows, strict=True):
        for place, feature in enumerate(features):
            column = known.get(feature)
            if column is None:
                column = known[feature] = crc32(feature.encode()) % COLUMNS
            row[place] = column
    return columns


def without_rare(columns: Columns, least: int) -> Columns:
    """The same rows, with padding instead of columns that are on in fewer rows than that."""
    often = np.bincount(columns.ravel(), minlength=COLUMNS + 1) >= least
    return np.where(often[columns], columns, np.int32(COLUMNS)).astype(np.int32)


def probabilities(weights: NDArray[np.floating], columns: Columns) -> Floats:
    """Of each row."""
    scores = weights[columns].sum(axis=1, dtype=np.float64) + float(weights[-1])
    result: Floats = 1 / (1 + np.exp(-scores))
    return result


def train(columns: Columns, truth: Floats, *, penalty: float, most_steps: int) -> Floats:
    """The weights, that of padding and the bias last."""

    def loss_and_slope(weights: Floats) -> tuple[float, Floats]:
        likely = probabilities(weights, columns)
        clipped = np.where(truth > 0, likely, 1 - likely).clip(1e-12)
        free = weights[:COLUMNS]
        loss = float(-np.log(clipped).sum() + penalty / 2 * (free * free).sum())
        errors = likely - truth
        of_words = np.repeat(errors, columns.shape[1])
        slope = np.bincount(columns.ravel(), of_words, WEIGHTS).astype(np.float64)
        slope[:COLUMNS] += penalty * free
        slope[COLUMNS:] = 0, errors.sum()
        return loss, slope

    return _minimise(loss_and_slope, np.zeros(WEIGHTS), most_steps)


def _minimise(
    loss_and_slope: Callable[[Floats], tuple[float, Floats]], point: Floats, most_steps: int
) -> Floats:
    steps: deque[tuple[Floats, Floats, float]] = deque(maxlen=_REMEMBERED)
    loss, slope = loss_and_slope(point)
    for _ in range(most_steps):
        direction = _direction(slope, steps)
        along = _product(direction, slope)
        length = 1.0 if steps else 1.0 / max(1.0, float(np.abs(slope).max()))
        while True:
            following = point + length * direction
            next_loss, next_slope = loss_and_slope(following)
            if next_loss <= loss + 1e-4 * length * along or length < _SMALLEST_STEP:
                break
            length /= 2
        moved, turned = following - point, next_slope - slope
        curvature = _product(moved, turned)
        if curvature > 0:
            steps.append((moved, turned, 1 / curvature))
        is_done = loss - next_loss <= _SMALLEST_GAIN * loss
        point, loss, slope = following, next_loss, next_slope
        if is_done:
            break
    return point


def _direction(slope: Floats, steps: Sequence[tuple[Floats, Floats, float]]) -> Floats:
    """Downhill, bent by what the last steps say of the curvature."""
    direction, shares = -slope, []
    for moved, turned, inverse in reversed(steps):
        share = inverse * _product(moved, direction)
        shares.append(share)
        direction = direction - share * turned
    if steps:
        moved, turned, inverse = steps[-1]
        direction = direction / (inverse * _product(turned, turned))
    for (moved, turned, inverse), share in zip(steps, reversed(shares), strict=True):
        direction = direction + moved * (share - inverse * _product(turned, direction))
    return direction


def _product(first: Floats, other: Floats) -> float:
    return float((first * other).sum())


# The segmenter, from these parts. Each sentence begins a unit.

MODEL_FILE = Path(__file__).parent / "data" / "segmenter.npz"
PASSES = 2
_DECIMALS = 9  # what is left of a probability is noise of the processor
_NETWORK = ("states_weights", "states_bias", "outer", "outer_bias")
FIRST_SHARE, LAST_SHARE = 0.5, 0.25  # of the network beside the first and the second pass
_LEAST = 1e-6  # probabilities nearer to 0 or 1 are no surer


class ReadStates(Protocol):
    """What knows the words of a sentence in context."""

    @property
    def name(self) -> str:
        """For signatures."""

    def read(self, tokens: Sequence[Token]) -> NDArray[np.float32]:
        """A row for each token."""


@dataclass(frozen=True, slots=True, eq=False)
class Segmenter:
    """The weights of both passes, and the probability from which a word begins a unit."""

    weights: NDArray[np.float16]  # of the regressions, a row a pass
    network: Perceptron
    cut: float
    middle_layer: ReadStates
    name: str = "segmenter"

    def probabilities(self, tokens: Sequence[Token]) -> list[float]:
        """For each word but the first, how likely it begins a unit."""
        if len(tokens) < 2:
            return []
        tree = Tree(tokens)
        rows = first_pass(tree)
        by_states = self.network.probabilities(self.middle_layer.read(tokens))
        by_parse = probabilities(self.weights[0], columns_of(rows))
        first = averaged(by_parse, by_states, FIRST_SHARE)
        both = [[*row, *more] for row, more in zip(rows, second_pass(tree, first), strict=True)]
        by_parse = probabilities(self.weights[1], columns_of(both))
        return averaged(by_parse, by_states, LAST_SHARE)

    def starts(self, tokens: Sequence[Token]) -> list[int]:
        """The indexes of the words that begin a unit; the first word of a sentence always does."""
        likely = self.probabilities(tokens)
        return [0, *(at for at, probability in enumerate(likely, 1) if probability >= self.cut)]


def averaged(by_parse: Floats, by_states: Floats, share: float) -> list[float]:
    """The mean of their log odds as probabilities, with this share of the states."""
    odds = [
        np.log(probabilities / (1 - probabilities))
        for probabilities in (by_parse.clip(_LEAST, 1 - _LEAST), by_states.clip(_LEAST, 1 - _LEAST))
    ]
    likely: Floats = 1 / (1 + np.exp(-(1 - share) * odds[0] - share * odds[1]))
    return [round(probability, _DECIMALS) for probability in likely.tolist()]


def write_segmenter(segmenter: Segmenter, path: Path) -> None:
    """Store the model; equal models, equal bytes."""
    with path.open("wb") as file:
        network = segmenter.network
        np.savez_compressed(
            file,
            weights=segmenter.weights,
            cut=np.float64(segmenter.cut),
            states_weights=network.weights,
            states_bias=network.bias,
            outer=network.outer,
            outer_bias=network.outer_bias,
        )


def read_segmenter(path: Path) -> Segmenter:
    """Load a model; a ResourceMissingError says how to make one."""
    try:
        data = path.read_bytes()
        with np.load(path, allow_pickle=False) as stored:
            weights, cut = stored["weights"], float(stored["cut"])
            network = Perceptron(*(stored[key] for key in _NETWORK))
        if weights.shape != (PASSES, WEIGHTS) or weights.dtype != np.float16:
            raise ValueError("other weights than this program's")
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise ResourceMissingError(
            f"There is no segmenter in “{path}”. Make it with: "
            f"python manage.py train_edus --data DIR --out “{path}”"
        ) from error
    digest = hashlib.sha256(data).hexdigest()[:8]
    middle_layer = packaged_middle_layer()
    name = f"edus-{digest}-{middle_layer.name}"
    return Segmenter(weights, network, cut, middle_layer, name)


@cache
def shipped_segmenter() -> Segmenter:
    """The model that goes with the program, read when first needed."""
    return read_segmenter(MODEL_FILE)

"""A network with one hidden layer over the states of a word and its neighbours, in numpy alone.

It sees a window of four words, two before the place where a unit may begin and two behind it, as
the middle layer of MiniLM knows them. Training minimises the log loss by Adam (Kingma and Ba 2015)
with dropout and decaying weights; the states are scaled to mean 0 and variance 1 for it, and the
scale goes into the weights afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Halves = NDArray[np.float16]

WINDOW = (-2, -1, 0, 1)  # words, from the one that may begin a unit
_SCALED_BY = 7  # every seventh row is enough to know mean and variance
_KEPT, _KEPT_SQUARE = 0.9, 0.999  # Adam's β1 and β2
_EPSILON = 1e-8
_MOST = 40.0  # log odds


@dataclass(frozen=True, slots=True)
class PerceptronSettings:
    """What was chosen by cross-validation on the training part (docs/methods.md)."""

    hidden: int = 128
    rounds: int = 5
    batch: int = 256
    rate: float = 1e-3
    decay: float = 1e-3
    dropout: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Perceptron:
    """The weights of both layers: a word of the window, its states, hidden units."""

    weights: Halves
    bias: Halves
    outer: Halves
    outer_bias: Halves

    def probabilities(self, states: NDArray[np.floating]) -> Floats:
        """For each word but the first of a sentence, how likely it begins a unit."""
        count, words = len(states) - 1, len(WINDOW)
        padded = np.zeros((len(states) + words, states.shape[1]))
        padded[2 : 2 + len(states)] = states
        hidden = np.tile(self.bias.astype(np.float64), (count, 1))
        for place in range(words):  # rows begin with the second word
            hidden += padded[place + 1 : place + 1 + count] @ self.weights[place].astype(np.float64)
        scores = np.maximum(hidden, 0) @ self.outer.astype(np.float64) + float(self.outer_bias[0])
        return _likely(scores)


def windows(states: Sequence[NDArray[np.floating]]) -> Halves:
    """A row for each word but the first of each sentence: the states of its window."""
    width = states[0].shape[1]
    rows = np.zeros(
        (sum(len(state) - 1 for state in states), len(WINDOW) * width), dtype=np.float16
    )
    start = 0
    for state in states:
        end = start + len(state) - 1
        for place, offset in enumerate(WINDOW):
            of_word = rows[start:end, place * width : (place + 1) * width]
            # The window of word w has the word w + offset; rows begin with word 1.
            least = max(0, -offset - 1)
            most = min(len(state) - 1, len(state) - 1 - offset)
            of_word[least:most] = state[least + 1 + offset : most + 1 + offset]
        start = end
    return rows


def train_perceptron(
    rows: Halves, truth: Floats, settings: PerceptronSettings, seed: int
) -> Perceptron:
    """The same rows, settings and seed give the same network on the same machine."""
    random = np.random.default_rng(seed)
    sample = rows[::_SCALED_BY].astype(np.float32)
    mean, spread = sample.mean(axis=0), sample.std(axis=0) + 1e-6
    inner = random.normal(size=(rows.shape[1], settings.hidden)) / np.sqrt(rows.shape[1])
    outer = random.normal(size=settings.hidden) / np.sqrt(settings.hidden)
    weights: list[Singles] = [
        inner.astype(np.float32),
        np.zeros(settings.hidden, dtype=np.float32),
        outer.astype(np.float32),
        np.zeros(1, dtype=np.float32),
    ]
    adam = [_Adam(weight) for weight in weights]
    starts = range(0, len(rows), settings.batch)
    steps = settings.rounds * len(starts)
    for _ in range(settings.rounds):
        order = random.permutation(len(rows))
        for start in starts:
            chosen = order[start : start + settings.batch]
            batch = (rows[chosen].astype(np.float32) - mean) / spread
            kept = random.random((len(chosen), settings.hidden)) >= settings.dropout
            gradients = _gradients(weights, batch, truth[chosen], kept / (1 - settings.dropout))
            rate = settings.rate * (1 - adam[0].steps / steps)
            for part, gradient in zip(adam, gradients, strict=True):
                part.step(gradient, rate, settings.decay)
    scaled = weights[0] / spread[:, np.newaxis]
    bias = weights[1] - mean @ scaled
    by_word = scaled.reshape(len(WINDOW), -1, settings.hidden)
    halves = (matrix.astype(np.float16) for matrix in (by_word, bias, weights[2], weights[3]))
    return Perceptron(*halves)


def _likely(scores: NDArray[Any]) -> NDArray[Any]:
    likely: NDArray[Any] = 1 / (1 + np.exp(-scores.clip(-_MOST, _MOST)))
    return likely


class _Adam:
    """Moves weights downhill, each by its own step; only matrices decay."""

    def __init__(self, weights: Singles) -> None:
        self.weights, self.steps = weights, 0
        self._slope, self._square = np.zeros_like(weights), np.zeros_like(weights)

    def step(self, gradient: Singles, rate: float, decay: float) -> None:
        self.steps += 1
        self._slope *= _KEPT
        self._slope += (1 - _KEPT) * gradient
        self._square *= _KEPT_SQUARE
        self._square += (1 - _KEPT_SQUARE) * gradient * gradient
        slope = self._slope / (1 - _KEPT**self.steps)
        size = np.sqrt(self._square / (1 - _KEPT_SQUARE**self.steps)) + _EPSILON
        if self.weights.ndim > 1:
            slope += decay * size * self.weights
        self.weights -= rate * slope / size


def _gradients(
    weights: Sequence[Singles], batch: Singles, truth: Floats, kept: Floats
) -> list[Singles]:
    """Of the mean log loss of a batch, where ``kept`` scales the hidden units."""
    inner, bias, outer, outer_bias = weights
    hidden = np.maximum(batch @ inner + bias, 0) * kept.astype(np.float32)
    likely = _likely(hidden @ outer + outer_bias)
    errors = ((likely - truth) / len(truth)).astype(np.float32)
    of_hidden = np.outer(errors, outer) * (hidden > 0) * kept.astype(np.float32)
    return [
        batch.T @ of_hidden,
        of_hidden.sum(axis=0),
        hidden.T @ errors,
        errors.sum(keepdims=True),
    ]

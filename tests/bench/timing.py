"""Seconds of the processor and of the clock; parsers and encoders whose work is done."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from grading.pyramid.encoders import Encoder
from grading.pyramid.parsing import ParsedText, Parser
from grading.pyramid.structures import Text, Unit
from tests.bench.statistics import Numbers


@dataclass(frozen=True, slots=True)
class Seconds:
    """Of the processor (all threads together), and by the clock."""

    cpu: float
    wall: float


def seconds(work: Callable[[], object]) -> Seconds:
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return Seconds(time.process_time() - cpu, time.perf_counter() - wall)


class Remembered:
    """A parser that has read the texts before, so that only the rest is timed.

    References and labels, which a matcher reads once for a pyramid, are read when needed.
    """

    def __init__(self, parser: Parser, texts: Sequence[Text]) -> None:
        self.name = parser.name
        self._parser = parser
        self.parsing = seconds(lambda: self._remember(parser, texts))

    def parse(self, texts: Sequence[Text]) -> list[ParsedText]:
        new = [text for text in texts if text not in self._parsed]
        self._parsed.update(zip(new, self._parser.parse(new), strict=True))
        return [self._parsed[text] for text in texts]

    def _remember(self, parser: Parser, texts: Sequence[Text]) -> None:
        self._parsed = dict(zip(texts, parser.parse(texts), strict=True))


class KnownVectors:
    """An encoder that makes the vector of each unit once."""

    def __init__(self, encoder: Encoder) -> None:
        self.name = encoder.name
        self._encoder = encoder
        self._rows: dict[Unit, Numbers] = {}

    def encode(self, units: Sequence[Unit]) -> Numbers:
        new = [unit for unit in dict.fromkeys(units) if unit not in self._rows]
        if new:
            self._rows.update(zip(new, self._encoder.encode(new), strict=True))
        return np.array([self._rows[unit] for unit in units])

"""The content units of a summary as a maximum weighted independent set, solved exactly.

The graph is that of Gao, Sun and Passonneau (2019), section 4.6 (``reading_graph``), which WMIN
solves greedily. Parts of it that share no unit are solved one by one, by branch and bound: nearly
all are small, and take a few steps. A part that takes more is a whole-number program with one row
for each sentence and each unit, whose relaxation is nearly always whole already.

Of equally heavy sets the one with the higher sum of similarities is taken (to a millionth; the
paper says nothing).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grading.pyramid import ilp
from grading.pyramid.config import Config
from grading.pyramid.reading_graph import ReadingGraph, ReadingMatcher
from grading.pyramid.segment_graph import MILLION
from grading.pyramid.similarity import Similarity
from grading.pyramid.structures import Pyramid, ReadTexts

MOST_STEPS = 2_000  # of the search; what takes more is quicker as a program


def prepare(
    pyramid: Pyramid, similarity: Similarity, config: Config, read: ReadTexts
) -> ReadingMatcher:
    """The matcher for one pyramid; sentences of references need not be read for it."""
    del read
    return ReadingMatcher(pyramid, similarity, config, heaviest)


def heaviest(graph: ReadingGraph) -> list[int]:
    """The places of the readings in the heaviest independent set, in order."""
    weights: list[int] = graph.weights.tolist()
    by_sentence: dict[int, list[_Weighed]] = defaultdict(list)
    for place, (reading, weight) in enumerate(zip(graph.readings, weights, strict=True)):
        units = sum([1 << unit for unit in reading.units])
        by_sentence[reading.sentence].append(_Weighed(place, weight, reading.similarity, units))
    parts = _parts(list(by_sentence.values()))
    return sorted(place for part in parts for place in _of_part(part, graph))


class _Weighed(NamedTuple):
    """A reading by its place in the graph."""

    place: int
    weight: int
    similarity: float
    units: int  # a bit for each


def _parts(sentences: Sequence[list[_Weighed]]) -> list[list[list[_Weighed]]]:
    """The readings of sentences that share a unit, directly or by others between them."""
    parts: list[tuple[int, list[list[_Weighed]]]] = []  # each with all its units
    for readings in sentences:
        units = 0
        for reading in readings:
            units |= reading.units
        joined, apart = [readings], []
        whole = units
        for part in parts:
            if part[0] & units:
                whole |= part[0]
                joined += part[1]
            else:
                apart.append(part)
        parts = [*apart, (whole, joined)]
    return [part for _, part in parts]


class _Option(NamedTuple):
    """A reading of a sentence: the most valuable comes first."""

    loss: int  # its value, negative
    place: int
    units: int  # a bit for each


def _of_part(part: list[list[_Weighed]], graph: ReadingGraph) -> Sequence[int]:
    # Similarities are at most 1: those of all sentences are less than the lightest unit.
    unit = (1 + len(part)) * MILLION
    # The sentence with the best reading first: of equals the search takes the first.
    part.sort(key=lambda readings: readings[0].place)
    sentences = [
        sorted(
            _Option(-weight * unit - round(similarity * MILLION), place, units)
            for place, weight, similarity, units in readings
        )
        for readings in part
    ]
    search = _Search()
    search.extend(sentences, 0, 0, ())
    return search.best if search.steps <= MOST_STEPS else _by_program(sentences, graph)


class _Search:
    """Depth first, the sentence first of which most depends; ``best`` is only that in the end."""

    def __init__(self) -> None:
        self.steps = 0
        self.best: tuple[int, ...] = ()
        self._value = 0

    def extend(
        self, sentences: Sequence[list[_Option]], used: int, value: int, chosen: tuple[int, ...]
    ) -> None:
        """Look at all choices that go on from this one, unless none can be better than the best."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            return
        left = _still_possible(sentences, used) if used else sentences
        bound = value - sum(options[0].loss for options in left)
        if bound <= self._value:
            return
        if _go_together(options[0] for options in left):
            self._value = bound
            self.best = (*chosen, *(options[0].place for options in left))
            return
        branch = max(range(len(left)), key=lambda number: (_lost_without(left[number]), -number))
        others = [*left[:branch], *left[branch + 1 :]]
        for option in left[branch]:
            self.extend(others, option.units, value - option.loss, (*chosen, option.place))
        self.extend(others, 0, value, chosen)


def _still_possible(sentences: Sequence[list[_Option]], used: int) -> list[list[_Option]]:
    """The options that tell none of the units that were used by the last choice."""
    left = [[option for option in options if not option.units & used] for options in sentences]
    return [options for options in left if options]


def _go_together(options: Iterator[_Option]) -> bool:
    seen = 0
    for option in options:
        if option.units & seen:
            return False
        seen |= option.units
    return True


def _lost_without(options: Sequence[_Option]) -> int:
    """By how much the best option is more valuable than the next one."""
    return (options[1].loss if len(options) > 1 else 0) - options[0].loss


def _by_program(sentences: Sequence[list[_Option]], graph: ReadingGraph) -> list[int]:
    """Each sentence read once at most, each unit told once at most."""
    options = sorted(
        (option for of_sentence in sentences for option in of_sentence),
        key=lambda option: option.place,
    )
    rows: dict[tuple[str, int], dict[int, int]] = defaultdict(dict)
    for column, option in enumerate(options):
        reading = graph.readings[option.place]
        rows["sentence", reading.sentence][column] = 1
        for unit in reading.units:
            rows["unit", unit][column] = 1
    values = [-option.loss / ((1 + len(sentences)) * MILLION) for option in options]
    choice = ilp.choose(ilp.Program(values, list(rows.values()), [1] * len(rows)))
    return [options[column].place for column in choice.columns] if choice else []

"""The content units of a summary as a maximum weighted independent set, solved exactly.

The graph is that of Gao, Sun and Passonneau (2019), section 4.6 (``reading_graph``), which WMIN
solves greedily. Parts of it that no edge joins are solved one by one. As all readings of a sentence
and all readings with a unit exclude each other, a part is a whole-number program with one row for
each sentence and each unit, whose relaxation is nearly always whole already.

Of equally heavy sets the one with the higher sum of similarities is taken (to a millionth; the
paper says nothing).
"""

from collections import defaultdict
from collections.abc import Sequence

from grading.pyramid import ilp
from grading.pyramid.config import Config
from grading.pyramid.reading_graph import Reading, ReadingGraph, ReadingMatcher
from grading.pyramid.segment_graph import connected_parts
from grading.pyramid.similarity import Similarity
from grading.pyramid.structures import Pyramid, ReadTexts


def prepare(
    pyramid: Pyramid, similarity: Similarity, config: Config, read: ReadTexts
) -> ReadingMatcher:
    """The matcher for one pyramid; sentences of references need not be read for it."""
    del read
    return ReadingMatcher(pyramid, similarity, config, heaviest)


def heaviest(graph: ReadingGraph) -> list[int]:
    """The places of the readings in the heaviest independent set, in order."""
    parts = connected_parts(graph.conflicts())
    return sorted(place for part in parts for place in _heaviest_of_part(part, graph))


def _heaviest_of_part(part: Sequence[int], graph: ReadingGraph) -> list[int]:
    readings = [graph.readings[place] for place in part]
    weights = graph.weights[list(part)].tolist()
    sentences = {reading.sentence for reading in readings}
    # Similarities are at most 1: those of all sentences are less than the lightest unit.
    values = [
        weight + reading.similarity / (1 + len(sentences))
        for weight, reading in zip(weights, readings, strict=True)
    ]
    if len(sentences) == 1:
        return [part[values.index(max(values))]]
    choice = ilp.choose(_program(readings, values))
    return [part[column] for column in choice.columns] if choice else []


def _program(readings: Sequence[Reading], values: Sequence[float]) -> ilp.Program:
    """Each sentence read once at most, each unit told once at most."""
    rows: dict[tuple[str, int], dict[int, int]] = defaultdict(dict)
    for column, reading in enumerate(readings):
        rows["sentence", reading.sentence][column] = 1
        for unit in reading.units:
            rows["unit", unit][column] = 1
    return ilp.Program(values, list(rows.values()), [1] * len(rows))

"""Content units out of the hypergraph: anchors, contributors, weights, and their merging.

Yang, Passonneau and de Melo (2016), “Pyramid induction” and algorithm 1. A triple with at least two
salient elements is an anchor; a triple of another reference with an element in the similarity
classes of two of them is a contributor; the weight is the number of references with one. Anchors
that are similar enough are merged, each connected component to one unit with its highest weight.
Left open, and chosen here:

- An anchor says what it is about: its subject has a content word ("it moves" is no anchor).
- Of each reference only the most similar triple contributes.
- Two anchors are as similar as ADW finds all their words, as a summary's triple and a unit are. To
  be merged they must also share two elements, as anchor and contributor do: connected components
  make chains, and "matter has energy" is soon one unit with all that is said of either.
- Of a component the anchor with the highest weight stands for all; of equal ones the one that is
  most similar to its contributors.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.peak.hypergraph import Hypergraph, Numbers
from grading.pyramid.segment_graph import connected_parts

_LEAST_SALIENT = 2  # elements of an anchor, and elements that a contributor shares with it


@dataclass(frozen=True, slots=True)
class Anchor:
    """A triple by its number, and its contributors in other references, the most similar each."""

    triple: int
    contributors: tuple[int, ...]
    closeness: float

    @property
    def weight(self) -> int:
        return 1 + len(self.contributors)


@dataclass(frozen=True, slots=True)
class InducedUnit:
    """A content unit: the anchor that stands for it, and those that were merged with it."""

    anchor: Anchor
    merged: tuple[Anchor, ...]


def induce(graph: Hypergraph, similar: float, merge: float) -> list[InducedUnit]:
    """The content units, heaviest first; of equal weight the ones with the closest contributors."""
    anchors = [
        _anchor(graph, number, similar)
        for number, one in enumerate(graph.triples)
        if one.has_subject and len(_salient(graph, number)) >= _LEAST_SALIENT
    ]
    units = []
    for part in connected_parts(_same(graph, anchors, similar, merge)):
        ordered = sorted((anchors[number] for number in part), key=_rank)
        units.append(InducedUnit(ordered[0], tuple(ordered[1:])))
    return sorted(units, key=lambda unit: _rank(unit.anchor))


def _same(
    graph: Hypergraph, anchors: Sequence[Anchor], similar: float, merge: float
) -> NDArray[np.bool_]:
    """Which anchors are to be merged: lines 4 to 8 of algorithm 1."""
    same = np.zeros((len(anchors), len(anchors)), dtype=np.bool_)
    for row, anchor in enumerate(anchors):
        nodes = [node for node in dict.fromkeys(graph.nodes[anchor.triple]) if node is not None]
        for column, other in enumerate(anchors[:row]):
            if graph.likeness[anchor.triple, other.triple] >= merge:
                shared = _shared(graph, nodes, other.triple, similar)
                same[row, column] = same[column, row] = shared > 0
    return same


def _rank(anchor: Anchor) -> tuple[int, float, int]:
    return -anchor.weight, -anchor.closeness, anchor.triple


def _salient(graph: Hypergraph, triple: int) -> list[int]:
    nodes = dict.fromkeys(graph.nodes[triple])
    return [node for node in nodes if node is not None and node in graph.salient]


def _anchor(graph: Hypergraph, number: int, similar: float) -> Anchor:
    best: dict[str, tuple[float, int]] = {}
    own = graph.triples[number].text
    salient = _salient(graph, number)
    for other, one in enumerate(graph.triples):
        if one.text == own:
            continue
        shared = _shared(graph, salient, other, similar)
        if shared > 0 and shared > best.get(one.text, (0.0, 0))[0]:
            best[one.text] = shared, other
    found = [best[text] for text in sorted(best)]
    closeness = sum(shared for shared, _ in found)
    return Anchor(number, tuple(other for _, other in found), round(closeness, 6))


def _shared(graph: Hypergraph, salient: Sequence[int], other: int, similar: float) -> float:
    """How similar the best elements of a triple are to two or more of these; 0 if fewer are."""
    nodes = [node for node in dict.fromkeys(graph.nodes[other]) if node is not None]
    table = graph.similarities[np.ix_(salient, nodes)]
    matched = [value for value in _one_to_one(table) if value >= similar]
    return sum(matched) if len(matched) >= _LEAST_SALIENT else 0.0


def _one_to_one(table: Numbers) -> Iterator[float]:
    """Similarities of pairs, the highest first, no row or column twice."""
    left = table.copy()
    for _ in range(min(left.shape)):
        row, column = divmod(int(left.argmax()), left.shape[1])
        if left[row, column] <= 0:
            return
        yield float(left[row, column])
        left[row, :] = left[:, column] = -1.0

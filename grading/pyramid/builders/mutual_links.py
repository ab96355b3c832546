"""Segments that choose each other: the builder of ``classroom``, not in the paper.

EDUA asks how similar segments are, compared with all others; where experts use different words it
fills its capacity with the most similar of what does not belong together. People go by what fits
best, so here segments are joined that are each other's closest:

- A link between segments of two references is *mutual* if neither reference has a segment that is
  closer to the other one. Segments that share words (a clause and its sentence) are no rivals.
- Pairs with a mutual link and a cosine of at least t_edge are joined, the closest first, and so are
  the groups that result: two groups if the mean of their closest link and of all links between them
  is at least t_edge, and at least half of these links are mutual.
- As in EDUA a segment is in one unit, a unit has one segment of a reference, a sentence is used in
  one segmentation, and what is left over covers the rest (``residuals``). A unit need not be a
  clique of the graph, and there are no capacities: how many units there are is up to the texts.

Of equally close groups those with the lower node numbers are joined: the result depends on nothing
but the texts.
"""

from heapq import heappop, heappush
from itertools import groupby

import numpy as np

from grading.pyramid.config import Config
from grading.pyramid.segment_graph import (
    Clique,
    Integers,
    Mask,
    Node,
    SegmentGraph,
    make_pyramid,
    residuals,
)
from grading.pyramid.structures import Pyramid

MUTUAL_SHARE = 0.5  # of the links between two groups
_NEVER = -1  # closer than nothing


def build(graph: SegmentGraph, config: Config) -> Pyramid:
    """The pyramid of the references, every sentence covered in one segmentation."""
    del config  # the graph has all of it
    groups = _Groups(graph).joined()
    return make_pyramid(graph, [*groups, *residuals(graph, groups)])


def mutual_links(graph: SegmentGraph) -> Mask:
    """For all pairs of nodes, whether each is closest to the other in the other's reference."""
    best_rivals = np.full_like(graph.cosines, _NEVER)
    for _, nodes in groupby(range(len(graph.nodes)), key=lambda node: graph.nodes[node].reference):
        of_reference = list(nodes)
        best_rivals[:, of_reference] = _best_rivals(graph, of_reference)
    closest = (graph.cosines > 0) & (graph.cosines >= best_rivals)
    return closest & closest.T


def _best_rivals(graph: SegmentGraph, nodes: list[int]) -> Integers:
    """For each of a reference's nodes: how close to all others its closest rival is."""
    sentences = [graph.nodes[node].sentence for node in nodes]
    starts = [place for place, at in enumerate(sentences) if sentences.index(at) == place]
    columns = graph.cosines[:, nodes]
    of_sentences = np.maximum.reduceat(columns, starts, axis=1)
    rivals = np.full_like(columns, _NEVER)
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(nodes)], strict=True)):
        others = np.delete(of_sentences, number, axis=1).max(axis=1, initial=_NEVER)
        for place in range(start, end):
            apart = [
                other
                for other in range(start, end)
                if not _share_words(graph.nodes[nodes[place]], graph.nodes[nodes[other]])
            ]
            inside = columns[:, apart].max(axis=1, initial=_NEVER)
            rivals[:, place] = np.maximum(others, inside)
    return rivals


def _share_words(node: Node, other: Node) -> bool:
    return any(
        left.start < right.end and right.start < left.end
        for left in node.segment.spans
        for right in other.segment.spans
    )


class _Groups:
    """The groups of nodes joined so far; a node alone is a group as well."""

    def __init__(self, graph: SegmentGraph) -> None:
        self._graph = graph
        self._mutual = mutual_links(graph)
        self._group_of: dict[int, Clique] = {}
        self._committed: dict[tuple[int, int], int] = {}  # segmentations, by their sentences
        self._heap: list[tuple[float, Clique, Clique]] = []

    def joined(self) -> list[Clique]:
        """The groups of two and more, when nothing is left to join."""
        for left, right in np.argwhere(np.triu(self._mutual)).tolist():
            self._offer((left,), (right,))
        while self._heap:
            _, clique, other = heappop(self._heap)
            if self._is_open(clique) and self._is_open(other):
                self._join(clique, other)
        return sorted(set(self._group_of.values()))

    def _join(self, clique: Clique, other: Clique) -> None:
        group = tuple(sorted((*clique, *other)))
        for node in group:
            self._group_of[node] = group
            self._committed[self._graph.place(node)] = self._graph.nodes[node].segmentation
        linked = np.flatnonzero(self._mutual[list(group)].any(axis=0)).tolist()
        for candidate in dict.fromkeys(self._group_of.get(node, (node,)) for node in linked):
            if self._is_open(candidate) and self._are_apart(group, candidate):
                self._offer(*sorted((group, candidate)))

    def _is_open(self, group: Clique) -> bool:
        """Is this a group as it is now, in segmentations that are still possible?"""
        nodes, place = self._graph.nodes, self._graph.place
        return all(
            self._group_of.get(node, (node,)) == group
            and self._committed.get(place(node), nodes[node].segmentation)
            == nodes[node].segmentation
            for node in group
        )

    def _are_apart(self, clique: Clique, other: Clique) -> bool:
        nodes = self._graph.nodes
        references = {nodes[node].reference for node in clique}
        return references.isdisjoint(nodes[node].reference for node in other)

    def _offer(self, clique: Clique, other: Clique) -> None:
        links = np.ix_(clique, other)
        cosines = self._graph.cosines[links]
        closeness = float(cosines.max() + cosines.mean()) / 2
        if closeness >= self._graph.t_edge and self._mutual[links].mean() >= MUTUAL_SHARE:
            heappush(self._heap, (-closeness, clique, other))

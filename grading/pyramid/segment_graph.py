"""The graph of all segments of all references, its cliques, and pyramids made of them.

Gao, Sun and Passonneau (2019), section 4.3 and figure 5. Nodes are the segments of all
segmentations of all sentences; an edge joins two segments of different references whose cosine is
at least ``t_edge``; a clique of z segments, each of another reference, is a candidate content unit
of weight z; its attraction score AS is its mean edge.

Cosines are kept as whole millionths, so that sums are exact and equal candidates are truly equal.
The references are put into an order of their own (by content), and of equally attractive cliques
the first by node numbers is taken: nothing depends on the order in which references are given.

Deviation: no edge joins segments whose cosine is 0, even where ``t_edge`` itself is 0.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .config import Config
from .structures import (
    Contributor,
    Pyramid,
    Scu,
    Segment,
    Segmentation,
    SegmentedText,
    Unit,
)

Matrix = NDArray[np.float64]
Clique = tuple[int, ...]  # ascending node numbers, each of another reference
Mask = NDArray[np.bool_]
_Integers = NDArray[np.int64]

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Node:
    """The paper's seg_ijkm: a segment with its reference i, sentence j and segmentation k."""

    reference: int
    sentence: int
    segmentation: int
    segment: Segment


@dataclass(frozen=True, eq=False, slots=True)
class SegmentGraph:
    """``edges`` holds the cosines of joined nodes in millionths, and 0 where there is no edge."""

    references: tuple[SegmentedText, ...]
    nodes: tuple[Node, ...]
    edges: _Integers

    def reference_of(self) -> _Integers:
        return np.array([node.reference for node in self.nodes], dtype=np.int64)

    def unit(self, node: int) -> Unit:
        at = self.nodes[node]
        return Unit(self.references[at.reference].text, at.segment.spans)


def counted_segments(
    segmentation: Segmentation, text: SegmentedText, config: Config
) -> list[Segment]:
    """The segments that are long enough to be counted."""
    return [
        segment
        for segment in segmentation.segments
        if config.counts(text.text.words_at(segment.spans))
    ]


def link_segments(
    references: Iterable[SegmentedText],
    compare: Callable[[Sequence[Unit]], Matrix],
    config: Config,
) -> SegmentGraph:
    """The graph of the references; ``compare`` gives the similarities of units with one another."""
    ordered = tuple(sorted(references, key=lambda text: (text.text.content, text.text.name)))
    nodes = tuple(node for i, text in enumerate(ordered) for node in _nodes(i, text, config))
    # A clause is part of many segmentations, but needs to be compared only once.
    units = [Unit(ordered[node.reference].text, node.segment.spans) for node in nodes]
    distinct = {unit: row for row, unit in enumerate(dict.fromkeys(units))}
    rows = np.array([distinct[unit] for unit in units], dtype=np.int64)
    similarity = compare(tuple(distinct)) if distinct else np.zeros((0, 0))
    millionths = np.rint(similarity * MILLION).astype(np.int64)[np.ix_(rows, rows)]
    return SegmentGraph(ordered, nodes, _edges(nodes, millionths, config.edge_percentile))


def _nodes(reference: int, text: SegmentedText, config: Config) -> Iterator[Node]:
    """Finest segmentations first: of equal candidates, the clause wins, not the whole sentence."""
    for j, sentence in enumerate(text.sentences):
        finest = sorted(
            range(len(sentence.segmentations)),
            key=lambda k: (-len(sentence.segmentations[k].segments), k),
        )
        for k in finest:
            for segment in counted_segments(sentence.segmentations[k], text, config):
                yield Node(reference, j, k, segment)


def _edges(nodes: Sequence[Node], millionths: _Integers, percentile: float) -> _Integers:
    references = np.array([node.reference for node in nodes], dtype=np.int64)
    apart = references[:, None] != references[None, :]
    if not apart.any():
        return np.zeros_like(millionths)
    t_edge = np.percentile(millionths[apart], percentile)
    edges: _Integers = np.where(apart & (millionths >= t_edge), millionths, 0)
    return edges


def attraction_score(clique: Clique, edges: _Integers) -> float:
    """AS: the mean edge of a clique; 1 for a single segment."""
    if len(clique) == 1:
        return 1.0
    total = sum(int(edges[pair]) for pair in combinations(clique, 2))
    return total / (MILLION * len(clique) * (len(clique) - 1) // 2)


def attraction(cliques: Iterable[Clique], edges: _Integers) -> float:
    """AP of a pyramid: the sum over its weights of the mean AS of that weight's cliques (AC)."""
    classes: dict[int, list[float]] = {}
    for clique in cliques:
        classes.setdefault(len(clique), []).append(attraction_score(clique, edges))
    return sum(sum(scores) / len(scores) for _, scores in sorted(classes.items()))


# --- the best cliques ---


class CliqueSearch:
    """The most attractive cliques of one size, one by one, while fewer and fewer nodes are legal.

    Cliques are never listed: there can be millions. A heap holds for each node, as the lowest of
    its cliques, an upper bound or the best clique itself. Only what stands at the top is worked
    out, and again only after one of its nodes has become illegal.
    """

    def __init__(self, graph: SegmentGraph, size: int, legal: Mask) -> None:
        self._edges = graph.edges
        self._references = graph.reference_of()
        self._size = size
        most = int(graph.edges.max(initial=0)) * size * (size - 1)
        self._heap: list[tuple[int, Clique]] = [(-most, (int(v),)) for v in np.flatnonzero(legal)]

    def best(self, legal: Mask) -> Clique | None:
        """The best clique of legal nodes; a node once illegal must stay so."""
        while self._heap:
            clique = self._heap[0][1]
            if len(clique) > 1 and legal[list(clique)].all():
                return clique
            heappop(self._heap)
            if legal[clique[0]]:
                self._look_closer(clique[0], legal)
        return None

    def _look_closer(self, lowest: int, legal: Mask) -> None:
        """Put the node back with its best clique, or with a bound below the next on the heap."""
        higher = self._references > self._references[lowest]
        around = np.flatnonzero(legal & higher & (self._edges[lowest] > 0))
        rival = -self._heap[0][0] if self._heap else 0
        branches = _Branches(self._edges[np.ix_(around, around)], self._references[around], rival)
        branches.grow(
            (), 0, np.arange(len(around)), 2 * self._edges[lowest, around], self._size - 1
        )
        if branches.best:
            clique = (lowest, *(int(around[v]) for v in branches.best))
            heappush(self._heap, (-branches.value, clique))
        elif branches.missed > 0:
            heappush(self._heap, (-branches.missed, (lowest,)))


class _Branches:
    """Branch and bound for the heaviest clique among the neighbours of a node.

    Sums are doubled, as each edge is seen from both of its ends. The bound of a partial clique
    that wants q more nodes: per reference the node that could add most, counting its edges to the
    clique twice and its best q - 1 edges to other references once; of these the q highest.
    """

    def __init__(self, edges: _Integers, references: _Integers, rival: int) -> None:
        self.best: Clique = ()
        self.value = rival  # what is worth less than this is not looked for
        self.missed = 0  # the highest bound of what was left out for being below the rival
        self._edges = edges
        self._references = references

    def grow(
        self, chosen: Clique, total: int, nodes: _Integers, gains: _Integers, wanted: int
    ) -> None:
        """Look for the best ``wanted`` of ``nodes``; ``gains`` is what each adds to the chosen."""
        references = self._references[nodes]
        starts = np.flatnonzero(np.diff(references, prepend=-1))
        if len(starts) < wanted:
            return
        if wanted == 1:
            last = int(np.argmax(gains))
            self._offer((*chosen, int(nodes[last])), total + int(gains[last]))
            return
        edges = self._edges[np.ix_(nodes, nodes)]
        with_node = gains + 2 * edges
        promise = np.where(edges > 0, with_node + _outlook(edges, starts, wanted - 2), 0)
        bounds = total + gains + _highest(promise, starts, wanted - 1)
        if wanted > 2:
            keep = bounds >= max(self.value, 1)
            if not keep.all():
                self.missed = max(self.missed, int(bounds[~keep].max()))
                self.grow(chosen, total, nodes[keep], gains[keep], wanted)
                return
        later = references[None, :] > references[:, None]
        bounds = total + gains + _highest(np.where(later, promise, 0), starts, wanted - 1)
        for row in np.argsort(-bounds, kind="stable"):
            branch = (*chosen, int(nodes[row]))
            if self._worth(int(bounds[row]), branch):
                after = later[row] & (edges[row] > 0)
                self.grow(
                    branch, total + int(gains[row]), nodes[after], with_node[row, after], wanted - 1
                )

    def _worth(self, bound: int, branch: Clique) -> bool:
        """Whether a branch could hold something better, or as good and earlier by its nodes."""
        if bound < self.value or not bound:
            self.missed = max(self.missed, bound)
            return False
        return bound > self.value or not self.best or branch <= self.best[: len(branch)]

    def _offer(self, clique: Clique, value: int) -> None:
        self.missed = max(self.missed, value)
        if value > self.value or (value == self.value and (not self.best or clique < self.best)):
            self.best, self.value = clique, value


def _outlook(edges: _Integers, starts: _Integers, count: int) -> _Integers:
    """For each node its best edges to ``count`` references, summed."""
    return _highest(edges, starts, count)


def _highest(values: _Integers, starts: _Integers, count: int) -> _Integers:
    """Row by row the ``count`` highest of the references' maxima; far below 0 if fewer are not 0."""
    if count == 0:
        return np.zeros(len(values), dtype=np.int64)
    maxima = np.sort(np.maximum.reduceat(values, starts, axis=1), axis=1)[:, -count:]
    sums: _Integers = np.where(maxima[:, 0] > 0, maxima.sum(axis=1), -(10**12))
    return sums

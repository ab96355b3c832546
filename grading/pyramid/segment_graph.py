"""The graph of all segments of all references, and its most attractive cliques.

Gao, Sun and Passonneau (2019), section 4.3 and figure 5. Nodes are the segments of all
segmentations of all sentences; an edge joins two segments of different references whose cosine is
at least t_edge; a clique of z segments, each of another reference, is a candidate content unit of
weight z; its attraction score AS is its mean edge.

Cosines are kept in whole millionths, so that sums are exact and equal candidates truly equal. The
references are put into an order of their own, by content, and the first of equally attractive
cliques by its node numbers is taken: nothing depends on the order in which references are given.

Deviation: a cosine of 0 is never an edge, even where t_edge itself is 0.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.config import Config
from grading.pyramid.errors import InputError
from grading.pyramid.structures import (
    Contributor,
    Pyramid,
    Scu,
    Segment,
    Segmentation,
    SegmentedText,
    Text,
    Unit,
)

Matrix = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]
Compare = Callable[[Sequence[Unit]], Matrix]  # units to similarities, a row each
Clique = tuple[int, ...]  # ascending node numbers, each of another reference

MILLION = 1_000_000
MOST_NODES = 5_000  # the matrix of all pairs and its copies take about a gigabyte then
_IMPOSSIBLE = -(10**12)  # far below any sum of edges


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
    edges: Integers

    def unit(self, node: int) -> Unit:
        at = self.nodes[node]
        return Unit(self.references[at.reference].text, at.segment.spans)

    def place(self, node: int) -> tuple[int, int]:
        """The sentence of a node, by reference and number."""
        return self.nodes[node].reference, self.nodes[node].sentence


def counted_segments(segmentation: Segmentation, text: Text, config: Config) -> tuple[Segment, ...]:
    """The segments that are long enough to be counted."""
    segments = segmentation.segments
    return tuple(one for one in segments if config.counts(text.words_at(one.spans)))


def link_segments(
    references: Iterable[SegmentedText],
    compare: Compare,
    config: Config,
) -> SegmentGraph:
    """The graph of the references; ``compare`` gives the similarities of units to each other."""
    ordered = tuple(sorted(references, key=lambda text: (text.text.content, text.text.name)))
    nodes = tuple(node for i, text in enumerate(ordered) for node in _nodes(i, text, config))
    if len(nodes) > MOST_NODES:
        raise InputError(
            f"The references are too long together: they have {len(nodes):,} possible segments; "
            f"at most {MOST_NODES:,} can be compared (about 12 references of 1,000 words)."
        )
    # A clause is part of several segmentations, but needs to be compared only once.
    units = [Unit(ordered[node.reference].text, node.segment.spans) for node in nodes]
    row_of = {unit: row for row, unit in enumerate(dict.fromkeys(units))}
    rows = np.array([row_of[unit] for unit in units], dtype=np.int64)
    millionths = np.rint(compare(tuple(row_of)) * MILLION).astype(np.int64)
    edges = _edges(millionths[np.ix_(rows, rows)], _references(nodes), config.edge_percentile)
    return SegmentGraph(ordered, nodes, edges)


def _nodes(reference: int, text: SegmentedText, config: Config) -> Iterator[Node]:
    """Finest segmentations first: of equal candidates a clause wins over the sentence around it."""
    for j, sentence in enumerate(text.sentences):
        cuts = sentence.segmentations
        for k in sorted(range(len(cuts)), key=lambda k: (-len(cuts[k].segments), k)):
            for segment in counted_segments(cuts[k], text.text, config):
                yield Node(reference, j, k, segment)


def _references(nodes: Sequence[Node]) -> Integers:
    return np.array([node.reference for node in nodes], dtype=np.int64)


def _edges(millionths: Integers, references: Integers, percentile: float) -> Integers:
    pairs = millionths[references[:, None] < references]
    if not len(pairs):
        return np.zeros_like(millionths)
    t_edge = np.percentile(pairs, percentile)
    apart = references[:, None] != references
    edges: Integers = np.where(apart & (millionths >= t_edge), millionths, 0)
    return edges


def attraction_score(clique: Clique, edges: Integers) -> float:
    """AS: the mean edge of a clique; 1 for a single segment."""
    if len(clique) == 1:
        return 1.0
    pairs = list(combinations(clique, 2))
    return sum(int(edges[pair]) for pair in pairs) / (MILLION * len(pairs))


def attraction(cliques: Iterable[Clique], edges: Integers) -> float:
    """AP of a pyramid: the sum over its weights of AC, the mean AS of the cliques of a weight."""
    classes: dict[int, list[float]] = {}
    for clique in sorted(cliques):
        classes.setdefault(len(clique), []).append(attraction_score(clique, edges))
    return sum(sum(classes[weight]) / len(classes[weight]) for weight in sorted(classes))


def residuals(graph: SegmentGraph, cliques: Iterable[Clique]) -> list[Clique]:
    """Single segments that complete the covering: each sentence in exactly one segmentation.

    The rest of a segmentation that a clique uses; the whole sentence where none is used.
    """
    used = {node for clique in cliques for node in clique}
    chosen = {graph.place(node): graph.nodes[node].segmentation for node in used}
    return [
        (node,)
        for node, at in enumerate(graph.nodes)
        if node not in used and at.segmentation == chosen.get(graph.place(node), 0)
    ]


def make_pyramid(graph: SegmentGraph, cliques: Iterable[Clique]) -> Pyramid:
    """The content units that the cliques stand for, heaviest first, then most attractive first."""
    scores = {clique: attraction_score(clique, graph.edges) for clique in cliques}
    ordered = sorted(scores, key=lambda clique: (-len(clique), -scores[clique], clique))
    texts = sorted((text.text for text in graph.references), key=lambda text: text.name)
    scus = (_scu(graph, uid, clique) for uid, clique in enumerate(ordered, start=1))
    return Pyramid(tuple(texts), tuple(scus))


def _scu(graph: SegmentGraph, uid: int, clique: Clique) -> Scu:
    units = [graph.unit(node) for node in clique]
    closeness = graph.edges[np.ix_(clique, clique)].sum(axis=1).tolist()
    _, _, label = min(
        (-close, len(unit.words), unit.words) for close, unit in zip(closeness, units, strict=True)
    )
    contributors = sorted(
        (Contributor(unit.text.name, unit.spans) for unit in units), key=lambda one: one.reference
    )
    return Scu(uid, label, tuple(contributors))


class CliqueSearch:
    """The most attractive cliques of one size, one by one, while fewer and fewer nodes are legal.

    Best-first search: a heap holds partial cliques by what they could at most become. Cliques are
    never listed (there can be millions): only the partial cliques that promise more than the best
    whole one are ever extended, each once. Sums are doubled, as an edge is seen from both its ends.
    """

    def __init__(self, graph: SegmentGraph, size: int, legal: Mask) -> None:
        self._edges = graph.edges
        self._references = _references(graph.nodes)
        self._size = size
        self._heap: list[tuple[int, Clique]] = []
        self._extend((), legal)

    def best(self, legal: Mask) -> Clique | None:
        """The best clique of legal nodes, None if there is none; illegal nodes must stay so."""
        while self._heap:
            partial = self._heap[0][1]
            allowed = legal[list(partial)].all()
            # Whole cliques stay on the heap: the caller's use of one makes its nodes illegal.
            if allowed and len(partial) == self._size:
                return partial
            heappop(self._heap)
            if allowed:
                self._extend(partial, legal)
        return None

    def _extend(self, partial: Clique, legal: Mask) -> None:
        """Put on the heap all ways to add one node of a later reference."""
        chosen = np.array(partial, dtype=np.int64)
        joined = legal & (self._edges[chosen] > 0).all(axis=0)
        if partial:
            joined &= self._references > self._references[partial[-1]]
        nodes = np.flatnonzero(joined)
        if len(nodes):
            total = int(self._edges[np.ix_(chosen, chosen)].sum())
            gains = 2 * self._edges[np.ix_(chosen, nodes)].sum(axis=0)
            bounds = total + self._bounds(nodes, gains, self._size - len(chosen))
            for node, bound in zip(nodes.tolist(), bounds.tolist(), strict=True):
                if bound > 0:
                    heappush(self._heap, (-bound, (*partial, node)))

    def _bounds(self, nodes: Integers, gains: Integers, wanted: int) -> Integers:
        """What each node, with ``wanted`` - 1 of later references, could at most add.

        A further node adds at most its gain (its edges to the nodes chosen), its edge to the
        node in question, and half of its best edges to ``wanted`` - 2 others.
        """
        if wanted == 1:
            return gains
        references = self._references[nodes]
        starts = np.flatnonzero(np.diff(references, prepend=-1))
        edges = self._edges[np.ix_(nodes, nodes)]
        further = gains + 2 * edges + _highest(edges, starts, wanted - 2)
        later = (edges > 0) & (references > references[:, None])
        return gains + _highest(np.where(later, further, 0), starts, wanted - 1)


def _highest(values: Integers, starts: Integers, count: int) -> Integers:
    """Per row the sum of the ``count`` highest maxima of the references, which begin at ``starts``.

    Impossible where fewer than ``count`` references have anything.
    """
    if count == 0:
        return np.zeros(len(values), dtype=np.int64)
    maxima = np.sort(np.maximum.reduceat(values, starts, axis=1), axis=1)[:, -count:]
    possible = (maxima[:, 0] > 0) & (maxima.shape[1] == count)
    sums: Integers = np.where(possible, maxima.sum(axis=1), _IMPOSSIBLE)
    return sums

"""The graph of all segments of all references, and its most attractive cliques.

Gao, Sun and Passonneau (2019), section 4.3 and figure 5. Nodes are the segments of all
segmentations of all sentences; an edge joins two segments of different references whose cosine is
at least t_edge; a clique of z segments, each of another reference, is a candidate content unit of
weight z; its attraction score AS is its mean edge.

Cosines are kept in whole millionths, so that sums are exact and equal candidates truly equal. The
references are put into an order of their own, by content, and the first of equally attractive
cliques by its node numbers is taken: nothing depends on the order in which references are given.

Deviation: a cosine of 0 is never an edge, even where t_edge itself is 0.

Where ``ideas_only`` is set, which the paper does not know, clauses that are no idea (rhetoric.py)
have no edges and say nothing about t_edge. They cover their sentence as ideas that are set aside.
"""

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.config import Config
from grading.pyramid.errors import InputError
from grading.pyramid.idea_labels import Wording, label_of
from grading.pyramid.rhetoric import NoIdea, reason_no_idea
from grading.pyramid.similarity import Compare
from grading.pyramid.structures import (
    Contributor,
    Pyramid,
    Scu,
    Segment,
    Segmentation,
    SegmentedText,
    Standing,
    Text,
    Unit,
)

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]
Clique = tuple[int, ...]  # ascending node numbers, each of another reference

MILLION = 1_000_000
MOST_NODES = 5_000  # the matrix of all pairs and its copies take about a gigabyte then
_PAIRS_A_STEP = 10_000  # of further nodes: they take as long as the rest of a step
_IMPOSSIBLE = -(10**17)  # far below any sum of edges and prices


@dataclass(frozen=True, slots=True)
class Node:
    """The paper's seg_ijkm: a segment with its reference i, sentence j and segmentation k."""

    reference: int
    sentence: int
    segmentation: int
    segment: Segment
    no_idea: NoIdea | None = None


@dataclass(frozen=True, eq=False, slots=True)
class SegmentGraph:
    """``edges`` holds the cosines of joined nodes in millionths, and 0 where there is no edge.

    ``cosines`` has those of all nodes of different references, below ``t_edge`` as well. Ideas are
    called by one of their segments as it is, or by ``whole_labels``.
    """

    references: tuple[SegmentedText, ...]
    nodes: tuple[Node, ...]
    edges: Integers
    cosines: Integers
    t_edge: int
    whole_labels: bool = False

    def unit(self, node: int) -> Unit:
        at = self.nodes[node]
        return Unit(self.references[at.reference].text, at.segment.spans)

    def place(self, node: int) -> tuple[int, int]:
        """The sentence of a node, by reference and number."""
        return self.nodes[node].reference, self.nodes[node].sentence


def counted_segments(segmentation: Segmentation, text: Text, config: Config) -> tuple[Segment, ...]:
    """The segments that are long enough to be counted."""
    segments = segmentation.segments
    return tuple(segment for segment in segments if config.counts(text.words_at(segment.spans)))


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
            f"The references are too long: they have {len(nodes):,} possible segments. At most "
            f"{MOST_NODES:,} can be compared (about 12 references of 1,000 words)."
        )
    # A clause is part of several segmentations, but needs to be compared only once.
    units = [Unit(ordered[node.reference].text, node.segment.spans) for node in nodes]
    row_of = {unit: row for row, unit in enumerate(dict.fromkeys(units))}
    rows = np.array([row_of[unit] for unit in units], dtype=np.int64)
    millionths = np.rint(compare(tuple(row_of)) * MILLION).astype(np.int64)
    ideas = np.array([node.no_idea is None for node in nodes], dtype=np.bool_)
    percentile = _percentile(ideas.sum() / max(1, len(ordered)), config)
    apart = _references(nodes)[:, None] != _references(nodes)
    comparable = apart & ideas[:, None] & ideas
    cosines: Integers = np.where(comparable, millionths[np.ix_(rows, rows)], 0)
    pairs = cosines[np.triu(comparable)]
    t_edge = math.ceil(np.percentile(pairs, percentile)) if len(pairs) else MILLION
    edges: Integers = np.where(cosines >= t_edge, cosines, 0)
    return SegmentGraph(ordered, nodes, edges, cosines, t_edge, config.whole_labels)


def _percentile(nodes_of_a_reference: float, config: Config) -> float:
    """Pairs grow with the square of the texts, pairs that mean the same only with their length."""
    if config.edges_per_segment is None:
        return config.edge_percentile
    return 100 * max(0.0, 1 - config.edges_per_segment / max(1.0, nodes_of_a_reference))


def _nodes(reference: int, text: SegmentedText, config: Config) -> Iterator[Node]:
    """Finest segmentations first: of equal candidates a clause wins over the sentence around it."""
    for j, sentence in enumerate(text.sentences):
        cuts = sentence.segmentations
        for k in sorted(range(len(cuts)), key=lambda k: (-len(cuts[k].segments), k)):
            for segment in counted_segments(cuts[k], text.text, config):
                reason = reason_no_idea(sentence, segment.spans) if config.ideas_only else None
                yield Node(reference, j, k, segment, reason)


def _references(nodes: Sequence[Node]) -> Integers:
    return np.array([node.reference for node in nodes], dtype=np.int64)


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


def make_pyramid(
    graph: SegmentGraph, cliques: Iterable[Clique], notes: tuple[str, ...] = ()
) -> Pyramid:
    """The content units of the cliques: heaviest, then most attractive first; asides last."""
    scores = {clique: attraction_score(clique, graph.cosines) for clique in cliques}
    aside = {clique: graph.nodes[clique[0]].no_idea is not None for clique in scores}
    ordered = sorted(scores, key=lambda each: (aside[each], -len(each), -scores[each], each))
    texts = sorted((text.text for text in graph.references), key=lambda text: text.name)
    labels: dict[Clique, str] = {}
    for clique in ordered:
        labels[clique] = _label(graph, clique, frozenset(labels.values()))
    scus = (_scu(graph, uid, clique, labels[clique]) for uid, clique in enumerate(ordered, start=1))
    return Pyramid(tuple(texts), tuple(scus), notes=notes)


def _label(graph: SegmentGraph, clique: Clique, taken: Container[str]) -> str:
    """The segment closest to the others, or a clause that can be read on its own."""
    units = [graph.unit(node) for node in clique]
    closeness = graph.cosines[np.ix_(clique, clique)].sum(axis=1).tolist()
    if graph.whole_labels:
        texts = [graph.references[graph.nodes[node].reference] for node in clique]
        spans = (unit.spans for unit in units)
        return label_of(list(map(Wording, texts, spans, closeness)), taken)
    return min(
        (-close, len(unit.words), unit.words) for close, unit in zip(closeness, units, strict=True)
    )[-1]


def _scu(graph: SegmentGraph, uid: int, clique: Clique, label: str) -> Scu:
    units = (graph.unit(node) for node in clique)
    contributors = sorted(
        (Contributor(unit.text.name, unit.spans) for unit in units), key=lambda each: each.reference
    )
    reason = graph.nodes[clique[0]].no_idea
    if reason is None:
        return Scu(uid, label, tuple(contributors))
    comment = f"Set aside: {reason}."
    return Scu(uid, label, tuple(contributors), comment, standing=Standing.ASIDE)


def connected_parts(joined: Mask) -> list[list[int]]:
    """The nodes of each connected part of a graph, in order."""
    import networkx as nx  # noqa: PLC0415 - only few processes need it, and it is large

    graph = nx.Graph()
    graph.add_nodes_from(range(len(joined)))
    graph.add_edges_from(np.argwhere(np.triu(joined)).tolist())
    return sorted(sorted(part) for part in nx.connected_components(graph))


class CliqueSearch:
    """The most attractive cliques of one size, one by one, while fewer and fewer nodes are legal.

    Best-first search: a heap holds partial cliques by what they could at most become. Cliques are
    never listed (there can be millions): only the partial cliques that promise more than the best
    whole one are ever extended, each once. Sums are doubled, as an edge is seen from both its ends.
    Where nodes have ``prices``, a clique is worth its sum less their prices. Only cliques worth
    more than ``least`` are found.
    """

    def __init__(
        self,
        graph: SegmentGraph,
        size: int,
        legal: Mask,
        *,
        prices: Integers | None = None,
        least: int = 0,
    ) -> None:
        self.steps = 0  # the work done so far, whatever the machine: partial cliques extended
        self._edges = graph.edges
        self._references = _references(graph.nodes)
        self._prices = np.zeros(len(graph.nodes), dtype=np.int64) if prices is None else prices
        self._size = size
        self._least = least
        self._heap: list[tuple[int, Clique]] = []
        self._extend((), legal)

    @property
    def bound(self) -> int:
        """No clique that is still to come is worth more."""
        return -self._heap[0][0] if self._heap else self._least

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

    def in_order(self, legal: Mask, most_steps: int) -> Iterator[tuple[int, Clique]]:
        """All cliques of legal nodes and what they are worth, best first, until steps run out."""
        while self._heap and self.steps < most_steps:
            worth, clique = heappop(self._heap)
            if len(clique) == self._size:
                yield -worth, clique
            else:
                self._extend(clique, legal)

    def _extend(self, partial: Clique, legal: Mask) -> None:
        """Put on the heap all ways to add one node of a later reference."""
        chosen = np.array(partial, dtype=np.int64)
        joined = legal & (self._edges[chosen] > 0).all(axis=0)
        if partial:
            joined &= self._references > self._references[partial[-1]]
        nodes = np.flatnonzero(joined)
        self.steps += 1 + len(nodes) ** 2 // _PAIRS_A_STEP
        if len(nodes):
            total = int(self._edges[np.ix_(chosen, chosen)].sum() - self._prices[chosen].sum())
            gains = 2 * self._edges[np.ix_(chosen, nodes)].sum(axis=0) - self._prices[nodes]
            bounds = total + self._bounds(nodes, gains, self._size - len(chosen))
            promising = bounds > self._least
            pairs = zip(nodes[promising].tolist(), bounds[promising].tolist(), strict=True)
            for node, bound in pairs:
                heappush(self._heap, (-bound, (*partial, node)))

    def _bounds(self, nodes: Integers, gains: Integers, wanted: int) -> Integers:
        """What each node, with ``wanted`` - 1 of later references, could at most add.

        A further node adds at most its gain (its edges to the nodes chosen, less its price), its
        edge to the node in question, and half of its best edges to ``wanted`` - 2 others.
        """
        if wanted == 1:
            return gains
        references = self._references[nodes]
        starts = np.flatnonzero(np.diff(references, prepend=-1))
        edges = self._edges[np.ix_(nodes, nodes)]
        edges[edges == 0] = _IMPOSSIBLE
        further = gains + 2 * edges + _highest(edges, starts, wanted - 2)
        later = (edges > 0) & (references > references[:, None])
        return gains + _highest(np.where(later, further, _IMPOSSIBLE), starts, wanted - 1)


def _highest(values: Integers, starts: Integers, count: int) -> Integers:
    """Per row the sum of the ``count`` highest maxima of the references, which begin at ``starts``.

    Impossible where fewer than ``count`` references have anything.
    """
    if count == 0:
        return np.zeros(len(values), dtype=np.int64)
    maxima = np.sort(np.maximum.reduceat(values, starts, axis=1), axis=1)[:, -count:]
    possible = (maxima[:, 0] > _IMPOSSIBLE // 2) & (maxima.shape[1] == count)
    sums: Integers = np.where(possible, maxima.sum(axis=1), _IMPOSSIBLE)
    return sums

"""EDUA-G: a pyramid by greedy choice from the heaviest content units down, with backtracking.

Gao, Sun and Passonneau (2019), appendix A, algorithms 1 to 4. Where text, pseudo-code and the
authors' program disagree:

- Capacity: at most y_n = alpha * (1/n) ** beta units of weight n, as the text says. The loop of
  algorithm 1 (while |C_r| <= y_r) would commit one more, the program allows one less.
- Conflicts: a segment is in one unit and a sentence in one segmentation across all weights, as
  line 7 of algorithm 1 says; algorithm 3 and the program look at one weight only.
- The constraint that makes the search go back is formula 2, capacities that grow downwards
  (|C_r+1| <= |C_r|), for 1 < r < n: the others hold by construction.
- Going back takes apart the least attractive unit of weight r + 1, one at a time, as the text on
  backtracking and algorithm 2 say (the text on allocation speaks of all subsets of C_r+1), until
  formula 2 holds: the loop of algorithm 2 (until C_r is full, or one round: it ends in a break)
  fits neither its own text nor the other. All (r+1 choose r) parts overlap, so one is committed.
- Which segmentation covers a sentence that no unit uses is open, as each single segment has an
  attraction of 1: it is the first by index (algorithm 1, line 19), the whole sentence.
"""

import math
from itertools import combinations

import numpy as np

from grading.pyramid.config import Config
from grading.pyramid.segment_graph import (
    Clique,
    CliqueSearch,
    Integers,
    Mask,
    SegmentGraph,
    attraction_score,
    make_pyramid,
    residuals,
)
from grading.pyramid.structures import Pyramid

_NOT_VALID = -1  # the status of a sentence for which no segmentation is committed yet


def build(graph: SegmentGraph, config: Config) -> Pyramid:
    """The pyramid of the references, every sentence covered in one segmentation."""
    return make_pyramid(graph, allocate(graph, config))


def allocate(graph: SegmentGraph, config: Config) -> list[Clique]:
    """The cliques that EDUA-G commits, those of single segments among them."""
    allocation = _Allocation(graph, config)
    for weight in range(len(graph.references), 1, -1):
        allocation.fill(weight)
        allocation.backtrack(weight)
    committed = [clique for cliques in allocation.classes.values() for clique in cliques]
    return committed + residuals(graph, committed)


def capacity(weight: int, segments: int, config: Config) -> int:
    """y_n of formula 1, in whole units."""
    alpha = segments + config.alpha_extra
    return math.floor(alpha * math.pow(1 / weight, config.beta))


class _Allocation:
    """The classes C_r filled so far."""

    def __init__(self, graph: SegmentGraph, config: Config) -> None:
        self.classes: dict[int, list[Clique]] = {}
        self._graph = graph
        self._config = config
        self._pool = _Pool(graph)

    def fill(self, weight: int) -> None:
        """Commit the most attractive legal candidates, as many as the capacity allows."""
        search = CliqueSearch(self._graph, weight, self._pool.legal())
        chosen: list[Clique] = []
        self.classes[weight] = chosen
        room = capacity(weight, len(self._graph.nodes), self._config)
        while len(chosen) < room and (clique := search.best(self._pool.legal())):
            self._pool.commit(clique)
            chosen.append(clique)

    def backtrack(self, weight: int) -> None:
        """Turn heavier units into units of this weight until there are no fewer of these."""
        chosen, above = self.classes[weight], self.classes.get(weight + 1, [])
        while len(chosen) < len(above):
            weakest = max(above, key=self._weakness)
            part = min(combinations(weakest, weight), key=self._weakness)
            above.remove(weakest)
            self._pool.release(weakest)
            self._pool.commit(part)
            chosen.append(part)
            self.backtrack(weight + 1)

    def _weakness(self, clique: Clique) -> tuple[float, Clique]:
        return -attraction_score(clique, self._graph.edges), clique


class _Pool:
    """The segment pool SP: which segments are used, which segmentations are committed."""

    def __init__(self, graph: SegmentGraph) -> None:
        places = [graph.place(node) for node in range(len(graph.nodes))]
        number = {place: index for index, place in enumerate(dict.fromkeys(places))}
        self._sentences: Integers = np.array([number[place] for place in places], dtype=np.int64)
        self._segmentations: Integers = np.array(
            [node.segmentation for node in graph.nodes], dtype=np.int64
        )
        self._used: Mask = np.zeros(len(places), dtype=np.bool_)
        self._committed: Integers = np.full(len(number), _NOT_VALID, dtype=np.int64)

    def legal(self) -> Mask:
        """Segments that are free, in segmentations whose status is True or NotValid."""
        status = self._committed[self._sentences]
        mask: Mask = ~self._used & ((status == _NOT_VALID) | (status == self._segmentations))
        return mask

    def commit(self, clique: Clique) -> None:
        nodes = list(clique)
        self._used[nodes] = True
        self._committed[self._sentences[nodes]] = self._segmentations[nodes]

    def release(self, clique: Clique) -> None:
        """Free the segments, and the sentences of which nothing else is used."""
        nodes = list(clique)
        self._used[nodes] = False
        still_in_use = set(self._sentences[self._used].tolist())
        for sentence in self._sentences[nodes].tolist():
            if sentence not in still_in_use:
                self._committed[sentence] = _NOT_VALID

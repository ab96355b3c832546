"""EDUA-C: the pyramid with the highest attraction AP of all legal ones, proven.

Gao, Sun and Passonneau (2019), sections 4.3 and 4.4. Legal is what section 4.4 calls so: all units
use the same segmentation of a sentence, no segment is in two, and every sentence is covered
(section 4.3). The capacities of formulas 1 and 2 are EDUA-G's alone ("in addition to the
constraints 1 and 2 in EDUA-C", appendix A); so what EDUA-G builds is legal here, and never better.

What follows from the definition: as the mean of a weight is never above its best unit, and single
segments have the mean 1 however many they are, dissolving all but the best unit of each weight
never lowers AP. The best pyramid has one unit of each weight from 2 on, and single segments. The
paper's own counts show it (table 2: 1, 1, 1 and the rest), and appendix A gives EDUA-G its
capacities for that reason. Asked for it ``in_shape``, the best AP among the pyramids that have as
many units of each weight as another builder's is found: the optimum in a shape that is of use.

Deviation: the paper's depth-first search of all paths is replaced by one that need not visit them.

- Maximise the sum of AS / (units of its weight) over cliques, where each uses segments that the
  segmentation chosen for their sentence has, each once, and one segment at least is left over
  (some best pyramid has one: taking a unit apart costs AS <= 1 and gives the mean of weight 1).
- Its relaxation in fractions is solved with few cliques; its prices for segments tell which others
  would help (CliqueSearch), until none does. The same prices give a bound on all pyramids
  (Lagrange's, in whole numbers: it holds whatever the solver's rounding was).
- If the best choice among the cliques found falls short of the bound, all cliques that could make
  up for it are added, and the choice among them is the best of all.

Pyramids whose attraction differs by less than a millionth count as equal. The work is limited by
steps, never by time; when they run out, the best pyramid found comes with its bound.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from grading.pyramid import ilp
from grading.pyramid.config import Config
from grading.pyramid.segment_graph import (
    MILLION,
    Clique,
    CliqueSearch,
    Integers,
    SegmentGraph,
    attraction,
    attraction_score,
    make_pyramid,
    residuals,
)
from grading.pyramid.structures import Pyramid

MOST_STEPS = 700_000  # partial cliques extended: about a minute on twelve references
TOLERANCE = 2e-6  # of AP: cosines have six decimals
_FINE = 1000  # cosines in thousand-millionths, so that rounding prices moves no bound
_UNIT = MILLION * _FINE
_MOST_NEW = 20  # cliques added for a weight at a time
_TREE_NODES = 1_000  # of the solver; it rarely needs more than one
_FEW_CLIQUES = 300  # to choose from when the search was stopped early: then choosing is hard
_MOST_CLIQUES = 20_000  # cliques to choose from: what the solver can hold
_SLACK = 1e-8  # that a clique must help more than, so that rounding is not taken for help

Shape = Mapping[int, int]  # how many units of each weight from 2 on, at most or exactly
_Place = tuple[int, int]  # a sentence, by reference and number
_Row = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Allocation:
    """The cliques, those of single segments among them, and how good they are."""

    cliques: tuple[Clique, ...]
    attraction: float  # AP
    bound: float  # no legal pyramid (of the shape asked for) has more

    @property
    def gap(self) -> float:
        return max(0.0, self.bound - self.attraction)

    @property
    def optimal(self) -> bool:
        return self.gap <= TOLERANCE

    @property
    def note(self) -> str:
        """The same in words."""
        if self.optimal:
            return f"No other pyramid holds together better (attraction {self.attraction:.4f})."
        return (
            f"The attraction of this pyramid is {self.attraction:.4f}. A better one was not found "
            f"in as many steps as are allowed; none has more than {self.bound:.4f}."
        )


def build_from(
    first: Callable[[SegmentGraph, Config], Sequence[Clique]], *, in_shape: bool = False
) -> Callable[[SegmentGraph, Config], Pyramid]:
    """A builder that starts from the cliques of another one, and never ends below them."""

    def build_so(graph: SegmentGraph, config: Config) -> Pyramid:
        best = allocate(graph, first(graph, config), in_shape=in_shape)
        return make_pyramid(graph, best.cliques, (best.note,))

    return build_so


def allocate(
    graph: SegmentGraph,
    start: Sequence[Clique] = (),
    *,
    in_shape: bool = False,
    most_steps: int = MOST_STEPS,
) -> Allocation:
    """The best cliques, never worse than those of a legal pyramid to ``start`` from.

    ``in_shape``: as many of each weight from 2 on as the start has. A start that leaves no single
    segment over is the answer then.
    """
    if not graph.nodes:
        return Allocation((), 0.0, 0.0)
    segments = _Segments(graph)
    shared = [clique for clique in start if len(clique) > 1]
    weights = range(2, len(graph.references) + 1)
    shape = Counter(map(len, shared)) if in_shape else dict.fromkeys(weights, 1)
    if in_shape and len(shared) == len(start):
        return Allocation(tuple(start), attraction(start, graph.edges), len(shape) + 1.0)
    master = _Master(segments, shape, exactly=in_shape)
    for clique in shared if in_shape else _best_of_each_weight(shared, graph):
        master.add(tuple(segments.of_node[node] for node in clique))
    search = _Search(master, segments.graph, most_steps)
    chosen = segments.in_nodes(search.run())
    candidates = [list(start), [*chosen, *residuals(graph, chosen)]]
    best = max(candidates, key=lambda cliques: attraction(cliques, graph.edges))
    return Allocation(tuple(best), attraction(best, graph.edges), search.bound)


def _best_of_each_weight(cliques: Iterable[Clique], graph: SegmentGraph) -> list[Clique]:
    ordered = sorted(cliques, key=lambda clique: (attraction_score(clique, graph.edges), clique))
    return list({len(clique): clique for clique in ordered}.values())


class _Segments:
    """The segments of each sentence, each once, however many segmentations it is part of.

    ``graph`` has them as its nodes, with cosines in thousand-millionths. ``cuts`` are the
    segmentations of each sentence, the finest first: segments, and their nodes in the whole graph.
    """

    def __init__(self, whole: SegmentGraph) -> None:
        keys = [(whole.place(node), at.segment) for node, at in enumerate(whole.nodes)]
        first = {key: node for node, key in reversed(list(enumerate(keys)))}
        nodes = sorted(first.values())
        number = {keys[node]: index for index, node in enumerate(nodes)}
        self.of_node = [number[key] for key in keys]
        self.cuts: dict[_Place, dict[int, dict[int, int]]] = {}
        for node, (place, _) in enumerate(keys):
            cut = self.cuts.setdefault(place, {}).setdefault(whole.nodes[node].segmentation, {})
            cut[self.of_node[node]] = node
        edges, cosines = (
            of_all[np.ix_(nodes, nodes)] * _FINE for of_all in (whole.edges, whole.cosines)
        )
        self.graph = replace(
            whole,
            nodes=tuple(whole.nodes[n] for n in nodes),
            edges=edges,
            cosines=cosines,
            t_edge=whole.t_edge * _FINE,
        )

    def worth(self, prices: Integers) -> int:
        """Of the dearest segmentations of all sentences."""
        return sum(
            max(int(prices[list(cut)].sum()) for cut in cuts.values())
            for cuts in self.cuts.values()
        )

    def in_nodes(self, cliques: Iterable[Clique]) -> list[Clique]:
        """The cliques in the whole graph: in the finest segmentation that leaves something over."""
        used: dict[_Place, set[int]] = {}
        for segment in (segment for clique in cliques for segment in clique):
            used.setdefault(self.graph.place(segment), set()).add(segment)
        node: dict[int, int] = {}
        for place, segments in used.items():
            fitting = [cut for cut in self.cuts[place].values() if segments <= cut.keys()]
            node |= next((cut for cut in fitting if len(cut) > len(segments)), fitting[0])
        return [tuple(node[segment] for segment in clique) for clique in cliques]


@dataclass(frozen=True, slots=True)
class _Prices:
    """What the use of a segment costs, what a unit of each weight must be worth, and the bound."""

    segments: Integers
    least: dict[int, int]
    rest: float  # what the segmentations are worth at these prices, and weight 1
    value: float  # of the relaxation, weight 1 included


class _Master:
    """The choice among the cliques found so far: columns for segmentations, then for cliques."""

    def __init__(self, segments: _Segments, shape: Shape, *, exactly: bool) -> None:
        self.cliques: dict[Clique, int] = {}  # and their columns
        self.shape = shape
        self._segments = segments
        self._exactly = exactly
        self._values: list[float] = []
        self._limits: dict[_Row, int] = {("left over", 0): -1}
        self._limits |= {("at most", weight): units for weight, units in shape.items()}
        if exactly:
            self._limits |= {("at least", weight): -units for weight, units in shape.items()}
        self._limits |= {("segment", number): 0 for number in range(len(segments.graph.nodes))}
        self._limits |= {("sentence", number): 1 for number in range(len(segments.cuts))}
        self._rows: dict[_Row, dict[int, int]] = {row: {} for row in self._limits}
        for number, cuts in enumerate(segments.cuts.values()):
            for cut in cuts.values():
                self._add(0.0, [(("sentence", number), 1)], cut, -1)

    def add(self, clique: Clique) -> None:
        if clique in self.cliques:
            return
        weight = len(clique)
        edges = int(self._segments.graph.edges[np.ix_(clique, clique)].sum())
        rows: list[tuple[_Row, int]] = [(("at most", weight), 1)]
        if ("at least", weight) in self._rows:
            rows.append((("at least", weight), -1))
        self.cliques[clique] = len(self._values)
        self._add(edges / self.scale(weight), rows, clique, 1)

    def scale(self, weight: int) -> int:
        """By what a doubled sum of edges is divided for a unit's part in AP."""
        return weight * (weight - 1) * self.shape[weight] * _UNIT

    def prices(self) -> _Prices | None:
        """Those of the relaxation, in whole numbers."""
        relaxed = ilp.relax(self._program())
        if relaxed is None:
            return None
        price = dict(zip(self._limits, relaxed.prices, strict=True))
        left_over = round(price["left over", 0] * _UNIT)
        count = len(self._segments.graph.nodes)
        segments = [round(price["segment", number] * _UNIT) for number in range(count)]
        costs = np.array(segments, dtype=np.int64) + left_over
        least = {weight: self._least(price, weight) for weight in self.shape}
        rest = (self._segments.worth(costs) - left_over) / _UNIT + 1
        return _Prices(costs, least, rest, relaxed.value + 1)

    def _least(self, price: Mapping[_Row, float], weight: int) -> int:
        """What a clique of this weight must be worth to help."""
        room = price["at most", weight] - price.get(("at least", weight), 0.0)
        return round((room + _SLACK) * self.scale(weight))

    def few(self) -> "_Master":
        """The same with the cliques found first, the start among them, and last."""
        known = list(self.cliques)
        master = _Master(self._segments, self.shape, exactly=self._exactly)
        for clique in [*known[:_FEW_CLIQUES], *known[-_FEW_CLIQUES:]]:
            master.add(clique)
        return master

    def choose(self) -> tuple[list[Clique], float, float]:
        """The best choice, its AP, and the bound of choices among these cliques."""
        choice = ilp.choose(self._program(), _TREE_NODES)
        if choice is None:
            return [], 0.0, math.inf
        taken = set(choice.columns)
        cliques = [clique for clique, column in self.cliques.items() if column in taken]
        return cliques, choice.value + 1, choice.bound + 1

    def _add(
        self, value: float, rows: Iterable[tuple[_Row, int]], segments: Iterable[int], sign: int
    ) -> None:
        column = len(self._values)
        self._values.append(value)
        of_segments = [("segment", segment) for segment in segments]
        entries = [*rows, *((row, sign) for row in of_segments)]
        entries.append((("left over", 0), sign * len(of_segments)))
        for row, coefficient in entries:
            self._rows[row][column] = coefficient

    def _program(self) -> ilp.Program:
        return ilp.Program(self._values, list(self._rows.values()), list(self._limits.values()))


class _Search:
    """Cliques to choose from, as many as are needed, and the bound that they prove."""

    def __init__(self, master: _Master, graph: SegmentGraph, most_steps: int) -> None:
        self.bound = float(len(master.shape) + 1)  # no weight has more than 1
        self._master = master
        self._graph = graph
        self._legal = np.ones(len(graph.nodes), dtype=np.bool_)
        self._steps = most_steps
        self._prices: _Prices | None = None  # that gave the bound
        self._best: dict[int, int] = {}  # what a clique of each weight is worth then, at most

    def run(self) -> list[Clique]:
        """The best choice found."""
        while self._steps > 0 and self._add_what_helps():
            pass
        if self._steps <= 0:
            return self._master.few().choose()[0]
        chosen, value, _ = self._master.choose()
        if self.bound - value > TOLERANCE and self._add_what_may_help(self.bound - value):
            chosen, value, bound = self._master.choose()
            self.bound = min(self.bound, bound)
        return chosen

    def _add_what_helps(self) -> bool:
        """Cliques worth more than their segments cost; False if there is none, or no need."""
        prices = self._master.prices()
        if prices is None:
            return False
        known = len(self._master.cliques)
        best = {weight: self._add_best(prices, weight) for weight in prices.least}
        parts = (
            self._master.shape[weight] * worth / self._master.scale(weight)
            for weight, worth in best.items()
        )
        bound = prices.rest + sum(parts)
        if bound < self.bound:
            self.bound, self._prices, self._best = bound, prices, best
        return len(self._master.cliques) > known and self.bound - prices.value > TOLERANCE / 2

    def _add_best(self, prices: _Prices, weight: int) -> int:
        """Add the best cliques of a weight; what any of this weight is worth at most."""
        search = self._search(prices, weight, prices.least[weight])
        best = list(islice(search.in_order(self._legal, self._steps), _MOST_NEW))
        for _, clique in best:
            self._master.add(clique)
        self._steps -= search.steps
        return best[0][0] if best else search.bound

    def _add_what_may_help(self, gap: float) -> bool:
        """All cliques that a choice without the gap may have; False if they are too many."""
        if self._prices is None:
            return False
        for weight, best in self._best.items():
            least = best - math.ceil(gap * self._master.scale(weight))
            search = self._search(self._prices, weight, least)
            for _, clique in search.in_order(self._legal, self._steps):
                self._master.add(clique)
                if len(self._master.cliques) > _MOST_CLIQUES:
                    return False
            self._steps -= search.steps
            if self._steps <= 0:
                return False
        return True

    def _search(self, prices: _Prices, weight: int, least: int) -> CliqueSearch:
        cost = prices.segments * (self._master.scale(weight) // _UNIT)
        return CliqueSearch(self._graph, weight, self._legal, prices=cost, least=least)

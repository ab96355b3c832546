"""Smatch: how many triples of two AMRs agree under the best mapping of their variables.

Cai and Knight 2013, “Smatch: an evaluation metric for semantic feature structures”. ``match``
proves its answer best; ``climb`` is the paper's hill climbing. The paper's integer program has a
variable for each pair of nodes and each pair of relations. Here a pair of relations is bound to
its pairs of nodes by groups (of all relations that a relation may meet from one node, at most one
is met), which leaves little between the program and its relaxation.

Most pairs need no program: an assignment of nodes in which a relation counts in part at each end
bounds the answer, and where hill climbing reaches the bound it is proven.

Conventions, as in the published program 1.0.4: TOP is an attribute of the top node that agrees
with any other TOP; attributes count as triples; a node is mapped to one node at most. Beside it, a
constant as the value of ``:mod`` counts (the program loses it), and a triple given twice is one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from random import Random

import numpy as np

from grading.pyramid import ilp
from grading.pyramid.amr.graphs import TOP, Graph

RESTARTS = 4  # the paper's: one smart start, and four by lot
_SEED = 4

_SHARES = 64
_STEPS = (16, 12, 8, 8, 6, 6, 4, 4, 4, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1)

Pair = tuple[int, int]  # a node of the first graph, and the node of the second it is mapped to


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many triples agree, under which mapping, and whether no mapping is better."""

    triples: int
    mapping: tuple[Pair, ...]
    proven: bool


@dataclass(frozen=True, slots=True)
class SmatchScore:
    """Precision, recall and F1 of a first graph against a second, the gold one."""

    precision: float
    recall: float
    f1: float


def score(triples: int, size: int, gold_size: int) -> SmatchScore:
    """The figures of so many agreeing triples; sums over sentences give those of a corpus."""
    precision = triples / size if size else 0.0
    recall = triples / gold_size if gold_size else 0.0
    both = precision + recall
    return SmatchScore(precision, recall, 2 * precision * recall / both if both else 0.0)


def bound_by_labels(first: "Labels", second: "Labels") -> int:
    """No mapping lets more triples agree: each label as often as both have it."""
    smaller, larger = sorted((first, second), key=len)
    return sum(min(count, larger.get(label, 0)) for label, count in smaller.items())


Labels = Mapping[tuple[str, ...], int]


def labels(graph: Graph) -> Labels:
    """How often each label occurs: concepts, roles, attributes."""
    counts: Counter[tuple[str, ...]] = Counter((concept,) for concept in graph.concepts)
    counts.update(("", relation.role) for relation in graph.relations)
    counts.update((*attribute.label, "") for attribute in graph.attributes)
    if graph.top is not None:
        counts[(TOP, "", "")] += 1
    return counts


def match(first: Graph, second: Graph) -> Agreement:
    """The most triples that agree, proven."""
    return Pairing(first, second).solve()


def climb(first: Graph, second: Graph, *, restarts: int = RESTARTS, seed: int = _SEED) -> Agreement:
    """The paper's hill climbing: moves and swaps of nodes from several starts, drawn by lot."""
    return Pairing(first, second).climb(restarts, seed)


_Mapping = list[int | None]  # by node of the first graph


def _as_pairs(mapping: Sequence[int | None]) -> tuple[Pair, ...]:
    return tuple((i, j) for i, j in enumerate(mapping) if j is not None)


class Pairing:
    """Two graphs on their way to an answer: first a bound and a good mapping, then the proof.

    ``bound`` is what no mapping exceeds and ``found`` what one reaches; who compares many graphs
    for the best of them need not ``solve`` those whose bound is too low. Once the bound is below
    ``wanted`` it is not lowered further; once it is no more than ``hopeless``, nothing is looked
    for any more.
    """

    def __init__(self, first: Graph, second: Graph, wanted: int = 0, hopeless: int = -1) -> None:
        self._wanted, self._hopeless = wanted, hopeless
        self._sizes = len(first.concepts), len(second.concepts)
        self._first, self._second = first, second
        self._alone: dict[Pair, int] = {}
        self._together: dict[Pair, dict[Pair, int]] = {}
        self._met: list[tuple[int, Pair, Pair]] = []  # number of the first's relation, and pairs
        self._count_alone()
        self._count_together()
        self._candidates: list[list[int]] = [[] for _ in first.concepts]
        for i, j in sorted(self._alone.keys() | self._together.keys()):
            self._candidates[i].append(j)
        self._potential = {
            (i, j): self._alone.get((i, j), 0) + self._most_beside((i, j))
            for i, candidates in enumerate(self._candidates)
            for j in candidates
        }
        self.bound = len(self._met) + sum(self._alone.values())
        self.found = 0
        self._mapping: _Mapping = [None] * self._sizes[0]
        if self.bound > max(0, hopeless):
            self._tighten()

    @property
    def answer(self) -> Agreement:
        """The best so far."""
        return Agreement(self.found, _as_pairs(self._mapping), proven=self.found >= self.bound)

    def solve(self) -> Agreement:
        """The best of all mappings, proven; a program is solved only where there is doubt."""
        if self.found < self.bound:
            self._take(*self._climb_from(self._smart_start()))
        if self.found < self.bound and self._solve_program():
            self.bound = self.found
        return self.answer

    def climb(self, restarts: int, seed: int) -> Agreement:
        """As the paper has it: from the smart start, and from so many drawn by lot."""
        lot = Random(seed)  # noqa: S311 - the same for the same graphs, and no secret
        starts = [self._smart_start(), *(self._random_start(lot) for _ in range(restarts))]
        value, mapping = max((self._climb_from(start) for start in starts), key=itemgetter(0))
        return Agreement(value, _as_pairs(mapping), proven=False)

    def _take(self, value: int, mapping: _Mapping) -> None:
        if value > self.found:
            self.found, self._mapping = value, mapping

    def _count_alone(self) -> None:
        nodes: dict[str, list[int]] = {}
        for j, concept in enumerate(self._second.concepts):
            nodes.setdefault(concept, []).append(j)
        for i, concept in enumerate(self._first.concepts):
            for j in nodes.get(concept, ()):
                self._add((i, j))
        values: dict[tuple[str, str], list[int]] = {}
        for attribute in self._second.attributes:
            values.setdefault(attribute.label, []).append(attribute.node)
        for attribute in self._first.attributes:
            for j in values.get(attribute.label, ()):
                self._add((attribute.node, j))
        if self._first.top is not None and self._second.top is not None:
            self._add((self._first.top, self._second.top))

    def _add(self, pair: Pair) -> None:
        self._alone[pair] = self._alone.get(pair, 0) + 1

    def _count_together(self) -> None:
        roles: dict[str, list[Pair]] = {}
        for relation in self._second.relations:
            roles.setdefault(relation.role, []).append((relation.source, relation.target))
        for number, relation in enumerate(self._first.relations):
            for source, target in roles.get(relation.role, ()):
                first_end, other = (relation.source, source), (relation.target, target)
                if first_end == other:
                    self._add(first_end)
                elif first_end[0] != other[0] and first_end[1] != other[1]:
                    self._met.append((number, first_end, other))
                    for a, b in ((first_end, other), (other, first_end)):
                        with_a = self._together.setdefault(a, {})
                        with_a[b] = with_a.get(b, 0) + 1

    def _most_beside(self, pair: Pair) -> int:
        """No more relations agree at a pair, however the other nodes are mapped."""
        by_node: dict[int, int] = {}
        for (node, _), count in self._together.get(pair, {}).items():
            by_node[node] = max(by_node.get(node, 0), count)
        return sum(by_node.values())

    def _tighten(self) -> None:
        """Lower the bound, and raise what was found, by sharing relations out between their ends.

        A mapping is worth no more than the best assignment of nodes in which a relation counts in
        part at each end, whichever the shares; those of relations of which the assignment has only
        one end move to the other end (Lagrangian relaxation, in whole 64ths).
        """
        pairs = [(i, j) for i, candidates in enumerate(self._candidates) for j in candidates]
        column = {pair: number for number, pair in enumerate(pairs)}
        ends = [(column[first_node], column[other]) for _, first_node, other in self._met]
        first, second = np.array(ends, dtype=np.int64).reshape(-1, 2).T
        # A pair hopes for a share of a relation once, however many relations it may meet by it.
        hopes: dict[tuple[int, int, int], int] = {}
        for end in (0, 1):
            for (relation, *_), both in zip(self._met, ends, strict=True):
                hopes.setdefault((relation, end, both[end]), len(hopes))
        hope = np.array(
            [
                hopes[relation, end, both[end]]
                for end in (0, 1)
                for (relation, *_), both in zip(self._met, ends, strict=True)
            ],
            dtype=np.int64,
        )
        hoping = np.array([pair for _, _, pair in hopes], dtype=np.int64)
        alone = np.array([_SHARES * self._alone.get(pair, 0) for pair in pairs])
        cells = tuple(np.array(pairs).T)
        table = np.zeros(self._sizes)
        shares = np.full(len(ends), _SHARES // 2)  # of the pair that is named first
        climbed: set[tuple[int, ...]] = set()
        for step in _STEPS:
            hoped = np.zeros(len(hopes), dtype=np.int64)
            np.maximum.at(hoped, hope, np.concatenate((shares, _SHARES - shares)))
            worth = alone.copy()
            np.add.at(worth, hoping, hoped)
            table[cells] = worth
            assigned = (column.get(pair) for pair in ilp.assign(table))
            chosen = [number for number in assigned if number is not None]
            self.bound = min(self.bound, int(worth[chosen].sum()) // _SHARES)
            if self.bound <= self._hopeless:
                return
            if tuple(chosen) not in climbed:
                climbed.add(tuple(chosen))
                self._climb_if_good([pairs[number] for number in chosen])
            if self.found >= self.bound or self.bound < self._wanted:
                return
            both_ends = np.zeros(len(pairs), dtype=np.int64)
            both_ends[chosen] = 1
            shares += step * (both_ends[second] - both_ends[first])
            np.clip(shares, 0, _SHARES, out=shares)

    def _climb_if_good(self, chosen: Sequence[Pair]) -> None:
        """From these pairs, unless they are worth less than what was found."""
        mapping: _Mapping = [None] * self._sizes[0]
        for i, j in chosen:
            mapping[i] = j
        if self._value(mapping) >= self.found:
            self._take(*self._climb_from(mapping))

    def _smart_start(self) -> _Mapping:
        """Each node with the first free node of the same concept, the others with any."""
        mapping: _Mapping = [None] * self._sizes[0]
        taken: set[int] = set()
        for alike in (True, False):
            for i, candidates in enumerate(self._candidates):
                if mapping[i] is not None:
                    continue
                concept = self._first.concepts[i]
                for j in candidates:
                    if j in taken or (alike and self._second.concepts[j] != concept):
                        continue
                    mapping[i] = j
                    taken.add(j)
                    break
        return mapping

    def _random_start(self, lot: Random) -> _Mapping:
        """Each node with a free candidate drawn by lot."""
        mapping: _Mapping = []
        for candidates in self._candidates:
            free = [j for j in candidates if j not in mapping]
            mapping.append(lot.choice(free) if free else None)
        return mapping

    def _climb_from(self, start: _Mapping) -> tuple[int, _Mapping]:
        """The best that moving a node to a free one, or swapping two, leads to step by step."""
        mapping = list(start)
        while True:
            best_gain, move = 0, (0, 0)
            mapped_from = {j: i for i, j in enumerate(mapping) if j is not None}
            now = [self._worth(mapping, i, on) for i, on in enumerate(mapping)]
            for i, candidates in enumerate(self._candidates):
                for j in candidates:
                    rival = mapped_from.get(j)
                    if rival == i or self._most(mapping, now, i, j, rival) <= best_gain:
                        continue
                    if rival is None:
                        gain = self._worth(mapping, i, j) - now[i]
                    else:
                        gain = self._gain_of_swap(mapping, i, rival)
                    if gain > best_gain:
                        best_gain, move = gain, (i, j)
            if not best_gain:
                return self._value(mapping), mapping
            i, j = move
            if j in mapped_from:
                mapping[mapped_from[j]] = mapping[i]
            mapping[i] = j

    def _most(
        self, mapping: _Mapping, now: Sequence[int], i: int, j: int, rival: int | None
    ) -> int:
        """No more is gained by node i on j, and j's rival on what i was mapped to."""
        most = self._potential.get((i, j), 0) - now[i]
        if rival is None:
            return most
        most -= now[rival]
        on = mapping[i]
        if on is None:
            return most
        counted_twice = self._together.get((i, on), {}).get((rival, j), 0)
        return most + self._potential.get((rival, on), 0) + counted_twice

    def _worth(self, mapping: _Mapping, i: int, j: int | None) -> int:
        """What node i on j adds to the others as they are mapped."""
        if j is None:
            return 0
        agreeing = self._alone.get((i, j), 0)
        for (k, on), count in self._together.get((i, j), {}).items():
            if mapping[k] == on:
                agreeing += count
        return agreeing

    def _gain_of_swap(self, mapping: _Mapping, i: int, k: int) -> int:
        """What it adds that two nodes exchange what they are mapped to."""
        at_i, at_k = mapping[i], mapping[k]

        def of_both(on_i: int | None, on_k: int | None) -> int:
            mapping[i], mapping[k] = None, None
            first = self._worth(mapping, i, on_i)
            mapping[i] = on_i
            return first + self._worth(mapping, k, on_k)

        gain = of_both(at_k, at_i) - of_both(at_i, at_k)
        mapping[i], mapping[k] = at_i, at_k
        return gain

    def _value(self, mapping: _Mapping) -> int:
        """How many triples agree under a mapping."""
        pairs = set(_as_pairs(mapping))
        twice = sum(
            count
            for pair in pairs & self._together.keys()
            for other, count in self._together[pair].items()
            if other in pairs
        )
        return sum(self._alone.get(pair, 0) for pair in pairs) + twice // 2

    def _solve_program(self) -> bool:
        """Solve the integer program for a better mapping; say whether what is found is proven."""
        nodes = [(i, j) for i, candidates in enumerate(self._candidates) for j in candidates]
        column = {pair: number for number, pair in enumerate(nodes)}
        values = [float(self._alone.get(pair, 0)) for pair in nodes] + [1.0] * len(self._met)
        rows: list[dict[int, int]] = []
        limits: list[int] = []
        for side in (0, 1):
            groups: dict[int, dict[int, int]] = {}
            for pair, number in column.items():
                groups.setdefault(pair[side], {})[number] = 1
            rows += groups.values()
            limits += [1] * len(groups)
        bound: dict[tuple[int, int, Pair], dict[int, int]] = {}
        for number, (relation, first_node, other) in enumerate(self._met, len(nodes)):
            for end, pair in enumerate((first_node, other)):
                bound.setdefault((relation, end, pair), {column[pair]: -1})[number] = 1
        rows += bound.values()
        limits += [0] * len(bound)
        choice = ilp.choose(ilp.Program(values, rows, limits), above=self.found)
        if choice is None or not choice.columns:
            return choice is not None
        self._mapping = [None] * self._sizes[0]
        for number in choice.columns:
            if number < len(nodes):
                i, j = nodes[number]
                self._mapping[i] = j
        self.found = self._value(self._mapping)
        return choice.proven

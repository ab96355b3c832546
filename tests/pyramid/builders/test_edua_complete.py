"""EDUA-C, worked by hand, against a listing of all legal pyramids, and against EDUA-G."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grading.pyramid.builders import edua_complete, edua_greedy
from grading.pyramid.config import Config
from grading.pyramid.segment_graph import (
    Clique,
    SegmentGraph,
    attraction,
    link_segments,
    residuals,
)
from grading.pyramid.structures import Pyramid
from tests.pyramid.cutting import Pairs, by_chance, by_words, cut, random_references

ROOMY = Config(min_words=1, edge_percentile=0, alpha_extra=1000)
Builder = Callable[[SegmentGraph, Config], Pyramid]
complete = edua_complete.build_from(edua_greedy.allocate)
in_greedy_shape = edua_complete.build_from(edua_greedy.allocate, in_shape=True)


def graph_of(pairs: Pairs, *references: Sequence[str]) -> SegmentGraph:
    """References named A, B, C, ... of sentences that are written as ``cut`` wants them."""
    texts = [cut(name, *sentences) for name, sentences in zip("ABCDEF", references, strict=False)]
    return link_segments(texts, by_words(pairs), ROOMY)


def random_graph(seed: int, references: int, sentences: int, config: Config) -> SegmentGraph:
    texts = random_references(seed, references, sentences)
    return link_segments(texts, by_chance(seed), config)


def words(graph: SegmentGraph, cliques: Sequence[Clique]) -> list[str]:
    """The contributors of each clique, as ``a1+b1``, heaviest first."""
    joined = ["+".join(graph.unit(node).words for node in clique) for clique in cliques]
    return sorted(joined, key=lambda words: (-words.count("+"), words))


PAIRS: Pairs = {
    ("a1", "b1"): 0.9,
    ("a1", "c1"): 0.8,
    ("b1", "c1"): 0.7,
    ("a2", "b2"): 0.6,
    ("a2", "c1"): 0.5,
    ("b2", "c1"): 0.4,
    ("a1", "b2"): 0.2,
}


def test_the_best_of_each_weight_that_fit_together() -> None:
    graph = graph_of(PAIRS, ["a1", "a2"], ["b1", "b2"], ["c1", "c2"])
    # a1+b1+c1 (.8) leaves a2+b2 (.6): 1.4. a2+b2+c1 (.5) leaves a1+b1 (.9): 1.4. With only a
    # pair it is .9 at most. Single segments add 1.
    best = edua_complete.allocate(graph)
    assert (best.attraction, best.bound) == pytest.approx((2.4, 2.4))
    assert best.optimal
    # Now the first is .8 + .62 = 1.42, the second .9 + (.62 + .5 + .4) / 3 = 1.407.
    closer = graph_of({**PAIRS, ("a2", "b2"): 0.62}, ["a1", "a2"], ["b1", "b2"], ["c1", "c2"])
    best = edua_complete.allocate(closer)
    assert words(closer, best.cliques) == ["a1+b1+c1", "a2+b2", "c2"]
    assert (best.attraction, best.bound) == pytest.approx((2.42, 2.42))


def test_one_unit_of_each_weight() -> None:
    pairs = {("a1", "b1"): 0.9, ("a2", "b2"): 0.8}
    graph = graph_of(pairs, ["a1", "a2"], ["b1", "b2"])
    # Both pairs: (.9 + .8) / 2 = .85, and nothing is left over. One pair: .9 + 1.
    assert words(graph, edua_complete.allocate(graph).cliques) == ["a1+b1", "a2", "b2"]


def test_a_sentence_is_used_in_one_segmentation() -> None:
    pairs = {("a1", "b1"): 0.9, ("a1", "c1"): 0.8, ("b1", "c1"): 0.7, ("a1 a2", "b2"): 1.0}
    graph = graph_of(pairs | {("a2", "b2"): 0.2}, ["a1|a2"], ["b1", "b2"], ["c1", "c2"])
    # a1+b1+c1 forbids the whole sentence: .8 + .2. The whole sentence with b2 forbids a1, and
    # leaves b1+c1 as the only other: one pair of 1.0 is as good. Equals: any is the best.
    assert edua_complete.allocate(graph).attraction == pytest.approx(2.0)


def test_single_segments_are_better_than_a_pair_that_uses_everything() -> None:
    graph = graph_of({("a1", "b1"): 0.9}, ["a1"], ["b1"])
    best = edua_complete.allocate(graph, edua_greedy.allocate(graph, ROOMY))
    assert (best.attraction, best.bound) == (1.0, 1.0)
    assert words(graph, best.cliques) == ["a1", "b1"]


def test_one_reference_and_none() -> None:
    graph = graph_of({}, ["a1|a2", "a3"])
    best = edua_complete.allocate(graph)
    assert (best.attraction, best.bound, best.optimal) == (1.0, 1.0, True)
    assert words(graph, best.cliques) == ["a1 a2", "a3"]
    empty = link_segments([], lambda _: np.zeros((0, 0)), Config())
    assert complete(empty, Config()).scus == ()


def test_equal_references() -> None:
    graph = graph_of({}, *[["x1|x2", "x3", "x4"]] * 4)
    best = edua_complete.allocate(graph, edua_greedy.allocate(graph, ROOMY))
    assert best.optimal
    assert best.attraction == pytest.approx(4.0)
    assert sorted(Counter(map(len, best.cliques))) == [1, 2, 3, 4]


def test_in_shape_there_are_as_many_units_of_each_weight() -> None:
    pairs = {("a1", "b1"): 0.9, ("a2", "b2"): 0.1, ("a1", "b2"): 0.8, ("a2", "b1"): 0.8}
    graph = graph_of(pairs, ["a1", "a2", "a3"], ["b1", "b2"])
    greedy = edua_greedy.allocate(graph, ROOMY)
    assert words(graph, greedy) == ["a1+b1", "a2+b2", "a3"]
    best = edua_complete.allocate(graph, greedy, in_shape=True)
    assert words(graph, best.cliques) == ["a1+b2", "a2+b1", "a3"]
    assert (best.attraction, best.bound) == pytest.approx((1.8, 1.8))
    assert [scu.weight for scu in in_greedy_shape(graph, ROOMY).scus] == [2, 2, 1]


def test_a_shape_that_leaves_nothing_over_is_not_searched() -> None:
    graph = graph_of({("a1", "b1"): 0.9}, ["a1"], ["b1"])
    best = edua_complete.allocate(graph, edua_greedy.allocate(graph, ROOMY), in_shape=True)
    assert words(graph, best.cliques) == ["a1+b1"]
    assert (best.attraction, best.bound) == (0.9, 2.0)


def test_stopped_early_the_bound_holds() -> None:
    config = Config(min_words=1, edge_percentile=50)
    graph = random_graph(7, 5, 3, config)
    start = edua_greedy.allocate(graph, config)
    best = edua_complete.allocate(graph, start)
    assert best.optimal
    assert f"{best.attraction:.4f}" in best.note
    for steps in (0, 1, 5, 20, 60):
        stopped = edua_complete.allocate(graph, start, most_steps=steps)
        assert attraction(start, graph.edges) <= stopped.attraction <= best.attraction + 1e-6
        assert stopped.bound >= best.attraction - 1e-6
        assert stopped.gap == max(0.0, stopped.bound - stopped.attraction)
    nothing = edua_complete.allocate(graph, start, most_steps=0)
    assert not nothing.optimal
    assert f"none has more than {nothing.bound:.4f}" in nothing.note


def all_cliques(graph: SegmentGraph) -> list[Clique]:
    by_reference = [
        [node for node, at in enumerate(graph.nodes) if at.reference == reference]
        for reference in range(len(graph.references))
    ]
    return [
        clique
        for size in range(2, len(by_reference) + 1)
        for chosen in combinations(by_reference, size)
        for clique in product(*chosen)
        if all(graph.edges[pair] > 0 for pair in combinations(clique, 2))
    ]


def legal_pyramids(graph: SegmentGraph) -> Iterator[tuple[list[Clique], float]]:
    """All of them, with their AP."""
    cliques = all_cliques(graph)

    def extend(
        chosen: list[Clique], first: int, cuts: Mapping[tuple[int, int], int]
    ) -> Iterator[list[Clique]]:
        yield chosen
        used = {node for clique in chosen for node in clique}
        for number in range(first, len(cliques)):
            own = {graph.place(node): graph.nodes[node].segmentation for node in cliques[number]}
            if used.isdisjoint(cliques[number]) and own.items() <= ({**own, **cuts}).items():
                yield from extend([*chosen, cliques[number]], number + 1, {**cuts, **own})

    for chosen in extend([], 0, {}):
        yield chosen, attraction([*chosen, *residuals(graph, chosen)], graph.edges)


small = {"seed": st.integers(0, 10**6), "references": st.integers(1, 4)}
percentiles = st.sampled_from([50.0, 83.0, 93.0])


@settings(max_examples=50)
@given(**small, percentile=percentiles, in_shape=st.booleans())
def test_no_legal_pyramid_is_better(
    *, seed: int, references: int, percentile: float, in_shape: bool
) -> None:
    config = Config(min_words=1, edge_percentile=percentile)
    graph = random_graph(seed, references, 2 if references < 4 else 1, config)
    assume(len(all_cliques(graph)) <= 18)
    start = edua_greedy.allocate(graph, config)
    assume(not in_shape or min(map(len, start)) == 1)
    shape = Counter(len(clique) for clique in start if len(clique) > 1)
    best = edua_complete.allocate(graph, start, in_shape=in_shape)
    listed = [
        ap
        for cliques, ap in legal_pyramids(graph)
        if not in_shape or Counter(map(len, cliques)) == shape
    ]
    assert best.attraction == pytest.approx(max(listed), abs=1e-5)
    assert best.bound >= max(listed) - 1e-9


@settings(max_examples=40)
@given(**small, percentile=percentiles, in_shape=st.booleans())
def test_rules_of_a_pyramid_and_never_below_the_greedy_one(
    *, seed: int, references: int, percentile: float, in_shape: bool
) -> None:
    config = Config(min_words=1, edge_percentile=percentile)
    graph = random_graph(seed, references, 3, config)
    start = edua_greedy.allocate(graph, config)
    best = edua_complete.allocate(graph, start, in_shape=in_shape)
    assert best.attraction >= attraction(start, graph.edges)
    assert best.attraction == attraction(best.cliques, graph.edges)
    assert in_shape or best.attraction >= edua_complete.allocate(graph).attraction - 1e-5
    used = [node for clique in best.cliques for node in clique]
    assert len(used) == len(set(used))
    chosen = {(*graph.place(node), graph.nodes[node].segmentation) for node in used}
    covered = {graph.place(node) for node in range(len(graph.nodes))}
    assert sorted(place for *place, _ in chosen) == sorted(map(list, covered))
    for number, node in enumerate(graph.nodes):
        assert ((*graph.place(number), node.segmentation) in chosen) == (number in used)
    for clique in best.cliques:
        assert len({graph.nodes[node].reference for node in clique}) == len(clique)
        assert all(graph.edges[pair] > 0 for pair in combinations(clique, 2))


BUILDERS = [complete, in_greedy_shape]


@pytest.mark.parametrize("builder", BUILDERS)
@settings(max_examples=5)
@given(seed=st.integers(0, 10**6))
def test_order_of_references_makes_no_difference(builder: Builder, seed: int) -> None:
    config = Config(min_words=1, edge_percentile=50)
    pyramids = {
        builder(link_segments(order, by_chance(seed), config), config)
        for order in permutations(random_references(seed, 3, 2))
    }
    assert len(pyramids) == 1

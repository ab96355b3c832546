"""EDUA-G, worked by hand, and its rules over many random references."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.builders import edua_greedy
from grading.pyramid.config import Config
from grading.pyramid.segment_graph import SegmentGraph, link_segments
from grading.pyramid.structures import Pyramid, SegmentedText
from tests.pyramid.cutting import Pairs, by_chance, by_words, cut, random_references

# Few segments need more room than alpha = segments + 10 gives them; all that is similar is joined.
ROOMY = Config(min_words=1, edge_percentile=0, alpha_extra=1000)


def built(references: Sequence[SegmentedText], pairs: Pairs, config: Config = ROOMY) -> Pyramid:
    return edua_greedy.build(link_segments(references, by_words(pairs), config), config)


def contents(pyramid: Pyramid) -> list[str]:
    """The contributors' words of each content unit, as ``a1+b1``."""
    return [
        "+".join(
            pyramid.reference(contributor.reference).words_at(contributor.spans)
            for contributor in scu.contributors
        )
        for scu in pyramid.scus
    ]


def test_capacity_of_each_weight() -> None:
    # alpha = 286 + 10 = 296. 296 / 5 ** 2.5 = 296 / 55.90 = 5.29; / 32 = 9.25; / 15.59 = 18.99;
    # / 5.66 = 52.33; / 1 = 296
    assert [edua_greedy.capacity(weight, 286, Config()) for weight in (5, 4, 3, 2, 1)] == [
        5,
        9,
        18,
        52,
        296,
    ]


def test_the_most_attractive_first_and_each_segment_once() -> None:
    references = [cut("A", "a1", "a2"), cut("B", "b1", "b2")]
    # a1+b1 is the best, and takes b1 away from a2, which is left with b2.
    pairs = {("a1", "b1"): 0.9, ("a2", "b1"): 0.8, ("a1", "b2"): 0.7, ("a2", "b2"): 0.1}
    assert contents(built(references, pairs)) == ["a1+b1", "a2+b2"]


def test_capacity_is_kept() -> None:
    references = [cut("A", "a1", "a2"), cut("B", "b1", "b2")]
    pairs = {("a1", "b1"): 0.9, ("a2", "b2"): 0.8}
    # alpha = 4 + 2 = 6; 6 / 2 ** 2.5 = 6 / 5.66 = 1.06: one unit of weight 2
    config = Config(min_words=1, edge_percentile=0, alpha_extra=2)
    assert contents(built(references, pairs, config)) == ["a1+b1", "a2", "b2"]


def test_a_sentence_is_used_in_one_segmentation() -> None:
    references = [cut("A", "a1|a2"), cut("B", "b1", "b2")]
    # a1+b1 commits the cut a1|a2, so the whole sentence may not go with b2, but a2 may.
    pairs = {("a1", "b1"): 0.9, ("a1 a2", "b2"): 0.8, ("a2", "b2"): 0.2}
    assert contents(built(references, pairs)) == ["a1+b1", "a2+b2"]


def test_heavier_units_come_before_more_attractive_ones() -> None:
    references = [cut("A", "a1", "a2"), cut("B", "b1", "b2"), cut("C", "c1")]
    pairs = {("a1", "b1"): 1.0, ("a1", "c1"): 0.1, ("b1", "c1"): 0.1, ("a2", "b2"): 0.5}
    assert contents(built(references, pairs)) == ["a1+b1+c1", "a2+b2"]


def test_backtracking_takes_the_weakest_unit_apart() -> None:
    references = [cut(name, f"{name}1", f"{name}2") for name in "ABC"]
    pairs = {(f"{x}1", f"{y}1"): 0.9 for x, y in ("AB", "AC", "BC")}
    pairs |= {("A2", "B2"): 0.6, ("A2", "C2"): 0.7, ("B2", "C2"): 0.8}
    # C_3 = {1, 2} and C_2 is empty, which formula 2 forbids: |C_3| <= |C_2|. The weaker of C_3
    # (.7) gives its best pair, B2+C2 (.8), and A2 is left.
    assert contents(built(references, pairs)) == ["A1+B1+C1", "B2+C2", "A2"]


def test_backtracking_goes_up_as_far_as_it_must() -> None:
    references = [cut(name, f"{name}1", f"{name}2") for name in "ABCD"]
    pairs = {(f"{x}1", f"{y}1"): 0.9 for x in "ABCD" for y in "ABCD" if x < y}
    pairs |= {(f"{x}2", f"{y}2"): 0.5 for x in "ABC" for y in "BCD" if x < y}
    # r = 3: C_4 = {1, 2}, C_3 empty: 2 is cut to A2+B2+C2. r = 2: C_2 is empty: it is cut to
    # A2+B2; now C_3 is empty and C_4 is not: 1 is cut to A1+B1+C1.
    assert contents(built(references, pairs)) == ["A1+B1+C1", "A2+B2", "C2", "D1", "D2"]


def test_what_backtracking_sets_free_can_be_used_again() -> None:
    references = [cut("A", "a1", "a2|a3"), cut("B", "b1", "b2"), cut("C", "c1", "c2", "c4")]
    pairs = {(f"{x}1", f"{y}1"): 0.9 for x, y in ("ab", "ac", "bc")}
    pairs |= {("a2", "b2"): 0.5, ("a2", "c2"): 0.4, ("b2", "c2"): 0.8}
    # a2+b2+c2 gives b2+c2; the first sentence's cut is open again, and a2 a3 stays whole.
    assert contents(built(references, pairs)) == ["a1+b1+c1", "b2+c2", "a2 a3", "c4"]


def test_one_reference() -> None:
    pyramid = built([cut("A", "a1|a2", "a3")], {})
    assert contents(pyramid) == ["a1 a2", "a3"]
    assert [scu.weight for scu in pyramid.scus] == [1, 1]


def test_equal_references() -> None:
    texts = [cut(name, "x1|x2", "x3") for name in "ABC"]
    # C_3 = {x1, x2, x3}, all with 1.0, and C_2 is empty: first x3 gives a pair, then x2.
    assert contents(built(texts, {})) == ["x1+x1+x1", "x2+x2", "x3+x3", "x2", "x3"]


def graph_of(seed: int, references: int, config: Config) -> SegmentGraph:
    return link_segments(random_references(seed, references, 3), by_chance(seed), config)


configs = st.builds(
    Config,
    min_words=st.just(1),
    edge_percentile=st.sampled_from([0.0, 50.0, 83.0]),
    beta=st.sampled_from([0.0, 1.0, 2.5]),
    alpha_extra=st.sampled_from([0, 10, 100]),
)


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), references=st.integers(1, 6), config=configs)
def test_rules_of_a_pyramid(seed: int, references: int, config: Config) -> None:
    graph = graph_of(seed, references, config)
    cliques = edua_greedy.allocate(graph, config)
    used = [node for clique in cliques for node in clique]
    assert len(used) == len(set(used))
    chosen = {(*graph.place(node), graph.nodes[node].segmentation) for node in used}
    covered = {graph.place(node) for node in range(len(graph.nodes))}
    assert sorted(place for *place, _ in chosen) == sorted(map(list, covered))
    for number, node in enumerate(graph.nodes):
        assert ((*graph.place(number), node.segmentation) in chosen) == (number in used)
    sizes = Counter(len(clique) for clique in cliques)
    for weight in range(2, references + 1):
        assert sizes[weight] <= edua_greedy.capacity(weight, len(graph.nodes), config)
        assert weight == 2 or sizes[weight] <= sizes[weight - 1]
    for clique in cliques:
        assert len({graph.nodes[node].reference for node in clique}) == len(clique)
        assert all(graph.edges[a, b] > 0 for a in clique for b in clique if a != b)


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_order_of_references_makes_no_difference(seed: int) -> None:
    config = Config(min_words=1, edge_percentile=50)
    pyramids = {
        edua_greedy.build(link_segments(order, by_chance(seed), config), config)
        for order in permutations(random_references(seed, 4, 2))
    }
    assert len(pyramids) == 1


@pytest.mark.parametrize("swapped", [False, True])
def test_equal_references_of_other_names_change_names_only(*, swapped: bool) -> None:
    names = "BA" if swapped else "AB"
    texts = [cut(names[0], "x1|x2"), cut(names[1], "x1|x2"), cut("C", "x2")]
    assert contents(built(texts, {})) == ["x2+x2+x2", "x1+x1"]

"""The graph of segments, checked by hand and against networkx's listing of all cliques."""

from collections.abc import Iterator, Sequence

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.config import Config
from grading.pyramid.segment_graph import (
    MILLION,
    Clique,
    CliqueSearch,
    SegmentGraph,
    attraction,
    attraction_score,
    connected_parts,
    link_segments,
    make_pyramid,
    residuals,
)
from grading.pyramid.similarity import Matrix
from grading.pyramid.structures import Unit
from tests.pyramid.cutting import by_chance, by_words, cut, random_references

ANY = Config(min_words=1, edge_percentile=0)  # whatever is similar at all is joined


def words(graph: SegmentGraph, clique: Clique) -> list[str]:
    return [graph.unit(node).words for node in clique]


def number(graph: SegmentGraph, text: str) -> int:
    return next(n for n in range(len(graph.nodes)) if graph.unit(n).words == text)


def edges(graph: SegmentGraph) -> set[tuple[str, str]]:
    joined = np.argwhere(np.triu(graph.edges))
    return {(graph.unit(a).words, graph.unit(b).words) for a, b in joined.tolist()}


def test_edges_from_the_percentile_on() -> None:
    references = [cut("A", "a1", "a2"), cut("B", "b1", "b2")]
    compare = by_words({("a1", "b1"): 0.9, ("a1", "b2"): 0.1, ("a2", "b1"): 0.2, ("a2", "b2"): 0.6})
    # Four pairs: .1 .2 .6 .9. The percentile 66.67 is the third of them, and that is an edge.
    third = Config(min_words=1, edge_percentile=200 / 3)
    assert edges(link_segments(references, compare, third)) == {("a1", "b1"), ("a2", "b2")}
    highest = Config(min_words=1, edge_percentile=100)
    assert edges(link_segments(references, compare, highest)) == {("a1", "b1")}


def test_so_many_edges_a_segment_into_each_other_reference() -> None:
    references = [cut("A", *(f"a{i}" for i in range(10))), cut("B", *(f"b{i}" for i in range(10)))]
    chances = np.random.default_rng(5).permutation(100) / 100 + 0.005
    compare = by_words(
        {(f"a{i}", f"b{j}"): chances[10 * i + j] for i in range(10) for j in range(10)}
    )
    for wanted in (0.5, 1.0, 3.0):
        # The 100 pairs are all different: the share that is wanted lies above the percentile.
        config = Config(min_words=1, edges_per_segment=wanted)
        assert len(edges(link_segments(references, compare, config))) == 10 * wanted


def test_texts_twice_as_long_have_twice_as_many_edges_not_four_times() -> None:
    def joined(sentences: int) -> int:
        texts = [cut(name, *(f"{name}{i}" for i in range(sentences))) for name in "ABC"]
        chances = np.random.default_rng(2).random((3 * sentences, 3 * sentences))
        config = Config(min_words=1, edges_per_segment=2.0)
        return len(edges(link_segments(texts, lambda _: (chances + chances.T) / 2, config)))

    # A segment has two into each of the two others on average; each edge has two ends.
    assert joined(20) == 120
    assert joined(40) == 240


def test_edges_asked_for_in_short_texts() -> None:
    references = [cut("A", "a1"), cut("B", "b1", "b2")]
    compare = by_words({("a1", "b1"): 0.9, ("a1", "b2"): 0.1})
    plenty = Config(min_words=1, edges_per_segment=50.0)
    assert edges(link_segments(references, compare, plenty)) == {("a1", "b1"), ("a1", "b2")}
    none = Config(min_words=1, edges_per_segment=0.0)
    assert edges(link_segments(references, compare, none)) == {("a1", "b1")}  # the highest
    many = Config(min_words=1, edges_per_segment=1.0)
    assert not link_segments([cut("A", "a1")], compare, many).edges.any()
    assert not link_segments([], lambda _: np.zeros((0, 0)), many).edges.any()


def test_nothing_in_common_is_no_edge_and_neither_are_words_of_one_reference() -> None:
    references = [cut("A", "same", "same"), cut("B", "other")]
    assert not link_segments(references, by_words({}), ANY).edges.any()


def test_one_reference_and_none() -> None:
    assert not link_segments([cut("A", "a1|a2")], by_words({}), Config(min_words=1)).edges.any()
    empty = link_segments([], lambda _: np.zeros((0, 0)), Config())
    assert make_pyramid(empty, residuals(empty, [])).scus == ()


def test_short_segments_are_no_nodes() -> None:
    graph = link_segments([cut("A", "ice melts|and warm water boils")], by_words({}), Config())
    assert [graph.unit(node).words for node in range(len(graph.nodes))] == [
        "and warm water boils",
        "ice melts and warm water boils",
    ]


def test_each_segment_is_compared_once_although_many_segmentations_have_it() -> None:
    asked: list[str] = []

    def compare(units: Sequence[Unit]) -> Matrix:
        asked.extend(unit.words for unit in units)
        return np.eye(len(units))

    link_segments([cut("A", "x|y|z")], compare, ANY)
    # x|y|z, then x|y z and x y|z, then x y z
    assert sorted(asked) == ["x", "x y", "x y z", "y", "y z", "z"]


def test_attraction() -> None:
    references = [cut("A", "a1", "a2"), cut("B", "b1", "b2"), cut("C", "c1")]
    pairs = {("a1", "b1"): 0.5, ("a1", "c1"): 0.6, ("b1", "c1"): 0.7, ("a2", "b2"): 0.4}
    graph = link_segments(references, by_words(pairs), ANY)
    triple = tuple(number(graph, text) for text in ("a1", "b1", "c1"))
    pair = tuple(number(graph, text) for text in ("a2", "b2"))
    # (.5 + .6 + .7) / 3 = .6
    assert attraction_score(triple, graph.edges) == pytest.approx(0.6)
    assert attraction_score((0,), graph.edges) == 1.0
    # weights 3, 2 and 1: .6 + .4 + 1
    assert attraction([triple, pair], graph.edges) == pytest.approx(1.0)
    assert attraction([triple, (number(graph, "a2"),)], graph.edges) == pytest.approx(1.6)
    # a class counts with the mean of its units: .4 and .5 for weight 2
    pairs_only = [pair, triple[:2]]
    assert attraction(pairs_only, graph.edges) == pytest.approx(0.45)


def test_residuals_complete_the_covering() -> None:
    references = [cut("A", "a1|a2|a3", "a4|a5"), cut("B", "b1|b2")]
    graph = link_segments(references, by_words({("a1", "b1"): 0.5}), ANY)
    clique = (number(graph, "a1"), number(graph, "b1"))
    rest = [words(graph, residual) for residual in residuals(graph, [clique])]
    # a1 is taken from the full split; the untouched sentence a4 a5 stays whole
    assert rest == [["a2"], ["a3"], ["a4 a5"], ["b2"]]


def test_pyramid_is_heaviest_first_and_its_labels_are_the_central_contributors() -> None:
    references = [cut("Z", "z one", "z two"), cut("Y", "y one", "y two"), cut("X", "x one")]
    pairs = {
        ("z one", "y one"): 0.5,
        ("z one", "x one"): 0.9,
        ("y one", "x one"): 0.6,
        ("z two", "y two"): 0.95,
    }
    graph = link_segments(references, by_words(pairs), ANY)
    pair = tuple(sorted(number(graph, f"{name} two") for name in "yz"))
    triple = tuple(sorted(number(graph, f"{name} one") for name in "xyz"))
    pyramid = make_pyramid(graph, [pair, triple])
    assert [text.name for text in pyramid.references] == ["X", "Y", "Z"]
    assert [(scu.uid, scu.weight) for scu in pyramid.scus] == [(1, 3), (2, 2)]
    # x one: (.9 + .6) / 2 = .75; z one: .7; y one: .55. Of a pair both are as close: by letters.
    assert [scu.label for scu in pyramid.scus] == ["x one", "y two"]
    assert [contributor.reference for contributor in pyramid.scus[0].contributors] == [
        "X",
        "Y",
        "Z",
    ]


def test_label_is_the_shortest_of_equally_central_contributors() -> None:
    references = [cut("A", "aa bb cc"), cut("B", "zz")]
    graph = link_segments(references, by_words({("aa bb cc", "zz"): 0.5}), ANY)
    assert make_pyramid(graph, [(0, 1)]).scus[0].label == "zz"


def test_of_equal_cliques_the_clause_wins_over_the_sentence() -> None:
    references = [cut("A", "x|y"), cut("B", "x|y")]
    graph = link_segments(references, by_words({}), ANY)
    result = CliqueSearch(graph, 2, np.ones(len(graph.nodes), dtype=np.bool_)).best(
        np.ones(len(graph.nodes), dtype=np.bool_)
    )
    assert result is not None
    assert words(graph, result) == ["x", "x"]


def all_cliques(graph: SegmentGraph, size: int) -> Iterator[tuple[float, Clique]]:
    """Listed by networkx, best first."""
    listed = nx.Graph(np.argwhere(graph.edges).tolist())
    for clique in nx.enumerate_all_cliques(listed):
        if len(clique) == size:
            nodes = tuple(sorted(clique))
            yield -attraction_score(nodes, graph.edges), nodes


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    references=st.integers(2, 5),
    percentile=st.sampled_from([30, 60, 83]),
    data=st.data(),
)
def test_search_finds_what_a_full_listing_finds(
    seed: int, references: int, percentile: float, data: st.DataObject
) -> None:
    config = Config(min_words=1, edge_percentile=percentile)
    graph = link_segments(random_references(seed, references, 2), by_chance(seed), config)
    size = data.draw(st.integers(2, references))
    legal = np.ones(len(graph.nodes), dtype=np.bool_)
    search = CliqueSearch(graph, size, legal)
    listed = sorted(all_cliques(graph, size))
    for _ in range(6):
        expected = next((nodes for _, nodes in listed if legal[list(nodes)].all()), None)
        assert search.best(legal.copy()) == expected
        if expected is None:
            break
        gone = data.draw(st.sampled_from(expected))
        legal[gone] = False


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    references=st.integers(2, 5),
    least=st.sampled_from([-(10**7), 0, 300_000]),
    data=st.data(),
)
def test_search_with_prices_finds_what_a_full_listing_finds(
    seed: int, references: int, least: int, data: st.DataObject
) -> None:
    config = Config(min_words=1, edge_percentile=60)
    graph = link_segments(random_references(seed, references, 2), by_chance(seed), config)
    size = data.draw(st.integers(2, references))
    prices = np.random.default_rng(seed).integers(0, 900_000, len(graph.nodes))
    worths = {
        nodes: round(-score * MILLION * size * (size - 1)) - int(prices[list(nodes)].sum())
        for score, nodes in all_cliques(graph, size)
    }
    legal = np.ones(len(graph.nodes), dtype=np.bool_)
    search = CliqueSearch(graph, size, legal, prices=prices, least=least)
    rows = [(worth, nodes) for worth, nodes in search.in_order(legal, 10**6)]
    listed = [(worth, nodes) for nodes, worth in worths.items() if worth > least]
    assert rows == sorted(listed, key=lambda pair: (-pair[0], pair[1]))
    assert search.bound == least


@given(seed=st.integers(0, 10**6), most_steps=st.integers(0, 12))
def test_a_search_stopped_early_bounds_what_is_to_come(seed: int, most_steps: int) -> None:
    config = Config(min_words=1, edge_percentile=50)
    graph = link_segments(random_references(seed, 4, 2), by_chance(seed), config)
    legal = np.ones(len(graph.nodes), dtype=np.bool_)
    search = CliqueSearch(graph, 3, legal)
    sets = {nodes for _, nodes in search.in_order(legal, most_steps)}
    assert search.steps <= max(1, most_steps)
    for score, nodes in all_cliques(graph, 3):
        assert nodes in sets or round(-score * MILLION * 6) <= search.bound


def test_connected_parts() -> None:
    joined = np.zeros((6, 6), dtype=np.bool_)
    for first, other in ((5, 0), (0, 2), (1, 4)):
        joined[first, other] = joined[other, first] = True
    assert connected_parts(joined) == [[0, 2, 5], [1, 4], [3]]
    assert connected_parts(np.zeros((0, 0), dtype=np.bool_)) == []


def test_a_thousand_million_equal_cliques_are_no_trouble() -> None:
    # Twelve references of six equal sentences: 6 ** 12 cliques of weight 12, all of attraction 1.
    references = [cut(f"R{i}", *["the same words"] * 6) for i in range(12)]
    graph = link_segments(references, by_words({}), ANY)
    legal = np.ones(len(graph.nodes), dtype=np.bool_)
    search = CliqueSearch(graph, 12, legal)
    assert search.best(legal) == tuple(range(0, 72, 6))

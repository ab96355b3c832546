"""What an SCU's mentions reach in the sentences of a summary."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.amr import smatch
from grading.pyramid.amr.graphs import Graph, cut_out, make_graph
from grading.pyramid.ape import (
    LEMMAS,
    PRIOR,
    TAU,
    TRIPLES,
    Mention,
    PeerSentence,
    SummaryIndex,
    merge_operands,
)
from grading.pyramid.structures import Span
from tests.pyramid.amr.graphs import drawing, random_graph


def mention(graph: Graph, *lemmas: str) -> Mention:
    return Mention("reference", (Span(0, 9),), "the words", graph, lemmas)


def sentence(graph: Graph, *lemmas: str, start: int = 0) -> PeerSentence:
    places = tuple(Span(start + 2 * n, start + 2 * n + 1) for n in range(9))
    return PeerSentence(Span(start, start + 20), places, graph, lemmas)


def part(lot: Random) -> Graph:
    """A graph without TOP, as one that is cut out."""
    graph = random_graph(lot, 4)
    words = [frozenset([n]) for n, _ in enumerate(graph.concepts)]
    attributes = [(a.node, a.role, a.value, frozenset[int]()) for a in graph.attributes]
    relations = [(r.source, r.role, r.target) for r in graph.relations]
    whole = make_graph(graph.concepts, relations, attributes, words=words)
    return cut_out(whole, frozenset(range(lot.randint(1, 4))))


@settings(max_examples=150)
@given(seed=st.integers(0, 10**9))
def test_a_search_finds_what_trying_all_pairs_finds(seed: int) -> None:
    lot = drawing(seed)
    mentions = [mention(part(lot)) for _ in range(lot.randint(0, 4))]
    sentences = [sentence(random_graph(lot, 5), start=30 * n) for n in range(lot.randint(0, 4))]
    search = SummaryIndex(sentences).search(mentions)
    shares = [
        (smatch.match(mention.graph, peer.graph).triples, mention.graph.size)
        for mention in mentions
        for peer in sentences
    ]
    assert search.strength == max((n / (size + PRIOR) for n, size in shares), default=0.0)
    is_found = any(n / size > TAU for n, size in shares)
    assert (search.best is not None and search.best.is_found) == is_found
    if search.best is not None:
        hit = search.best
        exact = smatch.match(mentions[hit.mention].graph, sentences[hit.sentence].graph)
        assert (hit.agreeing, hit.size) == (exact.triples, mentions[hit.mention].graph.size)
        inside = sentences[hit.sentence].span
        assert all(inside.start <= s.start and s.end <= inside.end for s in hit.spans)


def test_three_of_four_triples_are_not_more_than_tau() -> None:
    boy = make_graph(["boy", "little", "go-02"], [(0, ":mod", 1)])
    three = make_graph(["boy", "little"], [(0, ":mod", 1)])
    best = SummaryIndex([sentence(three)]).search([mention(boy)]).best
    assert best is not None
    assert (best.agreeing, best.size, best.recall, best.is_found) == (3, 4, 0.75, False)


def test_any_mention_will_do_in_any_sentence() -> None:
    far, near = make_graph(["moon", "star"], []), make_graph(["boy"], [])
    index = SummaryIndex([sentence(far), sentence(near, start=30)])
    best = index.search([mention(make_graph(["girl"], [])), mention(near)]).best
    assert best is not None
    assert (best.mention, best.sentence, best.is_found) == (1, 1, True)
    assert best.spans == (Span(30, 50),)  # no node of it knows its words


def test_operands_are_of_one_type() -> None:
    graph = make_graph(
        ["and", "boy", "girl", "name"],
        [(0, ":op1", 1), (0, ":op2", 2), (0, ":opinion", 3)],
        [(3, ":op1", "Ann", frozenset([1])), (3, ":op2", "Ann", frozenset([2]))],
        words=[frozenset([n]) for n in range(4)],
    )
    merged = merge_operands(graph)
    assert [relation.role for relation in merged.relations] == ["op", "op", "opinion"]
    assert [(attribute.role, attribute.value) for attribute in merged.attributes] == [("op", "Ann")]
    assert (merged.concepts, merged.words) == (graph.concepts, graph.words)


@pytest.mark.parametrize("compare", [TRIPLES, LEMMAS])
def test_where_nothing_is_there_nothing_is_found(compare: str) -> None:
    empty = SummaryIndex([], compare)
    assert empty.search([mention(make_graph(["boy"], []), "boy")]).best is None
    full = SummaryIndex([sentence(make_graph(["boy"], []), "boy")], compare)
    assert full.search([]).strength == 0


def test_lemmas_are_compared_whatever_their_relations() -> None:
    graph = make_graph(["boy"], [])
    index = SummaryIndex([sentence(graph, "eat", "a", "dog", "man", "")], LEMMAS)
    best = index.search([mention(graph, "man", "eat", "dog", "dog", "the")]).best
    assert best is not None
    assert (best.agreeing, best.size, best.is_found) == (3, 4, False)
    assert best.spans == (Span(0, 1), Span(4, 5), Span(6, 7))

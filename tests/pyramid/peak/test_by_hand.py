"""Algorithms 1 and 2 followed by hand: triples are given, and similarity is the share of words."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest

from grading.pyramid.ilp import assign
from grading.pyramid.peak import (
    ComparedTriple,
    Hypergraph,
    InducedUnit,
    LemmaOverlap,
    assign_triples,
    induce,
    make_hypergraph,
    prepare_units,
)
from grading.pyramid.triples.triple import Triple, TripleElement
from grading.pyramid.word_senses.adw import Phrase

SIMILAR, MERGE = 0.5, 0.8


def phrase(words: str) -> Phrase:
    return tuple(sorted(("n", word) for word in words.split()))


def triple(text: str, written: str) -> ComparedTriple:
    """“subject | predicate | object; object”, every word of them a content word."""
    subject, predicate, objects = (part.strip() for part in written.split("|"))
    words = [subject, predicate, *(name.strip() for name in objects.split(";"))]
    elements = [TripleElement(word) for word in words]
    made = Triple(0, elements[0], elements[1], tuple(elements[2:]), 0.5)
    return ComparedTriple(text, made, tuple(phrase(word) for word in words))


ANNA = [triple("Anna", "tree | cool | street"), triple("Anna", "child | eat | cake")]
BEN = [triple("Ben", "tree | chill | street"), triple("Ben", "roof | store | heat")]
CHI = [triple("Chi", "tree | cool | street"), triple("Chi", "roof | hold | heat; long time")]


def graph_of(*triples: ComparedTriple) -> Hypergraph:
    return make_hypergraph(triples, LemmaOverlap(), SIMILAR)


def units_in_words(
    graph: Hypergraph, units: Sequence[InducedUnit]
) -> list[tuple[int, str, list[str]]]:
    """Weight, anchor and contributors of each unit."""
    return [
        (
            unit.anchor.weight,
            graph.triples[unit.anchor.triple].triple.words,
            [graph.triples[each].triple.words for each in unit.anchor.contributors],
        )
        for unit in units
    ]


def test_elements_that_two_references_have_are_salient() -> None:
    graph = graph_of(*ANNA, *BEN, *CHI)
    salient = {graph.phrases[node] for node in graph.salient}
    assert salient == {phrase(text) for text in ("tree", "cool", "street", "roof", "heat")}


def test_of_a_single_reference_all_elements_are_salient() -> None:
    graph = graph_of(*ANNA)
    assert len(graph.salient) == len(graph.phrases) == 6
    assert [weight for weight, *_ in units_in_words(graph, induce(graph, SIMILAR, MERGE))] == [1, 1]


def test_anchors_contributors_and_weights() -> None:
    """Anna's and Chi's trees are the same unit; nobody shares the cake, which is no anchor.

    Ben's trees share two elements with them, but only two of three words in all: no merging.
    """
    graph = graph_of(*ANNA, *BEN, *CHI)
    assert units_in_words(graph, induce(graph, SIMILAR, MERGE)) == [
        (3, "tree cool street", ["tree chill street", "tree cool street"]),
        (3, "tree chill street", ["tree cool street", "tree cool street"]),
        (2, "roof store heat", ["roof hold heat long time"]),
        (2, "roof hold heat long time", ["roof store heat"]),
    ]


def test_merging_takes_the_highest_weight() -> None:
    """The second anchor of Anna has one contributor, the first two: the unit weighs three."""
    anna = [triple("Anna", "tree | cool | street town"), triple("Anna", "tree | cool | street")]
    ben = [triple("Ben", "tree | cool | street town village hamlet")]
    graph = graph_of(*anna, *ben, *CHI[:1])
    [unit, *_] = induce(graph, SIMILAR, MERGE - 0.1)
    assert unit.anchor.weight == 3
    assert unit.merged
    assert all(anchor.weight <= 3 for anchor in unit.merged)


def test_a_triple_without_a_subject_is_no_anchor_but_contributes() -> None:
    nobody = ComparedTriple(
        "Chi", CHI[0].triple, ((), *CHI[0].phrases[1:])
    )  # as in "it cools streets"
    graph = graph_of(ANNA[0], nobody)
    assert units_in_words(graph, induce(graph, SIMILAR, MERGE)) == [
        (2, "tree cool street", ["tree cool street"])
    ]


@pytest.mark.parametrize("order", list(permutations(range(3)))[1:])
def test_the_order_of_references_changes_no_unit(order: tuple[int, ...]) -> None:
    """The units and weights are the same; only equal ones may change places."""
    texts = [ANNA, BEN, CHI]
    first = graph_of(*ANNA, *BEN, *CHI)
    other = graph_of(*(content for number in order for content in texts[number]))
    expected = sorted(
        (w, label) for w, label, _ in units_in_words(first, induce(first, SIMILAR, MERGE))
    )
    rows = sorted(
        (w, label) for w, label, _ in units_in_words(other, induce(other, SIMILAR, MERGE))
    )
    assert rows == expected


def test_each_triple_takes_one_unit_so_that_the_weights_add_up_to_most() -> None:
    """The first triple fits both units, the second the heavier only: 3 + 2, not 3."""
    units = prepare_units(
        [[phrase("tree cool street")], [phrase("tree cool town")]], [3, 2], LemmaOverlap()
    )
    summary = [phrase("tree cool"), phrase("street cool")]
    assigned = assign_triples(summary, units, 0.5)
    assert [(each.triple, each.unit) for each in assigned] == [(0, 1), (1, 0)]
    assert sum(units.weights[each.unit] for each in assigned) == 5


def test_equal_weights_go_to_the_most_similar() -> None:
    units = prepare_units([[phrase("a b c d")], [phrase("a b")]], [2, 2], LemmaOverlap())
    [assigned] = assign_triples([phrase("a b")], units, 0.4)
    assert assigned.unit == 1
    assert assigned.similarity == 1


def test_below_the_threshold_nothing_is_assigned() -> None:
    units = prepare_units([[phrase("a b c")]], [2], LemmaOverlap())
    assert assign_triples([phrase("c d")], units, 0.4) == []
    assert assign_triples([], units, 0.4) == []
    assert assign_triples([phrase("a")], prepare_units([], [], LemmaOverlap()), 0.4) == []


def test_an_assignment_is_as_good_as_the_best_of_all() -> None:
    worth = np.array([[3.0, 1.0, 0.0], [3.0, 2.0, 0.5], [2.0, 2.0, 1.0]])
    best = max(
        sum(worth[row, column] for row, column in enumerate(columns))
        for columns in permutations(range(3))
    )
    assert sum(worth[pair] for pair in assign(worth)) == best

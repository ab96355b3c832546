"""Exact Smatch against brute force, and against hill climbing."""

import pytest
import smatch as published
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.amr import smatch
from grading.pyramid.amr.graphs import Graph, make_graph
from grading.pyramid.amr.penman_files import read_penman, write_penman
from tests.pyramid.amr.graphs import agreeing, best_by_trying, drawing, random_graph

seeds = st.integers(0, 10**9)


def graph_of(penman: str) -> Graph:
    [amr] = read_penman("graphs.txt", f"# ::snt a sentence\n{penman}")
    return amr.graph


@pytest.mark.parametrize("seed", range(150))
def test_the_answer_is_that_of_trying_everything(seed: int) -> None:
    lot = drawing(seed)
    first, second = random_graph(lot), random_graph(lot)
    agreement = smatch.match(first, second)
    assert agreement.proven
    assert agreement.triples == best_by_trying(first, second)
    assert agreeing(first, second, dict(agreement.mapping)) == agreement.triples


@pytest.mark.parametrize("seed", range(40))
def test_so_is_that_of_the_program_alone(seed: int, capfd: pytest.CaptureFixture[str]) -> None:
    lot = drawing(seed)
    first, second = random_graph(lot), random_graph(lot)
    pairing = smatch.Pairing(first, second)
    pairing.found, pairing._mapping = 0, [None] * len(first.concepts)
    assert pairing._solve_program()
    assert pairing.answer.triples == best_by_trying(first, second)
    assert pairing._solve_program()  # there is no better one
    assert pairing.answer.triples == best_by_trying(first, second)
    assert capfd.readouterr() == ("", "")


@settings(max_examples=60)
@given(seed=seeds)
def test_no_hill_is_higher_and_no_bound_lower(seed: int) -> None:
    lot = drawing(seed)
    first, second = random_graph(lot, 14), random_graph(lot, 14)
    exact = smatch.match(first, second)
    climbed = smatch.climb(first, second, seed=seed)
    assert exact.proven
    assert climbed.triples <= exact.triples
    assert exact.triples == smatch.match(second, first).triples
    bound = smatch.bound_by_labels(smatch.labels(first), smatch.labels(second))
    assert exact.triples <= bound
    assert exact.triples <= smatch.Pairing(first, second).bound
    for answer in (exact, climbed):
        assert agreeing(first, second, dict(answer.mapping)) == answer.triples
        assert len({on for _, on in answer.mapping}) == len(answer.mapping)


@settings(max_examples=40)
@given(seed=seeds)
def test_the_published_program_finds_no_more(seed: int) -> None:
    lot = drawing(seed)
    graphs = [connected(random_graph(lot, 8)) for _ in range(2)]
    lines = [write_penman(graph).replace("\n", " ") for graph in graphs]
    result, first_size, second_size = published.get_amr_match(*lines)
    published.match_triple_dict.clear()
    assert (first_size, second_size) == (graphs[0].size, graphs[1].size)
    assert result <= smatch.match(*graphs).triples


def connected(graph: Graph) -> Graph:
    """With an edge from each node to the next, and a top."""
    chain = [(i, ":ARG3", i + 1) for i in range(len(graph.concepts) - 1)]
    others = [(r.source, r.role, r.target) for r in graph.relations if r.source != r.target]
    attributes = [(a.node, a.role, a.value, frozenset[int]()) for a in graph.attributes]
    return make_graph(graph.concepts, [*chain, *others], attributes, top=0)


@settings(max_examples=25)
@given(seed=seeds, data=st.data())
def test_the_order_of_nodes_makes_no_difference(seed: int, data: st.DataObject) -> None:
    lot = drawing(seed)
    first, second = random_graph(lot, 7), random_graph(lot, 7)
    order = data.draw(st.permutations(range(len(first.concepts))))
    place = {old: new for new, old in enumerate(order)}
    shuffled = make_graph(
        [first.concepts[old] for old in order],
        [(place[r.source], r.role, place[r.target]) for r in first.relations],
        [(place[a.node], a.role, a.value, frozenset()) for a in first.attributes],
        top=None if first.top is None else place[first.top],
    )
    assert smatch.match(shuffled, second).triples == smatch.match(first, second).triples


def test_the_paper_of_ape_has_an_example() -> None:
    """Its figure 1 is lost; by its text 4 triples agree, recall is 4/6, precision 4/5, F1 .73."""
    gold = graph_of("(a / want-01 :ARG0 (b / boy) :ARG1 (c / visit-01 :ARG0 b))")
    peer = graph_of("(x / want-01 :ARG1 (y / visit-01 :ARG0 (z / girl)))")
    assert smatch.match(gold, peer).triples == 5  # with TOP: want, visit, ARG1, ARG0 of visit
    assert round(smatch.score(4, 5, 6).f1, 2) == 0.73
    assert smatch.score(0, 0, 3) == smatch.SmatchScore(0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("spelling", "other"),
    [
        ("(k / know-01 :ARG0-of (x / x))", "(k / know-01 :ARG0-of (x / X))"),
        ("(b / boy :mod (l / little))", "(b / boy :domain-of (l / little))"),
        ('(p / person :name (n / name :op1 "Ann"))', '(p / person :name (n / name :op1 "ann"))'),
    ],
)
def test_two_spellings_are_one_graph(spelling: str, other: str) -> None:
    first, second = graph_of(spelling), graph_of(other)
    assert smatch.match(first, second).triples == first.size == second.size


def test_top_is_a_triple_like_any_other() -> None:
    assert smatch.match(graph_of("(b / boy)"), graph_of("(g / girl)")).triples == 1
    both = graph_of("(b / boy :mod (l / little))"), graph_of("(l / little :domain (b / boy))")
    assert smatch.match(*both).triples == 3
    assert (both[0].size, both[1].size) == (4, 4)

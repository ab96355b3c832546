"""The exact matcher, worked by hand, against trying everything, and against WMIN."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading.pyramid.matchers import exact, wmin
from grading.pyramid.reading_graph import Reading, ReadingGraph
from grading.pyramid.structures import Evidence, Pyramid, SegmentedText, Text
from tests.pyramid.cutting import Pairs, Written, cut, read_by_stops
from tests.pyramid.telling import HALF, counted, matches_in_words, pyramid_of


def matched(text: SegmentedText, pyramid: Pyramid, pairs: Pairs) -> Evidence:
    return exact.prepare(pyramid, Written(pairs), HALF, read_by_stops).match(text)


def test_better_than_the_greedy_choice() -> None:
    text, pyramid = cut("s", "x", "y"), pyramid_of("a1+b1+c1", "a2+b2")
    pairs = {("x", "a1"): 1.0, ("x", "b1"): 1.0, ("x", "c1"): 1.0, ("x", "a2"): 0.9}
    pairs |= {("x", "b2"): 0.9, ("y", "a1"): 0.6, ("y", "b1"): 0.6, ("y", "c1"): 0.6}
    # Both may tell unit 1, but x may tell unit 2 instead: 3 + 2.
    assert matches_in_words(text, matched(text, pyramid, pairs)) == [("x", 2), ("y", 1)]


def test_of_equal_weights_the_more_similar() -> None:
    text, pyramid = cut("s", "x", "y"), pyramid_of("a1", "a2")
    pairs = {("x", "a1"): 0.7, ("y", "a1"): 0.8}
    assert matches_in_words(text, matched(text, pyramid, pairs)) == [("y", 1)]
    assert counted(text, matched(text, pyramid, pairs)) == ["x", "y"]
    pairs |= {("x", "a2"): 0.6, ("y", "a2"): 0.9}
    # .7 + .9 against .8 + .6
    assert matches_in_words(text, matched(text, pyramid, pairs)) == [("x", 1), ("y", 2)]


def test_nothing_to_match() -> None:
    text = cut("s", "x")
    assert matched(SegmentedText(Text("s", ""), ()), pyramid_of("a1"), {}) == Evidence((), ())
    assert matched(text, pyramid_of("a1"), {}).matches == ()
    assert matched(text, Pyramid((Text("a", "a1"),), ()), {}).matches == ()


def random_graph(seed: int, size: int) -> ReadingGraph:
    """Readings of four sentences that tell some of six units."""
    random = np.random.default_rng(seed)
    ranks = {
        (
            -round(float(random.integers(1, 5)) / 4, 2),
            2,
            int(random.integers(4)),
            0,
            tuple(sorted(random.choice(6, random.integers(1, 3), replace=False).tolist())),
        )
        for _ in range(size)
    }
    readings = tuple(Reading(rank, tuple(enumerate(rank[4]))) for rank in sorted(ranks))
    weights = random.integers(1, 6, 6)
    sums = [int(weights[list(reading.units)].sum()) for reading in readings]
    return ReadingGraph(readings, np.array(sums, dtype=np.int64))


def value(graph: ReadingGraph, places: list[int]) -> tuple[int, float]:
    """Weight, then similarity."""
    similarity = sum(graph.readings[place].similarity for place in places)
    return int(graph.weights[places].sum()), round(similarity, 6)


@pytest.mark.parametrize("most_steps", [exact.MOST_STEPS, 1], ids=["search", "program"])
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), size=st.integers(0, 11))
def test_no_independent_set_is_better(
    monkeypatch: pytest.MonkeyPatch, most_steps: int, seed: int, size: int
) -> None:
    monkeypatch.setattr(exact, "MOST_STEPS", most_steps)
    graph = random_graph(seed, size)
    conflicts = graph.conflicts()
    independent = (
        list(places)
        for count in range(len(graph.readings) + 1)
        for places in combinations(range(len(graph.readings)), count)
        if not conflicts[np.ix_(places, places)].any()
    )
    best = max(value(graph, places) for places in independent)
    result = exact.heaviest(graph)
    assert not conflicts[np.ix_(result, result)].any()
    assert value(graph, result) == pytest.approx(best)
    assert result == exact.heaviest(graph)
    assert best[0] >= value(graph, wmin.gwmin(graph.weights, conflicts))[0]

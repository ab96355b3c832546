"""WMIN, worked by hand."""

from collections.abc import Iterable

import numpy as np

from grading.pyramid.config import Config
from grading.pyramid.matchers import wmin
from grading.pyramid.structures import Candidate, Evidence, Pyramid, SegmentedText, Text
from tests.pyramid.cutting import Pairs, Written, cut, read_by_stops
from tests.pyramid.telling import HALF, counted, matches_in_words, pyramid_of


def matched(text: SegmentedText, pyramid: Pyramid, pairs: Pairs, config: Config = HALF) -> Evidence:
    return wmin.prepare(pyramid, Written(pairs), config, read_by_stops).match(text)


def conflicts(
    size: int, edges: Iterable[tuple[int, int]]
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    matrix = np.zeros((size, size), dtype=np.bool_)
    for first, other in edges:
        matrix[first, other] = matrix[other, first] = True
    return matrix


def test_gwmin_by_hand() -> None:
    # A path 0-1-2-3 with weights 3 5 3 2: ratios 3/2, 5/3, 3/3, 2/2. Node 1 goes first and takes
    # 0 and 2 away; 3 is left: 5 + 2 = 7.
    path = conflicts(4, [(0, 1), (1, 2), (2, 3)])
    assert wmin.gwmin(np.array([3, 5, 3, 2]), path) == [1, 3]
    # A star of 4 around 3 + 3 + 3: 4/4 against 3/2, so the leaves win, in their order.
    star = conflicts(4, [(0, 1), (0, 2), (0, 3)])
    assert wmin.gwmin(np.array([4, 3, 3, 3]), star) == [1, 2, 3]
    # Degrees are those of the graph that is left: node 4 goes first (6/2) and takes 3 away; now
    # node 2 has 6/3 against the 3/2 of node 0, where it had 6/4 before.
    mixed = conflicts(5, [(0, 2), (1, 2), (2, 3), (3, 4)])
    assert wmin.gwmin(np.array([3, 2, 6, 2, 6]), mixed) == [4, 2]


def test_gwmin_of_nothing() -> None:
    assert wmin.gwmin(np.zeros(0, dtype=np.int64), conflicts(0, [])) == []


def test_a_segment_is_as_similar_as_the_mean_of_its_cosines() -> None:
    text = cut("s", "x")
    pairs = {("x", "a1"): 0.9, ("x", "b1"): 0.5, ("x", "a2"): 0.6}
    evidence = matched(text, pyramid_of("a1+b1", "a2"), pairs)
    # (.9 + .5) / 2 = .7
    assert evidence.matches[0].similarity == 0.7
    assert evidence.matches[0].scu_uid == 1
    assert evidence.matches[0].alternatives == (Candidate(2, 0.6),)


def test_the_threshold_itself_is_a_match() -> None:
    text, pyramid = cut("s", "x"), pyramid_of("a1")
    assert matches_in_words(text, matched(text, pyramid, {("x", "a1"): 0.5})) == [("x", 1)]
    assert matches_in_words(text, matched(text, pyramid, {("x", "a1"): 0.499999})) == []
    zero = Config(min_words=1, match_threshold=0.0)
    assert matches_in_words(text, matched(text, pyramid, {}, zero)) == []


def test_the_cut_that_tells_more() -> None:
    text, pyramid = cut("s", "x|y"), pyramid_of("a1+b1", "a2+b2")
    pairs = {("x", "a1"): 0.9, ("x", "b1"): 0.9, ("y", "a2"): 0.6, ("y", "b2"): 0.6}
    pairs |= {("x y", "a1"): 0.8, ("x y", "b1"): 0.8}
    evidence = matched(text, pyramid, pairs)
    assert matches_in_words(text, evidence) == [("x", 1), ("y", 2)]
    assert counted(text, evidence) == ["x", "y"]


def test_the_sentence_stays_whole_where_a_cut_tells_no_more() -> None:
    text, pyramid = cut("s", "x|y"), pyramid_of("a1")
    # Cut: (.9 + 0) / 2 = .45 a segment; whole: .6
    evidence = matched(text, pyramid, {("x", "a1"): 0.9, ("x y", "a1"): 0.6})
    assert matches_in_words(text, evidence) == [("x y", 1)]
    assert counted(text, evidence) == ["x y"]


def test_a_sentence_without_a_match_counts_once() -> None:
    text = cut("s", "x|y", "z")
    evidence = matched(text, pyramid_of("a1"), {("z", "a1"): 0.9})
    assert counted(text, evidence) == ["x y", "z"]
    assert matches_in_words(text, evidence) == [("z", 1)]


def test_an_idea_told_twice_counts_once_and_its_repetition_as_a_segment() -> None:
    text = cut("s", "x", "y")
    evidence = matched(text, pyramid_of("a1"), {("x", "a1"): 0.6, ("y", "a1"): 0.9})
    assert matches_in_words(text, evidence) == [("y", 1)]
    assert counted(text, evidence) == ["x", "y"]


def test_a_sentence_gives_way_to_one_that_has_no_other_choice() -> None:
    text, pyramid = cut("s", "x", "y"), pyramid_of("a1+b1", "a2")
    pairs = {("x", "a1"): 0.9, ("x", "b1"): 0.9, ("y", "a1"): 0.8, ("y", "b1"): 0.8}
    pairs |= {("x", "a2"): 0.6}
    # Nodes x:1 (weight 2, degree 2), x:2 (1, 1), y:1 (2, 1). y:1 has 2/2, x:1 2/3, x:2 1/2.
    assert matches_in_words(text, matched(text, pyramid, pairs)) == [("x", 2), ("y", 1)]


def test_few_candidates() -> None:
    text, pyramid = cut("s", "x"), pyramid_of("a1", "a2+b2")
    pairs = {("x", "a1"): 0.9, ("x", "a2"): 0.8, ("x", "b2"): 0.8}
    # With both to choose from the weight decides, with one the similarity.
    assert matches_in_words(text, matched(text, pyramid, pairs)) == [("x", 2)]
    config = Config(min_words=1, match_threshold=0.5, candidates_per_segment=1)
    assert matches_in_words(text, matched(text, pyramid, pairs, config)) == [("x", 1)]


def test_alternatives_are_the_best_others_whatever_the_threshold() -> None:
    text = cut("s", "x")
    pairs = {("x", f"a{i}"): i / 10 for i in range(1, 7)}
    evidence = matched(text, pyramid_of("a1", "a2", "a3", "a4", "a5", "a6"), pairs)
    assert evidence.matches[0].alternatives == (
        Candidate(5, 0.5),
        Candidate(4, 0.4),
        Candidate(3, 0.3),
    )


def test_nothing_to_match() -> None:
    empty = SegmentedText(Text("s", ""), ())
    assert matched(empty, pyramid_of("a1"), {}) == Evidence((), ())
    short = cut("s", "ice melts")
    assert matched(short, pyramid_of("a1"), {}, Config(match_threshold=0.5)) == Evidence((), ())
    text = cut("s", "x")
    evidence = matched(text, Pyramid((Text("a", "a1"),), ()), {})
    assert (counted(text, evidence), evidence.matches) == (["x"], ())


def test_a_long_sentence_is_no_trouble() -> None:
    # 128 cuts, and in the finest one 4 ** 8 ways to tell some of three units with each segment.
    text = cut("s", "|".join(f"x{i}" for i in range(8)))
    pairs = {(f"x{i}", f"a{j}"): 0.9 - j / 100 for i in range(8) for j in range(8)}
    evidence = matched(text, pyramid_of(*(f"a{j}" for j in range(8))), pairs)
    assert sorted(match.scu_uid for match in evidence.matches) == [1, 2, 3]

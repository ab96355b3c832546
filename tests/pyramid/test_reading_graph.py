"""What may be told from when on, and rules that hold however the readings are chosen."""

from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid import reading_graph
from grading.pyramid.builders import edua_greedy
from grading.pyramid.config import Config
from grading.pyramid.errors import InputError
from grading.pyramid.matchers import exact, wmin
from grading.pyramid.pipeline import score_summary
from grading.pyramid.reading_graph import Reading, ReadingGraph
from grading.pyramid.registry import METHODS, get_method, with_match_threshold
from grading.pyramid.segment_graph import link_segments
from grading.pyramid.structures import Evidence, Pyramid, Scu, SegmentedText, Text
from tests.fakes import fake_engine
from tests.pyramid.cutting import Chance, Pairs, Written, cut, random_references, read_by_stops
from tests.pyramid.telling import matches_in_words, pyramid_of


def matched(text: SegmentedText, pyramid: Pyramid, pairs: Pairs, config: Config) -> Evidence:
    return wmin.prepare(pyramid, Written(pairs), config, read_by_stops).match(text)


def test_readings_exclude_each_other_by_sentence_and_by_unit() -> None:
    told_units = [(0, (1,)), (0, (2, 3)), (1, (3,)), (2, (4,))]
    readings = tuple(
        Reading((-0.5, 2, sentence, 0, units), tuple(enumerate(units)))
        for sentence, units in told_units
    )
    graph = ReadingGraph(readings, np.array([2, 3, 1, 1]))
    joined = np.argwhere(np.triu(graph.conflicts())).tolist()
    assert joined == [[0, 1], [1, 2]]
    assert ReadingGraph((), np.zeros(0, dtype=np.int64)).conflicts().shape == (0, 0)


def test_a_unit_that_lost_its_words_is_told_by_nobody() -> None:
    whole = pyramid_of("a1", "a2+b2", "b3")
    text, pairs = cut("s", "x", "y"), {("x", "a1"): 0.8, ("x", "a2"): 0.9, ("y", "b3"): 0.7}
    config = Config(min_words=1, match_threshold=0.5)
    for emptied, expected in ((0, [("y", 3)]), (1, [("x", 1), ("y", 3)]), (2, [("x", 1)])):
        scus = list(whole.scus)
        scus[emptied] = replace(scus[emptied], label="", contributors=())
        pyramid = replace(whole, scus=tuple(scus))
        assert matches_in_words(text, matched(text, pyramid, pairs, config)) == expected
    empty = tuple(replace(scu, label="", contributors=()) for scu in whole.scus)
    nobody = replace(whole, scus=empty)
    assert matches_in_words(text, matched(text, nobody, pairs, config)) == []


def test_a_weight_by_hand_does_not_change_what_is_found_in_a_text() -> None:
    whole = pyramid_of("a1", "a2+b2", "b3")
    text, pairs = cut("s", "x", "y"), {("x", "a2"): 0.9, ("x", "b2"): 0.7, ("y", "b3"): 0.6}
    config = Config(min_words=1, match_threshold=0.5)
    usual = matched(text, whole, pairs, config)
    assert matches_in_words(text, usual) == [("x", 2), ("y", 3)]
    for weights in ((3, None, None), (None, 1, 7), (9, 9, 9)):
        scus = tuple(
            replace(scu, given_weight=weight)
            for scu, weight in zip(whole.scus, weights, strict=True)
        )
        pyramid = replace(whole, scus=scus)
        assert matched(text, pyramid, pairs, config).matches == usual.matches
        # The threshold is learnt from the contributors as well.
        learnt = matched(text, pyramid, pairs, Config(min_words=1))
        assert learnt.matches == matched(text, whole, pairs, Config(min_words=1)).matches
    wordless = replace(whole.scus[0], label="", contributors=(), given_weight=2)
    pyramid = replace(whole, scus=(wordless, *whole.scus[1:]))
    assert matched(text, pyramid, pairs, config).matches == usual.matches
    nobody = tuple(replace(scu, label="", contributors=(), given_weight=2) for scu in whole.scus)
    assert matches_in_words(text, matched(text, replace(whole, scus=nobody), pairs, config)) == []


def test_threshold_learnt_from_the_pyramid() -> None:
    pyramid = pyramid_of("a1+b1", "a2+b2", "c3")
    pairs = {("a1", "b1"): 0.9, ("a2", "b2"): 0.5, ("a1", "c3"): 0.6, ("a2", "b1"): 0.3}
    # Each contributor's best unit, without its own reference: a1 .9 (unit 1), b1 .9 (1), a2 .5
    # (2), b2 .5 (2), c3 (.6 + 0) / 2 = .3 (1). Four share a unit, and the fourth highest is .5
    seen: list[float] = []
    config = Config(min_words=1)
    for similarity in (0.5, 0.499):
        text = cut("s", "x")
        evidence = matched(text, pyramid, pairs | {("x", "c3"): similarity}, config)
        seen += [match.similarity for match in evidence.matches]
    assert seen == [0.5]


def test_threshold_of_a_pyramid_that_shares_nothing() -> None:
    pyramid = pyramid_of("a1", "a2", "a3")
    pairs = {("a1", "a2"): 0.1, ("a1", "a3"): 0.3, ("a2", "a3"): 0.4}
    config = Config(min_words=1, edge_percentile=50)
    # The median of .1 .3 .4
    text = cut("s", "x", "y")
    evidence = matched(text, pyramid, pairs | {("x", "a1"): 0.29, ("y", "a1"): 0.3}, config)
    assert matches_in_words(text, evidence) == [("y", 1)]


def test_an_idea_that_nobody_wrote_is_compared_with_its_label() -> None:
    engine = fake_engine("pyreval")
    scus = (Scu(1, "Dark roofs store heat.", (), given_weight=3), Scu(2, "", (), given_weight=1))
    text = Text("s", "Dark roofs store heat. My uncle rides a bicycle.")

    report = score_summary(Pyramid((), scus), text, engine)

    assert [match.scu_uid for match in report.evidence.matches] == [1]


def test_threshold_where_there_is_nothing_to_learn_from() -> None:
    for pyramid in (pyramid_of("a1"), Pyramid((), ())):
        similarity = np.ones((len(pyramid.scus), len(pyramid.scus)))
        assert (
            reading_graph.learn_threshold(pyramid, similarity, Config())
            == reading_graph.FALLBACK_THRESHOLD
        )


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    threshold=st.sampled_from([None, 0.2, 0.4]),
    candidates=st.integers(1, 4),
    matcher=st.sampled_from([wmin, exact]),
)
def test_rules_of_matching(
    *, seed: int, threshold: float | None, candidates: int, matcher: ModuleType
) -> None:
    config = Config(
        min_words=1, match_threshold=threshold, candidates_per_segment=candidates, alpha_extra=90
    )
    *references, text = random_references(seed, 4, 3)
    similarity = Chance(seed)
    pyramid = edua_greedy.build(link_segments(references, similarity.among, config), config)
    evidence: Evidence = matcher.prepare(pyramid, similarity, config, read_by_stops).match(text)
    scus = [match.scu_uid for match in evidence.matches]
    assert len(scus) == len(set(scus))
    assert {match.segment for match in evidence.matches} <= set(evidence.segments)
    assert len({match.segment for match in evidence.matches}) == len(evidence.matches)
    for sentence in text.sentences:
        inside = [
            segment
            for segment in evidence.segments
            if sentence.span.start <= segment.spans[0].start < sentence.span.end
        ]
        assert inside in [list(segmentation.segments) for segmentation in sentence.segmentations]
    for match in evidence.matches:
        assert 0 < match.similarity <= 1
        assert match.similarity >= (threshold or 0)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_a_match_threshold_is_the_papers_unless_another_is_chosen(method: str) -> None:
    row = get_method(method)
    if row.knows_probabilities:
        assert row.config.match_threshold is None
        with pytest.raises(InputError, match=f"“{method}” matches by probability"):
            with_match_threshold(row, 0.5)
        return
    assert row.config.match_threshold == 0.5
    assert with_match_threshold(row, 0.5) == row
    chosen = [row, with_match_threshold(row, None), with_match_threshold(row, 0.4)]
    assert len({variant.config.signature() for variant in chosen}) == 3
    assert len({replace(fake_engine(method), method=variant).reader for variant in chosen}) == 1

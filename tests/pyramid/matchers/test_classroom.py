"""The classroom matcher, worked by hand with written similarities, and with stems."""

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.config import Config
from grading.pyramid.matchers import match_curve
from grading.pyramid.matchers.classroom import ALTERNATIVES, ClassroomMatcher
from grading.pyramid.similarity import Compare, Matrix, Meanings, Similarity, lexical_recall
from grading.pyramid.structures import (
    Candidate,
    Contributor,
    Evidence,
    Match,
    Pyramid,
    Scu,
    SegmentedText,
    Span,
    Text,
    Unit,
)
from tests.pyramid.cutting import Chance, Pairs, Written, cut, read_by_stops
from tests.pyramid.telling import HALF, counted, matches_in_words, pyramid_of

EMPTY = SegmentedText(Text("s", ""), ())


def matcher(pyramid: Pyramid, pairs: Pairs, config: Config = HALF) -> ClassroomMatcher:
    return ClassroomMatcher(pyramid, Written(pairs), config, read_by_stops)


def matched(text: SegmentedText, pyramid: Pyramid, pairs: Pairs) -> Evidence:
    return matcher(pyramid, pairs).match(text)


def stems(pyramid: Pyramid, config: Config | None = None) -> ClassroomMatcher:
    return ClassroomMatcher(pyramid, lexical_recall(), config or Config(), read_by_stops)


def written(*units: Sequence[str]) -> Pyramid:
    """Content units of the words of references A, B, C ...; empty words contribute nothing."""
    contents = ["" for _ in max(units, key=len, default=[])]
    scus = []
    for uid, parts in enumerate(units, start=1):
        contributors = []
        for i, words in enumerate(parts):
            if words:
                span = Span(len(contents[i]), len(contents[i]) + len(words))
                contributors.append(Contributor("ABCDE"[i], (span,)))
                contents[i] += words + ". "
        scus.append(Scu(uid, next(words for words in parts if words), tuple(contributors)))
    texts = tuple(Text("ABCDE"[i], content) for i, content in enumerate(contents))
    return Pyramid(texts, tuple(scus))


# --- what is told ---


def test_a_segment_may_tell_several_units() -> None:
    text = cut("s", "x")
    evidence = matched(text, pyramid_of("a1", "a2", "a3"), {("x", "a1"): 0.9, ("x", "a3"): 0.7})
    assert matches_in_words(text, evidence) == [("x", 1), ("x", 3)]
    assert counted(text, evidence) == ["x"]
    assert evidence.counted == 2


def test_a_segment_that_is_held_is_one_statement_until_a_person_decides() -> None:
    text = cut("s", "x")
    evidence = matched(text, pyramid_of("a1", "a2"), {("x", "a1"): 0.99, ("x", "a2"): 0.99})
    held = [replace(match, held=True) for match in evidence.matches]
    confirmed = [replace(match, by_hand=True) for match in held]
    kinds = (evidence.matches, held, confirmed)
    assert [replace(evidence, matches=tuple(kind)).counted for kind in kinds] == [2, 1, 2]


def test_units_that_no_expert_has_both_are_one_statement() -> None:
    text = cut("s", "x")
    pairs = {("x", words): 0.99 for words in ("a1", "a2", "b1", "c1")}
    evidence = matched(text, pyramid_of("a1", "b1", "c1"), pairs)
    assert [match.same_statement for match in evidence.matches] == [False, True, True]
    assert evidence.counted == 1
    evidence = matched(text, pyramid_of("a1", "a2", "b1"), pairs)
    assert [match.same_statement for match in evidence.matches] == [False, False, True]
    assert evidence.counted == 2


def test_statements_without_contributors_are_statements_of_their_own() -> None:
    text, pyramid = cut("s", "x"), Pyramid((), (Scu(1, "a", ()), Scu(2, "b", ())))
    evidence = matched(text, pyramid, {("x", "a"): 0.99, ("x", "b"): 0.99})
    assert evidence.counted == 2


def test_the_best_sentence_and_the_whole_text_are_asked() -> None:
    text, pyramid = cut("s", "x", "y"), pyramid_of("a1")
    whole, best = ("x y", "a1"), ("y", "a1")
    # .7 * .4 + .3 * .8 = .52, .7 * .4 + .3 * .5 = .43
    assert matches_in_words(text, matched(text, pyramid, {whole: 0.8, best: 0.4})) == [("y", 1)]
    assert matches_in_words(text, matched(text, pyramid, {whole: 0.5, best: 0.4})) == []
    strength = matcher(pyramid, {whole: 0.8, best: 0.4}).strengths(text)[1]
    assert strength == pytest.approx(0.5498, abs=1e-4)  # .2 log-odds above the threshold


def test_one_unit_split_over_two_sentences() -> None:
    idea = "Dark roofs store heat that warms the streets at night"
    pyramid = written([idea], ["Old people suffer most in summer"])
    text = cut("s", "Dark roofs store much heat", "At night that warms the streets", "I like it")
    strengths = stems(pyramid).strengths(text)
    assert strengths[1] >= 0.5 > strengths[2]
    halves = [
        stems(pyramid).strengths(cut("s", content))[1] for content in ("Dark roofs", "At night")
    ]
    assert max(halves) < 0.5
    [match] = stems(pyramid).match(text).matches
    assert text.text.words_at(match.segment.spans) == "Dark roofs store much heat"


def test_the_threshold_itself_is_a_match() -> None:
    text, pyramid = cut("s", "x"), pyramid_of("a1")
    assert matches_in_words(text, matched(text, pyramid, {("x", "a1"): 0.5})) == [("x", 1)]
    assert matches_in_words(text, matched(text, pyramid, {("x", "a1"): 0.4999})) == []


def test_nothing_in_common_is_no_match_whatever_the_threshold() -> None:
    zero = Config(min_words=1, match_threshold=0.0)
    result = matcher(pyramid_of("a1"), {}, zero)
    assert result.match(cut("s", "x")).matches == ()
    assert result.strengths(cut("s", "x")) == result.strengths(EMPTY) == {1: 0.0}


def test_of_equal_sentences_the_first_tells_it() -> None:
    text = cut("s", "x", "x")
    evidence = matched(text, pyramid_of("a1"), {("x", "a1"): 0.9, ("x x", "a1"): 0.9})
    assert [match.segment.spans for match in evidence.matches] == [(Span(0, 1),)]
    assert counted(text, evidence) == ["x"]
    assert [repeat.segment.spans for repeat in evidence.repeats] == [(Span(2, 3),)]


# --- where ---


def test_the_finest_cut_that_still_tells_it() -> None:
    text, pyramid = cut("s", "x|y"), pyramid_of("a1")
    near = {("x y", "a1"): 0.9, ("x", "a1"): 0.8}
    assert matches_in_words(text, matched(text, pyramid, near)) == [("x", 1)]
    far = {("x y", "a1"): 0.9, ("x", "a1"): 0.5, ("y", "a1"): 0.5}
    assert matches_in_words(text, matched(text, pyramid, far)) == [("x y", 1)]
    assert counted(text, matched(text, pyramid, far)) == ["x y"]


def test_each_unit_is_shown_where_it_is_told() -> None:
    text, pyramid = cut("s", "x|y"), pyramid_of("a1", "a2")
    pairs = {("x y", "a1"): 0.9, ("x y", "a2"): 0.9, ("x", "a1"): 0.85, ("y", "a2"): 0.9}
    evidence = matched(text, pyramid, pairs)
    assert matches_in_words(text, evidence) == [("x", 1), ("y", 2)]
    # One of the two needs the whole sentence: then both are shown there.
    evidence = matched(text, pyramid, {**pairs, ("y", "a2"): 0.3})
    assert matches_in_words(text, evidence) == [("x y", 1), ("x y", 2)]


def test_a_sentence_that_tells_nothing_counts_as_a_whole() -> None:
    text = cut("s", "x|y", "z")
    evidence = matched(text, pyramid_of("a1"), {("z", "a1"): 0.9, ("x y z", "a1"): 0.9})
    assert counted(text, evidence) == ["x y", "z"]


def test_a_sentence_of_short_clauses_counts_as_a_whole() -> None:
    text = cut("s", "ice melts|water boils")
    evidence = matcher(pyramid_of("a1"), {}, Config()).match(text)
    assert counted(text, evidence) == ["ice melts water boils"]
    assert matcher(pyramid_of("a1"), {}, Config()).match(cut("s", "ice melts")).segments == ()


def test_a_sentence_too_short_to_count_may_tell_a_unit() -> None:
    text = cut("s", "ice melts", "and nothing else")
    result = matcher(pyramid_of("a1"), {("ice melts", "a1"): 1.0}, Config(match_threshold=0.5))
    assert matches_in_words(text, result.match(text)) == [("ice melts", 1)]
    assert counted(text, result.match(text)) == ["ice melts", "and nothing else"]


# --- alternatives, similarities, probabilities ---


def test_alternatives_are_the_nearest_units_that_are_not_told() -> None:
    text = cut("s", "x")
    pairs = {("x", f"a{i}"): i / 10 for i in range(1, 7)}
    evidence = matched(text, pyramid_of(*(f"a{i}" for i in range(1, 7))), pairs)
    assert [(match.scu_uid, match.similarity) for match in evidence.matches] == [(5, 0.5), (6, 0.6)]
    for match in evidence.matches:
        assert match.alternatives == (Candidate(4, 0.4), Candidate(3, 0.3), Candidate(2, 0.2))
    assert len(evidence.matches[0].alternatives) == ALTERNATIVES


def test_a_pyramid_of_one_unit_has_no_alternatives() -> None:
    [match] = matched(cut("s", "x"), pyramid_of("a1"), {("x", "a1"): 0.9}).matches
    assert match.alternatives == ()
    assert match.probability == pytest.approx(0.982, abs=1e-3)  # four log-odds
    assert match.remarks == ()


# --- what the references teach ---


def rows_of(similarity: float, units: int) -> Pairs:
    """Two references whose sentences are so similar to one another where they share a unit."""
    return {(f"a{i}.", f"b{i}"): similarity for i in range(units)} | {
        (f"b{i}.", f"a{i}"): similarity for i in range(units)
    }


def shared(units: int) -> Pyramid:
    """Units that A and B share, and as many that only one of them has."""
    both = [[f"a{i}", f"b{i}"] for i in range(units)]
    alone = [[f"a{i}", ""] for i in range(units, 2 * units)]
    return written(*both, *alone)


def test_the_threshold_is_learnt_from_the_references() -> None:
    pyramid, free = shared(8), replace(HALF, match_threshold=None)
    strict = matcher(pyramid, rows_of(1.0, 8), free).calibration
    lax = matcher(pyramid, rows_of(0.6, 8), free).calibration
    assert lax.threshold < strict.threshold
    assert 0.25 <= lax.threshold <= 0.5
    assert lax.slope > 0
    fixed = matcher(pyramid, rows_of(0.6, 8)).calibration
    assert (fixed.slope, fixed.threshold) == (lax.slope, 0.5)


def test_what_a_builder_missed_lowers_the_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few ideas are joined, by the same words; the others are shared in other words."""
    joined = [[f"a{i}", f"b{i}"] for i in range(4)]
    missed = [words for i in range(4, 12) for words in ([f"a{i}", ""], ["", f"b{i}"])]
    same = {pair: 1.0 for i in range(4) for pair in _both_ways(i)}
    other = {pair: 0.6 for i in range(4, 12) for pair in _both_ways(i)}
    free = replace(HALF, match_threshold=None)
    pyramid, pairs = written(*joined, *missed), same | other
    learnt = matcher(pyramid, pairs, free).calibration
    monkeypatch.setattr(match_curve, "SHARED_AT_LEAST", 0.0)
    by_the_builder = matcher(pyramid, pairs, free).calibration
    assert learnt.slope == by_the_builder.slope
    assert learnt.threshold == pytest.approx((by_the_builder.threshold + 0.7 * 0.6) / 2, abs=1e-4)


def test_references_that_share_nothing_else_do_not_make_everything_match() -> None:
    free = replace(HALF, match_threshold=None)
    learnt = matcher(shared(8), rows_of(0.6, 8), free).calibration
    prior = Written({}).priors.idea
    assert learnt.threshold >= prior.threshold / 2


def _both_ways(number: int) -> tuple[tuple[str, str], tuple[str, str]]:
    return (f"a{number}.", f"b{number}"), (f"b{number}.", f"a{number}")


@pytest.mark.parametrize(
    "pyramid",
    [
        Pyramid((), ()),
        Pyramid((Text("A", "ice melts fast"),), ()),
        written(["ice melts fast"], ["dark roofs store heat"]),
        written(["ice melts fast"] * 3),
        Pyramid((Text("A", ""), Text("B", " \n ")), (Scu(1, "a new idea", ()),)),
    ],
)
def test_where_nothing_can_be_learnt_the_prior_holds(pyramid: Pyramid) -> None:
    assert stems(pyramid).calibration == lexical_recall().priors.statement


class _Meant(Written):
    """With meanings by the first letter, besides similarities of words."""

    def meanings(self, units: Sequence[Unit]) -> Meanings:
        letters = [unit.words[:1] for unit in units]
        return np.array([[letter == known for known in "xab"] for letter in letters], np.float16)


def test_meanings_tell_ideas_apart_only_where_references_teach() -> None:
    pairs = {("x", "xa"): 0.5, ("x", "b"): 0.5}
    text = cut("s", "x")

    def strengths(pyramid: Pyramid, similarity: Similarity) -> dict[int, float]:
        return ClassroomMatcher(pyramid, similarity, Config(), read_by_stops).strengths(text)

    alone, shared = written(["xa"], ["b"]), written(["xa", "xa"], ["b", ""])
    assert strengths(alone, _Meant(pairs)) == strengths(alone, Written(pairs))
    assert strengths(shared, _Meant(pairs)) != strengths(shared, Written(pairs))


# --- edges ---


def test_a_pyramid_without_units() -> None:
    text = cut("s", "ice melts fast|and drips")
    result = stems(Pyramid((Text("A", "ice melts"),), ()))
    assert result.strengths(text) == {}
    assert counted(text, result.match(text)) == ["ice melts fast and drips"]
    assert result.match(EMPTY) == Evidence((), ())


def test_a_unit_without_contributors_is_matched_by_its_label() -> None:
    pyramid = Pyramid(
        (Text("A", "Nothing of that kind"),),
        (Scu(7, "Dark roofs store heat", ()), Scu(8, "", ()), Scu(9, "?!", ())),
    )
    text = cut("s", "My roofs are dark and store the heat")
    assert matches_in_words(text, stems(pyramid).match(text)) == [
        ("My roofs are dark and store the heat", 7)
    ]
    assert stems(pyramid).strengths(text)[8] == stems(pyramid).strengths(text)[9] == 0


@pytest.mark.parametrize("content", ["", " ", "\n", "?!"])
def test_a_text_without_sentences(content: str) -> None:
    text = SegmentedText(Text("s", content), ())
    result = stems(written(["ice melts fast"]))
    assert result.match(text) == Evidence((), ())
    assert result.strengths(text) == {1: 0.0}


def test_one_word() -> None:
    result = stems(written(["ice melts fast in the summer sun"], ["heat"]))
    assert result.match(cut("s", "ice")).segments == ()
    text = cut("s", "heat")
    assert matches_in_words(text, result.match(text)) == [("heat", 2)]


def test_one_reference_tells_all_of_itself() -> None:
    pyramid = written(["ice melts fast"], ["dark roofs store heat"], ["old people suffer"])
    text = cut("A", "ice melts fast.", "dark roofs store heat.", "old people suffer.")
    assert [uid for _, uid in matches_in_words(text, stems(pyramid).match(text))] == [1, 2, 3]


def test_five_thousand_words_are_no_trouble() -> None:
    pyramid = written(*([f"idea{i} has words{i} of kind{i}"] * 3 for i in range(30)))
    words = [f"idea{i % 40} has|words{i % 40} of kind{i % 40} indeed" for i in range(830)]
    text = cut("s", *words)
    assert len(text.text.content.split()) >= 4_900
    result = stems(pyramid)
    before = time.process_time()
    evidence = result.match(text)
    assert time.process_time() - before < 30
    assert len(evidence.matches) == 30


# --- what nothing depends on ---


def units_told(evidence: Evidence) -> list[Match]:
    """Matches without the numbers that a pyramid's own order gives."""
    return sorted(
        (replace(match, alternatives=()) for match in evidence.matches),
        key=lambda match: (match.segment, match.scu_uid),
    )


def test_the_order_of_references_and_units_makes_no_difference() -> None:
    pyramid = written(
        ["Dark roofs store heat", "Roofs that are dark store the heat", "Heat is in dark roofs"],
        ["Trees cool the streets", "", "Cool streets have trees"],
        ["", "Old people suffer in hot nights", ""],
    )
    text = cut("s", "Dark roofs store the heat|and trees cool", "Nights are hot for the old people")
    expected = stems(pyramid)
    for order in permutations(range(3)):
        turned = Pyramid(
            tuple(pyramid.references[i] for i in order),
            tuple(
                replace(pyramid.scus[i], contributors=pyramid.scus[i].contributors[::-1])
                for i in order
            ),
        )
        result = stems(turned)
        assert result.calibration == expected.calibration
        assert result.strengths(text) == expected.strengths(text)
        assert units_told(result.match(text)) == units_told(expected.match(text))


texts = st.lists(
    st.lists(st.sampled_from(["p", "q", "r", "t"]), min_size=1, max_size=3).map("|".join),
    min_size=1,
    max_size=4,
).map(lambda sentences: cut("s", *sentences))


@settings(max_examples=120)
@given(texts, st.integers(0, 30), st.sampled_from([None, 0.0, 0.2, 0.5, 0.9]), st.integers(1, 3))
def test_evidence_is_of_a_piece(
    text: SegmentedText, seed: int, threshold: float | None, least: int
) -> None:
    pyramid = pyramid_of("a1+b1", "a2+c2", "b3", "c4")
    config = Config(min_words=least, match_threshold=threshold)
    classroom_matcher = ClassroomMatcher(pyramid, Chance(seed), config, read_by_stops)
    evidence, strengths = classroom_matcher.match(text), classroom_matcher.strengths(text)
    units = [match.scu_uid for match in evidence.matches]
    assert set(units) == {
        uid for uid, strong in strengths.items() if strong >= classroom_matcher.threshold
    }
    assert len(set(units)) == len(units)
    assert len(set(evidence.segments)) == len(evidence.segments)
    assert {match.segment for match in evidence.matches} <= set(evidence.segments)
    assert all(0 <= strong <= 1 for strong in strengths.values())
    for match in evidence.matches:
        assert match.probability == strengths[match.scu_uid]
        assert match.scu_uid not in [other.scu_uid for other in match.alternatives]
        assert 0 <= match.similarity <= 1
    of_sentences = [
        [segment for segment in evidence.segments if inside(segment.spans[0], sentence.span)]
        for sentence in text.sentences
    ]
    for sentence, segments in zip(text.sentences, of_sentences, strict=True):
        cuts = [set(segmentation.segments) for segmentation in sentence.segmentations]
        assert any(set(segments) <= cut for cut in cuts)
    assert classroom_matcher.match(text) == evidence


def inside(span: Span, outer: Span) -> bool:
    return outer.start <= span.start and span.end <= outer.end


class Counting(Written):
    """Keeps how many rows were compared at a time."""

    def __init__(self, pairs: Pairs) -> None:
        super().__init__(pairs)
        self.asked: list[int] = []

    def against(self, columns: Sequence[Unit]) -> Compare:
        compare = super().against(columns)

        def counting(rows: Sequence[Unit]) -> Matrix:
            self.asked.append(len(rows))
            return compare(rows)

        return counting


def test_a_text_is_compared_once_and_in_one_go() -> None:
    similarity = Counting({})
    classroom_matcher = ClassroomMatcher(pyramid_of("a1"), similarity, HALF, read_by_stops)
    similarity.asked.clear()
    classroom_matcher.match(cut("s", "x|y", "z"))
    assert similarity.asked == [5]  # x y z, x y, z, x, y

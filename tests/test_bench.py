"""The figures of ``make bench`` must themselves be right."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.correlations import pearson
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text, Unit
from tests.bench import made_texts, realsumm, wim
from tests.bench.cells import Cells, decided, finding, learnt_thresholds, mean_auc, pooled_auc
from tests.bench.pyramids import Words, content_words, pairs, weights
from tests.bench.statistics import (
    Mask,
    Measure,
    Numbers,
    auc,
    best_threshold,
    f1,
    over_rounds,
    partial,
    with_spread,
)
from tests.bench.table import Reach, Row, Table, as_json, lines, verdict
from tests.bench.timing import KnownVectors
from tests.fakes import FakeParser, HashingEncoder

judged = st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=20)


def _columns(cells: list[tuple[int, bool]]) -> tuple[Numbers, Mask]:
    return np.array([float(s) for s, _ in cells]), np.array([there for _, there in cells])


def _group(strengths: list[float], truth: list[int]) -> Cells:
    there = np.array(truth, dtype=np.bool_)
    return Cells(np.array(strengths), there, there, there, there.astype(np.float64), ~there)


# --- statistics ---


@given(judged)
def test_auc_is_the_share_of_pairs_in_the_right_order(cells: list[tuple[int, bool]]) -> None:
    strengths, truth = _columns(cells)
    higher = [
        1.0 if yes > no else 0.5 if yes == no else 0.0
        for yes in strengths[truth]
        for no in strengths[~truth]
    ]
    result = auc(strengths, truth)
    assert result == pytest.approx(np.mean(higher)) if higher else np.isnan(result)


@given(judged)
def test_no_threshold_has_a_better_f1_than_the_best(cells: list[tuple[int, bool]]) -> None:
    strengths, truth = _columns(cells)

    def at(threshold: float) -> float:
        result = strengths >= threshold
        return f1((result & truth).sum(), result.sum(), truth.sum())

    best = at(best_threshold(strengths, truth))
    assert best == pytest.approx(max(at(strength) for strength in strengths))


def test_the_threshold_lies_halfway_to_the_next_strength() -> None:
    assert best_threshold(np.array([0.9, 0.1, 0.5]), np.array([True, False, True])) == 0.3


def test_correlation_with_the_given_taken_out() -> None:
    draw = np.random.default_rng(0)
    given_, noise = draw.normal(size=500), draw.normal(size=(2, 500))
    xs, ys = given_ + noise[0] / 10, given_ + noise[1] / 10
    assert pearson(xs, ys) > 0.95
    assert abs(partial(xs, ys, given_)) < 0.1
    residuals = [values - np.polyval(np.polyfit(given_, values, 1), given_) for values in (xs, ys)]
    assert partial(xs, ys, given_) == pytest.approx(pearson(*residuals))


def test_the_spread_is_the_same_each_time_and_holds_the_figure() -> None:
    xs = np.arange(20.0)
    spreads = [with_spread(lambda rows: float(xs[rows].mean()), 20) for _ in range(2)]
    assert spreads[0] == spreads[1]
    assert spreads[0].value == 9.5
    assert spreads[0].low is not None
    assert spreads[0].high is not None
    assert spreads[0].low < 9.5 < spreads[0].high
    assert (spreads[0].least, spreads[0].most) == (9.0, 10.0)


def test_draws_without_the_statistic_are_passed_over() -> None:
    xs = np.array([1.0, 1.0, 2.0])
    spread = with_spread(lambda rows: pearson(xs[rows], xs[rows]), 3)
    assert (spread.value, spread.low, spread.high) == pytest.approx((1.0, 1.0, 1.0))


# --- cells ---


def test_a_threshold_is_learnt_from_the_other_parts_only() -> None:
    groups = [_group([0.9, 0.1], [1, 0]), _group([0.6, 0.2], [1, 0]), _group([0.5, 0.4], [0, 1])]
    learnt = learnt_thresholds(groups, [1, 1, 2])
    assert learnt[2] == pytest.approx(0.4)  # between .6 and .2
    assert learnt[1] == pytest.approx(0.4)  # both cells of the other part
    result = decided(groups, [1, 1, 2])
    assert [mask.tolist() for mask in result] == [[True, False], [True, False], [True, True]]


def test_finding_counts_over_all_groups() -> None:
    groups = [_group([0.9, 0.1], [1, 0]), _group([0.6, 0.2], [1, 1])]
    figures = finding(groups, [np.array([True, True]), np.array([True, False])])
    assert figures.precision.value == pytest.approx(2 / 3)
    assert figures.recall.value == pytest.approx(2 / 3)
    assert figures.f1.value == pytest.approx(2 / 3)


def test_pooled_and_mean_auc_differ_where_thresholds_do_not_carry_over() -> None:
    groups = [_group([0.9, 0.8], [1, 0]), _group([0.3, 0.2], [1, 0])]
    assert mean_auc(groups).value == 1.0
    assert pooled_auc(groups).value == 0.75


# --- pyramids and texts ---


def _words() -> tuple[Pyramid, Words]:
    texts = (Text("a", "Matter has mass."), Text("b", "Mass is matter."), Text("c", "Heat moves."))
    both = (Contributor("b", (Span(0, 15),)), Contributor("a", (Span(0, 10),)))
    alone = Contributor("c", (Span(0, 4),))
    pyramid = Pyramid(texts, (Scu(1, "", both), Scu(2, "", (alone,))))
    return pyramid, content_words(texts, FakeParser())


def test_pairs_are_content_words_of_different_references() -> None:
    pyramid, words = _words()
    assert pairs(pyramid, words) == {((0, i), (1, j)) for i in (0, 7) for j in (0, 5, 8)}


def test_a_word_weighs_as_much_as_its_heaviest_unit() -> None:
    pyramid, words = _words()
    shared = {(0, 0): 2, (0, 7): 2, (1, 0): 2, (1, 5): 2, (1, 8): 2}
    assert weights(pyramid, words) == shared | {(2, 0): 1}


def test_each_sentence_of_a_news_pyramid_is_a_unit() -> None:
    pyramid = realsumm.pyramid_of(["It rains.", "It snows."])
    words = [pyramid.references[0].words_at(scu.contributors[0].spans) for scu in pyramid.scus]
    assert words == ["It rains.", "It snows."]


CORPORA = [
    made_texts.demonstration_corpus,
    pytest.param(
        made_texts.corpus,
        marks=[
            pytest.mark.data,
            pytest.mark.skipif(
                not wim.FOLDER.exists(), reason="the annotated data is not beside the project"
            ),
        ],
    ),
]


@pytest.mark.parametrize("corpus", CORPORA)
def test_made_texts_have_the_length_asked_for_and_are_always_the_same(
    corpus: Callable[[], made_texts.Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made_texts, "corpus", corpus)
    texts = made_texts.made_class(20, 150, seed=1)
    assert texts == made_texts.made_class(20, 150, seed=1)
    assert texts != made_texts.made_class(20, 150, seed=2)
    assert all(120 <= len(text.content.split()) <= 160 for text in texts)


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("count", [7, 12])
def test_made_references_differ_and_have_the_length_asked_for(
    corpus: Callable[[], made_texts.Corpus], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where there are too few real sentences for so many references."""
    monkeypatch.setattr(made_texts, "corpus", corpus)
    references = made_texts.made_references(count, 250)
    assert references == made_texts.made_references(count, 250)
    assert len({text.content for text in references}) == count
    assert all(250 <= len(text.content.split()) <= 300 for text in references)


class _Counting(HashingEncoder):
    encoded = 0

    def encode(self, units: Sequence[Unit]) -> Numbers:
        self.encoded += len(units)
        return super().encode(units)


def test_known_vectors_are_made_once() -> None:
    text = Text("a", "Matter has mass.")
    units = [Unit(text, (Span(0, end),)) for end in (6, 10, 15)]
    encoder = _Counting()
    known = KnownVectors(encoder)
    known.encode(units[:2])
    assert np.array_equal(known.encode(units), HashingEncoder().encode(units))
    assert encoder.encoded == 3


# --- tables ---


def test_a_table_says_what_is_reached() -> None:
    rows = (
        Row("mine", "AUC", Measure(0.96, 0.9, 0.99, 0.95, 0.97), Reach(0.95)),
        Row("mine", "seconds", over_rounds([3.0, 1.0, 2.0]), Reach(1.5, most=True), 1),
        Row("words", "AUC", Measure(0.7)),
    )
    table = Table("Some figures", "A note.", rows)
    text = "\n".join(line.strip() for line in lines(table))
    assert "✓ ≥ 0.95" in text
    assert "✗ ≤ 1.5" in text
    assert "0.90 to 0.99" in text
    assert list(verdict([table])) == [
        "1 of 2 targets reached. Not:",
        "✗ ≤ 1.5           2.0  mine: seconds (Some figures)",
    ]
    assert as_json([table])["Some figures"]["mine"]["seconds"]["reached"] is False
    assert as_json([table])["Some figures"]["words"]["AUC"]["value"] == 0.7

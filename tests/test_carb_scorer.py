"""CaRB's scorer, followed by hand on small tables."""

import pytest

from tests.bench.carb import Extraction, curve, extraction, match

GOLD = extraction("store", ["dark roofs", "heat", "in summer"])


def test_words_are_compared_part_by_part() -> None:
    """The arguments after the first count as one: 1 of 1, 2 of 2, 1 of 2 words of 5 and 6."""
    predicted = extraction("store", ["dark roofs", "the heat"])
    assert match(GOLD, predicted) == (4 / 5, 4 / 6)


def test_without_a_common_word_in_the_predicates_nothing_matches() -> None:
    assert match(GOLD, extraction("hold", ["dark roofs", "heat in summer"])) == (0, 0)
    assert match(GOLD, extraction("store", ["dark roofs"])) == (0, 0)  # an argument is missing


def test_be_is_any_of_its_forms_and_saying_may_be_turned_around() -> None:
    assert match(extraction("is", ["a", "b"]), extraction("be", ["a", "b"])) == (1, 1)
    said = extraction("said", ["Ann", "it rains"])
    assert match(said, extraction("said", ["it rains", "Ann"])) == (1, 1)
    assert match(extraction("ate", ["Ann", "it"]), extraction("ate", ["it", "Ann"])) < (1, 1)


def scored(*predicted: Extraction) -> tuple[float, float]:
    gold = {"s": [GOLD, extraction("melt", ["roofs", "snow"])]}
    result = curve(["s"], gold, {"s": predicted})
    return result.f1(), result.auc()


def test_the_curve_of_two_confidences() -> None:
    """At .9 one right triple: precision 1, recall 1/2; at .1 a wrong one more: 1/2 and 1/2."""
    right = extraction("melt", ["roofs", "snow"], 0.9)
    wrong = extraction("eat", ["children", "snow"], 0.1)
    f1, auc = scored(right, wrong)
    assert f1 == pytest.approx(2 / 3)
    assert auc == pytest.approx(1 / 2)


def test_a_prediction_counts_for_one_gold_extraction_only() -> None:
    """The same triple twice: the second is left over, precision 1/2."""
    twice = [extraction("melt", ["roofs", "snow"], confidence) for confidence in (0.9, 0.9)]
    assert scored(*twice)[0] == pytest.approx(1 / 2)


def test_no_prediction_at_all() -> None:
    assert scored() == (0, 0)

"""How scores are spread: quartiles, tenths, and classes of one or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.class_figures import Measure, spread_of
from tests.pyramid.class_figures.made import text

QUALITY = Measure.QUALITY


def test_five_texts() -> None:
    scores = [0.9, 0.1, 0.5, 0.3, 0.7]
    found = spread_of([text(key, score=score) for key, score in enumerate(scores)], QUALITY)

    assert found is not None
    told = (found.least, found.lower, found.median, found.upper, found.most)
    assert told == pytest.approx((0.1, 0.3, 0.5, 0.7, 0.9))
    assert found.mean == pytest.approx(0.5)
    assert found.counts == (0, 1, 0, 1, 0, 1, 0, 1, 0, 1)
    assert not found.is_one_score


def test_one_text_is_all_its_quartiles() -> None:
    found = spread_of([text(1, score=0.4)], QUALITY)

    assert found is not None
    assert (found.lower, found.median, found.upper, found.interval) == (0.4, 0.4, 0.4, None)
    assert found.is_one_score


def test_nobody_has_no_spread() -> None:
    assert spread_of([], QUALITY) is None


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_everyone_is_in_one_tenth_and_quartiles_are_in_order(scores: list[float]) -> None:
    found = spread_of([text(key, score=score) for key, score in enumerate(scores)], QUALITY)

    assert found is not None
    assert sum(found.counts) == len(scores)
    told = [found.least, found.lower, found.median, found.upper, found.most]
    assert told == pytest.approx(sorted(told))
    assert found.least - 1e-9 <= found.mean <= found.most + 1e-9

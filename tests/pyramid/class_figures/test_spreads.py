"""How scores are spread: quartiles, tenths, and classes of one or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.class_figures import Measure, spread_of
from tests.pyramid.class_figures.made import text

QUALITY = Measure.QUALITY


def test_five_texts() -> None:
    scores = [0.9, 0.1, 0.5, 0.3, 0.7]
    spread = spread_of([text(key, score=score) for key, score in enumerate(scores)], QUALITY)

    assert spread is not None
    figures = (spread.least, spread.lower, spread.median, spread.upper, spread.most)
    assert figures == pytest.approx((0.1, 0.3, 0.5, 0.7, 0.9))
    assert spread.mean == pytest.approx(0.5)
    assert spread.counts == (0, 1, 0, 1, 0, 1, 0, 1, 0, 1)
    assert not spread.is_one_score


def test_one_text_is_all_its_quartiles() -> None:
    spread = spread_of([text(1, score=0.4)], QUALITY)

    assert spread is not None
    assert (spread.lower, spread.median, spread.upper, spread.interval) == (0.4, 0.4, 0.4, None)
    assert spread.is_one_score


def test_nobody_has_no_spread() -> None:
    assert spread_of([], QUALITY) is None


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_everyone_is_in_one_tenth_and_quartiles_are_in_order(scores: list[float]) -> None:
    spread = spread_of([text(key, score=score) for key, score in enumerate(scores)], QUALITY)

    assert spread is not None
    assert sum(spread.counts) == len(scores)
    figures = [spread.least, spread.lower, spread.median, spread.upper, spread.most]
    assert figures == pytest.approx(sorted(figures))
    assert spread.least - 1e-9 <= spread.mean <= spread.most + 1e-9

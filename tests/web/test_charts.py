"""Pictures of a class: everything within its frame, as long as its figure, and not on one heap."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.class_figures import ClassText, Limits, Measure, ideas_of, spread_of
from grading.pyramid.intervals import Interval
from grading.web.charts import (
    WIDTH,
    bar_chart,
    box_chart,
    histogram_of,
    idea_chart,
    quality_chart,
)
from tests.pyramid.class_figures.made import pyramid, text, texts

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


def scored(*scores: float) -> list[ClassText]:
    return [text(key, score=score) for key, score in enumerate(scores)]


@given(SCORES)
def test_a_histogram_is_as_high_as_its_counts(scores: list[float]) -> None:
    spread = spread_of(scored(*scores), Measure.QUALITY)
    assert spread is not None
    histogram = histogram_of(spread)

    assert sum(column.count for column in histogram.columns) == len(scores)
    highest = max(histogram.columns, key=lambda column: column.count)
    assert highest.height == histogram.floor - histogram.top
    for column in histogram.columns:
        assert column.y + column.height == histogram.floor
        assert histogram.left <= column.x <= column.x + column.width <= histogram.right
    box = histogram.box
    assert histogram.left <= box.least <= box.lower <= box.middle <= box.upper <= box.most
    assert box.most <= histogram.right


@given(st.lists(st.frozensets(st.integers(1, 30)), min_size=1, max_size=20))
def test_no_idea_hides_another(uids_of_texts: list[frozenset[int]]) -> None:
    weights = [4] * 5 + [2] * 10 + [1] * 15
    ideas = ideas_of(pyramid(*weights), texts(*uids_of_texts)).ideas
    result = idea_chart(list(enumerate(ideas, start=1)))

    dots = [dot for row in result.rows for dot in row.dots]
    assert sorted(dot.number for dot in dots) == list(range(1, 31))
    for first, other in combinations(dots, 2):
        assert max(abs(first.x - other.x), abs(first.y - other.y)) >= 2 * result.radius
    for row in result.rows:
        assert all(row.top <= dot.y - result.radius for dot in row.dots)
        assert all(dot.y + result.radius <= row.floor for dot in row.dots)


def test_of_no_ideas_nothing_is_drawn() -> None:
    assert idea_chart([]).rows == []


def test_bars_with_words_that_fit_and_intervals() -> None:
    long, short = bar_chart(
        [("word " * 30, "1", 1.0, None), ("Heat", "25 %", 0.25, Interval(0.1, 0.5))]
    ).bars

    assert long.words.endswith("…")
    assert len(long.words) <= 50
    assert (long.width, long.low) == (WIDTH, None)
    assert (short.words, short.width, short.low, short.high) == ("Heat", 110.0, 44.0, 220.0)
    assert short.y > long.y


@given(SCORES)
def test_a_scatter_has_everyone_in_it(scores: list[float]) -> None:
    result = quality_chart(scored(*scores), Limits(0.3, 0.3, 0), frozenset({0}))

    assert any(circle.is_flagged for circle in result.circles)
    for circle in result.circles:
        assert result.left <= circle.x <= result.right
        assert result.top <= circle.y <= result.floor


def test_texts_at_the_same_place_are_a_larger_circle() -> None:
    limits = Limits(0.3, 0.3, 0)
    (circle,) = quality_chart(scored(0.5), limits, frozenset()).circles
    (many,) = quality_chart(scored(*[0.5] * 4), limits, frozenset()).circles
    assert many.radius == 2 * circle.radius


def test_sections_stand_below_one_another() -> None:
    spread = spread_of(scored(0.2, 0.8), Measure.QUALITY)
    assert spread is not None
    result = box_chart([("A", "2 texts", spread), ("B", "2 texts", spread)])

    first, second = (row.box for row in result.rows)
    assert first.middle == second.middle == (result.left + result.right) / 2
    assert second.y > first.y
    assert second.y < result.floor < result.height

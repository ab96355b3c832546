"""Scatter plots: texts lie where their scores are, between ticks that are round numbers."""

import pytest

from grading.web.scatter_charts import method_chart


def test_the_axes_reach_from_below_the_lowest_to_above_the_highest() -> None:
    chart = method_chart([(0.2, 12.0, False), (0.8, 47.0, True)])

    assert [tick.text for tick in chart.across] == ["0.2", "0.4", "0.6", "0.8"]
    assert [tick.text for tick in chart.up] == ["10", "20", "30", "40", "50"]
    low, high = chart.points
    assert (low.x, high.x) == (chart.left, chart.right)
    assert chart.floor > low.y > high.y > chart.top  # up is up
    assert [point.is_flagged for point in chart.points] == [False, True]
    assert (high.left, high.top) == (round(high.x - 5, 1), round(high.y - 5, 1))


@pytest.mark.parametrize("score", [0.0, 0.7, 3.0, 1e-5, 12345.0])
def test_texts_that_all_score_the_same_lie_within_the_picture(score: float) -> None:
    chart = method_chart([(score, score, False)] * 3)

    for point in chart.points:
        assert chart.left <= point.x <= chart.right
        assert chart.top <= point.y <= chart.floor
    assert len({tick.text for tick in chart.across}) == len(chart.across) >= 2

"""Two columns of scores of the same texts: how they go together, with 95 % intervals."""

from collections.abc import Iterator

import numpy as np

from grading.pyramid import agreement
from grading.pyramid.agreement import Figure, Numbers, figure
from grading.pyramid.cli.tables import Cell
from grading.pyramid.correlations import spearman


def pearson_figure(xs: Numbers, ys: Numbers) -> Figure:
    return figure(lambda counts: agreement.pearson(counts, xs, ys), len(xs))


def correlation_figures(xs: Numbers, ys: Numbers) -> Iterator[tuple[str, Figure]]:
    """Pearson's, Spearman's and Kendall's, each over the same draws of texts."""
    rows = np.arange(len(xs))

    def spearman_of(counts: Numbers) -> Numbers:
        drawn = (np.repeat(rows, draw) for draw in counts.astype(np.intp))
        return np.array([spearman(xs[draw], ys[draw]) for draw in drawn])

    order_x, order_y = np.sign(xs[:, None] - xs), np.sign(ys[:, None] - ys)

    def pairs(counts: Numbers, orders: Numbers) -> Numbers:
        """The sum over all pairs of a draw; a text that is drawn twice makes a pair of equals."""
        summed: Numbers = ((counts @ orders) * counts).sum(axis=1)
        return summed

    def kendall_of(counts: Numbers) -> Numbers:
        untied = pairs(counts, order_x**2) * pairs(counts, order_y**2)
        with np.errstate(divide="ignore", invalid="ignore"):
            taus: Numbers = pairs(counts, order_x * order_y) / np.sqrt(untied)
        return taus

    yield "Pearson", pearson_figure(xs, ys)
    yield "Spearman", figure(spearman_of, len(xs))
    yield "Kendall", figure(kendall_of, len(xs))


def cells_of(correlation: Figure) -> tuple[Cell, ...]:
    """Value, ends of the interval, number of texts."""
    return correlation.value, correlation.low, correlation.high, correlation.texts

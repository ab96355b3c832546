"""The charts of a feedback page: shapes with sizes, for a template to draw as SVG."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grading.pyramid.scores import best_sum, ideas_of_a_reference
from grading.pyramid.structures import Pyramid, ScoreReport
from grading.web.ideas import BANDS

UNMATCHED, REPEATED = 0, -1  # stand for a band, where a statement has no idea of its own
_SHAPE_KINDS = {UNMATCHED: "empty", REPEATED: "again"}
_STATEMENT_WIDTH, _STATEMENT_GAP, _STATEMENT_HEIGHT = 7, 3, 30
_FEWEST_STATEMENTS = 12  # so that three statements are not three pillars
_MOST_STATEMENTS = 60  # so that bars can be told apart on a phone
_CELL, _CELL_STEP = 12, 15
_CELLS_IN_A_ROW = 20
_WEIGHT_LABEL = 24  # to the left of the cells


@dataclass(frozen=True, slots=True)
class Shape:
    """All rectangles of one band in one path, which keeps the page small."""

    band: int
    path: str

    @property
    def kind(self) -> str:
        return _SHAPE_KINDS.get(self.band, f"band-{self.band}")


@dataclass(frozen=True, slots=True)
class Label:
    x: int
    y: int
    text: str


@dataclass(frozen=True, slots=True)
class ShapeChart:
    """``together`` is how many statements one bar stands for (the last one perhaps for fewer)."""

    width: int
    height: int
    shapes: tuple[Shape, ...]
    words: tuple[Label, ...] = ()
    together: int = 1


def statement_chart(bands: Sequence[int]) -> ShapeChart:
    """A bar for each statement in order, as high as its idea is important.

    In a long text neighbours share one bar, which is as high as the most important idea in them.
    """

    def rank(band: int) -> float:
        return 0.5 if band == REPEATED else band

    together = max(1, math.ceil(len(bands) / _MOST_STATEMENTS))
    starts = range(0, len(bands), together)
    highest = [max(bands[start : start + together], key=rank) for start in starts]
    heights = [_STATEMENT_HEIGHT * max(1, band) // BANDS for band in highest]
    step = _STATEMENT_WIDTH + _STATEMENT_GAP
    return ShapeChart(
        width=max(_FEWEST_STATEMENTS, len(highest)) * step,
        height=_STATEMENT_HEIGHT,
        shapes=_shapes(
            (band, _rectangle(place * step, _STATEMENT_HEIGHT - height, _STATEMENT_WIDTH, height))
            for place, (band, height) in enumerate(zip(highest, heights, strict=True))
        ),
        together=together,
    )


class IdeaCount(NamedTuple):
    """How many ideas of one weight are matched; ``total`` is None where that is not shown."""

    weight: int
    band: int
    matched: int
    total: int | None

    @property
    def cells(self) -> int:
        return self.matched if self.total is None else self.total


def idea_pyramid_chart(counts: Sequence[IdeaCount]) -> ShapeChart:
    """A row for each weight in the order given: matched ideas filled, the others empty."""
    rows = [(count, start) for count in counts for start in range(0, count.cells, _CELLS_IN_A_ROW)]
    widest = min(_CELLS_IN_A_ROW, max((count.cells for count in counts), default=0))
    rectangles: list[tuple[int, str]] = []
    labels = []
    for place, (count, start) in enumerate(rows):
        top = place * _CELL_STEP
        cells = min(_CELLS_IN_A_ROW, count.cells - start)
        left = _WEIGHT_LABEL + (widest - cells) * _CELL_STEP // 2
        for cell in range(cells):
            band = count.band if start + cell < count.matched else UNMATCHED
            path = _rectangle(left + cell * _CELL_STEP, top + 1, _CELL, _CELL)
            rectangles.append((band, path))
        if start == 0:
            labels.append(Label(0, top + _CELL - 1, str(count.weight)))
    width, height = _WEIGHT_LABEL + widest * _CELL_STEP, len(rows) * _CELL_STEP
    return ShapeChart(width, height, _shapes(rectangles), tuple(labels))


def _rectangle(x: int, y: int, width: int, height: int) -> str:
    return f"M{x} {y}h{width}v{height}h-{width}z"


def _shapes(rectangles: Iterable[tuple[int, str]]) -> tuple[Shape, ...]:
    paths: dict[int, list[str]] = {}
    for band, path in rectangles:
        paths.setdefault(band, []).append(path)
    return tuple(Shape(band, "".join(parts)) for band, parts in sorted(paths.items()))


@dataclass(frozen=True, slots=True)
class PointsBar:
    """The points of a text, with a line at the points of an average expert summary."""

    raw: float
    expected: float

    @property
    def percent(self) -> int:
        return round(100 * self.raw / self._longest)

    @property
    def mark(self) -> int:
        """At most 99, so that the line is not cut off at the end of the bar."""
        return min(99, round(100 * self.expected / self._longest))

    @property
    def _longest(self) -> float:
        return max(self.raw, self.expected, 1)


def points_bar(pyramid: Pyramid, report: ScoreReport) -> PointsBar:
    weights = sorted((scu.weight for scu in pyramid.scus), reverse=True)
    return PointsBar(report.raw, best_sum(weights, ideas_of_a_reference(pyramid)))

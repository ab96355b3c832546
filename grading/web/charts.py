"""Charts as shapes with sizes in SVG units, for templates to draw.

Every chart has a table with the same numbers beside it. Nothing rests on colour alone: height,
an outline or another shape says the same once more.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from grading.pyramid.class_figures import ClassText, IdeaFigures, Limits, Spread
from grading.pyramid.editing.wording import shortened
from grading.pyramid.figures import BINS, hundredths
from grading.pyramid.intervals import Interval
from grading.pyramid.scores import best_sum, ideas_of_a_reference
from grading.pyramid.structures import Pyramid, ScoreReport
from grading.web.ideas import BANDS

WIDTH = 440  # of charts that take the width of a page


@dataclass(frozen=True, slots=True)
class Tick:
    """A number on an axis."""

    at: float
    text: str


# --- the statements and the ideas of one submission ---

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


# --- scores over the attempts of a student ---

_LINE_LEFT, _LINE_RIGHT, _LINE_TOP, _LINE_FLOOR = 38, 218, 18, 98
_MOST_ATTEMPT_LABELS = 8  # numbers that fit beside one another on the axis


@dataclass(frozen=True, slots=True)
class AttemptPoint:
    x: float
    y: float
    attempt: int
    value: float
    is_labelled: bool  # on the axis

    @property
    def above(self) -> float:
        """Where its number is written."""
        return round(self.y - 8, 1)


@dataclass(frozen=True, slots=True)
class AttemptChart:
    name: str
    points: tuple[AttemptPoint, ...]

    width, height = 236, 124
    left, right, top, floor = _LINE_LEFT, _LINE_RIGHT, _LINE_TOP, _LINE_FLOOR

    @property
    def line(self) -> str:
        return " ".join(f"{point.x},{point.y}" for point in self.points)

    @property
    def ends(self) -> tuple[AttemptPoint, AttemptPoint]:
        """The first and the last, whose numbers are written."""
        return self.points[0], self.points[-1]

    @property
    def description(self) -> str:
        return ", ".join(
            f"attempt {point.attempt}: {hundredths(point.value)}" for point in self.points
        )


def attempt_chart(name: str, scores: Sequence[tuple[int, float]]) -> AttemptChart:
    """A line over attempts (at least two), given with their numbers in their order."""
    labelled = -(-len(scores) // _MOST_ATTEMPT_LABELS)
    step = (_LINE_RIGHT - _LINE_LEFT - 24) / (len(scores) - 1)
    points = (
        AttemptPoint(
            x=round(_LINE_LEFT + 12 + place * step, 1),
            y=round(_LINE_FLOOR - value * (_LINE_FLOOR - _LINE_TOP), 1),
            attempt=attempt,
            value=value,
            is_labelled=place % labelled == 0,
        )
        for place, (attempt, value) in enumerate(scores)
    )
    return AttemptChart(name, tuple(points))


# --- counts in tenths ---


@dataclass(frozen=True, slots=True)
class Column:
    """The column of one tenth, from ``start`` to ``end``."""

    x: float
    y: float
    width: float
    height: float
    start: float
    end: float
    count: int
    is_after: bool = False


def _columns(
    counts: Sequence[int], highest: int, frame: tuple[float, float, float, int, int]
) -> list[Column]:
    """``frame``: where the first begins, the step to the next, a column's width, top and floor."""
    left, step, width, top, floor = frame
    columns = []
    for place, count in enumerate(counts):
        height = round((floor - top) * count / highest, 1)
        x, y = round(left + place * step, 1), round(floor - height, 1)
        start, end = place / BINS, (place + 1) / BINS
        columns.append(Column(x, y, round(width, 1), height, start, end, count))
    return columns


class Tenths(Protocol):
    """What counts texts, or grades, in tenths."""

    @property
    def counts(self) -> Sequence[int]: ...


class TenthRow(NamedTuple):
    """A row of the table beside a histogram."""

    start: float
    end: float
    before: int | None
    after: int


_PAIR_LEFT, _PAIR_TOP, _PAIR_FLOOR, _PAIR_SLOT, _PAIR_GAP = 28, 14, 240, 40, 4


@dataclass(frozen=True, slots=True)
class PairedHistogram:
    """How many are in each tenth before a change and after it, or after alone.

    The axis ends at ``most``: 1 for scores, 100 for percent.
    """

    before: Tenths | None
    after: Tenths
    measure: str = ""
    most: int = 1

    width, height, left, floor = WIDTH, 282, _PAIR_LEFT, _PAIR_FLOOR
    right = _PAIR_LEFT + BINS * _PAIR_SLOT

    @property
    def name(self) -> str:
        return self.measure.capitalize()

    @property
    def bars(self) -> list[Column]:
        """The scores before on the left, those after on the right."""
        sides = [side.counts for side in (self.before, self.after) if side is not None]
        width = (_PAIR_SLOT - 2 * _PAIR_GAP) // len(sides)
        bars = []
        for side, counts in enumerate(sides):
            left = _PAIR_LEFT + _PAIR_GAP + side * width
            frame = left, _PAIR_SLOT, width, _PAIR_TOP, _PAIR_FLOOR
            columns = _columns(counts, self._highest, frame)
            is_after = side == len(sides) - 1
            bars += [replace(column, is_after=is_after) for column in columns if column.count]
        return bars

    @property
    def rows(self) -> list[TenthRow]:
        """The tenths in which there is anything."""
        before = self.before.counts if self.before else [None] * BINS
        counts = enumerate(zip(before, self.after.counts, strict=True))
        return [
            TenthRow(self._value(place), self._value(place + 1), was, now)
            for place, (was, now) in counts
            if was or now
        ]

    @property
    def tenths(self) -> list[Tick]:
        places = range(BINS + 1)
        return [Tick(_PAIR_LEFT + at * _PAIR_SLOT, f"{self._value(at):g}") for at in places]

    @property
    def heights(self) -> list[Tick]:
        return [Tick(_PAIR_TOP, str(self._highest)), Tick(_PAIR_FLOOR, "0")]

    @property
    def _highest(self) -> int:
        return max(1, *self.after.counts, *(self.before.counts if self.before else ()))

    def _value(self, place: int) -> float:
        """Where a tenth begins; without decimals where the axis is in percent."""
        return place / BINS if self.most == 1 else place * self.most // BINS


_LEFT, _RIGHT = 36, 424  # what is drawn in a chart of WIDTH; labels are at the left


def _across(share: float) -> float:
    """Where 0 to 1 lies."""
    return round(_LEFT + (_RIGHT - _LEFT) * share, 1)


def _score_ticks() -> list[Tick]:
    return [Tick(_across(place / BINS), f"{place / BINS:g}") for place in range(0, BINS + 1, 2)]


@dataclass(frozen=True, slots=True)
class Box:
    """Lowest, quartiles, median and highest, from the left."""

    least: float
    lower: float
    middle: float
    upper: float
    most: float
    y: int

    @property
    def width(self) -> float:
        return round(max(1.0, self.upper - self.lower), 1)


def _box(spread: Spread, y: int) -> Box:
    return Box(
        least=_across(spread.least),
        lower=_across(spread.lower),
        middle=_across(spread.median),
        upper=_across(spread.upper),
        most=_across(spread.most),
        y=y,
    )


_TOP, _FLOOR, _GAP = 14, 190, 2


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many have a score in each tenth, and below it the box of the same scores."""

    columns: list[Column]
    heights: list[Tick]
    box: Box
    tenths: list[Tick]

    width, height, left, right = WIDTH, _FLOOR + 74, _LEFT, _RIGHT
    top, floor, foot, title = _TOP, _FLOOR, _FLOOR + 48, _FLOOR + 66


def histogram_of(spread: Spread) -> Histogram:
    step, highest = (_RIGHT - _LEFT) / BINS, max(1, *spread.counts)
    frame = _LEFT + _GAP, step, step - 2 * _GAP, _TOP, _FLOOR
    columns = _columns(spread.counts, highest, frame)
    heights = [Tick(_TOP, str(highest)), Tick(_FLOOR, "0")]
    return Histogram(columns, heights, _box(spread, _FLOOR + 20), _score_ticks())


# --- bars, one below the other ---

_BAR_ROW, _BAR_TEXT, _BAR_HEIGHT = 42, 14, 12
_LONGEST_WORDS = 45  # letters that fit above a bar, beside its figure


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure with its words above it; ``low`` and ``high`` are the ends of its interval."""

    words: str
    figure: str
    y: int
    width: float
    low: float | None = None
    high: float | None = None

    @property
    def text_y(self) -> int:
        return self.y - 5

    @property
    def middle(self) -> int:
        return self.y + _BAR_HEIGHT // 2


@dataclass(frozen=True, slots=True)
class BarChart:
    bars: list[Bar]

    width, bar_height = WIDTH, _BAR_HEIGHT

    @property
    def height(self) -> int:
        return _BAR_ROW * len(self.bars)


def bar_chart(rows: Iterable[tuple[str, str, float, Interval | None]]) -> BarChart:
    """Draw rows of words, the figure in words, its share of the longest bar, and its interval."""
    bars = []
    for place, (words, figure, share, interval) in enumerate(rows):
        ends = (interval.low, interval.high) if interval else ()
        bars.append(
            Bar(
                shortened(words, _LONGEST_WORDS),
                figure,
                _BAR_ROW * place + _BAR_TEXT + 5,
                round(max(1.0, WIDTH * share), 1),
                *(round(WIDTH * end, 1) for end in ends),
            )
        )
    return BarChart(bars)


# --- ideas by weight ---

_DOT, _DOT_STEP = 9, 19  # room for the number of an idea


@dataclass(frozen=True, slots=True)
class Dot:
    """A circle or, where it is flagged, a square with this side."""

    x: float
    y: float
    radius: float
    side: float
    is_flagged: bool
    number: int = 0

    @property
    def left(self) -> float:
        return round(self.x - self.side / 2, 1)

    @property
    def top(self) -> float:
        return round(self.y - self.side / 2, 1)


@dataclass(frozen=True, slots=True)
class IdeaRow:
    """The ideas of one weight."""

    weight: int
    top: int
    floor: int
    expected: float
    dots: list[Dot]


@dataclass(frozen=True, slots=True)
class IdeaChart:
    """Each idea a dot: the farther right, the more students express it."""

    rows: list[IdeaRow]
    percents: list[Tick]

    width, left, right, radius = WIDTH, _LEFT, _RIGHT, _DOT

    @property
    def floor(self) -> int:
        return self.rows[-1].floor if self.rows else 0

    @property
    def foot(self) -> int:
        return self.floor + 18

    @property
    def title(self) -> int:
        return self.floor + 36

    @property
    def height(self) -> int:
        return self.floor + 42


def idea_chart(ideas: Sequence[tuple[int, IdeaFigures]]) -> IdeaChart:
    """Draw ideas with the numbers that the table gives them, the heaviest row above."""
    rows: list[IdeaRow] = []
    for weight in sorted({idea.weight for _, idea in ideas}, reverse=True):
        members = [(number, idea) for number, idea in ideas if idea.weight == weight]
        # Dots that would hide each other are stacked.
        columns = [round((_RIGHT - _LEFT) * idea.share / _DOT_STEP) for _, idea in members]
        top = rows[-1].floor + 10 if rows else 4
        floor = top + _DOT_STEP * max(Counter(columns).values()) + 4
        stacked: Counter[int] = Counter()
        dots = []
        for (number, idea), column in zip(members, columns, strict=True):
            y = floor - _DOT - 2 - _DOT_STEP * stacked[column]
            stacked[column] += 1
            x, is_flagged = _LEFT + _DOT_STEP * column, bool(idea.flags)
            dots.append(Dot(x, y, _DOT, 2 * _DOT - 2, is_flagged, number))
        expected = sum(idea.expected for _, idea in members) / len(members)
        rows.append(IdeaRow(weight, top, floor, _across(expected), dots))
    percents = [Tick(_across(place / 4), f"{25 * place} %") for place in range(5)]
    return IdeaChart(rows, percents)


# --- quality beside coverage ---

_SIDE = 300
_EDGE = 10
_GRAIN = 50  # texts in the same fiftieth are one, larger circle


@dataclass(frozen=True, slots=True)
class QualityChart:
    """Each text a circle; below and left of the lines a score is low."""

    circles: list[Dot]
    quality: float
    coverage: float
    across: list[Tick]
    up: list[Tick]

    width, left, right = _LEFT + _SIDE + _EDGE, _LEFT, _LEFT + _SIDE
    top, floor = _EDGE, _EDGE + _SIDE
    foot, title, height = floor + 18, floor + 36, floor + 42


def quality_chart(texts: Sequence[ClassText], limits: Limits, low: frozenset[int]) -> QualityChart:
    """Draw quality across and coverage up; ``low`` are the keys of texts that need help."""

    def right(score: float) -> float:
        return round(_LEFT + _SIDE * score, 1)

    def up(score: float) -> float:
        return round(_EDGE + _SIDE * (1 - score), 1)

    grains: dict[tuple[int, int], list[bool]] = {}
    for text in texts:
        grain = round(text.quality * _GRAIN), round(text.coverage * _GRAIN)
        grains.setdefault(grain, []).append(text.key in low)
    circles = []
    for (x, y), are_low in sorted(grains.items()):
        radius = round(min(9.0, 3.2 * math.sqrt(len(are_low))), 1)  # the area says how many
        side = round(1.8 * radius, 1)
        circles.append(Dot(right(x / _GRAIN), up(y / _GRAIN), radius, side, any(are_low)))
    return QualityChart(
        circles=circles,
        quality=right(limits.quality),
        coverage=up(limits.coverage),
        across=[Tick(right(place / 4), f"{place / 4:g}") for place in range(5)],
        up=[Tick(up(place / 4), f"{place / 4:g}") for place in range(5)],
    )


# --- sections ---

_SECTION_ROW = 50
_LONGEST_NAME = 30


@dataclass(frozen=True, slots=True)
class BoxRow:
    words: str
    figure: str
    text_y: int
    box: Box


@dataclass(frozen=True, slots=True)
class BoxChart:
    """A box for each section, one below the other on one axis."""

    rows: list[BoxRow]
    tenths: list[Tick]

    width, left, right = WIDTH, _LEFT, _RIGHT

    @property
    def floor(self) -> int:
        return _SECTION_ROW * len(self.rows)

    @property
    def foot(self) -> int:
        return self.floor + 16

    @property
    def title(self) -> int:
        return self.floor + 34

    @property
    def height(self) -> int:
        return self.floor + 40


def box_chart(sections: Sequence[tuple[str, str, Spread]]) -> BoxChart:
    """Draw sections, given as name, figure in words, and spread."""
    rows = []
    for place, (name, figure, spread) in enumerate(sections):
        y = _SECTION_ROW * place + _BAR_TEXT
        rows.append(BoxRow(shortened(name, _LONGEST_NAME), figure, y, _box(spread, y + 15)))
    return BoxChart(rows, _score_ticks())

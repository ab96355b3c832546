"""Pictures of a class: all sizes are numbers for SVG, in a drawing of WIDTH.

Beside each picture stands a table with the same figures. What was found is amber, what is expected
or in between a line, so that nothing rests on colour alone.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grading.pyramid.class_figures.ideas import IdeaFigures
from grading.pyramid.class_figures.needing_help import Limits
from grading.pyramid.class_figures.spreads import Spread
from grading.pyramid.class_figures.texts import ClassText
from grading.pyramid.figures import BINS
from grading.pyramid.intervals import Interval

WIDTH = 440
_LEFT, _RIGHT = 36, 424  # of what is drawn; labels stand at the left


def _across(share: float) -> float:
    """Where 0 to 1 lies."""
    return round(_LEFT + (_RIGHT - _LEFT) * share, 1)


@dataclass(frozen=True, slots=True)
class Mark:
    """A number on an axis."""

    at: float
    text: str


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


def _scores() -> list[Mark]:
    return [Mark(_across(place / BINS), f"{place / BINS:g}") for place in range(0, BINS + 1, 2)]


def _percents() -> list[Mark]:
    return [Mark(_across(place / 4), f"{25 * place} %") for place in range(5)]


# --- scores of a class ---

_TOP, _FLOOR, _GAP = 14, 190, 2


@dataclass(frozen=True, slots=True)
class Column:
    x: float
    y: float
    width: float
    height: float
    start: float
    end: float
    count: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many have a score in each tenth, and below it the box of the same scores."""

    columns: list[Column]
    heights: list[Mark]
    box: Box
    tenths: list[Mark]

    width, height, left, right = WIDTH, _FLOOR + 74, _LEFT, _RIGHT
    top, floor, foot, title = _TOP, _FLOOR, _FLOOR + 48, _FLOOR + 66


def histogram_of(spread: Spread) -> Histogram:
    highest = max(1, *spread.counts)
    width = (_RIGHT - _LEFT) / BINS - 2 * _GAP
    columns = []
    for place, count in enumerate(spread.counts):
        height = round((_FLOOR - _TOP) * count / highest, 1)
        start, end = place / BINS, (place + 1) / BINS
        x = round(_across(start) + _GAP, 1)
        columns.append(
            Column(x, round(_FLOOR - height, 1), round(width, 1), height, start, end, count)
        )
    heights = [Mark(_TOP, str(highest)), Mark(_FLOOR, "0")]
    return Histogram(columns, heights, _box(spread, _FLOOR + 20), _scores())


# --- bars, one below the other ---

_ROW, _TEXT, _BAR = 42, 14, 12
_LONGEST = 45  # letters that fit above a bar, beside its figure


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
        return self.y + _BAR // 2


@dataclass(frozen=True, slots=True)
class Bars:
    bars: list[Bar]

    width, bar_height = WIDTH, _BAR

    @property
    def height(self) -> int:
        return _ROW * len(self.bars)


def bars_of(rows: Iterable[tuple[str, str, float, Interval | None]]) -> Bars:
    """Of words, the figure in words, its share of the longest bar, and its interval."""
    bars = []
    for place, (words, figure, share, interval) in enumerate(rows):
        ends = (interval.low, interval.high) if interval else ()
        y = _ROW * place + _TEXT + 5
        width = round(max(1.0, WIDTH * share), 1)
        bars.append(
            Bar(_short(words, _LONGEST), figure, y, width, *(round(WIDTH * end, 1) for end in ends))
        )
    return Bars(bars)


def _short(words: str, longest: int) -> str:
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…"


# --- ideas by weight ---

_DOT, _STEP = 9, 19  # room for the number of an idea


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: int
    number: int
    is_flagged: bool

    side = 2 * _DOT - 2  # of the square in the place of a circle

    @property
    def left(self) -> float:
        return round(self.x - self.side / 2, 1)

    @property
    def top(self) -> float:
        return self.y - self.side / 2


@dataclass(frozen=True, slots=True)
class Row:
    """The ideas of one weight."""

    weight: int
    top: int
    floor: int
    expected: float
    dots: list[Dot]


@dataclass(frozen=True, slots=True)
class Strip:
    """Each idea a dot: the farther right, the more students tell it."""

    rows: list[Row]
    percents: list[Mark]

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


def strip_of(ideas: Sequence[tuple[int, IdeaFigures]]) -> Strip:
    """Of ideas with the numbers that the table gives them, the heaviest row above."""
    rows: list[Row] = []
    for weight in sorted({idea.weight for _, idea in ideas}, reverse=True):
        members = [(number, idea) for number, idea in ideas if idea.weight == weight]
        top = rows[-1].floor + 10 if rows else 4
        stacks = Counter(_place(idea) for _, idea in members)
        floor = top + _STEP * max(stacks.values()) + 4
        expected = sum(idea.expected for _, idea in members) / len(members)
        rows.append(Row(weight, top, floor, _across(expected), list(_dots(members, floor))))
    return Strip(rows, _percents())


def _place(idea: IdeaFigures) -> int:
    """Dots that would lie on each other stand on each other."""
    return round((_RIGHT - _LEFT) * idea.share / _STEP)


def _dots(members: Sequence[tuple[int, IdeaFigures]], floor: int) -> Iterable[Dot]:
    seen: Counter[int] = Counter()
    for number, idea in members:
        place = _place(idea)
        y = floor - _DOT - 2 - _STEP * seen[place]
        seen[place] += 1
        yield Dot(_LEFT + _STEP * place, y, number, bool(idea.flags))


# --- quality beside coverage ---

_SIDE = 300
_EDGE = 10
_GRAIN = 50  # texts that fall into the same fiftieth are one, larger dot


@dataclass(frozen=True, slots=True)
class Circle:
    """As a square where it is low."""

    x: float
    y: float
    radius: float
    is_low: bool

    @property
    def side(self) -> float:
        return round(1.8 * self.radius, 1)

    @property
    def left(self) -> float:
        return round(self.x - self.side / 2, 1)

    @property
    def top(self) -> float:
        return round(self.y - self.side / 2, 1)


@dataclass(frozen=True, slots=True)
class Scatter:
    """Each text a circle; below and left of the lines a score is low."""

    circles: list[Circle]
    quality: float
    coverage: float
    across: list[Mark]
    up: list[Mark]

    width, left, right = _LEFT + _SIDE + _EDGE, _LEFT, _LEFT + _SIDE
    top, floor = _EDGE, _EDGE + _SIDE
    foot, title, height = floor + 18, floor + 36, floor + 42


def scatter_of(texts: Sequence[ClassText], limits: Limits, low: frozenset[int]) -> Scatter:
    """``low`` are the keys of those who need help."""
    grains: dict[tuple[int, int], list[bool]] = {}
    for text in texts:
        place = round(text.quality * _GRAIN), round(text.coverage * _GRAIN)
        grains.setdefault(place, []).append(text.key in low)
    circles = [
        Circle(_right(x / _GRAIN), _up(y / _GRAIN), _radius(len(found)), any(found))
        for (x, y), found in sorted(grains.items())
    ]
    return Scatter(
        circles=circles,
        quality=_right(limits.quality),
        coverage=_up(limits.coverage),
        across=[Mark(_right(place / 4), f"{place / 4:g}") for place in range(5)],
        up=[Mark(_up(place / 4), f"{place / 4:g}") for place in range(5)],
    )


def _radius(texts: int) -> float:
    """The area tells how many, up to a point."""
    return round(min(9.0, 3.2 * math.sqrt(texts)), 1)


def _right(score: float) -> float:
    return round(_LEFT + _SIDE * score, 1)


def _up(score: float) -> float:
    return round(_EDGE + _SIDE * (1 - score), 1)


# --- sections ---

_LINE = 50
_LONGEST_NAME = 30


@dataclass(frozen=True, slots=True)
class BoxRow:
    words: str
    figure: str
    text_y: int
    box: Box


@dataclass(frozen=True, slots=True)
class Boxes:
    """A box for each section, one below the other on one axis."""

    rows: list[BoxRow]
    tenths: list[Mark]

    width, left, right = WIDTH, _LEFT, _RIGHT

    @property
    def floor(self) -> int:
        return _LINE * len(self.rows)

    @property
    def foot(self) -> int:
        return self.floor + 16

    @property
    def title(self) -> int:
        return self.floor + 34

    @property
    def height(self) -> int:
        return self.floor + 40


def boxes_of(sections: Sequence[tuple[str, str, Spread]]) -> Boxes:
    """Of names, figures in words, and spreads."""
    rows = [
        BoxRow(
            _short(name, _LONGEST_NAME),
            figure,
            _LINE * place + _TEXT,
            _box(spread, _LINE * place + _TEXT + 15),
        )
        for place, (name, figure, spread) in enumerate(sections)
    ]
    return Boxes(rows, _scores())

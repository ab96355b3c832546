"""Distributions of scores before and after, drawn as bars; all sizes are numbers for SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

from grading.pyramid.effects import Distribution, Effect, Measure
from grading.pyramid.figures import BINS

LEFT, TOP, FLOOR = 28, 14, 240  # of what is drawn, in a picture of WIDTH by HEIGHT
WIDTH, HEIGHT = 440, 282
SLOT = 40  # a tenth
_GAP = 4


@dataclass(frozen=True, slots=True)
class Bar:
    x: int
    y: float
    width: int
    height: float
    is_after: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A tenth, in the table beside the picture."""

    start: float
    end: float
    before: int | None
    after: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A number on an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    measure: Measure
    before: Distribution | None
    after: Distribution
    bars: list[Bar]
    rows: list[Row]
    tenths: list[Mark]
    heights: list[Mark]

    width, height, left, floor = WIDTH, HEIGHT, LEFT, FLOOR
    right = LEFT + BINS * SLOT

    @property
    def name(self) -> str:
        return self.measure.capitalize()


def picture_of(effect: Effect, measure: Measure) -> Picture:
    before, after = effect.before(measure), effect.after(measure)
    counts = before.counts if before else None
    return Picture(
        measure=measure,
        before=before,
        after=after,
        bars=paired_bars(counts, after.counts),
        rows=[_row(place, before, after) for place in range(BINS)],
        tenths=[Mark(LEFT + place * SLOT, f"{place / BINS:g}") for place in range(BINS + 1)],
        heights=heights_of(counts, after.counts),
    )


def heights_of(before: Sequence[int] | None, after: Sequence[int]) -> list[Mark]:
    """The numbers at the side."""
    return [Mark(TOP, str(_highest(before, after))), Mark(FLOOR, "0")]


def paired_bars(before: Sequence[int] | None, after: Sequence[int]) -> list[Bar]:
    """Of the counts of ten tenths, before and after or after alone."""
    highest = _highest(before, after)
    bars = [] if before is None else _bars(before, highest, is_after=False)
    return [*bars, *_bars(after, highest, is_after=True, alone=before is None)]


def _highest(before: Sequence[int] | None, after: Sequence[int]) -> int:
    return max(1, *after, *(before or ()))


def _bars(counts: Sequence[int], highest: int, *, is_after: bool, alone: bool = False) -> list[Bar]:
    """Those before stand at the left of those after."""
    room = SLOT - 2 * _GAP
    width = room if alone else room // 2
    start = LEFT + _GAP + (width if is_after and not alone else 0)
    bars = []
    for place, count in enumerate(counts):
        height = round((FLOOR - TOP) * count / highest, 1)
        if count:
            x = start + place * SLOT
            bars.append(Bar(x, round(FLOOR - height, 1), width, height, is_after))
    return bars


def _row(place: int, before: Distribution | None, after: Distribution) -> Row:
    was = before.counts[place] if before else None
    return Row(place / BINS, (place + 1) / BINS, was, after.counts[place])

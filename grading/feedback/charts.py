"""The pictures of a feedback page: shapes with sizes, for a template to draw as SVG.

Importance is told by height as well as by tint, and what was not found is an empty, dashed shape.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from grading.feedback.page_missed import WeightCount
from grading.feedback.page_text import MarkedPiece
from grading.pyramid.scores import best_sum, ideas_of_a_reference
from grading.pyramid.structures import Pyramid, ScoreReport
from grading.web.ideas import BANDS

_EMPTY, _AGAIN = 0, -1  # in the place of a band: no idea, and one that is said again
_KINDS = {_EMPTY: "empty", _AGAIN: "again"}
_BAR, _GAP, _HEIGHT = 7, 3, 30
_FEWEST_BARS = 12  # so that a text of three parts is not three pillars
_MOST_BARS = 60  # so that one can be told from the next on a phone
_CELL, _STEP = 12, 15
_CELLS_IN_A_ROW = 20
_LABEL = 24  # to the left of the cells


@dataclass(frozen=True, slots=True)
class Shape:
    """All rectangles of one band in one path: a page is smaller for it."""

    band: int
    path: str

    @property
    def kind(self) -> str:
        return _KINDS.get(self.band, f"band-{self.band}")


@dataclass(frozen=True, slots=True)
class Words:
    x: int
    y: int
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    width: int
    height: int
    shapes: tuple[Shape, ...]
    words: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class PartsPicture(Picture):
    """``together``: how many parts one bar stands for (the last one perhaps for fewer)."""

    together: int = 1


@dataclass(frozen=True, slots=True)
class Points:
    """The points of a text beside those of an expert's summary."""

    raw: float
    expected: float

    @property
    def _most(self) -> float:
        return max(self.raw, self.expected, 1)

    @property
    def percent(self) -> int:
        return round(100 * self.raw / self._most)

    @property
    def mark(self) -> int:
        """Where an expert's summary ends on the same bar, and the line is whole."""
        return min(99, round(100 * self.expected / self._most))


def points_of(pyramid: Pyramid, report: ScoreReport) -> Points:
    weights = sorted((scu.weight for scu in pyramid.scus), reverse=True)
    return Points(report.raw, best_sum(weights, ideas_of_a_reference(pyramid)))


def parts_picture(pieces: Sequence[MarkedPiece]) -> PartsPicture:
    """The parts of the text that counted, in order, each as high as its idea is important.

    Of a long text neighbours are one bar, as high as the most important idea in them.
    """
    parts = list(_bands_in_order(pieces))
    together = max(1, ceil(len(parts) / _MOST_BARS))
    starts = range(0, len(parts), together)
    bands = [max(parts[start : start + together], key=_rank) for start in starts]
    heights = [_HEIGHT * max(1, band) // BANDS for band in bands]
    return PartsPicture(
        width=max(_FEWEST_BARS, len(bands)) * (_BAR + _GAP),
        height=_HEIGHT,
        shapes=_shapes(
            (band, _rectangle(place * (_BAR + _GAP), _HEIGHT - height, _BAR, height))
            for place, (band, height) in enumerate(zip(bands, heights, strict=True))
        ),
        together=together,
    )


def _rank(band: int) -> float:
    """What is said again comes before nothing at all."""
    return 0.5 if band == _AGAIN else band


def _bands_in_order(pieces: Sequence[MarkedPiece]) -> Iterable[int]:
    """An idea stands where its words end."""
    for piece in pieces:
        yield from (found.idea.band for found in piece.labelled)
        yield from (_EMPTY for _ in piece.ending_against)
        if piece.ends_bare:
            yield _EMPTY
        yield from (_AGAIN for _ in piece.ending_again)


def pyramid_picture(weights: Sequence[WeightCount]) -> Picture:
    """A row for each weight, the heaviest above: found ideas filled, missed ones empty."""
    rows = [
        (count, start) for count in weights for start in range(0, _cells(count), _CELLS_IN_A_ROW)
    ]
    widest = min(_CELLS_IN_A_ROW, max((_cells(count) for count in weights), default=0))
    shapes: list[tuple[int, str]] = []
    for place, (count, start) in enumerate(rows):
        cells = min(_CELLS_IN_A_ROW, _cells(count) - start)
        left = _LABEL + (widest - cells) * _STEP // 2
        shapes += (
            (
                count.band if start + cell < count.found else _EMPTY,
                _rectangle(left + cell * _STEP, place * _STEP + 1, _CELL, _CELL),
            )
            for cell in range(cells)
        )
    words = tuple(
        Words(0, place * _STEP + _CELL - 1, str(count.weight))
        for place, (count, start) in enumerate(rows)
        if start == 0
    )
    return Picture(_LABEL + widest * _STEP, len(rows) * _STEP, _shapes(shapes), words)


def _cells(count: WeightCount) -> int:
    return count.found if count.total is None else count.total


def _rectangle(x: int, y: int, width: int, height: int) -> str:
    return f"M{x} {y}h{width}v{height}h-{width}z"


def _shapes(rectangles: Iterable[tuple[int, str]]) -> tuple[Shape, ...]:
    paths: dict[int, list[str]] = {}
    for band, path in rectangles:
        paths.setdefault(band, []).append(path)
    return tuple(Shape(band, "".join(parts)) for band, parts in sorted(paths.items()))

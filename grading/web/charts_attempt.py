"""Scores over attempts, drawn as small lines; all sizes are numbers for SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

from grading.models import Score
from grading.pyramid.figures import hundredths

LEFT, RIGHT, TOP, FLOOR = 38, 218, 18, 98  # of what is drawn, in a picture of WIDTH by HEIGHT
WIDTH, HEIGHT = 236, 124
_MOST_LABELS = 8  # numbers that stand beside one another on the axis


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float
    attempt: int
    value: float
    is_labelled: bool  # on the axis

    @property
    def above(self) -> float:
        """Where its number stands."""
        return round(self.y - 8, 1)


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    points: tuple[Point, ...]

    width, height, left, right, top, floor = WIDTH, HEIGHT, LEFT, RIGHT, TOP, FLOOR

    @property
    def line(self) -> str:
        return " ".join(f"{point.x},{point.y}" for point in self.points)

    @property
    def ends(self) -> tuple[Point, Point]:
        """The first and the last, whose numbers are written."""
        return self.points[0], self.points[-1]

    @property
    def told(self) -> str:
        return ", ".join(f"attempt {one.attempt}: {hundredths(one.value)}" for one in self.points)


def pictures_of(scored: Sequence[tuple[int, Score]]) -> tuple[Picture, ...]:
    """One for each score, with the attempts in their order; none of a single attempt."""
    if len(scored) < 2:
        return ()
    return tuple(
        Picture(
            name.capitalize(),
            tuple(
                _point(place, len(scored), attempt, float(getattr(score, name)))
                for place, (attempt, score) in enumerate(scored)
            ),
        )
        for name in ("comprehensive", "quality", "coverage")
    )


def _point(place: int, count: int, attempt: int, value: float) -> Point:
    every = -(-count // _MOST_LABELS)
    return Point(
        x=round(LEFT + 12 + place * (RIGHT - LEFT - 24) / (count - 1), 1),
        y=round(FLOOR - value * (FLOOR - TOP), 1),
        attempt=attempt,
        value=value,
        is_labelled=place % every == 0,
    )

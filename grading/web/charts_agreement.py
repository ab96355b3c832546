"""People's scores and the program's as a picture: a point for each text; sizes are for SVG."""

from collections.abc import Iterable
from dataclasses import dataclass

from grading.pyramid.figures import with_minus

LEFT, TOP, SIDE = 46, 12, 260
FLOOR, RIGHT = TOP + SIDE, LEFT + SIDE
_TENTHS = (0, 2, 4, 6, 8, 10)


@dataclass(frozen=True, slots=True)
class Point:
    """``text`` is the number of the text; ``by_people`` the mean of those who annotated it."""

    text: int
    submission: int
    by_people: float
    by_program: float

    @property
    def difference(self) -> float:
        return self.by_program - self.by_people

    @property
    def signed(self) -> str:
        told = f"{self.difference:+.2f}"
        return "0.00" if float(told) == 0 else with_minus(told)

    @property
    def x(self) -> float:
        return round(LEFT + SIDE * self.by_people, 1)

    @property
    def y(self) -> float:
        return round(FLOOR - SIDE * self.by_program, 1)


@dataclass(frozen=True, slots=True)
class Mark:
    x: int
    y: int
    text: str


@dataclass(frozen=True, slots=True)
class ScatterPicture:
    name: str
    points: tuple[Point, ...]

    left, top, right, floor = LEFT, TOP, RIGHT, FLOOR
    width, height = RIGHT + 14, FLOOR + 44

    @property
    def key(self) -> str:
        return self.name.lower()

    @property
    def across(self) -> list[Mark]:
        return [Mark(LEFT + SIDE * tenth // 10, FLOOR, f"{tenth / 10:g}") for tenth in _TENTHS]

    @property
    def up(self) -> list[Mark]:
        return [Mark(LEFT, FLOOR - SIDE * tenth // 10, f"{tenth / 10:g}") for tenth in _TENTHS]


def scatter(name: str, points: Iterable[Point]) -> ScatterPicture:
    return ScatterPicture(name, tuple(points))

"""Scatter plots: two scores of each text, one across and one up; see ``charts.py``."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grading.pyramid.figures import with_minus
from grading.web.charts import Dot, Tick

_SQUARE_LEFT, _SQUARE_TOP, _SQUARE = 46, 12, 260
_SQUARE_FLOOR, _SQUARE_RIGHT = _SQUARE_TOP + _SQUARE, _SQUARE_LEFT + _SQUARE


# --- people's scores beside the program's ---


@dataclass(frozen=True, slots=True)
class AgreementPoint:
    """``text`` is the number of the text; ``by_people`` the mean of those who annotated it."""

    text: int
    submission: int
    by_people: float
    by_program: float

    @property
    def difference(self) -> str:
        difference = f"{self.by_program - self.by_people:+.2f}"
        return "0.00" if float(difference) == 0 else with_minus(difference)

    @property
    def x(self) -> float:
        return round(_SQUARE_LEFT + _SQUARE * self.by_people, 1)

    @property
    def y(self) -> float:
        return round(_SQUARE_FLOOR - _SQUARE * self.by_program, 1)


@dataclass(frozen=True, slots=True)
class AgreementChart:
    """A point for each text: people's score across, the program's up."""

    name: str
    points: Sequence[AgreementPoint]

    left, top, right, floor = _SQUARE_LEFT, _SQUARE_TOP, _SQUARE_RIGHT, _SQUARE_FLOOR
    width, height = _SQUARE_RIGHT + 14, _SQUARE_FLOOR + 44
    across = tuple(
        Tick(_SQUARE_LEFT + _SQUARE * tenth // 10, f"{tenth / 10:g}") for tenth in range(0, 11, 2)
    )
    up = tuple(
        Tick(_SQUARE_FLOOR - _SQUARE * tenth // 10, f"{tenth / 10:g}") for tenth in range(0, 11, 2)
    )

    @property
    def key(self) -> str:
        return self.name.lower()


# --- two methods ---

_TICKS = 5  # about so many on an axis
_RADIUS, _SIDE = 5, 10  # of a text's circle; of its square, where the methods disagree


@dataclass(frozen=True, slots=True)
class MethodChart:
    """Each axis has the range of its method's scores."""

    points: Sequence[Dot]
    across: Sequence[Tick]
    up: Sequence[Tick]

    left, top, right, floor = _SQUARE_LEFT, _SQUARE_TOP, _SQUARE_RIGHT, _SQUARE_FLOOR
    width, height = _SQUARE_RIGHT + 14, _SQUARE_FLOOR + 44
    foot, title = _SQUARE_FLOOR + 18, _SQUARE_FLOOR + 36


@dataclass(frozen=True, slots=True)
class _Axis:
    """From the tick below the lowest score to the one above the highest."""

    first: int  # in steps
    last: int
    step: float

    def share(self, score: float) -> float:
        return (score / self.step - self.first) / (self.last - self.first)

    @property
    def values(self) -> list[float]:
        return [place * self.step for place in range(self.first, self.last + 1)]


def _axis(scores: Sequence[float]) -> _Axis:
    low, high = min(scores), max(scores)
    rough = (high - low or abs(high) or 1.0) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return _Axis(first, max(last, first + 1), step)


def method_chart(texts: Sequence[tuple[float, float, bool]]) -> MethodChart:
    """Draw texts (one at least) given as their score across, up, and whether they are flagged."""
    xs, ys = _axis([x for x, _, _ in texts]), _axis([y for _, y, _ in texts])

    def across(score: float) -> float:
        return round(_SQUARE_LEFT + _SQUARE * xs.share(score), 1)

    def up(score: float) -> float:
        return round(_SQUARE_FLOOR - _SQUARE * ys.share(score), 1)

    return MethodChart(
        points=[
            Dot(across(x), up(y), _RADIUS, _SIDE, is_flagged=flagged) for x, y, flagged in texts
        ],
        across=[Tick(across(value), f"{value:.6g}") for value in xs.values],
        up=[Tick(up(value), f"{value:.6g}") for value in ys.values],
    )

"""What was measured, as tables to read and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from tests.bench.statistics import Measure

_WIDTH = 70
_REACHED, _MISSED = "✓", "✗"


@dataclass(frozen=True, slots=True)
class Reach:
    """What a figure must reach: at least that much or, where ``most``, at most."""

    bound: float
    most: bool = False

    def reached(self, value: float) -> bool:
        return value <= self.bound if self.most else value >= self.bound


@dataclass(frozen=True, slots=True)
class Row:
    """A figure of a method, or of something that methods are compared with."""

    of: str
    what: str
    measure: Measure
    reach: Reach | None = None
    decimals: int = 2

    def shown(self, value: float | None) -> str:
        return "" if value is None else f"{value:.{self.decimals}f}"


@dataclass(frozen=True, slots=True)
class Table:
    """Figures that belong together."""

    title: str
    note: str  # what must be known to read them
    rows: tuple[Row, ...]
    spread: tuple[str, str] = ("95 % interval", "leave one out")


def lines(table: Table) -> Iterator[str]:
    """The table as text."""
    yield from (
        "",
        table.title,
        *wrap(table.note, 116),
    )
    interval, span = table.spread
    yield f"{'':{_WIDTH}} {'':>9}  {interval:^17}  {span:^17}  reach"
    before = ""
    for row in table.rows:
        name = row.of if row.of != before else ""
        before = row.of
        yield f"{name:22} {row.what:{_WIDTH - 23}} {_figures(row)}".rstrip()


def as_json(tables: Sequence[Table]) -> dict[str, dict[str, dict[str, dict[str, object]]]]:
    """Table, method and figure, each by its name."""
    data: dict[str, dict[str, dict[str, dict[str, object]]]] = {}
    for table in tables:
        methods = data.setdefault(table.title, {})
        for row in table.rows:
            methods.setdefault(row.of, {})[row.what] = _figure(row)
    return data


def _figures(row: Row) -> str:
    row_measure = row.measure
    interval = _from_to(row, row_measure.low, row_measure.high)
    span = _from_to(row, row_measure.least, row_measure.most)
    return f"{row.shown(row_measure.value):>9}  {interval:^17}  {span:^17}  {_reach(row)}"


def _from_to(row: Row, low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{row.shown(low)} to {row.shown(high)}"


def _reach(row: Row) -> str:
    if row.reach is None:
        return ""
    sign = "≤" if row.reach.most else "≥"
    mark = _REACHED if row.reach.reached(row.measure.value) else _MISSED
    return f"{mark} {sign} {row.shown(row.reach.bound)}"


def _figure(row: Row) -> dict[str, object]:
    row_measure = row.measure
    data: dict[str, object] = {
        "value": row_measure.value,
        "95 % interval": [row_measure.low, row_measure.high],
        "range": [row_measure.least, row_measure.most],
    }
    if row.reach is not None:
        data["reach"] = {"at most" if row.reach.most else "at least": row.reach.bound}
        data["reached"] = row.reach.reached(row_measure.value)
    return data


def verdict(tables: Sequence[Table]) -> Iterator[str]:
    """How many of the targets are reached, and which are not."""
    aims = [(table, row) for table in tables for row in table.rows if row.reach is not None]
    missed = [(table, row) for table, row in aims if _reach(row).startswith(_MISSED)]
    yield f"{len(aims) - len(missed)} of {len(aims)} targets reached" + (
        ". Not:" if missed else "."
    )
    for table, row in missed:
        value = row.shown(row.measure.value)
        yield f"{_reach(row):12} {value:>8}  {row.of}: {row.what} ({table.title})"

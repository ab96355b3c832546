"""Whole-number choices under limits, and their relaxation: the only door to a solver.

HiGHS, through scipy.optimize (Huangfu and Hall 2018, “Parallelizing the dual revised simplex
method”). Its limit is one of nodes of the search tree and never one of time, and it runs in one
thread: the same program gives the same answer on a busy machine.
"""

import ctypes
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_TREE_NODES = 20_000
_SOLVED = 0
_NOTHING_FULFILS_IT = 2
_output = Lock()


@dataclass(frozen=True, slots=True)
class Program:
    """Maximise values · x where each row, columns with coefficients, stays within its limit.

    No x is negative, and none may exceed 1.
    """

    values: Sequence[float]
    rows: Sequence[Mapping[int, int]]
    limits: Sequence[int]


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The best of all fractional choices, and what one more of each row's limit would be worth."""

    value: float
    prices: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """The columns chosen. No choice is worth more than ``bound``; ``proven``: this one is best."""

    columns: tuple[int, ...]
    value: float
    bound: float
    proven: bool


def relax(program: Program) -> Relaxation | None:
    """The program in fractions, None if nothing fulfils it. The rows must imply that x <= 1."""
    from scipy.optimize import linprog  # noqa: PLC0415 - scipy would make web processes large

    result = linprog(
        -np.asarray(program.values, dtype=np.float64),
        A_ub=_matrix(program),
        b_ub=np.asarray(program.limits, dtype=np.float64),
        method="highs",
    )
    if result.status != _SOLVED:
        return None
    prices: NDArray[np.float64] = np.maximum(0.0, -result.ineqlin.marginals)
    return Relaxation(-float(result.fun), tuple(prices.tolist()))


def choose(
    program: Program, most_tree_nodes: int = MOST_TREE_NODES, *, above: int | None = None
) -> Choice | None:
    """The best choice, each column wholly or not at all; None if none was found.

    With ``above``, and whole numbers as values, only a choice that is worth more is looked for,
    which is faster; where it is proven that there is none, no column is chosen, and ``bound`` says
    what was to be exceeded.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415 - see above

    if not program.values:
        return Choice((), 0.0, 0.0, proven=True)
    if above is not None:
        more = {column: -int(value) for column, value in enumerate(program.values) if value}
        program = replace(program, rows=[*program.rows, more], limits=[*program.limits, -above - 1])
    with _no_output():
        result = milp(
            -np.asarray(program.values, dtype=np.float64),
            constraints=LinearConstraint(_matrix(program), ub=np.asarray(program.limits)),
            integrality=np.ones(len(program.values)),
            bounds=Bounds(0, 1),
            options={"node_limit": most_tree_nodes, "mip_rel_gap": 0.0},
        )
    if result.x is None:
        is_proven = above is not None and result.status == _NOTHING_FULFILS_IT
        return Choice((), 0.0, float(above or 0), proven=True) if is_proven else None
    columns = tuple(np.flatnonzero(result.x > 0.5).tolist())
    value = sum(program.values[column] for column in columns)
    proven = result.status == _SOLVED
    return Choice(columns, value, value if proven else -float(result.mip_dual_bound), proven)


@contextmanager
def _no_output() -> Iterator[None]:
    """Send the process's standard output nowhere for the while.

    HiGHS prints a line of its own whenever it repairs a solution, whatever it is asked
    (``HighsMipSolverData::transformNewIntegerFeasibleSolution``). It goes through C's buffer, which
    is emptied before and after. A process without standard output has nothing to guard.
    """
    flush = ctypes.CDLL(None).fflush
    with _output:
        kept = None
        with suppress(OSError):
            kept = os.dup(1)
        if kept is None:
            yield
            return
        try:
            flush(None)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.close(nowhere)
            yield
        finally:
            flush(None)
            os.dup2(kept, 1)
            os.close(kept)


def _matrix(program: Program) -> "csr_array":
    from scipy.sparse import csr_array  # noqa: PLC0415 - see above

    entries = [
        (row, column, coefficient)
        for row, columns in enumerate(program.rows)
        for column, coefficient in columns.items()
    ]
    rows, columns, coefficients = zip(*entries, strict=True) if entries else ((), (), ())
    shape = (len(program.rows), len(program.values))
    return csr_array((coefficients, (rows, columns)), shape=shape, dtype=np.float64)


def assign(worth: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Pairs of row and column, each at most once, with the highest sum: Munkres' assignment.

    All rows or all columns are assigned, in the order of the rows, also for nothing.
    """
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - see above

    rows, columns = linear_sum_assignment(worth, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))

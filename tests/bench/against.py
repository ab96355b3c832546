"""``make bench AGAINST=<commit>``: every speed row of this tree beside that of another commit.

Both are timed in one run on one machine, each in a process of its own, turn by turn. A row is a
ratio, this tree by the other, with its range over the rounds.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Protocol, Self

from tests.bench.timing import Seconds

ROOT = Path(__file__).resolve().parents[2]
SLOWER = 1.1  # a row may be this much slower
_WIDTH = 62


class Timed(Protocol):
    """What can be timed, row by row."""

    @property
    def rows(self) -> Sequence[str]:
        """The names of the rows."""

    def seconds(self, row: str, number: int) -> Seconds:
        """What the row took, with the texts of this round."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A row of both trees: of each round what it took before and now."""

    row: str
    clock: str  # "CPU" or "wall"
    before: tuple[float, ...]
    now: tuple[float, ...]

    @property
    def ratios(self) -> list[float]:
        return [now / before for now, before in zip(self.now, self.before, strict=True)]

    @property
    def is_slower(self) -> bool:
        """More than a tenth slower, and slower in every round: more than the rounds differ by."""
        return median(self.ratios) > SLOWER and min(self.ratios) > 1

    def __str__(self) -> str:
        ratios = self.ratios
        before, now = 1000 * median(self.before), 1000 * median(self.now)
        return (
            f"{self.row:{_WIDTH}} {self.clock:4} {before:9.1f} {now:9.1f} {median(ratios):7.3f}"
            f"  {min(ratios):.3f} to {max(ratios):.3f}{'  slower' if self.is_slower else ''}"
        )


def compare(before: Timed, now: Timed, rows: Sequence[str], rounds: int) -> list[Comparison]:
    """Each row in each round of both, one after the other; whose turn is first alternates."""
    times: dict[tuple[str, Timed], list[Seconds]] = {}
    for number in range(rounds):
        for place, row in enumerate(rows):
            pair = (before, now) if (number + place) % 2 else (now, before)
            for tree in pair:
                times.setdefault((row, tree), []).append(tree.seconds(row, number))
    return [
        Comparison(
            row,
            clock,
            tuple(getattr(each, clock.lower()) for each in times[row, before]),
            tuple(getattr(each, clock.lower()) for each in times[row, now]),
        )
        for row in rows
        for clock in ("CPU", "wall")
    ]


def lines(comparisons: Sequence[Comparison], missing: Sequence[str] = ()) -> Iterator[str]:
    """The table as text, and what is slower."""
    yield f"{'':{_WIDTH}} {'':4} {'before':>9} {'now':>9} {'ratio':>7}  rounds (ms)"
    yield from map(str, comparisons)
    yield from (f"{row:{_WIDTH}} only in one of the trees" for row in missing)
    slower = [comparison for comparison in comparisons if comparison.is_slower]
    yield f"{len(slower)} of {len(comparisons)} rows are more than 10 % slower."


class Tree:
    """A process that times the rows of the tree in a folder."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.speed_rows"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.rows: Sequence[str] = json.loads(self._answer())

    def seconds(self, row: str, number: int) -> Seconds:
        assert self._process.stdin
        self._process.stdin.write(json.dumps([row, number]) + "\n")
        self._process.stdin.flush()
        return Seconds(**json.loads(self._answer()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def _answer(self) -> str:
        assert self._process.stdout
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("The process that times a tree has ended; its error is above.")
        return answer


@contextmanager
def checked_out(commit: str, root: Path = ROOT) -> Iterator[Path]:
    """The commit in a folder of its own, timed by the bench of this tree."""
    with tempfile.TemporaryDirectory(prefix="bench-against-") as folder:
        tree = Path(folder) / "tree"
        _git(root, "worktree", "add", "--quiet", "--detach", str(tree), commit)
        try:
            shutil.copytree(root / "tests/bench", tree / "tests/bench", dirs_exist_ok=True)
            (Path(folder) / "shared").symlink_to((root / "../shared").resolve())
            yield tree
        finally:
            _git(root, "worktree", "remove", "--force", str(tree))


def run(commit: str, rounds: int, part: str) -> int:
    """Print the table of the rows whose names have ``part``; 1 if a row is slower, else 0."""
    with checked_out(commit) as folder, Tree(folder) as before, Tree(ROOT) as now:
        rows = [row for row in now.rows if row in before.rows and part in row]
        missing = sorted(set(now.rows) ^ set(before.rows))
        comparisons = compare(before, now, rows, rounds)
    sys.stdout.write("\n".join(lines(comparisons, missing)) + "\n")
    return int(any(comparison.is_slower for comparison in comparisons))


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *arguments], check=True)  # noqa: S607

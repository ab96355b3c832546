"""``make bench AGAINST=``: what is measured is measured in turns, and what is slower is said."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.bench import against
from tests.bench.against import Comparison, checked_out, compare, lines
from tests.bench.timing import Seconds


class Fake:
    """A tree whose rows take as long as is written down; it notes when they were asked."""

    def __init__(self, name: str, log: list[str], **times: Sequence[float]) -> None:
        self.name = name
        self.rows = list(times)
        self._log = log
        self._times = times

    def seconds(self, row: str, number: int) -> Seconds:
        self._log.append(f"{row}{number} {self.name}")
        return Seconds(self._times[row][number], 2 * self._times[row][number])


def cpu(comparisons: Sequence[Comparison], row: str) -> Comparison:
    return next(
        comparison
        for comparison in comparisons
        if (comparison.row, comparison.clock) == (row, "CPU")
    )


def test_rows_are_timed_in_turns() -> None:
    log: list[str] = []
    before, now = (Fake(name, log, a=[1, 1], b=[1, 1]) for name in ("before", "now"))
    compare(before, now, ["a", "b"], rounds=2)
    assert log == [
        "a0 now",
        "a0 before",
        "b0 before",
        "b0 now",
        "a1 before",
        "a1 now",
        "b1 now",
        "b1 before",
    ]


def test_a_row_is_the_ratio_of_its_rounds() -> None:
    before, now = Fake("before", [], a=[1, 2, 4]), Fake("now", [], a=[0.5, 2, 1])
    comparisons = compare(before, now, ["a"], rounds=3)
    assert cpu(comparisons, "a").ratios == [0.5, 1, 0.25]
    assert [comparison.clock for comparison in comparisons] == ["CPU", "wall"]
    assert list(comparisons[1].before) == [2, 4, 8]
    text = "\n".join(lines(comparisons, missing=["b"]))
    assert "0.500  0.250 to 1.000" in text
    assert "b " in text
    assert "only in one of the trees" in text
    assert "0 of 2 rows are more than 10 % slower." in text


@pytest.mark.parametrize(
    ("now", "is_slower"),
    [
        ([1.2, 1.15, 1.3], True),
        ([1.05, 1.09, 1.08], False),  # less than a tenth
        ([1.5, 0.9, 1.6], False),  # rounds differ by more
        ([0.5, 0.6, 0.4], False),
    ],
)
def test_what_is_slower_in_every_round_by_more_than_a_tenth_fails(
    now: list[float], is_slower: bool
) -> None:
    comparisons = compare(Fake("before", [], a=[1, 1, 1]), Fake("now", [], a=now), ["a"], 3)
    assert [comparison.is_slower for comparison in comparisons] == [is_slower, is_slower]
    assert ("slower\n" in "\n".join(lines(comparisons))) == is_slower


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits of a tree with a bench; the second one has another bench."""
    root = tmp_path / "project"
    (root / "tests/bench").mkdir(parents=True)
    for number in (1, 2):
        (root / "code.py").write_text(f"number = {number}")
        (root / "tests/bench/rows.py").write_text(f"rows = {number}")
        named = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
        for arguments in (["init", "-q"], ["add", "-A"], [*named, "commit", "-q", "-m", "x"]):
            subprocess.run(["git", "-C", str(root), *arguments], check=True)  # noqa: S607
    return root


def test_a_commit_is_timed_by_the_bench_of_this_tree(repository: Path) -> None:
    with checked_out("HEAD~1", repository) as tree:
        assert (tree / "code.py").read_text() == "number = 1"
        assert (tree / "tests/bench/rows.py").read_text() == "rows = 2"
        assert (tree / "../shared").resolve() == (repository / "../shared").resolve()
    assert not tree.exists()
    listed = subprocess.run(
        ["git", "-C", str(repository), "worktree", "list"],  # noqa: S607
        check=True,
        capture_output=True,
        text=True,
    )
    assert len(listed.stdout.splitlines()) == 1


@pytest.mark.parametrize(("takes", "ended"), [(1.5, 1), (1.0, 0)])
def test_the_command_ends_by_what_it_found(
    monkeypatch: pytest.MonkeyPatch,
    repository: Path,
    capsys: pytest.CaptureFixture[str],
    takes: float,
    ended: int,
) -> None:
    class FakeTree(Fake):
        def __init__(self, folder: Path) -> None:
            is_now = folder == against.ROOT
            super().__init__(folder.name, [], a=[takes if is_now else 1.0], b=[1.0])

        def __enter__(self) -> "FakeTree":
            return self

        def __exit__(self, *_: object) -> None:
            """Nothing to end."""

    monkeypatch.setattr(against, "Tree", FakeTree)
    monkeypatch.setattr(against, "checked_out", lambda commit: checked_out(commit, repository))
    assert against.run("HEAD", 1, "") == ended
    assert "of 4 rows are more than 10 % slower" in capsys.readouterr().out
    assert against.run("HEAD", 1, "b") == 0

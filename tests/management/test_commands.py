"""``build_pyramid`` and ``score_summaries``, with a tiny engine; all commands with the real one."""

import csv
import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import read_annotation, read_pyramid
from grading.pyramid.pipeline import Engine, score_summaries
from grading.pyramid.structures import Pyramid, ScoreReport, Text
from tests.conftest import REFERENCES, SUMMARY
from tests.fakes import fake_engine
from tests.tiny_encoder import write_encoder

ROOT = Path(__file__).resolve().parents[2]
WIM = ROOT.parent / "shared" / "data" / "wim"
HEADER = "summary,scus,raw,quality,coverage,comprehensive,held,contradicted"


@pytest.fixture
def _tiny_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = fake_engine()

    def load(_method: str | None, _encoder: Path | None = None) -> Engine:
        return engine

    monkeypatch.setattr("grading.management.research.load_engine", load)


@pytest.fixture
def references(tmp_path: Path) -> Path:
    return directory_of(tmp_path / "references", {text.name: text.content for text in REFERENCES})


@pytest.fixture
def summaries(tmp_path: Path) -> Path:
    return directory_of(tmp_path / "summaries", {"zoe": SUMMARY, "o, mar": "Trees cool streets."})


@pytest.fixture
def pyramid(_tiny_engine: None, references: Path, tmp_path: Path) -> Path:
    path = tmp_path / "cities.pyr"
    call_command("build_pyramid", references, out=path)
    return path


def directory_of(path: Path, texts: dict[str, str]) -> Path:
    path.mkdir()
    for name, content in texts.items():
        (path / f"{name}.txt").write_text(content, encoding="utf-8")
    return path


def names_in(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.iterdir())


# --- build_pyramid ---


def test_a_pyramid_is_built(references: Path, pyramid: Path) -> None:
    built = read_pyramid(pyramid.read_bytes())
    assert [text.name for text in built.references] == ["Ada", "Ben", "Chi"]
    assert max(scu.weight for scu in built.scus) > 1
    assert names_in(pyramid.parent) == ["cities.pyr", "references"]
    assert len(names_in(references)) == 3


def test_only_visible_txt_files_of_the_directory_itself_are_read(
    references: Path, pyramid: Path
) -> None:
    (references / "notes.md").write_text("# Notes")
    (references / "._Ada.txt").write_bytes(b"\xff\xfe\x00")
    directory_of(references / "old.txt", {"Dan": "Nothing."})
    (references / "Ada.txt").write_bytes(b"\xef\xbb\xbf" + REFERENCES[0].content.encode())
    before = pyramid.read_bytes()
    call_command("build_pyramid", references, out=pyramid)
    assert pyramid.read_bytes() == before


def test_the_new_file_has_ordinary_rights(pyramid: Path, tmp_path: Path) -> None:
    ordinary = tmp_path / "ordinary"
    ordinary.touch()
    assert pyramid.stat().st_mode == ordinary.stat().st_mode


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("missing", "There is no directory"),
        ("empty", "holds no .txt file"),
        ("not utf-8", "Ada.txt” is not UTF-8 text .at byte 1."),
        ("line break", "name of the file .* cannot be used"),
        ("bytes", "name of the file .* cannot be used"),
    ],
)
def test_references_that_cannot_be_read_are_named(
    references: Path, tmp_path: Path, broken: str, message: str
) -> None:
    if broken == "missing":
        references = tmp_path / "elsewhere"
    elif broken == "empty":
        references = directory_of(tmp_path / "nothing", {})
    elif broken == "not utf-8":
        (references / "Ada.txt").write_bytes("aé".encode("latin-1"))
    else:
        name = b"two\nlines.txt" if broken == "line break" else b"\xe9.txt"
        Path(os.fsdecode(os.fsencode(references) + b"/" + name)).write_text("Trees cool.")
    with pytest.raises(CommandError, match=message):
        call_command("build_pyramid", references, out=tmp_path / "out.pyr")
    assert not (tmp_path / "out.pyr").exists()


@pytest.mark.parametrize(
    ("out", "message"),
    [("nowhere/out.pyr", "There is no directory “.*nowhere”"), ("references", "is a directory")],
)
def test_a_place_that_cannot_be_written_to_is_named(
    references: Path, tmp_path: Path, out: str, message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("build_pyramid", references, out=tmp_path / out)


def test_a_pipe_or_device_is_not_replaced_by_a_file(references: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(CommandError, match="device or a pipe"):
        call_command("build_pyramid", references, out=pipe)
    assert pipe.is_fifo()


def test_an_unknown_method_is_named(references: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no method “guess”"):
        call_command("build_pyramid", references, out=tmp_path / "out.pyr", method="guess")


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("classroom", "has no file model.onnx"),
        ("pyreval", "“pyreval” does not compare words in context. Leave out the encoder"),
    ],
)
def test_an_encoder_that_cannot_be_used_is_named(
    references: Path, tmp_path: Path, method: str, message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        call_command(
            "build_pyramid",
            references,
            out=tmp_path / "out.pyr",
            encoder=tmp_path,
            method=method,
        )


# --- score_summaries ---


def test_summaries_are_scored(pyramid: Path, summaries: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.csv"
    call_command("score_summaries", pyramid, summaries, out=out)
    data = out.read_bytes()
    assert b"\r" not in data
    assert data.decode().splitlines()[0] == HEADER
    omar, zoe = csv.DictReader(io.StringIO(data.decode()))
    assert (omar["summary"], zoe["summary"]) == ("o, mar", "zoe")
    assert int(zoe["scus"]) >= 3
    assert 2 <= float(zoe["raw"]) != int(float(zoe["raw"]))  # expected points
    for column in ("quality", "coverage", "comprehensive"):
        assert len(zoe[column]) == len("0.1234")
        assert 0 < float(zoe[column]) <= 1
    assert names_in(tmp_path) == ["cities.pyr", "references", "scores.csv", "summaries"]


def test_annotations_are_written_beside(pyramid: Path, summaries: Path, tmp_path: Path) -> None:
    out, pans = tmp_path / "scores.csv", tmp_path / "pans"
    call_command("score_summaries", pyramid, summaries, out=out, pan_dir=pans)
    assert names_in(pans) == ["o, mar.pan", "zoe.pan"]
    annotation = read_annotation((pans / "zoe.pan").read_bytes(), "zoe")
    assert annotation.summary == Text("zoe", SUMMARY)
    assert annotation.pyramid == read_pyramid(pyramid.read_bytes())
    zoe = list(csv.DictReader(out.open()))[1]
    weights = [
        annotation.pyramid.scu(expression.scu_uid).weight for expression in annotation.expressions
    ]
    assert 0 < float(zoe["raw"]) < sum(weights)  # as much as is likely


def test_points_can_be_counted_by_shown_matches(
    pyramid: Path, summaries: Path, tmp_path: Path
) -> None:
    out, pans = tmp_path / "scores.csv", tmp_path / "pans"
    call_command("score_summaries", pyramid, summaries, out=out, pan_dir=pans, points="matched")
    zoe = list(csv.DictReader(out.open()))[1]
    annotation = read_annotation((pans / "zoe.pan").read_bytes(), "zoe")
    weights = [
        annotation.pyramid.scu(expression.scu_uid).weight for expression in annotation.expressions
    ]
    assert zoe["raw"] == str(sum(weights))
    assert (zoe["held"], zoe["contradicted"]) == ("no", "0")


Load = Callable[[str], None]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Have the commands find a tiny engine of another method."""
    place = "grading.management.research.load_engine"
    return lambda method: monkeypatch.setattr(place, lambda *_options: fake_engine(method))


def raw_scores(path: Path) -> list[float]:
    return [float(row["raw"]) for row in csv.DictReader(path.open())]


def test_the_match_threshold_can_be_chosen(
    pyramid: Path, summaries: Path, tmp_path: Path, load: Load
) -> None:
    load("pyreval")
    out = tmp_path / "scores.csv"
    raw = {}
    for threshold in (None, "0.5", "0", "1", "learnt"):
        call_command("score_summaries", pyramid, summaries, out=out, match_threshold=threshold)
        raw[threshold] = sum(raw_scores(out))
    assert raw[None] == raw["0.5"]
    assert raw["0"] > raw["0.5"] > raw["1"]
    assert raw["1"] <= raw["learnt"] <= raw["0"]


@pytest.mark.parametrize(
    ("method", "threshold", "message"),
    [
        ("classroom", "learnt", "“classroom” matches by probability.* has no match threshold"),
        ("pyreval", "half", "“half” is neither a number between 0 and 1 nor “learnt”"),
        ("pyreval", "1.5", "match_threshold must be between 0 and 1, not 1.5"),
        ("pyreval", "nan", "match_threshold must be between 0 and 1, not nan"),
    ],
)
def test_a_match_threshold_that_cannot_be_used_is_named(
    pyramid: Path, summaries: Path, load: Load, method: str, threshold: str, message: str
) -> None:
    load(method)
    out = pyramid.parent / "scores.csv"
    with pytest.raises(CommandError, match=message):
        call_command("score_summaries", pyramid, summaries, out=out, match_threshold=threshold)
    assert not out.exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file"),
        (b"Trees cool.", "x.pyr”: Line 1: this is not well-formed XML"),
        (b"<pyramid>\n<text><line>Trees.</line></text></pyramid>", "holds no content unit"),
        (b"<!DOCTYPE pyramid [<!ENTITY a 'b'>]><pyramid/>", "declares an entity"),
    ],
)
def test_a_pyramid_that_cannot_be_read_is_named(
    content: bytes | None, message: str, summaries: Path, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "x.pyr").write_bytes(content)
    with pytest.raises(CommandError, match=message):
        call_command("score_summaries", tmp_path / "x.pyr", summaries, out=tmp_path / "s.csv")
    assert not (tmp_path / "s.csv").exists()


def test_a_file_in_the_place_of_the_annotations_is_named(
    pyramid: Path, summaries: Path, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match="” is a file"):
        call_command("score_summaries", pyramid, summaries, out=tmp_path / "s", pan_dir=pyramid)
    missing = tmp_path / "a" / "b"
    with pytest.raises(CommandError, match="b” cannot be used: No such file"):
        call_command("score_summaries", pyramid, summaries, out=tmp_path / "s", pan_dir=missing)


@pytest.mark.parametrize("is_new", [True, False])
def test_a_failure_on_the_way_changes_nothing(
    is_new: bool, pyramid: Path, summaries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, pans = tmp_path / "scores.csv", tmp_path / "pans"
    out.write_text("old")
    if not is_new:
        pans.mkdir()
        (pans / "zoe.pan").write_text("old")

    def fails_at_the_second(
        pyramid: Pyramid, summaries: Sequence[Text], engine: Engine, **options: Any
    ) -> Iterator[ScoreReport]:
        yield next(score_summaries(pyramid, summaries, engine, **options))
        raise InputError("The second summary is too much.")

    monkeypatch.setattr("grading.pyramid.cli.scoring.score_summaries", fails_at_the_second)
    with pytest.raises(CommandError, match="too much"):
        call_command("score_summaries", pyramid, summaries, out=out, pan_dir=pans)
    assert out.read_text() == "old"
    if is_new:
        assert not pans.exists()
    else:
        assert names_in(pans) == ["zoe.pan"]
        assert (pans / "zoe.pan").read_text() == "old"
    assert not list(tmp_path.glob(".*"))


def test_a_full_disk_changes_nothing(
    references: Path, pyramid: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = pyramid.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CommandError, match="A file cannot be used: No space left on device"):
        call_command("build_pyramid", references, out=pyramid)
    assert pyramid.read_bytes() == before
    assert names_in(pyramid.parent) == ["cities.pyr", "references"]


# --- progress ---


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("_tiny_engine")
def test_progress_is_told_to_a_terminal_alone(references: Path, tmp_path: Path) -> None:
    for stream, is_shown in ((Terminal(), True), (io.StringIO(), False)):
        call_command("build_pyramid", references, out=tmp_path / "out.pyr", stderr=stream)
        assert ("Reading the references (0 of 3)" in stream.getvalue()) is is_shown
        assert stream.getvalue().endswith("\r\x1b[K" if is_shown else "")


# --- the real engine, as a researcher calls it ---


def manage(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """No secret, no database: a bare environment, and a directory of data that does not exist."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    bare = kept | {"DATA_DIR": str(cwd / "no-data")}
    command = [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", env=bare, cwd=cwd, check=False
    )


@pytest.mark.models
def test_all_commands_run_without_secret_and_database(
    references: Path, summaries: Path, tmp_path: Path
) -> None:
    built = manage("build_pyramid", "references", "--out", "p.pyr", cwd=tmp_path)
    assert (built.returncode, built.stdout, built.stderr) == (0, "", "")
    scored = manage(
        "score_summaries", "p.pyr", "summaries", "--out", "s.csv", "--pan-dir", "pans", cwd=tmp_path
    )
    assert (scored.returncode, scored.stdout, scored.stderr) == (0, "", "")
    assert (tmp_path / "s.csv").read_text().startswith(f'{HEADER}\n"o, mar",')
    assert names_in(tmp_path / "pans") == ["o, mar.pan", "zoe.pan"]
    learnt = manage("calibrate", "p.pyr", "summaries", "pans", "--out", "c.json", cwd=tmp_path)
    assert (learnt.returncode, learnt.stderr) == (0, "")
    assert learnt.stdout.startswith("Learnt from ")
    again = manage(
        "score_summaries", "p.pyr", "summaries", "--out", "t.csv", "--calibration", "c.json",
        cwd=tmp_path,
    )  # fmt: skip
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert not (tmp_path / "no-data").exists()
    write_encoder(tmp_path / "encoder")
    other = manage(
        *("score_summaries", "p.pyr", "summaries", "--out", "t.csv", "--encoder", "encoder"),
        cwd=tmp_path,
    )
    assert (other.returncode, other.stdout) == (0, "")
    assert (tmp_path / "t.csv").read_text() != (tmp_path / "s.csv").read_text()
    failed = manage("build_pyramid", "nowhere", "--out", "q.pyr", cwd=tmp_path)
    assert failed.returncode != 0
    assert failed.stderr == "CommandError: There is no directory “nowhere”.\n"

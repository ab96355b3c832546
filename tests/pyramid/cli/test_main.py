"""`pyreval` with a tiny engine: tables, files, exit codes."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from scipy.stats import kendalltau, spearmanr

from grading.pyramid.cli import main as command
from grading.pyramid.cli.main import main
from grading.pyramid.formats.ducview import read_pyramid
from tests.conftest import REFERENCES, SUMMARY
from tests.fakes import fake_engine
from tests.management.test_commands import Terminal, directory_of

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _tiny_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "make_engine", lambda name, **_: fake_engine(name))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A researcher's, with a pyramid."""
    monkeypatch.chdir(tmp_path)
    directory_of(tmp_path / "references", {text.name: text.content for text in REFERENCES})
    texts = {
        "zoe": SUMMARY,
        "omar": "Trees cool streets.",
        "ana": f"{REFERENCES[0].content} Old people suffer most in hot nights.",
        "ben": "Dark roofs store heat. Cities are hotter than the land around.",
        "cy": "My uncle has a green bicycle.",
        "dee": REFERENCES[2].content,
    }
    directory_of(tmp_path / "summaries", texts)
    assert main(["build", "references", "--out", "p.pyr"]) == 0
    return tmp_path


def rows_of(content: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content)))


def test_scores_as_text_csv_and_json_are_the_same(folder: Path, capsys: Capture) -> None:
    assert main(["score", "p.pyr", "summaries", "--out", "s.csv"]) == 0
    assert main(["score", "p.pyr", "summaries", "--out", "s.json"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["score", "p.pyr", "summaries"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    as_csv = rows_of((folder / "s.csv").read_text())
    as_json = json.loads((folder / "s.json").read_text())
    assert heading.split() == list(as_csv[0]) == list(as_json[0])
    assert [line.split() for line in lines] == [list(row.values()) for row in as_csv]
    assert [row["raw"] for row in as_json] == pytest.approx([float(row["raw"]) for row in as_csv])
    assert main(["score", "p.pyr", "summaries", "--format", "csv"]) == 0
    assert capsys.readouterr().out == (folder / "s.csv").read_text()


def human_scores(folder: Path) -> dict[str, float]:
    scores = {"zoe": 3.0, "omar": 2.0, "ana": 5.0, "ben": 3.0, "cy": 0.0, "dee": 4.0}
    lines = "".join(f"{name},checked,{score}\n" for name, score in scores.items())
    (folder / "human.csv").write_text(f"student,note,points\n{lines}left,,9\n")
    return scores


def test_scores_are_evaluated_against_human_ones(folder: Path, capsys: Capture) -> None:
    people = human_scores(folder)
    main(["score", "p.pyr", "summaries", "--out", "s.csv"])
    scores = {row["summary"]: float(row["raw"]) for row in rows_of((folder / "s.csv").read_text())}
    assert main(["evaluate", "s.csv", "human.csv", "--score", "raw", "--format", "csv"]) == 0
    rows = {row["figure"]: row for row in rows_of(capsys.readouterr().out)}
    columns = [scores[name] for name in people], list(people.values())
    assert float(rows["Spearman"]["value"]) == pytest.approx(spearmanr(*columns)[0], abs=1e-4)
    assert float(rows["Kendall"]["value"]) == pytest.approx(kendalltau(*columns)[0], abs=1e-4)
    for row in rows.values():
        assert float(row["low"]) <= float(row["value"]) <= float(row["high"])
        assert row["texts"] == "6"


def test_two_methods_are_evaluated_by_williams_test(folder: Path, capsys: Capture) -> None:
    human_scores(folder)
    main(["score", "p.pyr", "summaries", "--out", "s.csv"])
    main(["score", "p.pyr", "summaries", "--method", "pyreval", "--out", "t.csv"])
    options = ["--against", "t.csv", "--score", "raw", "--format", "json"]
    assert main(["evaluate", "s.csv", "human.csv", *options]) == 0
    rows = {row["figure"]: row for row in json.loads(capsys.readouterr().out)}
    difference = rows["Difference (Williams)"]
    gain = rows["Pearson"]["value"] - rows["Pearson of the other"]["value"]
    assert difference["value"] == pytest.approx(gain)
    assert 0 <= difference["p"] <= 1


@pytest.mark.parametrize(
    ("human", "message"),
    [
        ("", "“h.csv”: The file is empty"),
        ("student,points\nzoe,3\nzoe,4\n", "line 3: “zoe” is there twice"),
        ("student,points\nzoe,many\n", "“h.csv” has no column of numbers"),
        ("student,points\nZoë,3\n", "Only 0 texts have both"),
    ],
)
def test_human_scores_that_cannot_be_used_are_named(
    folder: Path, capsys: Capture, human: str, message: str
) -> None:
    main(["score", "p.pyr", "summaries", "--out", "s.csv"])
    (folder / "h.csv").write_text(human)
    assert main(["evaluate", "s.csv", "h.csv"]) == 1
    assert message in capsys.readouterr().err


def test_two_methods_are_compared(folder: Path, capsys: Capture) -> None:
    assert (
        main(["compare", "p.pyr", "summaries", "--with-method", "pyreval", "--format", "csv"]) == 0
    )
    rows = rows_of(capsys.readouterr().out)
    assert {row["score"] for row in rows} == {
        *("raw", "quality", "coverage", "comprehensive", "ideas matched"),
    }
    assert all(row["texts"] == "6" for row in rows)


def test_a_pyramid_agrees_with_itself(folder: Path, capsys: Capture) -> None:
    assert (
        main(["compare", "p.pyr", "summaries", "--with-pyramid", "p.pyr", "--format", "json"]) == 0
    )
    rows = {
        (row["score"], row["figure"]): row["value"] for row in json.loads(capsys.readouterr().out)
    }
    assert rows["raw", "Kendall"] == pytest.approx(1)
    assert rows["raw", "second less first"] == 0
    ideas = len(read_pyramid((folder / "p.pyr").read_bytes()).scus)
    assert (rows["ideas", "the same"], rows["ideas", "changed"]) == (ideas, 0)
    assert main(["compare", "p.pyr", "summaries"]) == 1
    assert "--with-method or --with-pyramid" in capsys.readouterr().err


def test_annotations_calibrate(folder: Path, capsys: Capture) -> None:
    main(["score", "p.pyr", "summaries", "--out", "s.csv", "--pan-dir", "pans"])
    assert main(["calibrate", "p.pyr", "summaries", "pans", "--out", "curve.json"]) == 0
    assert capsys.readouterr().out.startswith("Learnt from ")
    calibrated = ["--calibration", "curve.json", "--out", "t.csv"]
    assert main(["score", "p.pyr", "summaries", *calibrated]) == 0


def test_a_text_is_explained_on_a_terminal_and_as_a_page(folder: Path, capsys: Capture) -> None:
    (folder / "zoe.txt").write_text(f"{SUMMARY} <b>\x1b[2J</b>")
    explain = ["explain", "p.pyr", "zoe.txt"]
    assert main([*explain, "--html", "zoe.html"]) == 0
    plain = capsys.readouterr().out
    assert "\x1b" not in plain
    assert "Dark roofs store the heat." in plain
    assert main([*explain, "--colour", "always"]) == 0
    coloured = capsys.readouterr().out
    assert "\x1b[4;" in coloured
    assert "\x1b[2J" not in coloured
    page = (folder / "zoe.html").read_text()
    assert "&lt;b&gt;" in page
    assert not re.search(r"<script|<link|<img|url\(|https?:", page)
    linked = set(re.findall(r'href="#([\w-]+)"', page))
    assert linked
    assert linked == set(re.findall(r'<section id="([\w-]+)"', page))


def test_matches_are_explained_as_a_table(folder: Path, capsys: Capture) -> None:
    assert main(["explain", "p.pyr", "summaries/zoe.txt", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    matched = [row for row in rows if row["standing"] == "matched"]
    assert matched
    assert all(row["words"] in SUMMARY for row in matched if "…" not in row["words"])
    assert all(row["experts"] for row in rows)


def test_exit_codes_tell_what_went_wrong(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["build", "nowhere", "--out", "q.pyr"]) == 1
    assert capsys.readouterr().err == "pyreval: There is no directory “nowhere”.\n"
    assert main(["score", "missing.pyr", "summaries"]) == 1
    assert "No such file" in capsys.readouterr().err
    for wrong in ([], ["guess"], ["build", "references"], ["score", "p.pyr"]):
        with pytest.raises(SystemExit, match="2"):
            main(wrong)

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "make_engine", interrupted)
    assert main(["score", "p.pyr", "summaries"]) == 130
    assert not (folder / "q.pyr").exists()


@pytest.mark.parametrize("name", command._TASKS)
def test_help_has_an_example(name: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    assert f"example:\n  pyreval {name} " in capsys.readouterr().out


def test_progress_is_told_to_a_terminal_alone(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["build", "references", "--out", "p.pyr"]) == 0
    assert capsys.readouterr().err == ""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert main(["build", "references", "--out", "p.pyr"]) == 0
    assert "Reading the references (0 of 3)" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_colour_is_for_terminals_that_want_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for no_colour, coloured in (("", True), ("1", False)):
        terminal = Terminal()
        monkeypatch.setattr("sys.stdout", terminal)
        monkeypatch.setenv("NO_COLOR", no_colour)
        assert main(["explain", "p.pyr", "summaries/zoe.txt"]) == 0
        assert ("\x1b[" in terminal.getvalue()) is coloured

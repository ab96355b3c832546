"""The commands with the sister systems: ``build_pyramid``, ``score_summaries``, ``read_units``."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from grading.pyramid.cli.main import main
from grading.pyramid.content import Column
from grading.pyramid.formats.content_json import read_model
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.registry import CONTENT_METHODS, METHODS
from tests.conftest import REFERENCES, SUMMARY
from tests.pyramid.encoders.test_wordnet_glosses import ADJECTIVE, NOUN, VERB, dictionary

pytestmark = pytest.mark.models
HEADER = ["summary", "scus", "raw", "quality", "coverage", "comprehensive", "held", "contradicted"]


@pytest.fixture(scope="module")
def parser() -> SpacyParser:
    return SpacyParser()


@pytest.fixture(autouse=True)
def _loaded_once(parser: SpacyParser, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pyramid.content_pipeline", "pyramid.cli.units"):
        monkeypatch.setattr(f"grading.{module}.SpacyParser", lambda: parser)


@pytest.fixture
def references(tmp_path: Path) -> Path:
    return directory_of(tmp_path / "references", {text.name: text.content for text in REFERENCES})


@pytest.fixture
def summaries(tmp_path: Path) -> Path:
    return directory_of(tmp_path / "summaries", {"zoe": SUMMARY, "omar": "Trees cool the streets."})


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.txt"
    path.write_text(" ".join(text.content for text in REFERENCES), encoding="utf-8")
    return path


def directory_of(path: Path, texts: dict[str, str]) -> Path:
    path.mkdir()
    for name, content in texts.items():
        (path / f"{name}.txt").write_text(content, encoding="utf-8")
    return path


def rows_in(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        rows = list(table)
    assert table.fieldnames == HEADER
    return rows


def units_in(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("method", sorted(CONTENT_METHODS))
def test_a_model_is_built_and_scores_summaries(
    method: str, references: Path, summaries: Path, source: Path, tmp_path: Path
) -> None:
    model, scores, explained = tmp_path / "m.json", tmp_path / "s.csv", tmp_path / "why"
    row = CONTENT_METHODS[method]
    with_source = source if row.needs else None
    call_command("build_pyramid", references, out=model, method=method, source=with_source)
    assert read_model(model.read_text("utf-8")).method == method
    call_command("score_summaries", model, summaries, out=scores, explain_dir=explained)
    for cells in rows_in(scores):
        filled = {name for name in HEADER if cells[name]}
        assert filled == {"summary", *row.columns}
        document = json.loads((explained / f"{cells['summary']}.json").read_text("utf-8"))
        assert document["summary"] == cells["summary"]
        assert document["explanation"]
        if Column.COVERAGE in row.columns:
            assert f"{document['coverage']:.4f}" == cells["coverage"]
    again = tmp_path / "t.csv"
    call_command(
        "score_summaries", references, summaries, out=again, method=method, source=with_source
    )
    assert again.read_bytes() == scores.read_bytes()


def test_the_references_of_a_pyramid_make_a_model_too(
    references: Path, summaries: Path, tmp_path: Path
) -> None:
    pyramid, first, other = tmp_path / "p.pyr", tmp_path / "1.csv", tmp_path / "2.csv"
    call_command("build_pyramid", references, out=pyramid, method="pyreval")
    call_command("score_summaries", pyramid, summaries, out=first, method="rouge-2")
    call_command("score_summaries", references, summaries, out=other, method="rouge-2")
    assert first.read_bytes() == other.read_bytes()
    why = tmp_path / "why"
    call_command(
        "score_summaries", pyramid, summaries, out=first, method="pyreval", explain_dir=why
    )
    document = json.loads((why / "zoe.json").read_text("utf-8"))
    assert document["summary"] == "zoe"
    assert document["trace"]


def test_options_change_the_scores_and_go_with_the_model(
    references: Path, summaries: Path, tmp_path: Path
) -> None:
    model, scores = tmp_path / "m.json", tmp_path / "s.csv"
    call_command(
        "build_pyramid", references, out=model, method="be-hm", option=["matching=identity"]
    )
    assert read_model(model.read_text("utf-8")).options == {"matching": "identity"}
    call_command("score_summaries", model, summaries, out=scores)
    with pytest.raises(CommandError, match="made with matching=identity, not lemma"):
        call_command("score_summaries", model, summaries, out=scores, option=["matching=lemma"])
    with pytest.raises(CommandError, match="“matching” is not of the form NAME=VALUE"):
        call_command("score_summaries", model, summaries, out=scores, option=["matching"])


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("be-hm", {"pan_dir": Path("pans")}, "Leave out --pan-dir"),
        ("be-hm", {"match_threshold": "0.5"}, "Leave out --match-threshold"),
        ("be-hm", {"encoder": Path("x")}, "does not compare words in context"),
        ("be-hm", {"option": ["matching=guess"]}, "must be one of lemma, identity, synonym"),
        ("rouge-1", {"amr": "file"}, "takes no amr file. Leave out --amr"),
        ("pyreval", {"option": ["matching=stem"]}, "“pyreval” does not use --option"),
        ("pyreval", {"edus": "file"}, "“pyreval” does not use --edus"),
        ("guess", {}, "There is no method “guess”"),
    ],
)
def test_what_a_method_has_no_use_for_is_refused(
    method: str,
    options: dict[str, object],
    message: str,
    references: Path,
    summaries: Path,
    tmp_path: Path,
) -> None:
    file = tmp_path / "plug-in"
    file.touch()
    given = {name: file if value == "file" else value for name, value in options.items()}
    out = tmp_path / "s.csv"
    with pytest.raises(CommandError, match=message):
        call_command("score_summaries", references, summaries, out=out, method=method, **given)
    assert not out.exists()


def test_files_that_are_none_are_named(references: Path, summaries: Path, tmp_path: Path) -> None:
    out, model = tmp_path / "s.csv", tmp_path / "m.json"
    model.write_text('{"format": 1, "method"', encoding="utf-8")
    with pytest.raises(CommandError, match=r"m\.json”: Line 1, column 23: this is not JSON"):
        call_command("score_summaries", model, summaries, out=out)
    model.write_bytes(b"\xff{}")
    with pytest.raises(CommandError, match=r"m\.json” is not UTF-8 text"):
        call_command("score_summaries", model, summaries, out=out)
    call_command("build_pyramid", references, out=model, method="rouge-1")
    with pytest.raises(CommandError, match="is a model of content of “rouge-1”"):
        call_command("score_summaries", model, summaries, out=out, method="pyreval")
    with pytest.raises(CommandError, match="of the method “rouge-1”, not “rouge-2”"):
        call_command("score_summaries", model, summaries, out=out, method="rouge-2")
    with pytest.raises(CommandError, match="There is no file “nowhere”"):
        call_command(
            "build_pyramid", references, out=model, method="rouge-1", source=Path("nowhere")
        )


# --- read_units ---


@pytest.mark.parametrize("method", [*METHODS, *CONTENT_METHODS])
def test_units_of_all_methods(method: str, summaries: Path, tmp_path: Path) -> None:
    out = tmp_path / "units.jsonl"
    call_command("read_units", summaries, out=out, method=method)
    omar, zoe = units_in(out)
    assert (omar["summary"], zoe["summary"]) == ("omar", "zoe")
    assert omar["sentences"] == [[0, 23]]
    for line, content in ((omar, "Trees cool the streets."), (zoe, SUMMARY)):
        units = line["units"]
        assert isinstance(units, list)
        assert units
        for unit in units:
            assert isinstance(unit["kind"], str)
            assert all(0 <= start < end <= len(content) for start, end in unit["spans"])


def test_tokenised_texts_keep_their_lines_and_words(tmp_path: Path) -> None:
    content = (
        "He did n't , they say , leave\n\n-- \" .\nDogs ran . Cats sat in the U.K.\u2028house\r\n"
    )
    texts, out = directory_of(tmp_path / "texts", {"one": content}), tmp_path / "units.jsonl"
    call_command("read_units", texts, out=out, method="be-hm", tokenised=True)
    [line] = units_in(out)
    sentences = line["sentences"]
    assert isinstance(sentences, list)
    assert [content[start:end] for start, end in sentences] == [
        "He did n't , they say , leave",
        '-- " .',
        "Dogs ran . Cats sat in the U.K.\u2028house",
    ]
    words = {word.lower() for word in content.split(" ")} | {"leave", "house", "dogs"}
    units = line["units"]
    assert isinstance(units, list)
    for unit in units:
        for start, end in unit["spans"]:
            assert content[start:end].lower() in words | {"u.k.\u2028house"}
        assert unit["kind"] == "pair"
        assert isinstance(unit["sentence"], int)


def test_the_paper_s_examples_by_the_command(tmp_path: Path) -> None:
    sentence = "Two Libyans were indicted for the Lockerbie bombing in 1991 ."
    texts, out = directory_of(tmp_path / "texts", {"one": sentence}), tmp_path / "units.jsonl"
    call_command("read_units", texts, out=out, method="be-hmr", tokenised=True)
    [line] = units_in(out)
    units = line["units"]
    assert isinstance(units, list)
    assert {(unit["head"], unit["modifier"], unit["relation"]) for unit in units} == {
        ("libyans", "two", "nn"),
        ("indicted", "libyans", "obj"),
        ("bombing", "lockerbie", "nn"),
        ("indicted", "bombing", "for"),
        ("bombing", "1991", "in"),
    }


# --- nothing but the texts makes a difference ---

PROGRAM = """
import sys
from pathlib import Path
from grading.pyramid.content_pipeline import *
from grading.pyramid.formats.content_json import score_to_json, write_model
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.pipeline import build_pyramid, make_engine
from grading.pyramid.registry import CONTENT_METHODS
folder = Path("grading/management/demonstration")
def texts(of):
    files = sorted((folder / of).glob("*.txt"))
    return [Text(file.stem, file.read_text("utf-8")) for file in files]
references, summaries = texts("references"), texts("students")[::5]
if sys.argv[1] == "turned":
    references, summaries = references[::-1], summaries[::-1]
source, parser = Text("source", (folder / "source.txt").read_text("utf-8")), SpacyParser()
pyramid = build_pyramid(references, make_engine("pyreval"))
for name in CONTENT_METHODS:
    engine = make_content_engine(name, parser=parser)
    model = build_content_model(references, engine, source=source, pyramid=pyramid)
    scores = zip(summaries, score_content(model, summaries, engine))
    told = sorted((text.name, str(score_to_json(score))) for text, score in scores)
    print(write_model(model), told)
"""


def test_neither_seeds_nor_threads_nor_order_make_a_difference() -> None:
    root = Path(__file__).resolve().parents[2]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, order],
            cwd=root,
            env=os.environ | {"PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed, order in (("1", "as given"), ("2", "turned"))
    }
    assert len(outputs) == 1
    assert outputs.pop()


# --- the lexicon ---


def test_a_lexicon_is_made_of_a_dictionary(tmp_path: Path) -> None:
    folder = dictionary(tmp_path, noun=NOUN, verb=VERB, adj=ADJECTIVE)
    first, second = tmp_path / "1.txt.gz", tmp_path / "2.txt.gz"
    for out in (first, second):
        call_command("make_lexicon", wordnet=folder, out=out)
    assert first.read_bytes() == second.read_bytes()
    with pytest.raises(CommandError, match="no WordNet dictionary"):
        call_command("make_lexicon", wordnet=tmp_path / "nowhere", out=first)


@pytest.mark.parametrize("method", sorted(CONTENT_METHODS))
def test_a_text_is_explained(
    method: str,
    references: Path,
    summaries: Path,
    source: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    model, text, page = tmp_path / "m.json", summaries / "zoe.txt", tmp_path / "zoe.html"
    with_source = source if CONTENT_METHODS[method].needs else None
    call_command("build_pyramid", references, out=model, method=method, source=with_source)
    explain = ["explain", str(model), str(text)]
    assert main([*explain, "--html", str(page), "--colour", "never"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"zoe   {method}   ")
    assert SUMMARY in shown
    assert f"{method}-" in shown.splitlines()[-1]  # the signature
    assert "<h2>Calculation</h2>" in page.read_text("utf-8")
    assert main([*explain, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    labels = {element.label for element in read_model(model.read_text("utf-8")).elements}
    assert {row["label"] for row in rows} <= labels
    assert all(row["words"] in SUMMARY for row in rows if "…" not in row["words"])


def test_a_model_is_explained_by_its_own_method_only(
    references: Path, summaries: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "m.json"
    call_command("build_pyramid", references, out=model, method="rouge-1")
    explain = ["explain", str(model), str(summaries / "zoe.txt")]
    assert main([*explain, "--method", "classroom"]) == 1
    assert "is a model of content of “rouge-1”, not a pyramid" in capsys.readouterr().err
    assert main([*explain, "--calibration", "curve.json"]) == 1
    assert "Leave out --calibration" in capsys.readouterr().err

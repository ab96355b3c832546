"""The core as other programs import it, and the recipes of docs/library.md."""

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grading import pyramid

ROOT = Path(__file__).resolve().parents[1]
DEMONSTRATION = ROOT / "grading" / "management" / "demonstration"
NOT_TO_BUILD = {"django", "celery", "requests", "gensim", "scipy", "networkx", "penman"}
HEAVY = NOT_TO_BUILD | {"spacy", "onnxruntime", "tokenizers"}
# What only texts of students are judged by.
JUDGEMENT = {
    f"grading.pyramid.{name}" for name in ("contradictions", "order", "matchers.classroom")
}
SISTER_SYSTEMS = {
    f"grading.pyramid.{name}"
    for name in ("rouge", "basic_elements", "peak", "edus", "ape", "amr", "triples", "word_senses")
}
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def loaded_after(program: str) -> set[str]:
    """What a process of its own, without settings, has imported in the end.

    A last line of its output says so.
    """
    process = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport json, sys\nprint(json.dumps([*sys.modules]))"],
        cwd=ROOT,
        env={},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return set(json.loads(process.splitlines()[-1]))


def test_importing_the_core_loads_no_model_and_no_server() -> None:
    assert "numpy" not in loaded_after("import grading.pyramid")
    every_name = "import grading.pyramid as core\nfor name in core.__all__: getattr(core, name)"
    assert not loaded_after(every_name) & HEAVY


def run_of(*arguments: str) -> str:
    return (
        "from contextlib import suppress\nfrom grading.pyramid.cli.main import main\n"
        f"with suppress(SystemExit): main({arguments!r})"
    )


@pytest.mark.parametrize("arguments", [["--help"], ["build", "--help"], ["score", "--help"]])
def test_the_command_says_what_it_can_without_models(arguments: list[str]) -> None:
    loaded = loaded_after(run_of(*arguments))
    assert not loaded & HEAVY
    assert not loaded & SISTER_SYSTEMS
    assert not loaded & JUDGEMENT


@pytest.mark.models
def test_the_command_builds_without_what_only_others_need(tmp_path: Path) -> None:
    pyramid_file = tmp_path / "heat.pyr"
    loaded = loaded_after(
        run_of("build", f"{DEMONSTRATION}/references", "--out", f"{pyramid_file}")
    )
    assert pyramid_file.exists()
    assert {"spacy", "onnxruntime"} <= loaded
    assert not loaded & {*NOT_TO_BUILD, *SISTER_SYSTEMS, *JUDGEMENT}
    assert not loaded & {"spacy.cli", "httpx", "jinja2", "rich"}


@pytest.mark.models
def test_commands_of_spacy_still_work_beside_the_core() -> None:
    program = (
        "from grading.pyramid.parsing import SpacyParser\nSpacyParser()\n"
        "import spacy.cli\nassert spacy.cli.download"
    )
    assert "spacy.cli.info" in loaded_after(program)


def test_each_name_at_the_top_is_there_and_others_are_not() -> None:
    assert sorted(pyramid.__all__) == sorted(pyramid._MODULE_OF)
    assert set(pyramid.__all__) <= set(dir(pyramid))
    assert pyramid.InputError is sys.modules["grading.pyramid.errors"].InputError
    with pytest.raises(AttributeError, match="no attribute 'guess'"):
        pyramid.guess  # noqa: B018


@pytest.mark.models
def test_the_recipes_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = _BLOCK.findall((ROOT / "docs" / "library.md").read_text())
    assert len(blocks) > 5
    exec(compile("\n".join(blocks), "docs/library.md", "exec"), {})  # noqa: S102
    assert (tmp_path / "cities.pyr").exists()


def code_of(notebook: Path) -> str:
    cells = [
        cell for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code"
    ]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in cells)
    return "\n".join("".join(cell["source"]) for cell in cells)


@pytest.mark.models
def test_the_notebook_runs_and_is_committed_without_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the demonstration's texts; their number of words takes the place of human scores."""
    shutil.copytree(DEMONSTRATION / "references", tmp_path / "data" / "references")
    shutil.copytree(DEMONSTRATION / "students", tmp_path / "data" / "summaries")
    with (tmp_path / "data" / "human.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["summary", "score"])
        for path in (tmp_path / "data" / "summaries").iterdir():
            rows.writerow([path.stem, len(path.read_text().split())])
    monkeypatch.chdir(tmp_path)
    notebook = ROOT / "docs" / "evaluation.ipynb"
    exec(compile(code_of(notebook), str(notebook), "exec"), {})  # noqa: S102
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split() == ["method", "Pearson", "Spearman", "Kendall", "p"]
    assert [len(line.split()) for line in lines] == [4, 5, 5]

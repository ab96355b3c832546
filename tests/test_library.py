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
HEAVY = ("django", "celery", "spacy", "onnxruntime", "tokenizers", "gensim", "scipy", "networkx")
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def loaded_after(program: str) -> set[str]:
    """What a process of its own, without settings, has imported in the end."""
    told = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport json, sys\nprint(json.dumps([*sys.modules]))"],
        cwd=ROOT,
        env={},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return set(json.loads(told))


def test_importing_the_core_loads_no_model_and_no_server() -> None:
    assert "numpy" not in loaded_after("import grading.pyramid")
    every_name = "import grading.pyramid as core\nfor name in core.__all__: getattr(core, name)"
    assert not loaded_after(every_name) & set(HEAVY)


def test_the_command_starts_without_models() -> None:
    assert not loaded_after("import grading.pyramid.cli.main") & set(HEAVY)


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
    cells = [one for one in json.loads(notebook.read_text())["cells"] if one["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in cells)
    return "\n".join("".join(cell["source"]) for cell in cells)


@pytest.mark.models
def test_the_notebook_runs_and_is_committed_without_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the demonstration's texts; their number of words takes the place of human scores."""
    demonstration = ROOT / "grading" / "management" / "demonstration"
    shutil.copytree(demonstration / "references", tmp_path / "data" / "references")
    shutil.copytree(demonstration / "students", tmp_path / "data" / "summaries")
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

"""`make wheel`: the core alone, installed where nothing of this repository is."""

import csv
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
DEMONSTRATION = ROOT / "grading" / "management" / "demonstration"
MADE_BY_MAKE = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "PYTHONPATH"}

# After a run: what of the server the command has imported, and where the core came from.
SCORE = """
import sys
from grading.pyramid.cli.main import main
code = main(sys.argv[1:])
import grading
server = {"django", "celery", "grading.models"} & sys.modules.keys()
print(grading.__file__, sorted(server))
sys.exit(code)
"""


def pinned() -> dict[str, str]:
    lines = (ROOT / "requirements.in").read_text().splitlines()
    return dict(re.findall(r"^([\w.-]+)(?:\[.*\])?==(\S+)$", "\n".join(lines), re.MULTILINE))


def test_the_wheel_asks_for_the_packages_that_the_product_has() -> None:
    project = tomllib.loads((ROOT / "packaging" / "pyproject.toml").read_text())["project"]
    product = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for line in project["dependencies"]:
        wanted = Requirement(line)
        assert wanted.specifier.contains(pinned()[wanted.name]), line
    assert project["version"] == product["version"]


def test_the_citation_is_of_this_version() -> None:
    """With what the Citation File Format 1.2 asks for."""
    text = (ROOT / "CITATION.cff").read_text()
    keys = dict(re.findall(r"^([\w-]+):[ ]?(.*)$", text, re.MULTILINE))
    assert {"cff-version", "message", "title", "authors"} <= keys.keys()
    product = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (keys["cff-version"], keys["version"]) == ("1.2.0", product["version"])


def imported_by_the_core() -> set[str]:
    names: set[str] = set()
    for path in (ROOT / "grading" / "pyramid").rglob("*.py"):
        names.update(re.findall(r"^ *(?:from|import) (\w+)", path.read_text(), re.MULTILINE))
    return names - set(sys.stdlib_module_names) - {"grading"}


def test_the_wheel_asks_for_all_that_the_core_imports() -> None:
    project = tomllib.loads((ROOT / "packaging" / "pyproject.toml").read_text())["project"]
    asked = {Requirement(line).name for line in project["dependencies"]}
    third_party = {name for name in imported_by_the_core() if name in pinned()}
    assert {"spacy", "numpy", "scipy"} <= third_party <= asked


@pytest.mark.workers
@pytest.mark.models
def test_the_installed_wheel_scores_the_demonstration(tmp_path: Path) -> None:
    """Dependencies come from this environment through a .pth file: nothing is downloaded."""
    kept = {name: value for name, value in os.environ.items() if name not in MADE_BY_MAKE}
    dist = tmp_path / "dist"
    subprocess.run(
        ["make", "--silent", "-o", ".venv/ready", "wheel", f"DIST={dist}"],  # noqa: S607
        cwd=ROOT,
        env=kept,
        check=True,
        capture_output=True,
    )
    [wheel] = dist.iterdir()
    names = ZipFile(wheel).namelist()
    assert "grading/pyramid/py.typed" in names
    assert "grading/pyramid/encoders/data/wtmf-wordnet.kv" in names
    outside = ("grading/__init__.py", "grading/pyramid/", "pyreval_core-")
    assert [name for name in names if not name.startswith(outside)] == []

    place = tmp_path / "venv"
    venv.create(place, with_pip=False)
    python = place / "bin" / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps",
         "--no-index", "--disable-pip-version-check", str(wheel)],
        env=kept, check=True,
    )  # fmt: skip
    [packages] = place.glob("lib/python*/site-packages")
    ours = Path(pytest.__file__).resolve().parents[1]
    (packages / "dependencies.pth").write_text(f"{ours}\n")
    shutil.copytree(DEMONSTRATION / "references", tmp_path / "references")
    shutil.copytree(DEMONSTRATION / "students", tmp_path / "students")

    def run(*command: str | Path) -> str:
        return subprocess.run(
            [*command], cwd=tmp_path, env=kept, check=True, capture_output=True, text=True
        ).stdout

    pyreval = place / "bin" / "pyreval"
    run(pyreval, "build", "references", "--out", "heat.pyr")
    output = run(python, "-c", SCORE, "score", "heat.pyr", "students", "--out", "scores.csv")
    assert output.split() == [str(packages / "grading" / "__init__.py"), "[]"]
    rows = list(csv.DictReader((tmp_path / "scores.csv").open()))
    assert len(rows) == len(list((DEMONSTRATION / "students").iterdir()))
    assert max(float(row["comprehensive"]) for row in rows) > 0.5

"""Prose stays true: settings, methods, commands, file lengths."""

import re
import subprocess
from pathlib import Path

import pytest

from grading.pyramid.registry import CONTENT_METHODS, METHODS

ROOT = Path(__file__).resolve().parents[1]
LONGEST_FILE = 700  # as ../shared/style.md has it


def _names_read_by_settings() -> set[str]:
    source = (ROOT / "pyreval_site" / "settings.py").read_text()
    return set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))


def test_env_example_names_every_setting_and_no_other() -> None:
    example = (ROOT / ".env.example").read_text()

    assert set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)) == _names_read_by_settings()


def test_every_method_is_described() -> None:
    methods = (ROOT / "docs" / "methods.md").read_text()

    assert [name for name in (*METHODS, *CONTENT_METHODS) if f"`{name}`" not in methods] == []


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md"])
def test_make_targets_in_prose_exist(page: str) -> None:
    prose = (ROOT / page).read_text()
    makefile = (ROOT / "Makefile").read_text()

    named = set(re.findall(r"`make ([a-z-]+)", prose))
    assert named
    assert named <= set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


@pytest.mark.parametrize(
    "page", sorted(str(page.relative_to(ROOT)) for page in ROOT.glob("*.md"))
    + sorted(str(page.relative_to(ROOT)) for page in ROOT.glob("docs/**/*.md")),
)  # fmt: skip
def test_links_between_pages_lead_somewhere(page: str) -> None:
    here = ROOT / page
    links = re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", here.read_text())

    assert [link for link in links if not (here.parent / link).exists()] == []


def _tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns],  # noqa: S607
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).exists()]


def test_no_file_is_too_long_to_read() -> None:
    code = [path for path in _tracked("*.py", "*.js", "*.css") if "migrations" not in path.parts]

    long = {path.name: len(path.read_text().splitlines()) for path in code}
    assert {name: lines for name, lines in long.items() if lines > LONGEST_FILE} == {}


def test_every_module_of_the_product_says_what_it_is() -> None:
    modules = _tracked("grading/*.py", "pyreval_site/*.py")
    written = [path for path in modules if "migrations" not in path.parts]

    assert [path.name for path in written if not path.read_text().startswith('"""')] == []


def test_what_the_architecture_names_is_there() -> None:
    """Files and folders in backquotes; ``<topic>`` stands for any."""
    prose = (ROOT / "ARCHITECTURE.md").read_text()
    named = set(re.findall(r"`((?:[\w<>-]+/)+(?:[\w.-]+)?)`", prose))
    roots = [ROOT, ROOT / "grading", ROOT / "grading" / "pyramid"]

    assert named
    assert [
        name
        for name in sorted(named)
        if not any(any(root.glob(name.replace("<topic>", "*"))) for root in roots)
    ] == []

"""Prose stays true: settings, methods, commands, file lengths."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from grading.pyramid.registry import CONTENT_METHODS, METHODS
from tests.shape import nameless_variables, names_given, words_of_name

ROOT = Path(__file__).resolve().parents[1]
LONGEST_FILE = 700  # as ../shared/style.md has it
LONGEST_LINE = 120  # of a template or a style


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


def test_variables_say_what_they_hold() -> None:
    """No ``one``, ``found`` or ``told``, which say nothing of what they hold."""
    lines = {
        str(path.relative_to(ROOT)): nameless_variables(ast.parse(path.read_text()))
        for path in _tracked("grading/*.py")
    }

    assert [name for name, numbers in lines.items() if numbers] == []


# Words that no name has any more, and what is said instead; and where one means something else:
# a sign is also that of a predicate or a character, and the API has a public field ``holder``.
_NOT_IN_NAMES = {
    "anew": "again, re…",
    "foretell": "predict",
    "hold": "contain, claim, be in force",
    "holder": "claimant",
    "holding": "in force",
    "holds": "contains, is in force",
    "said": "text, comment, stated",
    "signs": "flags",
    "tell": "match, notify, show",
    "tells": "matches, shows",
    "telling": "matched, discrimination",
    "told": "matched",
    "withheld": "unreleased, held back",
}
_LINGUISTICS = tuple(
    f"grading/pyramid/{room}" for room in ("amr/", "contradictions/", "matchers/", "similarity.py")
)
_CHARACTERS = ("grading/pyramid/formats/", "grading/pyramid/parsing.py")


def test_a_word_that_was_given_up_is_in_no_name() -> None:
    """Not in modules either. docs/glossary.md has the words that are used."""
    named: list[tuple[str, str]] = []
    for path in _tracked("grading/*.py"):
        name = str(path.relative_to(ROOT))
        if "migrations" in path.parts or name.startswith(_LINGUISTICS):
            continue
        named.append((name, " ".join(path.relative_to(ROOT).parts).removesuffix(".py")))
        named += [
            (f"{name}:{line}", given)
            for given, line in names_given(ast.parse(path.read_text()))
            if not (name.startswith(_CHARACTERS) and "signs" in given.lower())
        ]

    assert [
        f"{place} {given}: {_NOT_IN_NAMES[word]}"
        for place, given in named
        for word in words_of_name(given) & _NOT_IN_NAMES.keys()
        if (place.partition(":")[0], given) != ("grading/api/grading_schemas.py", "holder")
    ] == []


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


def _glossary_rows() -> list[list[str]]:
    """The cells of each term: term, what it is, in code, on pages, don't say."""
    lines = (ROOT / "docs" / "glossary.md").read_text().splitlines()
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]
    return [row for row in rows if row[0] != "term" and set(row[0]) != {"-"}]


def _names_in_code() -> dict[str, set[str]]:
    """Classes, functions and modules; with each class the fields and methods of its file."""
    names: dict[str, set[str]] = {}
    for path in (ROOT / "grading").rglob("*.py"):
        if "migrations" in path.parts:
            continue
        source = path.read_text()
        tops = set(re.findall(r"^(?:class|def) (\w+)", source, re.MULTILINE))
        inner = set(re.findall(r"^    (?:def )?(\w+)(?=\(self| ?[:=])", source, re.MULTILINE))
        for name in {*tops, path.stem}:
            names.setdefault(name, set()).update(inner if name in tops else ())
    return names


def test_the_glossary_names_what_is_in_the_code() -> None:
    """``Class.field`` means a field or method in the file of that class."""
    named = {name for row in _glossary_rows() for name in re.findall(r"`([^`]+)`", row[2])}
    there = _names_in_code()

    assert named
    missing = []
    for name in sorted(named):
        owner, _, field = name.partition(".")
        if owner not in there or (field and field not in there[owner]):
            missing.append(name)
    assert missing == []


def test_no_term_is_twice_in_the_glossary() -> None:
    """Nor is a term what another row says not to say."""
    rows = _glossary_rows()
    terms = [row[0].lower() for row in rows]
    refused = [word.strip().lower() for row in rows for word in row[4].split(",")]

    assert all(len(row) == 5 for row in rows)
    assert sorted(term for term in set(terms) if terms.count(term) > 1) == []
    assert sorted(set(terms) & set(refused)) == []


# methods.md is being rewritten; docs/decisions is history and names the files of its day.
_PAGES_WITH_PATHS = sorted(
    page.name for page in (ROOT / "docs").glob("*.md") if page.name != "methods.md"
)


@pytest.mark.parametrize("page", _PAGES_WITH_PATHS)
def test_paths_in_the_documents_exist(page: str) -> None:
    """Files and folders in backquotes; ``*`` and ``<topic>`` stand for any, ``{a,b}`` for each."""
    prose = (ROOT / "docs" / page).read_text()
    named = set(
        re.findall(r"`((?:grading|tests|templates|static|docs|pyreval_site)/[^`\s]*)`", prose)
    )

    assert [
        name
        for name in sorted(named)
        if not all(any(ROOT.glob(path)) for path in _spelled_out(name))
    ] == []


def _spelled_out(name: str) -> list[str]:
    """``a/{b,c}.py`` as two paths."""
    braces = re.fullmatch(r"(.*)\{(.*)\}(.*)", name)
    middles = braces[2].split(",") if braces else [""]
    before, after = (braces[1], braces[3]) if braces else (name, "")
    return [re.sub(r"<\w+>", "*", before + middle + after).rstrip("/") for middle in middles]


def test_no_line_of_templates_and_styles_is_too_long() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in _tracked("templates/*.html", "static/css/*.css")
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > LONGEST_LINE
    ]

    assert long == []


_HTML_TAG = re.compile(r"<[a-zA-Z](?:{%.*?%}|{{.*?}}|[^>])*>")
_BRANCH_TAG = re.compile(r"{%\s*(if|elif|else|endif|for|empty|endfor|with|endwith)\b.*?%}")


def _torn_branches(source: str) -> list[int]:
    """The lines where a branch begins that ends on another line, beside text.

    A branch is on one line, or each of its tags has a line of its own: where it is neither, djLint
    indents the rest of the file wrongly. Attributes of an HTML tag are laid out in other ways.
    """
    in_html = {at for tag in _HTML_TAG.finditer(source) for at in range(*tag.span())}
    lines = source.splitlines()
    torn: list[int] = []
    branches: list[list[tuple[int, bool]]] = []
    for tag in _BRANCH_TAG.finditer(source):
        if tag.start() in in_html:
            continue
        line = source.count("\n", 0, tag.start())
        if tag[1] in ("if", "for", "with"):
            branches.append([])
        branches[-1].append((line, lines[line].strip() == tag[0]))
        if tag[1].startswith("end"):
            tags = branches.pop()
            if tags[0][0] != tags[-1][0] and not all(is_alone for _, is_alone in tags):
                torn.append(tags[0][0] + 1)
    return sorted(torn)


def test_no_branch_of_a_template_is_torn() -> None:
    torn = {
        str(path.relative_to(ROOT)): _torn_branches(path.read_text())
        for path in _tracked("templates/*.html")
    }

    assert {name: lines for name, lines in torn.items() if lines} == {}


def test_a_torn_branch_is_seen() -> None:
    page = """<p>
  Open{% if due %}, due
  {{ due }}{% endif %}.
  {% if late %}Late{% else %}In time{% endif %}
  {% for name in names %}
    <b>{{ name }}</b>
  {% endfor %}
</p>
<form{% if saves %}
      hx-post="."{% endif %}>
"""

    assert _torn_branches(page) == [2]

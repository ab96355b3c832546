"""The shape of the code as a table: sizes of functions, classes, helpers with one call, comments.

``make shape`` prints it for ``grading/``, with and without the core. It judges nothing:
too large a function or file is refused elsewhere. ``python -m tests.shape --helpers``
lists the private helpers that are called once, and ``--names`` the class names used more than once.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "grading" / "pyramid"
_DATA_CLASSES = ("dataclass", "NamedTuple", "TypedDict")
# Pronouns and participles say nothing of what a variable holds (../shared/language.md).
NAMELESS = frozenset({"one", "found", "told"})


@dataclass
class Shape:
    files: int = 0
    lines: int = 0
    comments: int = 0
    function_lines: list[int] = field(default_factory=list)
    written_lines: list[int] = field(default_factory=list)
    nameless: int = 0
    classes: Counter[str] = field(default_factory=Counter)
    data_classes: int = 0
    private_helpers: list[str] = field(default_factory=list)
    called_once: dict[Path, list[str]] = field(default_factory=dict)


def shape_of(paths: list[Path]) -> Shape:
    shape = Shape()
    for path in paths:
        text = path.read_text()
        tree = ast.parse(text)
        shape.files += 1
        shape.lines += text.count("\n")
        shape.comments += sum(
            token.type == tokenize.COMMENT
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
        )
        shape.called_once[path] = []
        shape.nameless += len(nameless_variables(tree))
        uses = Counter(_names_used(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                shape.classes[node.name] += 1
                shape.data_classes += _carries_data(node)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                shape.function_lines.append(lines)
                if not _is_property_or_special(node):
                    shape.written_lines.append(lines)
                if node.name.startswith("_") and not node.name.startswith("__"):
                    shape.private_helpers.append(node.name)
                    if uses[node.name] == 1:
                        shape.called_once[path].append(f"{node.name}:{node.lineno}")
    return shape


def _names_used(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def nameless_variables(tree: ast.AST) -> list[int]:
    """The lines where a variable or parameter gets such a name. Fields of classes may have one."""
    fields = {
        id(statement.target)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for statement in node.body
        if isinstance(statement, ast.AnnAssign)
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.arg) and node.arg in NAMELESS)
        or (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
            and node.id in NAMELESS
            and id(node) not in fields
        )
    ]


def names_given(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """What the code names, with its line: classes, functions, parameters, variables and fields."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name, node.lineno
            case ast.arg():
                yield node.arg, node.lineno
            case ast.Name(ctx=ast.Store()):
                yield node.id, node.lineno
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr, node.lineno


def words_of_name(name: str) -> set[str]:
    """The words of ``snake_case`` or ``CamelCase``, in lower case."""
    return set(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()))


def _is_property_or_special(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether Python or Django ask for a function of its own, however short it is."""
    decorators = [ast.unparse(part) for part in node.decorator_list]
    return node.name.startswith("__") or any("property" in name for name in decorators)


def _carries_data(node: ast.ClassDef) -> bool:
    """Whether it is a dataclass, a named tuple or a typed dictionary."""
    return any(
        name in ast.unparse(part)
        for part in (*node.decorator_list, *node.bases)
        for name in _DATA_CLASSES
    )


def table(columns: dict[str, Shape]) -> Iterator[str]:
    cells = {name: figures(shape) for name, shape in columns.items()}
    yield f"| {'':34} | " + " | ".join(f"{name:>16}" for name in columns) + " |"
    yield f"|{'-' * 36}|" + "|".join("-" * 17 + ":" for _ in columns) + "|"
    for name in figures(Shape()):
        yield f"| {name:34} | " + " | ".join(f"{row[name]:>16}" for row in cells.values()) + " |"


def figures(shape: Shape) -> dict[str, str]:
    sizes, written = sorted(shape.function_lines) or [0], shape.written_lines or [0]
    repeated = [name for name, count in shape.classes.items() if count > 1 and name != "Meta"]
    return {
        "Python files": f"{shape.files:,}",
        "lines": f"{shape.lines:,}",
        "classes": f"{shape.classes.total():,}",
        "classes that carry data": f"{shape.data_classes:,}",
        "class names used more than once": f"{len(repeated)}",
        "functions": f"{len(shape.function_lines):,}",
        "function: median / p90 / longest": (
            f"{median(sizes):g} / {sizes[len(sizes) * 9 // 10]} / {sizes[-1]}"
        ),
        "the same without properties": f"{median(written):g}",
        "private helpers": f"{len(shape.private_helpers):,}",
        "private helpers with one call": f"{sum(map(len, shape.called_once.values())):,}",
        "lines with a comment": f"{shape.comments:,}",
        "variables: one, found, told": f"{shape.nameless:,}",
    }


def templates_line() -> str:
    paths = list((ROOT / "templates").rglob("*.*"))
    lengths = [
        len(line) for path in paths for line in path.read_text().splitlines() if line.strip()
    ]
    return f"templates: {len(paths)} files, mean line {mean(lengths):.0f}, longest {max(lengths)}"


def main(options: list[str]) -> None:
    everything = [
        path for path in sorted((ROOT / "grading").rglob("*.py")) if "migrations" not in path.parts
    ]
    house = shape_of([path for path in everything if CORE not in path.parents])
    if "--helpers" in options:
        lines = [
            f"{len(helpers)} {path.relative_to(ROOT)}: {', '.join(helpers)}"
            for path, helpers in sorted(house.called_once.items(), key=lambda item: -len(item[1]))
            if helpers
        ]
    elif "--names" in options:
        lines = [f"{count} {name}" for name, count in house.classes.most_common() if count > 1]
    else:
        columns = {"grading/": shape_of(everything), "without the core": house}
        lines = [*table(columns), templates_line()]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])

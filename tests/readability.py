"""How hard the words of the product are to read: `make words` prints it, test_words.py holds it.

A sentence ends at a full stop, a question or exclamation mark, or the end of a block. The grade is
Flesch and Kincaid's, from words a sentence and syllables a word (Kincaid et al. 1975, Derivation of
new readability formulas for Navy enlisted personnel).
"""

# ruff: noqa: T201

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 40

_IGNORED = r"{#.*?#}|{% comment.*?%}.*?{% endcomment %}|<!--.*?-->|<(script|style|svg)\b.*?</\1>"
_OTHER_CASE = r"{%\s*(?:else|elif|empty|endfor|for)\b.*?%}"
_VALUE = r"{{.*?}}|{%\s*(?:include|url|firstof|static)\b.*?%}"
_INLINE = r"</?(?:a|abbr|b|bdi|code|del|em|i|ins|kbd|mark|q|span|strong|sub|sup|time|var)\b[^>]*>"
_CODE = r"```.*?```|(?<=\n\n)(?: {4}\S[^\n]*(?:\n|$))+"
_STOP = re.compile(r"(?<=[.!?])[\"”\u2019)]*\s+|\n")
_WORD = re.compile(r"[A-Za-z]+(?:[\u2019'-][A-Za-z]+)*|\d[\d.,]*")
_HELP = 4  # words; what is shorter is a label
LIST = 15  # words without a full stop: a list of words, as the core has many


def sentences(text: str) -> list[str]:
    """The sentences of running text; a line break ends one."""
    found = (" ".join(part.split()) for part in _STOP.split(text))
    return [sentence for sentence in found if len(_WORD.findall(sentence)) >= _HELP]


def of_template(source: str) -> list[str]:
    """The sentences of a template: a value counts as the number 1, a branch as its own text."""
    text = re.sub(_IGNORED, "\n\n", source, flags=re.DOTALL | re.IGNORECASE)
    text = re.sub(_OTHER_CASE, "\n\n", text, flags=re.DOTALL)
    text = re.sub(_VALUE, "1", text, flags=re.DOTALL)
    text = re.sub(r"{%.*?%}", " ", text, flags=re.DOTALL)
    text = re.sub(_INLINE, "", text, flags=re.DOTALL)
    blocks = re.split(r"<[^>]*>|\n\s*\n", text)
    return [sentence for block in blocks for sentence in sentences(" ".join(block.split()))]


def of_module(source: str) -> Iterator[tuple[int, str]]:
    """Sentences in strings of Python with the number of the line, but for docstrings."""
    tree = ast.parse(source)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    parts = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        if id(node) in docstrings | parts:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "1" for part in node.values
            )
        else:
            continue
        for sentence in sentences(text):
            is_list = length(sentence) > LIST and (sentence[-1] not in ".?!" or sentence[-2] == " ")
            if re.search(r"[a-z]{2,} [a-z]{2,}", sentence) and "\\" not in sentence and not is_list:
                yield node.lineno, sentence


def of_document(source: str) -> Iterator[tuple[int, str]]:
    """Sentences of a page of the docs, but for code, tables and headings."""
    text = re.sub(_CODE, lambda code: "\n" * code[0].count("\n"), source, flags=re.DOTALL)
    text = re.sub(r"`[^`\n]*`|https?://[^\s)\]]+", "1", text)
    text = re.sub(rf"!?\[|\]\([^)]*\)|\*+(?=\S)|(?<=\S)\*+|{_INLINE}", "", text)
    line = 1
    for paragraph in re.split(r"(\n\s*\n|\n(?=\s*(?:[-#>|]|\d+\.) ))", text):
        if not paragraph.lstrip().startswith(("|", "#")):
            for sentence in sentences(" ".join(paragraph.split())):
                yield (
                    line + paragraph[: len(paragraph) - len(paragraph.lstrip())].count("\n"),
                    sentence,
                )
        line += paragraph.count("\n")


def syllables(word: str) -> int:
    """Groups of vowels, but for a silent e at the end."""
    groups = len(re.findall(r"[aeiouy]+", re.sub(r"(?<![lr])e(?:d|s)?$", "", word.lower())))
    return max(groups, 1)


def grade(found: Sequence[str]) -> float:
    """The grade of school that can read these sentences, after Flesch and Kincaid."""
    words = [word for sentence in found for word in _WORD.findall(sentence)]
    return (
        0.39 * len(words) / len(found) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59
        if words
        else 0.0
    )


def length(sentence: str) -> int:
    return len(_WORD.findall(sentence))


def templates() -> Iterator[tuple[str, list[str]]]:
    for path in sorted((ROOT / "templates").rglob("*.*")):
        yield str(path.relative_to(ROOT)), of_template(path.read_text())


def messages() -> Iterator[tuple[str, list[str]]]:
    for path in sorted((ROOT / "grading").rglob("*.py")):
        if "migrations" not in path.parts:
            for number, sentence in of_module(path.read_text()):
                yield f"{path.relative_to(ROOT)}:{number}", [sentence]


def document_paths() -> list[Path]:
    """The docs, and what says where the models that ship come from."""
    folders = [ROOT.glob("*.md"), (ROOT / "docs").rglob("*.md"), (ROOT / "grading").rglob("*.md")]
    return [path for folder in folders for path in sorted(folder)]


def documents() -> Iterator[tuple[str, list[str]]]:
    for path in document_paths():
        for number, sentence in of_document(path.read_text()):
            yield f"{path.relative_to(ROOT)}:{number}", [sentence]


def by_document() -> dict[str, list[str]]:
    """All sentences of each document that has some."""
    found: dict[str, list[str]] = {}
    for place, texts in documents():
        found.setdefault(place.partition(":")[0], []).extend(texts)
    return found


def main() -> None:
    pages = list(templates())
    for title, places in (
        ("templates", pages),
        ("messages", list(messages())),
        ("docs", list(documents())),
    ):
        found = [(length(text), place, text) for place, texts in places for text in texts]
        words = sum(number for number, _, _ in found)
        print(
            f"{title}: {words} words in {len(found)} sentences, grade"
            f" {grade([text for _, _, text in found]):.1f},"
            f" {sum(number > 20 for number, _, _ in found)} sentences over 20 words"
        )
        for number, place, text in sorted(found, reverse=True)[:LONGEST]:
            print(f"  {number:3} {place}  {text}")
    print("Grade of each page's and document's words, hardest first (60 words or more):")
    graded = [
        (grade(texts), sum(map(length, texts)), place)
        for place, texts in [*pages, *by_document().items()]
        if texts
    ]
    for value, words, place in sorted(graded, reverse=True):
        if words >= 60:
            print(f"  {value:4.1f} {words:4} {place}")


if __name__ == "__main__":
    main()

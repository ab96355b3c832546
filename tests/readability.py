"""How hard the words of the product are to read: `make words` prints it, test_words.py holds it.

A sentence ends at a full stop, a question or exclamation mark, or the end of a block. The grade is
Flesch and Kincaid's, from words a sentence and syllables a word (Kincaid et al. 1975, Derivation of
new readability formulas for Navy enlisted personnel).
"""

# ruff: noqa: T201

import ast
import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from itertools import groupby
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
    result = (" ".join(part.split()) for part in _STOP.split(text))
    return [sentence for sentence in result if len(_WORD.findall(sentence)) >= _HELP]


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


_TAG = re.compile(r"({%.*?%})", re.DOTALL)
_ROLE = re.compile(r"is_(?:instructor|grader|student)|may_|membership")


def _without_reports(source: str) -> str:
    """The template without the branches that depend on more than on the reader's role."""
    kept: list[str] = []
    is_report: list[bool] = []  # of each open tag
    for part in _TAG.split(source):
        tag, _, condition = part.strip("{%} \n").partition(" ")
        if part.startswith("{%"):
            if tag in ("if", "for"):
                is_report.append(tag == "if" and not _ROLE.search(condition))
            elif tag == "elif":
                is_report[-1] = not _ROLE.search(condition)
            elif tag == "empty":
                is_report[-1] = True
            elif tag in ("endif", "endfor"):
                is_report.pop()
        if part.startswith("{%") or not any(is_report):
            kept.append(part)
    return "".join(kept)


class _Help(HTMLParser):
    """Collects the text that explains: no labels, no tables' heads, no reports, nothing folded."""

    WITHOUT_END = re.compile("br|col|hr|img|input|link|meta|source|wbr")
    BLOCKS = re.compile(
        "article|button|caption|d[dlt]|details|div|fieldset|figcaption|form|h[1-4]|header|label"
        "|legend|li|ol|option|p|section|summary|table|t[dh]|title|ul"
    )
    LABELS = re.compile(
        "button|caption|details|dt|h[1-4]|kbd|label|legend|option|script|style|summary|svg|th|title"
    )
    REPORTS = re.compile(r"callout|field-error|visually-hidden|\bempty\b|student-text|badge")

    def __init__(self) -> None:
        super().__init__()
        self.blocks = [""]
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_none = (
            self.LABELS.fullmatch(tag) is not None
            or self.REPORTS.search(given.get("class") or "") is not None
            or given.get("role") in ("alert", "status")
        )
        if self.BLOCKS.fullmatch(tag):
            self.blocks.append("")
        if not self.WITHOUT_END.fullmatch(tag):
            self._open.append((tag, is_none))

    def handle_endtag(self, tag: str) -> None:
        if self.BLOCKS.fullmatch(tag):
            self.blocks.append("")
        for place in reversed(range(len(self._open))):
            if self._open[place][0] == tag:
                del self._open[place:]
                return

    def handle_data(self, data: str) -> None:
        if not any(is_none for _, is_none in self._open):
            self.blocks[-1] += data


def help_of_template(source: str) -> list[str]:
    """The sentences that explain a page to everybody who opens it.

    Not what reports something of the data: a value, a branch that depends on more than the role, a
    callout, an error. Nor what is folded away.
    """
    value = "\x01"
    text = re.sub(_IGNORED, "\n\n", source, flags=re.DOTALL | re.IGNORECASE)
    text = _without_reports(text)
    text = re.sub(_OTHER_CASE, " <p></p> ", text, flags=re.DOTALL)
    text = re.sub(_VALUE, value, text, flags=re.DOTALL)
    text = re.sub(r"{%.*?%}", " ", text, flags=re.DOTALL)
    parser = _Help()
    parser.feed(text)
    parser.close()
    all_sentences = [
        sentence for block in parser.blocks for sentence in sentences(" ".join(block.split()))
    ]
    return [
        text
        for text in all_sentences
        if value not in text and text.rstrip('"”\u2019)')[-1] in ".?!"
    ]


def help_of_forms(source: str) -> list[str]:
    """The sentences below the labels of a module's form fields."""
    tree = ast.parse(source)
    values: list[ast.expr] = []
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg="help_text"):
                values.append(node.value)
            case ast.Assign(targets=[ast.Attribute(attr="help_text")]):
                values.append(node.value)
            case ast.Assign(targets=[ast.Name(id=name)]) if re.search("help_texts|_HELP", name):
                values.append(node.value)
    texts = [
        str(part.value)
        for value in values
        for part in ast.walk(value)
        if isinstance(part, ast.Constant) and " " in str(part.value)
    ]
    return [sentence for text in texts for sentence in sentences(text)]


def help_of_pages() -> Iterator[tuple[str, list[str]]]:
    """What explains something, by file: templates of pages, and modules with forms."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        if not path.name[0].isdigit():  # pages of errors
            yield str(path.relative_to(ROOT)), help_of_template(path.read_text())
    for path in sorted((ROOT / "grading").rglob("*.py")):
        if not {"migrations", "cli"} & set(path.parts):
            yield str(path.relative_to(ROOT)), help_of_forms(path.read_text())


def help_words() -> dict[str, int]:
    """How many words of help each file has, for files with any."""
    counted = ((place, sum(map(length, texts))) for place, texts in help_of_pages())
    return {place: words for place, words in counted if words}


def syllables(word: str) -> int:
    """Groups of vowels, but for a silent e at the end."""
    groups = len(re.findall(r"[aeiouy]+", re.sub(r"(?<![lr])e(?:d|s)?$", "", word.lower())))
    return max(groups, 1)


def grade(texts: Sequence[str]) -> float:
    """The grade of school that can read these sentences, after Flesch and Kincaid."""
    words = [word for sentence in texts for word in _WORD.findall(sentence)]
    return (
        0.39 * len(words) / len(texts) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59
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
    texts_by_page: dict[str, list[str]] = {}
    for place, texts in documents():
        texts_by_page.setdefault(place.partition(":")[0], []).extend(texts)
    return texts_by_page


def main() -> None:
    pages = list(templates())
    for title, places in (
        ("templates", pages),
        ("messages", list(messages())),
        ("docs", list(documents())),
    ):
        measured = [(length(text), place, text) for place, texts in places for text in texts]
        words = sum(number for number, _, _ in measured)
        print(
            f"{title}: {words} words in {len(measured)} sentences, grade"
            f" {grade([text for _, _, text in measured]):.1f},"
            f" {sum(number > 20 for number, _, _ in measured)} sentences over 20 words"
        )
        for number, place, text in sorted(measured, reverse=True)[:LONGEST]:
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
    counts = help_words()
    print(f"Words of help, {sum(counts.values())} in all; by topic and file:")
    for topic, files in groupby(sorted(counts), key=lambda place: str(Path(place).parent)):
        rows = [(counts[file], Path(file).name) for file in files]
        print(f"  {sum(words for words, _ in rows):4} {topic}: ", end="")
        print(", ".join(f"{name} {words}" for words, name in sorted(rows, reverse=True)))


if __name__ == "__main__":
    main()

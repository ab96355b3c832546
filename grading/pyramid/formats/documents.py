"""How the references lie in the one text of a DUCView file.

DUCView keeps all references in one text, told apart by header lines; ``startDocumentRegEx`` says
how these look. When it makes a pyramid from a folder it writes a header with the name of each
file between dashes, and so do we:

    -------------------- < NAME > --------------------

with as many dashes as it takes for no reference to hold such a line itself. Read are headers of
any kind that ``startDocumentRegEx`` describes; without one, our own headers, or lines of dashes.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.structures import Span, Spans, Text

# Searching with an expression that came with a file, in a process that can be ended.
#
# Python's engine has no limit of time and lets nobody else of its process work meanwhile. No look
# at an expression tells the slow from the quick: ``[ab]*[ab]*c`` needs a moment for most texts, and
# days for some.

MOST_SECONDS: Final = 5.0
_PROGRAM: Final = """
import itertools, json, re, sys
expression, text, most = json.load(sys.stdin)
found = itertools.islice(re.finditer(expression, text), most)
json.dump([match.span() for match in found], sys.stdout)
"""


def search(expression: str, text: str, *, most: int) -> Spans:
    """The places that a sound expression finds, at most so many; InputError if it is too costly."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _PROGRAM],
            input=json.dumps([expression, text, most]),
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        raise InputError(
            f"Looking for headers with the expression “{expression}” takes too long."
        ) from None
    return tuple(Span(start, end) for start, end in json.loads(done.stdout))


MAX_DOCUMENTS: Final = 1_000
_LEAST_DASHES: Final = 20
_DASHES: Final = re.compile("-+")
_NAMED: Final = re.compile(r"-+ < (.*) > -+")
_OWN_HEADER: Final = re.compile(r"(-{20,}) < .* > \1(?:\n|\Z)")
# A line of dashes; or two, with one word between them: the name that NIST gave a reference.
_DASH_HEADER: Final = re.compile(
    r"^[ \t]*-{3,}[ \t]*(?:\n[ \t]*\S{1,60}[ \t]*\n[ \t]*-{3,}[ \t]*)?$"
    r"|^[ \t]*-{3,} < .* > -{3,}[ \t]*$",
    re.MULTILINE,
)

# Headers need neither a repeated group nor many open-ended repetitions, and those are what takes
# longest; what takes too long all the same is ended.
_MAX_EXPRESSION: Final = 200
_MAX_REPETITIONS: Final = 4
_REPETITION: Final = re.compile(r"[*+]|\{\d*,\d*\}")
_REPEATED_GROUP: Final = re.compile(r"\)[*+{]|\(\?[a-zA-Z]*x")  # with x, blanks could hide one
_ATOM: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Document:
    """Where a reference is in the text of the file."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class JoinedText:
    """References in one text; ``starts`` tells where each of them begins."""

    text: str
    starts: dict[str, int]
    expression: str | None


def join_documents(references: Sequence[Text]) -> JoinedText:
    """One text with a header before each reference, and the expression for these headers."""
    _check_names(references)
    length = max(_LEAST_DASHES, 1 + _longest_run(references))
    dashes = "-" * length
    text, starts = "", {}
    for reference in references:
        text += f"{dashes} < {reference.name} > {dashes}\n"
        starts[reference.name] = len(text)
        text += reference.content + "\n"
    # DUCView refuses to open a file whose expression finds a single document.
    expression = f"-{{{length}}} < .* > -{{{length}}}" if len(references) > 1 else None
    return JoinedText(text.removesuffix("\n"), starts, expression)


def split_documents(text: str, expression: str | None) -> tuple[Document, ...]:
    """The references in a text; what comes before the first header belongs to none of them."""
    if expression is not None:
        _check_expression(expression)
        headers = search(expression, text, most=MAX_DOCUMENTS + 1)
        if not 0 < len(headers) <= MAX_DOCUMENTS:
            count = f"more than {MAX_DOCUMENTS}" if headers else "no"
            raise InputError(f"The expression “{expression}” finds {count} headers in the text.")
        return _named(list(_between(text, headers)))
    own = _OWN_HEADER.match(text)
    if own:
        dashes = re.escape(own[1])
        own_headers = re.finditer(f"^{dashes} < .* > {dashes}$", text, re.MULTILINE)
        return _named(list(_between(text, _places(own_headers))))
    return _named(list(_with_words(text, _places(_DASH_HEADER.finditer(text)))))


# --- joining ---


def _check_names(references: Sequence[Text]) -> None:
    names = [reference.name for reference in references]
    for name in names:
        if not name or "\n" in name or "\r" in name:
            raise InputError(f"A reference cannot be named “{name}”: one line of text is needed.")
        if names.count(name) > 1:
            raise InputError(f"Two references are named “{name}”.")


def _longest_run(references: Iterable[Text]) -> int:
    texts = (text for reference in references for text in (reference.name, reference.content))
    return max((len(run) for text in texts for run in _DASHES.findall(text)), default=0)


# --- splitting ---


def _places(hits: Iterable[re.Match[str]]) -> Spans:
    return tuple(Span(*match.span()) for match in hits)


def _check_expression(expression: str) -> None:
    if len(expression) > _MAX_EXPRESSION:
        raise InputError(f"The expression for headers is longer than {_MAX_EXPRESSION} characters.")
    skeleton = _ATOM.sub("_", expression)
    repetitions = len(_REPETITION.findall(skeleton))
    if repetitions > _MAX_REPETITIONS or _REPEATED_GROUP.search(skeleton):
        raise InputError(f"The expression for headers, “{expression}”, repeats too much.")
    try:
        re.compile(expression)
    except (re.error, OverflowError) as error:
        raise InputError(
            f"The expression for headers, “{expression}”, is wrong: {error}."
        ) from error


def _between(text: str, headers: Spans) -> Iterator[Document]:
    """What lies between headers, without the line breaks that belong to the headers."""
    ends = [header.start for header in headers[1:]] + [len(text) + 1]
    for header, following in zip(headers, ends, strict=True):
        start, words = header.end, text[header.start : header.end]
        if text[start : start + 1] == "\n" and not words.endswith("\n"):
            start += 1
        end = following
        if end > start and (end > len(text) or text[end - 1] == "\n"):
            end -= 1
        yield Document(_name_in(words), start, max(start, end))


def _with_words(text: str, headers: Spans) -> Iterator[Document]:
    """As between headers; here the text may begin without one, and end with one."""
    if not headers:
        yield Document("", 0, len(text))
        return
    first = headers[0].start
    if text[:first].strip():
        yield Document("", 0, first - 1)
    for document in _between(text, headers):
        if text[document.start : document.end].strip():
            yield document


def _name_in(header: str) -> str:
    exact = _NAMED.fullmatch(header)
    return exact[1] if exact else header.strip("-<>=*# \t\r\n")


def _named(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Names from the headers where all have one of their own, else 1, 2, …"""
    names = {document.name for document in documents}
    if "" not in names and len(names) == len(documents):
        return tuple(documents)
    return tuple(
        Document(str(number), document.start, document.end)
        for number, document in enumerate(documents, 1)
    )

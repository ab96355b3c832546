"""Triples of another extractor, in the table that CaRB's scorer takes.

A line is a sentence, a confidence, a predicate and one argument or more, parted by tabs: the first
argument is the subject, the others are objects. A sentence is found again by its characters without
white space. Words are looked up in the sentence, so that a triple has its place in the text.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grading.pyramid.errors import InputError
from grading.pyramid.parsing import ParsedText
from grading.pyramid.structures import Span, Token, join_spans
from grading.pyramid.triples.triple import Triple, TripleElement, triple_of

_WHITE_SPACE = re.compile(r"\s+")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
_LEAST_CELLS = 4


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: the words of subject, predicate and objects."""

    confidence: float
    elements: tuple[str, ...]


TripleTable = Mapping[str, Sequence[Row]]  # by the sentence without white space


def read_table(data: bytes, name: str) -> TripleTable:
    """The rows of each sentence; an InputError names the file and the line that is wrong."""
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"“{name}” is not UTF-8 (byte {error.start}).") from None
    table: dict[str, list[Row]] = {}
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        sentence, *cells = line.rstrip("\r").split("\t")
        table.setdefault(_key(sentence), []).append(_row(cells, f"“{name}”, line {number}"))
    return table


def triples_of(text: ParsedText, table: TripleTable) -> tuple[Triple, ...]:
    """What the table has for a text's sentences; other sentences say nothing."""
    return tuple(
        triple_of(
            number,
            sentence.tokens,
            [_located(each, sentence.tokens) for each in row.elements],
            row.confidence,
        )
        for number, sentence in enumerate(text.sentences)
        for row in table.get(_key(text.text.words_at((sentence.span,))), ())
    )


def _row(cells: Sequence[str], where: str) -> Row:
    if len(cells) < _LEAST_CELLS - 1:
        raise InputError(
            f"{where}: a triple needs a sentence, a confidence, a predicate and an argument, "
            "with tabs between them."
        )
    confidence, predicate, subject, *objects = (cell.strip() for cell in cells)
    try:
        value = float(confidence)
    except ValueError:
        raise InputError(f"{where}: the confidence “{confidence}” is not a number.") from None
    if not 0 <= value <= 1:
        raise InputError(f"{where}: the confidence {confidence} is not between 0 and 1.")
    return Row(value, (subject, predicate, *(each for each in objects if each)))


def _key(sentence: str) -> str:
    plain = sentence.replace("``", '"').replace("''", '"').translate(_QUOTES)
    return _WHITE_SPACE.sub("", plain)


def _located(words: str, tokens: Sequence[Token]) -> TripleElement:
    """The words with their places: as a run if there is one, else each word by itself."""
    wanted = words.lower().split()
    there = [token.text.lower() for token in tokens]
    for start in range(len(there) - len(wanted) + 1):
        if wanted and there[start : start + len(wanted)] == wanted:
            last = start + len(wanted) - 1
            return TripleElement(words, (Span(tokens[start].start, tokens[last].end),))
    found = []
    start = 0
    for word in wanted:
        if word in there[start:]:
            start = there.index(word, start) + 1
            found.append(Span(tokens[start - 1].start, tokens[start - 1].end))
    return TripleElement(words, join_spans(found))

"""A triple: who or what, what is said of it, and about what else."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from grading.pyramid.errors import InputError
from grading.pyramid.parsing import ParsedText
from grading.pyramid.structures import Span, Spans, Token, join_spans


@dataclass(frozen=True, slots=True)
class TripleElement:
    """A subject, predicate or object: its words, and where they are in the text.

    Words that are not in the text ("is" between a name and its apposition) have no span.
    """

    words: str
    spans: Spans = ()


@dataclass(frozen=True, slots=True)
class Triple:
    """What a sentence says once: ``sentence`` is its number in the text, ``confidence`` 0 to 1.

    An object is everything that a predicate adds, each with its preposition; the first one without
    where the preposition goes with the predicate ("depends on"). There may be none ("it rains").
    ``spans`` are the words of all elements, in the order of the text.
    """

    sentence: int
    subject: TripleElement
    predicate: TripleElement
    objects: tuple[TripleElement, ...]
    confidence: float
    spans: Spans = ()

    @property
    def elements(self) -> Sequence[TripleElement]:
        return (self.subject, self.predicate, *self.objects)

    @property
    def words(self) -> str:
        return " ".join(element.words for element in self.elements)


def triple_of(
    sentence: int, tokens: Sequence[Token], elements: Sequence[TripleElement], confidence: float
) -> Triple:
    """The triple of a subject, a predicate and objects in a sentence with these tokens."""
    subject, predicate, *objects = elements
    spans = [span for element in elements for span in element.spans]
    inside = [
        token.index
        for token in tokens
        if any(span.start <= token.start and token.end <= span.end for span in spans)
    ]
    return Triple(
        sentence, subject, predicate, tuple(objects), confidence, spans_of(tokens, inside)
    )


def spans_of(tokens: Sequence[Token], indices: Sequence[int]) -> Spans:
    """One span for each run of neighbouring tokens; the indices ascend."""
    runs = groupby(enumerate(indices), key=lambda pair: pair[1] - pair[0])
    spans = []
    for _, run in runs:
        numbers = [index for _, index in run]
        spans.append(Span(tokens[numbers[0]].start, tokens[numbers[-1]].end))
    return tuple(spans)


# Triples of another extractor, in the table that CaRB's scorer takes.
#
# A line is a sentence, a confidence, a predicate and one argument or more, separated by tabs: the
# first argument is the subject, the others are objects. A sentence is found again by its characters
# without white space. Words are looked up in the sentence, so that a triple has its place in the
# text.

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
    if not predicate:
        raise InputError(f"{where}: the predicate is empty.")
    return Row(value, (subject, predicate, *(each for each in objects if each)))


def _key(sentence: str) -> str:
    plain = sentence.replace("``", '"').replace("''", '"').translate(_QUOTES)
    return _WHITE_SPACE.sub("", plain)


def _located(words: str, tokens: Sequence[Token]) -> TripleElement:
    """The words with their places: as a run if there is one, else each word on its own."""
    wanted = words.lower().split()
    there = [token.text.lower() for token in tokens]
    for start in range(len(there) - len(wanted) + 1):
        if wanted and there[start : start + len(wanted)] == wanted:
            last = start + len(wanted) - 1
            return TripleElement(words, (Span(tokens[start].start, tokens[last].end),))
    triples = []
    start = 0
    for word in wanted:
        if word in there[start:]:
            start = there.index(word, start) + 1
            triples.append(Span(tokens[start - 1].start, tokens[start - 1].end))
    return TripleElement(words, join_spans(triples))

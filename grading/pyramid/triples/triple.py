"""A triple: who or what, what is said of it, and about what else."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from grading.pyramid.structures import Span, Spans, Token


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

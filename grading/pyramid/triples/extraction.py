"""Parsed sentences to triples."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from grading.pyramid.parsing import ParsedText
from grading.pyramid.structures import Span, Spans, Token
from grading.pyramid.triples.clauses import Frame, frames
from grading.pyramid.triples.confidence import (
    confidence,
    features_of_frame,
    features_of_statement,
)
from grading.pyramid.triples.nouns import Statement, statements
from grading.pyramid.triples.tree import Indices, Tree
from grading.pyramid.triples.triple import Element, Triple

NAME = "triples-1"  # of these rules and weights, for signatures
_IS = "is"


def extract_triples(text: ParsedText) -> tuple[Triple, ...]:
    """What each sentence says, in the order of the text."""
    return tuple(
        triple
        for number, sentence in enumerate(text.sentences)
        for triple in triples_of_sentence(number, sentence.tokens)
    )


def triples_of_sentence(number: int, tokens: Sequence[Token]) -> Iterator[Triple]:
    """What one sentence says; ``number`` is its number in the text."""
    tree = Tree(tokens)
    seen = set()
    for frame in frames(tree):
        predicate, objects = with_preposition(frame)
        triple = Triple(
            number,
            _element(tokens, frame.subject),
            _element(tokens, predicate),
            tuple(_element(tokens, each) for each in objects),
            confidence(features_of_frame(tree, frame)),
        )
        if triple not in seen:
            seen.add(triple)
            yield triple
    for statement in statements(tree):
        yield Triple(
            number,
            _element(tokens, statement.subject),
            _being(tokens, statement),
            (_element(tokens, statement.value),),
            confidence(features_of_statement(tree, statement)),
        )


def with_preposition(frame: Frame) -> tuple[Indices, list[Indices]]:
    """Predicate and objects; where there is no direct object the first preposition goes along.

    "depends on" something, but "puts" something "on" something.
    """
    objects = [argument.words for argument in frame.arguments]
    labels = [argument.label for argument in frame.arguments]
    last = max(frame.predicate)
    first = next((n for n, words in enumerate(objects) if words[0] > last), None)
    predicate = frame.predicate
    direct = not {"dobj", "relobj"}.isdisjoint(labels)
    if first is not None and not direct and labels[first] in {"prep", "agent"}:
        predicate = (*predicate, objects[first][0])
        objects[first] = objects[first][1:]
    return predicate, [words for words in objects if words]


def _being(tokens: Sequence[Token], statement: Statement) -> Element:
    if statement.preposition is None:
        return Element(_IS)
    element = _element(tokens, (statement.preposition,))
    return Element(f"{_IS} {element.words}", element.spans)


def _element(tokens: Sequence[Token], indices: Indices) -> Element:
    words = " ".join(tokens[index].text for index in indices)
    return Element(words, _spans(tokens, indices))


def _spans(tokens: Sequence[Token], indices: Indices) -> Spans:
    """One span for each run of neighbouring tokens."""
    runs = groupby(enumerate(indices), key=lambda pair: pair[1] - pair[0])
    spans = []
    for _, run in runs:
        numbers = [index for _, index in run]
        spans.append(Span(tokens[numbers[0]].start, tokens[numbers[-1]].end))
    return tuple(spans)

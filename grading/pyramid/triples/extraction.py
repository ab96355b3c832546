"""Parsed sentences to triples."""

from collections.abc import Iterator, Sequence

from grading.pyramid.parsing import ParsedText
from grading.pyramid.structures import Token
from grading.pyramid.triples.clauses import Frame, frames
from grading.pyramid.triples.confidence import (
    confidence,
    features_of_frame,
    features_of_statement,
)
from grading.pyramid.triples.nouns import Statement, statements
from grading.pyramid.triples.tree import Indices, Tree
from grading.pyramid.triples.triple import Triple, TripleElement, spans_of, triple_of

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
        elements = [_element(tokens, each) for each in (frame.subject, predicate, *objects)]
        trust = confidence(features_of_frame(tree, frame))
        triple = triple_of(number, tokens, elements, trust)
        if triple not in seen:
            seen.add(triple)
            yield triple
    for statement in statements(tree):
        elements = [
            _element(tokens, statement.subject),
            _being(tokens, statement),
            _element(tokens, statement.value),
        ]
        trust = confidence(features_of_statement(tree, statement))
        yield triple_of(number, tokens, elements, trust)


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


def _being(tokens: Sequence[Token], statement: Statement) -> TripleElement:
    if statement.preposition is None:
        return TripleElement(_IS)
    element = _element(tokens, (statement.preposition,))
    return TripleElement(f"{_IS} {element.words}", element.spans)


def _element(tokens: Sequence[Token], indices: Indices) -> TripleElement:
    words = " ".join(tokens[index].text for index in indices)
    return TripleElement(words, spans_of(tokens, indices))

"""Which words a graph's nodes are made of, where nobody says it: by their lemmas."""

from collections.abc import Sequence
from dataclasses import replace

from grading.pyramid.amr import vocabulary as say
from grading.pyramid.amr.graphs import Graph, Words
from grading.pyramid.structures import Token

_LONGEST_PREFIX = 4  # letters that make two words akin: "create" and "creation"


def align_by_lemma(graph: Graph, tokens: Sequence[Token]) -> Graph:
    """The graph with each node aligned to the words that look like it.

    A node takes the first free word of its lemma, else one that begins alike; one that has none
    goes with the words of the nodes below it, or above it. Constants go with words equal to them,
    and with their node else.
    """
    free = [token for token in tokens if not token.is_punct]
    words: list[Words] = []
    for concept in graph.concepts:
        token = _like(concept, free)
        words.append(frozenset([token.index]) if token else frozenset())
        if token:
            free.remove(token)
    attribute_words = []
    for one in graph.attributes:
        equal = [t for t in tokens if t.text.lower() == one.value.lower()]
        attribute_words.append(frozenset(t.index for t in equal[:1]))
    for one, of in zip(graph.attributes, attribute_words, strict=True):
        words[one.node] |= of
    for _ in graph.concepts:
        inherited = _inherited(graph, words)
        if inherited == words:
            break
        words = inherited
    return replace(graph, words=tuple(words), attribute_words=tuple(attribute_words))


def _inherited(graph: Graph, words: Sequence[Words]) -> list[Words]:
    """One step: who has no words takes those of the nodes below, else of those above."""
    given = list(words)
    for node, of in enumerate(words):
        if of:
            continue
        below = [words[r.target] for r in graph.relations if r.source == node]
        above = [words[r.source] for r in graph.relations if r.target == node]
        given[node] = frozenset().union(*below) or frozenset().union(*above)
    return given


def _like(concept: str, tokens: Sequence[Token]) -> Token | None:
    frame, _, sense = concept.rpartition("-")
    lemma = frame if sense.isdigit() and frame else concept
    for token in tokens:
        if token.lemma == lemma or say.PRONOUNS.get(token.text.lower()) == lemma:
            return token
    akin = lemma[:_LONGEST_PREFIX]
    if len(akin) < _LONGEST_PREFIX:
        return None
    return next((token for token in tokens if token.text.lower().startswith(akin)), None)

"""Parsed sentences to triples, and how far each is to be trusted."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp, log

from grading.pyramid.parsing import ParsedText
from grading.pyramid.structures import Token
from grading.pyramid.triples.clauses import (
    Frame,
    Indices,
    Statement,
    Subject,
    Tree,
    frames,
    statements,
)
from grading.pyramid.triples.triple import Triple, TripleElement, spans_of, triple_of

# How far a triple is to be trusted: the share of its words that a person would expect in it.
#
# A logistic curve over what can be seen of a triple. Its weights were fitted to the dev part of
# CaRB (Bhardwaj, Aggarwal and Mausam 2019): for each triple the share of its words that are in the
# gold triple which is matched with it (``tests/bench/carb_weights.py``).

_QUOTES = frozenset(('"', "``", "''", "\u201c", "\u201d"))

WEIGHTS: Mapping[str, float] = {
    "arguments": -0.18,
    "bias": 1.02,
    "comma_in_subject": -0.66,
    "commas": -0.3,
    "copula": -0.37,
    "fronted": 0.17,
    "has_clause": -0.61,
    "has_object": -0.04,
    "item": -0.26,
    "joined": -0.34,
    "kind:apposition": -0.2,
    "kind:expletive": -0.16,
    "kind:governor": 0.25,
    "kind:governor_vb": 0.03,
    "kind:governor_vbg": -0.0,
    "kind:main": 0.87,
    "kind:object": 0.34,
    "kind:own": 0.22,
    "kind:participle": -0.11,
    "kind:participle_vb": -0.54,
    "kind:participle_vbg": -0.15,
    "kind:place": -0.1,
    "kind:relative": 0.17,
    "kind:reported": 0.12,
    "kind:shared": 0.72,
    "kind:title": -0.4,
    "no_object": -1.99,
    "objects": 0.11,
    "only_adverb": -0.4,
    "predicate": 0.17,
    "pronoun": -0.21,
    "quotes": -0.11,
    "reports": 0.15,
    "sentence": -0.22,
    "subject": 0.03,
}


def confidence(features: Mapping[str, float]) -> float:
    """Between 0 and 1, in whole thousandths, so that no machine sees a difference."""
    # In the order of the names: a sum of fractions depends on its order.
    total = sum(WEIGHTS.get(name, 0.0) * features[name] for name in sorted(features))
    return round(1 / (1 + exp(-total)), 3)


def features_of_frame(tree: Tree, frame: Frame) -> dict[str, float]:
    """What can be seen of what a verb says."""
    token = tree.tokens[frame.verb]
    labels = {argument.label for argument in frame.arguments}
    kind = frame.origin.name.lower()
    if frame.origin is Subject.OWN:
        kind = {"ROOT": "main", "ccomp": "reported", "relcl": "object"}.get(token.dep, "own")
    elif token.tag in {"VB", "VBG"} and frame.origin in {Subject.PARTICIPLE, Subject.GOVERNOR}:
        kind += "_" + token.tag.lower()
    flags = {
        f"kind:{kind}": True,
        "copula": token.lemma == "be",
        "has_object": "dobj" in labels,
        "reports": "ccomp" in labels,
        "has_clause": "advcl" in labels,
        "fronted": any(a.words[0] < frame.verb for a in frame.arguments),
        "pronoun": len(frame.subject) == 1 and tree.tokens[frame.subject[0]].pos == "PRON",
        "item": frame.item_of_list,
        "no_object": not labels,
        "only_adverb": bool(labels) and labels <= {"advmod", "npadvmod"},
    }
    objects = [index for argument in frame.arguments for index in argument.words]
    return {
        **{name: float(flag) for name, flag in flags.items()},
        "arguments": float(min(4, len(frame.arguments))),
        **_lengths(tree.tokens, frame.subject, objects),
        "predicate": log(len(frame.predicate)),
    }


def features_of_statement(tree: Tree, statement: Statement) -> dict[str, float]:
    """What can be seen of what is said without a verb."""
    lengths = _lengths(tree.tokens, statement.subject, statement.value)
    return {f"kind:{statement.kind}": 1.0, **lengths}


def _lengths(
    tokens: Sequence[Token], subject: Iterable[int], objects: Iterable[int]
) -> dict[str, float]:
    of_subject = [tokens[index].text for index in subject]
    of_objects = [tokens[index].text for index in objects]
    return {
        "bias": 1.0,
        "subject": log(len(of_subject)),
        "objects": log(max(1, len(of_objects))),
        "commas": float(min(3, of_objects.count(","))),
        "comma_in_subject": float("," in of_subject),
        "joined": float("and" in of_objects or "or" in of_objects),
        "quotes": float(not _QUOTES.isdisjoint(of_subject + of_objects)),
        "sentence": log(len(tokens)),
    }


# Parsed sentences to triples.

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

"""Who does what to whom: verbs with their agents and objects, active or passive."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grading.pyramid.contradictions.comparisons import subjects_of
from grading.pyramid.contradictions.tree import Tree
from grading.pyramid.contradictions.vocabulary import SYMMETRIC

_OBJECTS = frozenset(("dobj",))
_PREPOSITIONS = frozenset(("prep",))
_AGENT = frozenset(("agent",))
_PASSIVE = frozenset(("auxpass",))
_NOUNS = ("NOUN", "PROPN")
_WITH_NOUN = frozenset(("conj",))


@dataclass(frozen=True, slots=True)
class Relation:
    """The heads of the agents of a verb, and of its objects with or without a preposition."""

    verb: int
    agents: frozenset[int]
    objects: frozenset[int]


def relations_of(tree: Tree) -> Iterator[Relation]:
    """The relations of a sentence that have both sides, in its order."""
    for place, token in enumerate(tree.tokens):
        if token.pos != "VERB" or token.lemma in SYMMETRIC:
            continue
        others = [
            noun for one in tree.with_dep(place, _PREPOSITIONS) for noun in tree.children[one]
        ]
        subjects = _nouns(tree, subjects_of(tree, place))
        if next(tree.with_dep(place, _PASSIVE), None) is not None:
            by = [noun for agent in tree.with_dep(place, _AGENT) for noun in tree.children[agent]]
            agents, objects = _nouns(tree, by), subjects | _nouns(tree, others)
        else:
            agents, objects = subjects, _nouns(tree, [*tree.with_dep(place, _OBJECTS), *others])
        if agents and objects:
            yield Relation(place, agents, objects)


def _nouns(tree: Tree, places: Iterable[int]) -> frozenset[int]:
    heads = list(places)
    heads += [other for place in heads for other in tree.with_dep(place, _WITH_NOUN)]
    return frozenset(place for place in heads if tree.tokens[place].pos in _NOUNS)

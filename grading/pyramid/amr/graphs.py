"""An AMR as nodes, attributes and relations, and the triples that Smatch counts.

Banarescu et al. 2013, “Abstract meaning representation for sembanking”. A graph is stored in one
normal form, whichever way a file spells it, so that two graphs are compared role by role:

- an inverted role is turned round (``:ARG0-of`` becomes ``ARG0``), and ``mod`` is the inverse of
  ``domain``, as the published Smatch has it;
- quotation marks and the colons of roles are dropped, and capitals make no difference: roles and
  concepts are lower case, constants keep theirs for the reader;
- a triple is there or not: saying it twice changes nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass

# Roles that end in "-of" without being the inverse of another.
_NOT_INVERTED = ("consist-of", "prep-on-behalf-of", "prep-out-of")
_INVERSE_OF_DOMAIN = "mod"
_DOMAIN = "domain"
TOP = "top"

Words = frozenset[int]


@dataclass(frozen=True, slots=True, order=True)
class Relation:
    """A role between two nodes, given by their numbers."""

    source: int
    role: str
    target: int


@dataclass(frozen=True, slots=True, order=True)
class Attribute:
    """A role of a node whose value is a constant: a number, a string, ``-``."""

    node: int
    role: str
    value: str

    @property
    def label(self) -> tuple[str, str]:
        """What must be equal for two to agree."""
        return self.role, self.value.lower()


@dataclass(frozen=True, slots=True)
class Graph:
    """A sentence's or a mention's AMR. Nodes are numbered; ``concepts`` has the label of each.

    ``words`` are the indices of the words that each node was made of (none where nobody knows),
    ``attribute_words`` those of attributes that have words of their own ("three", "not"). ``top``
    is None where the graph is cut out of another.
    """

    concepts: tuple[str, ...]
    relations: tuple[Relation, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    top: int | None = None
    words: tuple[Words, ...] = ()
    attribute_words: tuple[Words, ...] = ()

    @property
    def size(self) -> int:
        """How many triples it has, TOP among them where it is known."""
        return (
            len(self.concepts) + len(self.relations) + len(self.attributes) + (self.top is not None)
        )


def make_graph(
    concepts: Iterable[str],
    relations: Iterable[tuple[int, str, int]],
    attributes: Iterable[tuple[int, str, str, Words]] = (),
    *,
    top: int | None = None,
    words: Iterable[Words] = (),
) -> Graph:
    """A graph in normal form; relations and attributes come in any order and spelling."""
    labels = tuple(_plain(concept) for concept in concepts)
    aligned: dict[Attribute, Words] = {}
    for node, role, value, of in attributes:
        attribute = Attribute(node, _plain(role).lstrip(":"), value.strip().strip('"'))
        aligned[attribute] = aligned.get(attribute, frozenset()) | of
    ordered = tuple(sorted(aligned))
    return Graph(
        labels,
        tuple(sorted({_turned(*relation) for relation in relations})),
        ordered,
        top,
        tuple(words) or (frozenset(),) * len(labels),
        tuple(aligned[attribute] for attribute in ordered),
    )


def cut_out(graph: Graph, words: Words) -> Graph:
    """The triples whose constituents lie within these words: a mention's part of its sentence.

    A node lies there if all of its words do, a relation if both of its ends do, an attribute if
    its node does, and its own words where it has any. What is aligned to no word is left out. TOP
    belongs to sentences: the part has none.
    """
    kept = [n for n, of in enumerate(graph.words) if of and of <= words]
    new = {old: number for number, old in enumerate(kept)}
    attributes = [
        (attribute, of)
        for attribute, of in zip(graph.attributes, graph.attribute_words, strict=True)
        if attribute.node in new and of <= words
    ]
    return Graph(
        tuple(graph.concepts[node] for node in kept),
        tuple(
            Relation(new[relation.source], relation.role, new[relation.target])
            for relation in graph.relations
            if relation.source in new and relation.target in new
        ),
        tuple(
            Attribute(new[attribute.node], attribute.role, attribute.value)
            for attribute, _ in attributes
        ),
        None,
        tuple(graph.words[node] for node in kept),
        tuple(of for _, of in attributes),
    )


def _plain(label: str) -> str:
    return label.strip().strip('"').lower()


def _turned(source: int, role: str, target: int) -> Relation:
    role = _plain(role).lstrip(":")
    if role.endswith("-of") and role not in _NOT_INVERTED:
        source, role, target = target, role.removesuffix("-of"), source
    if role == _INVERSE_OF_DOMAIN:
        source, role, target = target, _DOMAIN, source
    return Relation(source, role, target)

"""What is said without a verb: appositions, titles before a name, and where a named thing is."""

from collections.abc import Iterator
from dataclasses import dataclass

from grading.pyramid.structures import Token
from grading.pyramid.triples.tree import Indices, Tree

_NOUNS = frozenset(("NOUN", "PROPN"))
_ALWAYS = frozenset(("in", "at"))
_WITH_COMMON_NOUN = frozenset(("of", "from", "by"))


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that is something; ``preposition`` is a token: "is *in* the north"."""

    kind: str
    subject: Indices
    preposition: int | None
    value: Indices


def statements(tree: Tree) -> Iterator[Statement]:
    """All of a sentence, from left to right."""
    for token in tree.tokens:
        for statement in (_apposition(tree, token), _title(tree, token), _place(tree, token)):
            if statement is not None and statement.subject and statement.value:
                yield statement


def _apposition(tree: Tree, token: Token) -> Statement | None:
    """The name is the subject, wherever it stands; of two common nouns neither is a name."""
    if token.dep != "appos" or token.pos not in _NOUNS:
        return None
    about = tree.tokens[token.head]
    if about.pos == "PROPN":
        value = tree.phrase(token.index)
        return Statement("apposition", tree.name(about.index), None, value)
    if about.pos == "NOUN" and token.pos == "PROPN":
        return Statement("apposition", tree.phrase(token.index), None, tree.name(about.index))
    return None


def _title(tree: Tree, token: Token) -> Statement | None:
    """As in "the investment banker Mary Hill"."""
    name = tree.tokens[token.head]
    if token.dep != "compound" or token.pos != "NOUN" or name.pos != "PROPN":
        return None
    between = range(token.index + 1, name.index + 1)
    subject = tuple(each for each in between if tree.tokens[each].pos == "PROPN")
    first = min(tree.below(name.index)[0], token.index)
    return Statement("title", subject, None, tuple(range(first, token.index + 1)))


def _place(tree: Tree, token: Token) -> Statement | None:
    """A preposition after a name: "Paris in the spring", "the Bank of a small town"."""
    if token.dep != "prep" or tree.tokens[token.head].pos != "PROPN":
        return None
    for noun in tree.children(token.index, "pobj"):
        common = tree.tokens[noun].pos == "NOUN"
        if token.lemma in _ALWAYS or (common and token.lemma in _WITH_COMMON_NOUN):
            value = tree.phrase(noun)
            return Statement("place", tree.name(token.head), token.index, value)
    return None

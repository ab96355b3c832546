"""Clauses whose verb is not tensed, and which say something all the same.

Section 4.1 of the paper cuts at tensed verbs only. Two kinds of clauses beyond it are offered, as
alternatives to the cuts between tensed verbs and never instead of them: participles that tell of
something ("..., warming the air", "sensors placed on roofs"), and verbs that share an auxiliary
but have objects of their own ("we should plant trees | and drive less").
"""

from grading.pyramid.segmentation.tree import COORDINATED, Tree
from grading.pyramid.structures import Token

_PARTICIPLES = frozenset(("VBG", "VBN"))
# Participles that stand for a preposition, or only give a name to what they follow.
_TELLS_NOTHING = frozenset(
    (
        *("accord", "base", "call", "compare", "concern", "consider", "depend", "entitle"),
        *("exclude", "follow", "give", "include", "involve", "name", "regard", "relate", "title"),
    )
)
_COMPLEMENTS = (
    *("acomp", "advmod", "agent", "attr", "ccomp", "dative", "dobj", "npadvmod", "oprd", "prep"),
    *("prt", "xcomp"),
)


def is_told(tree: Tree, token: Token) -> bool:
    """Whether a verb is not tensed, and heads a clause that may be cut off all the same."""
    if tree.is_tensed(token):
        return False
    if token.dep in COORDINATED:
        return _shares_an_auxiliary(tree, token)
    return is_reduced(tree, token) or _is_adverbial(tree, token)


def is_reduced(tree: Tree, token: Token) -> bool:
    """A participle that describes a noun: "the heat stored in walls"."""
    return token.dep == "acl" and not tree.is_tensed(token) and _is_participle(tree, token)


def _is_adverbial(tree: Tree, token: Token) -> bool:
    """A participle that a comma sets off from its clause, or that has a conjunction or subject."""
    if token.dep != "advcl" or not _is_participle(tree, token):
        return False
    opening = [*tree.dependents(token, "mark", "advmod"), *tree.subjects(token)]
    return (
        any(word.dep != "advmod" or word.tag == "WRB" for word in opening)
        or tree.is_set_off(token)
        or any(
            mark.is_punct and token.index < mark.index < token.head
            for mark in tree.children(tree.parent(token))
        )
    )


def _is_participle(tree: Tree, token: Token) -> bool:
    return (
        token.tag in _PARTICIPLES
        and token.lemma not in _TELLS_NOTHING
        and not any(aux.tag == "TO" for aux in tree.dependents(token, "aux"))
    )


def _shares_an_auxiliary(tree: Tree, token: Token) -> bool:
    first, before = tree.first_conjunct(token), tree.parent(token)
    return (
        first is not token
        and token.tag.startswith("VB")
        and tree.has_auxiliary(first)
        and tree.is_tensed(first)
        and bool(tree.dependents(token, *_COMPLEMENTS))
        and any(
            before.index < complement.index < token.index
            for complement in tree.dependents(before, *_COMPLEMENTS)
        )
    )

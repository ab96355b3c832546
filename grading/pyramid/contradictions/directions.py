"""Whether something becomes more or less, better or worse."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grading.pyramid.contradictions.tree import SUBJECTS, Tree

_WAYS = {
    ("amount", 1): (
        "big climb double enlarge exceed expand extend gain great grow growth high increase large"
        " lengthen long more multiply raise rise soar surge"
    ),
    ("amount", -1): (
        "collapse contract cut decline decrease diminish drop dwindle fall few halve lessen less"
        " lower plummet reduce reduction short shorten shrink small"
    ),
    ("worth", 1): "benefit better brighten help improve strengthen useful",
    ("worth", -1): "aggravate damage deteriorate harm hurt suffer useless weaken worse worsen",
}
WAYS = {word: way for way, words in _WAYS.items() for word in words.split()}
_COMPARATIVE = ("JJR", "RBR")
_DESCRIBING = ("ADJ", "ADV", "DET")
_HEADS = 2  # tokens above a word, of which it may say something
_OUTSIDE = frozenset(("relcl", "acl", "prep"))


@dataclass(frozen=True, slots=True)
class Direction:
    """A word for a change; ``way`` is 1 for more and better; it is said of the words ``about``."""

    place: int
    kind: str
    way: int
    about: frozenset[int]
    conditional: bool


def way_of(tree: Tree, place: int) -> tuple[str, int] | None:
    """The kind of change and its way; of adjectives and adverbs only as comparatives."""
    token = tree.tokens[place]
    if token.pos in _DESCRIBING and token.tag not in _COMPARATIVE:
        return None
    if token.dep == "pcomp" or tree.words[place + 1 : place + 2] == ("asleep",):
        return None  # "by increasing the speed", "fall asleep"
    return WAYS.get(tree.words[place]) or WAYS.get(token.lemma)


def words_around(tree: Tree, place: int, clause: int) -> Iterator[int]:
    """What a word may be said of: what is above it, and the subject of its clause."""
    for _ in range(_HEADS):
        place = tree.head(place)
        yield place
    for subject in tree.with_dep(clause, SUBJECTS):
        yield from tree.subtree(subject, _OUTSIDE)


def are_contrary(first: Mapping[str, set[int]], second: Mapping[str, set[int]]) -> bool:
    """Whether two sentences go clearly different ways in one kind of change."""
    return any(
        len(ways) == 1 and second.get(kind) == {-way for way in ways}
        for kind, ways in first.items()
    )

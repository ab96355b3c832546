"""A parsed sentence as a tree: children and small letters of each token."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grading.pyramid.structures import Token

SUBJECTS = frozenset(("nsubj", "nsubjpass"))
CLAUSE_SUBJECTS = frozenset(("csubj", "csubjpass"))
COMPLEMENTS = frozenset(("acomp", "attr", "oprd"))


@dataclass(frozen=True, eq=False, slots=True)
class Tree:
    """Tokens of one sentence; ``children`` are in the order of the text."""

    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    children: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, tokens: Sequence[Token]) -> "Tree":
        children: list[list[int]] = [[] for _ in tokens]
        for place, token in enumerate(tokens):
            if token.head != place:
                children[token.head].append(place)
        words = [token.text.lower().replace("\u2019", "'") for token in tokens]
        for place, word in enumerate(words[:-1]):
            if word == "no" and words[place + 1].lstrip(".").isdigit():
                words[place] = "number"  # "world no 3" denies nothing
        return cls(tuple(tokens), tuple(words), tuple(map(tuple, children)))

    def lemma(self, place: int) -> str:
        return self.tokens[place].lemma

    def dep(self, place: int) -> str:
        return self.tokens[place].dep

    def head(self, place: int) -> int:
        return self.tokens[place].head

    def with_dep(self, place: int, deps: frozenset[str]) -> Iterator[int]:
        return (child for child in self.children[place] if self.tokens[child].dep in deps)

    def has_child(self, place: int, words: frozenset[str]) -> bool:
        return any(self.words[child] in words for child in self.children[place])

    def subtree(self, place: int, without: frozenset[str] = frozenset()) -> Iterator[int]:
        """The token and all below it; not what hangs on by one of the dependencies ``without``."""
        yield place
        for child in self.children[place]:
            if self.tokens[child].dep not in without:
                yield from self.subtree(child, without)

    def subtree_words(self, place: int) -> set[str]:
        return {self.words[one] for one in self.subtree(place)}

    def downwards(self) -> list[int]:
        """All tokens, heads before what hangs on them."""
        order = [place for place, token in enumerate(self.tokens) if token.head == place]
        for place in order:
            order.extend(self.children[place])
        return order

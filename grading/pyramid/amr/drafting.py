"""A sentence on its way to a graph: its dependency tree, and what has been made of it so far."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence

from grading.pyramid.amr.graphs import Graph, Words, make_graph
from grading.pyramid.structures import Token

SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass")
# Dependents that become no node of their own where their head is a verb or adjective.
SKIPPED = frozenset(
    ["punct", "aux", "auxpass", "cc", "preconj", "case", "mark", "prt", "expl", "det"]
)


class Draft(ABC):
    """The tree of a sentence, and nodes, relations and attributes in the order they were made."""

    def __init__(self, tokens: Sequence[Token], common: Collection[str] = ()) -> None:
        self._tokens = tokens
        self._common = common
        self._below: list[list[Token]] = [[] for _ in tokens]
        for token in tokens:
            if token.head != token.index:
                self._below[token.head].append(token)
        self._concepts: list[str] = []
        self._words: list[set[int]] = []
        self._relations: list[tuple[int, str, int]] = []
        self._attributes: list[tuple[int, str, str, Words]] = []
        self._inner: dict[int, int] = {}  # by token: the node of the word itself
        self._outer: dict[int, int] = {}  # and the node of the phrase it heads
        self._pronouns: dict[str, int] = {}
        self._unwrapped: set[int] = set()  # verbs whose modal is that of a whole coordination
        self._open: set[int] = set()  # tokens whose phrases are being made

    @abstractmethod
    def _phrase(self, token: Token) -> int | None:
        """The node that stands for the token with all that depends on it."""

    # --- building ---

    def _node(self, concept: str, words: Iterable[Token]) -> int:
        self._concepts.append(concept)
        self._words.append({token.index for token in words})
        return len(self._concepts) - 1

    def _relate(self, source: int | None, role: str, target: int | None) -> None:
        if source is None or target is None or source == target:
            return
        if role.endswith("-of"):
            source, role, target = target, role.removesuffix("-of"), source
        if (source, role, target) not in self._relations:
            self._relations.append((source, role, target))

    def _attribute(self, node: int, role: str, value: str, words: Iterable[Token] = ()) -> None:
        self._attributes.append((node, role, value, frozenset(t.index for t in words)))

    def _connected(self, top: int) -> Graph:
        """What can be reached from the top; the rest was made in vain."""
        near: dict[int, set[int]] = {}
        for source, _, target in self._relations:
            near.setdefault(source, set()).add(target)
            near.setdefault(target, set()).add(source)
        reached, waiting = {top}, [top]
        while waiting:
            for node in near.get(waiting.pop(), set()) - reached:
                reached.add(node)
                waiting.append(node)
        kept = sorted(reached)
        new = {old: number for number, old in enumerate(kept)}
        return make_graph(
            (self._concepts[node] for node in kept),
            ((new[s], role, new[t]) for s, role, t in self._relations if s in new and t in new),
            ((new[n], role, value, of) for n, role, value, of in self._attributes if n in new),
            top=new[top],
            words=(frozenset(self._words[node]) for node in kept),
        )

    # --- the tree ---

    def _children(self, token: Token, *deps: str) -> list[Token]:
        return [child for child in self._below[token.index] if child.dep in deps]

    def _child(self, token: Token, *deps: str) -> Token | None:
        return next(iter(self._children(token, *deps)), None)

    def _head(self, token: Token) -> Token:
        return self._tokens[token.head]

    def _subtree(self, token: Token) -> Iterator[Token]:
        yield token
        for child in self._below[token.index]:
            yield from self._subtree(child)

    def _conjuncts(self, token: Token) -> list[Token]:
        """What is coordinated with it, in order, without itself."""
        found = []
        for child in self._children(token, "conj"):
            found += [child, *self._conjuncts(child)]
        return found

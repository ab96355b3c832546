"""A sentence on its way to a graph: its dependency tree, and what has been made of it so far."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence

from grading.pyramid.amr import vocabulary as say
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
        conjuncts = []
        for child in self._children(token, "conj"):
            conjuncts += [child, *self._conjuncts(child)]
        return conjuncts


# Adjectives and adverbs: what they become, and how they attach to what they describe.


def is_frame(concept: str) -> bool:
    """Does it end in the number of a sense?"""
    return concept[-3:-2] == "-" and concept[-2:].isdigit()


class Modifiers(Draft):
    """The rules for words that describe others."""

    def _adjective(self, token: Token) -> int:
        concept = self._adjective_concept(token)
        node = self._inner[token.index] = self._node(concept, [token])
        self._degree_of(token, node)
        for child in self._below[token.index]:
            if child.dep in SUBJECTS:  # "makes people ill"
                described = self._phrase(child)
                if described is not None:
                    self._describe(token, node, described)
            elif child.dep == "prep":
                self._adjective_preposition(node, child)
            elif child.dep in {"xcomp", "ccomp", "advcl"}:
                self._adjective_clause(node, child)
            elif child.dep == "advmod":
                self._adjective_adverb(node, child)
            elif child.dep == "neg":
                self._attribute(node, "polarity", "-", [child])
            elif child.dep == "npadvmod":
                self._relate(node, "extent", self._phrase(child))
        return node

    def _adjective_concept(self, token: Token) -> str:
        lemma = token.lemma
        if lemma in say.ADJECTIVE_FRAMES:
            return say.ADJECTIVE_FRAMES[lemma][0]
        if token.tag in {"VBN", "VBG"} or token.pos == "VERB":
            return say.VERBS.get(lemma, f"{lemma}-01")
        return say.ADJECTIVES.get(lemma, lemma)

    def _degree_of(self, token: Token, node: int) -> None:
        if token.tag in {"JJR", "RBR"} and token.lemma not in {"more", "less"}:
            self._relate(node, "degree", self._node("more", [token]))
        elif token.tag in {"JJS", "RBS"} and token.lemma not in {"most", "least"}:
            self._relate(node, "degree", self._node("most", [token]))

    def _adjective_preposition(self, node: int, child: Token) -> None:
        inside = self._child(child, "pobj", "pcomp")
        thing = self._phrase(inside) if inside is not None else None
        if child.lemma == "than":
            self._relate(node, "compared-to", thing)
        elif is_frame(self._concepts[node]):
            self._relate(node, "ARG2", thing)
        else:
            role = say.PREPOSITION_ROLES.get(child.lemma, "location")
            self._relate(node, "topic" if role == "mod" else role, thing)

    def _adjective_clause(self, node: int, child: Token) -> None:
        inner = self._phrase(child)
        if self._concepts[node] == "possible-01":
            self._relate(node, "ARG1", inner)
        elif is_frame(self._concepts[node]):
            self._relate(node, "ARG2" if child.dep != "advcl" else "ARG1", inner)
        else:
            self._relate(node, "topic", inner)

    def _adjective_adverb(self, node: int, child: Token) -> None:
        if child.lemma == "how" and any(t.text == "?" for t in self._tokens):
            self._relate(node, "degree", self._node("amr-unknown", [child]))
            return
        adverb = self._phrase(child)
        if adverb is None:
            return
        role = say.ADVERB_ROLES.get(child.lemma, "degree")
        if self._concepts[adverb] in say.ADVERB_FRAMES.values():
            self._relate(adverb, "ARG1", node)
        else:
            self._relate(node, role, adverb)

    def _adverb_node(self, token: Token) -> int | None:
        lemma = token.lemma
        if lemma in {"n't", "not"}:
            return None
        if token.tag == "WRB":
            return (
                self._node("amr-unknown", [token])
                if any(t.text == "?" for t in self._tokens)
                else None
            )
        concept = say.ADVERB_FRAMES.get(lemma) or self._adjective_of(lemma)
        node = self._inner[token.index] = self._node(concept, [token])
        self._degree_of(token, node)
        for child in self._below[token.index]:
            if child.dep == "advmod":
                self._adjective_adverb(node, child)
            elif child.dep == "prep":
                self._adjective_preposition(node, child)
            elif child.dep == "npadvmod":
                self._relate(node, "op1", self._phrase(child))
        return node

    def _adjective_of(self, lemma: str) -> str:
        """The adjective that an adverb was made of."""
        if lemma in say.IRREGULAR_ADVERBS:
            return say.IRREGULAR_ADVERBS[lemma]
        if not lemma.endswith("ly") or lemma in say.DERIVED_ADVERB_EXCEPTIONS or len(lemma) < 5:
            return lemma
        stem = lemma[:-2]
        if stem.endswith("i"):
            stem = stem[:-1] + "y"
        elif stem.endswith(("b", "tt")):
            stem += "le"
        elif stem.endswith("ical") and stem[:-2] in {"scientific", "specific", "magnetic"}:
            stem = stem[:-2]
        return say.ADJECTIVES.get(stem, stem)

    def _describe(self, word: Token, node: int, described: int) -> None:
        """Say of a node what an adjective, or a noun, says."""
        lemma = word.lemma
        concept = self._concepts[node]
        if lemma in say.ADJECTIVE_FRAMES and concept == say.ADJECTIVE_FRAMES[lemma][0]:
            self._relate(node, say.ADJECTIVE_FRAMES[lemma][1], described)
        elif is_frame(concept) and word.tag != "VBG":
            self._relate(node, "ARG1", described)
        elif is_frame(concept):
            self._relate(node, "ARG0", described)
        else:
            self._relate(node, "domain", described)

"""A parsed sentence becomes an AMR, by rules over its dependency tree.

The rules follow the AMR guidelines (Banarescu et al.) as far as a parse without senses carries:
a verb is the frame of its lemma and its first sense unless ``vocabulary`` knows better, subject
and objects are its numbered roles, what is left out in coordination, control and relative clauses
is the same node again. Each node remembers the words that it was made of.

``drafting`` has the tree, the graph under way and the rules for modifiers, ``nouns`` and ``verbs``
those for their kinds of phrases; here are coordination, modals and what is of the sentence
as a whole. A sentence without words that say anything is a single ``thing``.
"""

from collections.abc import Collection, Sequence

from grading.pyramid.amr import vocabulary as say
from grading.pyramid.amr.drafting import SKIPPED, SUBJECTS
from grading.pyramid.amr.graphs import Graph
from grading.pyramid.amr.nouns import Nouns
from grading.pyramid.structures import Token

_DEEPEST = 40  # words below the root: what is deeper is no English, and would end the recursion
_COORDINATIONS = {"but": "contrast-01", "yet": "contrast-01", "or": "or"}


def convert(tokens: Sequence[Token], common: Collection[str] = ()) -> Graph:
    """The AMR of a sentence; its nodes' words are the indices of the tokens.

    ``common`` are words of its text in lower case: with a capital they are no names either.
    """
    return _Conversion(_shallow(tokens), common).graph()


def _shallow(tokens: Sequence[Token]) -> Sequence[Token]:
    """The same tree, where words that are too deep depend on a word farther up."""
    below: dict[int, list[int]] = {}
    for token in tokens:
        if token.head != token.index:
            below.setdefault(token.head, []).append(token.index)
    level = [token.index for token in tokens if token.head == token.index]
    heads = [token.head for token in tokens]
    for _ in range(_DEEPEST):
        level = [child for parent in level for child in below.get(parent, ())]
    for parent in level:  # it grows while it is read
        for child in below.get(parent, ()):
            heads[child] = heads[parent]
            level.append(child)
    return [
        token if token.head == head else token._replace(head=head)
        for token, head in zip(tokens, heads, strict=True)
    ]


class _Conversion(Nouns):
    """All rules together."""

    def graph(self) -> Graph:
        root = next((t for t in self._tokens if t.head == t.index), None)
        top = self._phrase(root) if root is not None else None
        if top is None:
            top = self._node("thing", ())
        top = self._sentence_mode(root, top)
        return self._connected(top)

    def _coordinator(self, tokens: Sequence[Token]) -> Token | None:
        conjunctions = [cc for token in tokens for cc in self._children(token, "cc")]
        return conjunctions[-1] if conjunctions else None

    def _phrase(self, token: Token) -> int | None:
        """The node that stands for the token with all that depends on it."""
        if token.index in self._outer:
            return self._outer[token.index]
        if token.index in self._open:
            return self._inner.get(token.index)
        self._open.add(token.index)
        node = self._coordination(token) if self._starts_coordination(token) else self._one(token)
        if node is not None:
            self._outer[token.index] = node
        return node

    def _starts_coordination(self, token: Token) -> bool:
        return token.dep != "conj" and any(
            not child.is_punct for child in self._children(token, "conj")
        )

    def _coordination(self, token: Token) -> int | None:
        """``and``, ``or`` or ``contrast-01`` over what is coordinated."""
        members = [token, *self._conjuncts(token)]
        shares = self._modal(token) is not None and all(
            member.pos in {"VERB", "AUX"} and not self._children(member, "aux", *SUBJECTS)
            for member in members[1:]
        )
        if shares:
            self._unwrapped.add(token.index)
        nodes = [self._one(member) for member in members]
        for member, node in zip(members[1:], nodes[1:], strict=True):
            if node is not None:
                self._outer[member.index] = node
        cc = self._coordinator(members)
        word = cc.lemma if cc else "and"
        concept = {"but": "contrast-01", "or": "or", "nor": "and", "yet": "contrast-01"}.get(
            word, "and"
        )
        there = [node for node in nodes if node is not None]
        if len(there) < 2:
            return there[0] if there else None
        whole = self._node(concept, [cc] if cc else [])
        role = "ARG" if concept == "contrast-01" else "op"
        for number, node in enumerate(there, 1):
            self._relate(whole, f"{role}{number}", node)
        if shares:
            self._unwrapped.discard(token.index)
            return self._wrapped(token, whole)
        return whole

    def _one(self, token: Token) -> int | None:
        """A phrase without what it is coordinated with."""
        if self._is_predicate(token):
            made = self._clause(token)
        elif token.pos == "ADJ" or token.tag in {"JJ", "JJR", "JJS"}:
            made = self._adjective(token)
        elif token.dep == "prep" or token.pos == "ADP":
            made = self._bare_preposition(token)
        elif token.pos == "ADV":
            made = self._adverb_node(token)
        elif token.pos == "INTJ" or token.lemma in say.EXCLAMATIONS:
            made = self._exclamation(token)
        elif token.is_punct or token.pos in {"PUNCT", "SYM", "SPACE"}:
            made = self._of_mark(token)
        else:
            made = self._noun(token)
        return made

    def _is_predicate(self, token: Token) -> bool:
        if token.pos in {"VERB", "AUX"} and token.dep not in {"amod", "compound"}:
            return True
        return (
            token.pos != "VERB"
            and any(self._children(token, *SUBJECTS))
            and bool(self._children(token, "aux", "cop"))
        )

    def _of_mark(self, token: Token) -> int | None:
        for child in self._below[token.index]:
            node = self._phrase(child)
            if node is not None:
                return node
        return None

    def _exclamation(self, token: Token) -> int:
        node = self._inner[token.index] = self._node(token.lemma, [token])
        if token.lemma in say.EXCLAMATIONS:
            self._attribute(node, "mode", "expressive")
        for child in self._below[token.index]:
            if not child.is_punct and child.dep not in SKIPPED:
                self._relate(node, "mod", self._phrase(child))
        return node

    def _bare_preposition(self, token: Token) -> int | None:
        """A preposition that stands for a phrase: its object, with itself if it is a place."""
        inside = self._child(token, "pobj", "pcomp")
        if inside is None:
            further = self._child(token, "prep")
            if further is not None:
                return self._bare_preposition(further)
            node = self._inner[token.index] = self._node(token.lemma, [token])
            return node
        thing = self._phrase(inside)
        if token.lemma in say.PLACES_AS_CONCEPTS or token.lemma in {"after", "before", "since"}:
            node = self._node(token.lemma, [token])
            self._relate(node, "op1", thing)
            return node
        return thing

    def _clause(self, token: Token) -> int | None:
        outer = self._copula(token) if self._is_copula(token) else self._verb(token)
        if outer is None:
            return None
        return self._wrapped(token, outer)

    def _wrapped(self, token: Token, outer: int) -> int:
        """The clause under its modal, its "so" and its "but"."""
        if token.index in self._unwrapped:
            return outer
        node = outer
        modal = self._modal(token)
        if modal is not None:
            concept, role = say.AUXILIARY_MODALS[modal.text.lower()]
            node = self._node(concept, [modal])
            self._relate(node, role, outer)
            for negation in self._children(token, "neg"):
                if negation.lemma != "never":
                    self._attribute(node, "polarity", "-", [negation])
        node = self._consequence(token, node)
        if token.dep == "ROOT":
            node = self._opening(token, node)
        return node

    def _consequence(self, token: Token, node: int) -> int:
        for child in self._children(token, "advmod"):
            if child.lemma in say.CAUSAL_ADVERBS and child.index < token.index:
                cause = self._node("cause-01", [child])
                self._relate(cause, "ARG1", node)
                return cause
        return node

    def _opening(self, token: Token, node: int) -> int:
        """ "But ..." contrasts with what came before, "And ..." goes on from it."""
        first = next((t for t in self._tokens if not t.is_punct), token)
        if (first.dep == "cc" and first.head == token.index) or first.lemma == "however":
            if first.lemma in say.CONTRASTS:
                whole = self._node("contrast-01", [first])
                self._relate(whole, "ARG2", node)
                return whole
            if first.lemma == "and":
                whole = self._node("and", [first])
                self._relate(whole, "op1", node)
                return whole
        return node

    def _sentence_mode(self, root: Token | None, top: int) -> int:
        if root is None:
            return top
        inner = self._inner.get(root.index, top)
        marks = [t.text for t in self._tokens if t.is_punct]
        asks = "?" in marks and "amr-unknown" not in self._concepts
        if asks and self._is_inverted(root):
            self._attribute(inner, "mode", "interrogative")
        elif self._is_command(root):
            self._attribute(inner, "mode", "imperative")
            if not self._child(root, *SUBJECTS):
                self._relate(inner, "ARG0", self._pronoun_node("you", []))
        return top

    def _is_inverted(self, root: Token) -> bool:
        return root.pos in {"VERB", "AUX", "NOUN", "ADJ", "PRON"}

    def _is_command(self, root: Token) -> bool:
        if root.tag != "VB" or self._child(root, *SUBJECTS):
            return False
        return all(aux.lemma in {"do", "let"} for aux in self._children(root, "aux"))

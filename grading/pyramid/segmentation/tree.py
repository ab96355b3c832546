"""A sentence's dependency tree, and what the rules for clauses ask of it."""

from collections.abc import Sequence

from grading.pyramid.parsing import Token

SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
COORDINATED = frozenset(("conj", "dep"))  # "dep" is how the parser says that it does not know
_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_AUXILIARIES = frozenset(("aux", "auxpass"))
# A tag that looks finite, and that of the conjunct before, which shows that it is not.
_SHARING_AN_AUXILIARY = frozenset((("VBD", "VBN"), ("VBP", "VB")))


class Tree:
    """Tokens with their children; ``downwards`` lists each after the one that it hangs on."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.root = next(token.index for token in tokens if token.head == token.index)
        self._children: list[list[Token]] = [[] for _ in tokens]
        for token in tokens:
            if token.index != self.root:
                self._children[token.head].append(token)
        self.downwards = [tokens[self.root]]
        for token in self.downwards:
            self.downwards += self._children[token.index]
        self._first = [*tokens]
        for token in reversed(self.downwards):
            first = self._first[token.index]
            if first.index < self._first[token.head].index:
                self._first[token.head] = first

    def parent(self, token: Token) -> Token:
        return self.tokens[token.head]

    def children(self, token: Token) -> Sequence[Token]:
        return self._children[token.index]

    def first(self, top: Token) -> Token:
        """The leftmost of a token and all that hang on it."""
        return self._first[top.index]

    def dependents(self, token: Token, *labels: str) -> list[Token]:
        """The tokens that hang directly on this one by one of the labels."""
        return [child for child in self._children[token.index] if child.dep in labels]

    def subjects(self, token: Token) -> list[Token]:
        return self.dependents(token, *SUBJECTS)

    def is_tensed(self, token: Token) -> bool:
        """Whether a verb is finite, has a finite auxiliary, or commands."""
        auxiliaries = self.dependents(token, *_AUXILIARIES)
        if any(aux.tag in _FINITE for aux in auxiliaries):
            return True
        if token.tag in _FINITE:
            return not self._shares_an_auxiliary(token)
        return self._is_imperative(token) or (not auxiliaries and self._is_mistagged(token))

    def _shares_an_auxiliary(self, token: Token) -> bool:
        """As in "it is released and used", where the tagger may take the last for a past tense."""
        before = self.parent(token)
        return (
            token.dep in COORDINATED
            and (token.tag, before.tag) in _SHARING_AN_AUXILIARY
            and not self.subjects(token)
            and bool(self.dependents(before, *_AUXILIARIES))
        )

    def _is_mistagged(self, token: Token) -> bool:
        """A bare form with a subject: "it take up space", but not "(makes) it look different".

        Or a form in -s that the tagger took for a plural: "when the paper burns".
        """
        opening = [*self.dependents(token, "mark"), *self.dependents(token, "advmod")]
        if token.tag == "NNS" and token.dep in {"advcl", "ccomp"}:
            return any(word.dep == "mark" or word.tag == "WRB" for word in opening)
        if token.tag not in {"VB", "VBN"} or not self.subjects(token):
            return False
        return token.dep != "ccomp" or any(word.dep == "mark" for word in opening)

    def _is_imperative(self, token: Token) -> bool:
        while token.tag == "VB" and token.dep in COORDINATED:
            token = self.parent(token)
        auxiliaries = self.dependents(token, *_AUXILIARIES)
        return (
            (token.tag, token.index) == ("VB", self.root)
            and all(aux.lemma == "do" for aux in auxiliaries)
            and not self.subjects(token)
        )

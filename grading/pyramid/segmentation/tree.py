"""A sentence's dependency tree, and what the rules for clauses ask of it."""

from collections.abc import Sequence

from grading.pyramid.structures import Token

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
        self._subjects: list[list[Token]] = [[] for _ in tokens]
        self._auxiliaries: list[list[Token]] = [[] for _ in tokens]
        for token in tokens:
            if token.index != self.root:
                self._adopt(token)
        self.downwards = [tokens[self.root]]
        for token in self.downwards:
            self.downwards += self._children[token.index]
        self._first = [*tokens]
        for token in reversed(self.downwards):
            first = self._first[token.index]
            if first.index < self._first[token.head].index:
                self._first[token.head] = first
        # For all tokens at once: sentences without end are long chains of "and".
        self._is_present = self._presents()
        self._is_command = self._commands()
        self._first_conjunct = self._first_conjuncts()

    def _adopt(self, token: Token) -> None:
        self._children[token.head].append(token)
        if token.dep in SUBJECTS:
            self._subjects[token.head].append(token)
        elif token.dep in _AUXILIARIES:
            self._auxiliaries[token.head].append(token)

    def parent(self, token: Token) -> Token:
        return self.tokens[token.head]

    def children(self, token: Token) -> Sequence[Token]:
        return self._children[token.index]

    def first(self, top: Token) -> Token:
        """The leftmost of a token and all that hang on it."""
        return self._first[top.index]

    def first_conjunct(self, token: Token) -> Token:
        """The verb that this one shares its subject and auxiliary with; else the verb itself."""
        return self.tokens[self._first_conjunct[token.index]]

    def is_set_off(self, top: Token) -> bool:
        """Whether a mark stands before all that hangs on a token."""
        first = self.first(top)
        return first.is_punct or (first.index > 0 and self.tokens[first.index - 1].is_punct)

    def dependents(self, token: Token, *labels: str) -> list[Token]:
        """The tokens that hang directly on this one by one of the labels."""
        return [child for child in self._children[token.index] if child.dep in labels]

    def subjects(self, token: Token) -> Sequence[Token]:
        return self._subjects[token.index]

    def auxiliaries(self, token: Token) -> Sequence[Token]:
        return self._auxiliaries[token.index]

    def has_auxiliary(self, token: Token) -> bool:
        return bool(self.auxiliaries(token))

    def is_tensed(self, token: Token) -> bool:
        """Whether a verb is finite, has a finite auxiliary, or commands."""
        auxiliaries = self.auxiliaries(token)
        if any(aux.tag in _FINITE for aux in auxiliaries):
            return True
        if token.tag in _FINITE:
            return not self._shares_an_auxiliary(token)
        return self._is_command[token.index] or (not auxiliaries and self._is_mistagged(token))

    def _shares_an_auxiliary(self, token: Token) -> bool:
        """As in "it is released and used", where the tagger may take the last for a past tense."""
        before = self.parent(token)
        return (
            token.dep in COORDINATED
            and (token.tag, before.tag) in _SHARING_AN_AUXILIARY
            and not self.subjects(token)
            and self.has_auxiliary(before)
        )

    def _is_mistagged(self, token: Token) -> bool:
        """A bare form with a subject: "it take up space", but not "(makes) it look different".

        Or a form in -s that the tagger took for a plural: "when the paper burns".
        """
        opening = [*self.dependents(token, "mark"), *self.dependents(token, "advmod")]
        if token.tag == "NNS" and token.dep in {"advcl", "ccomp"}:
            return any(word.dep == "mark" or word.tag == "WRB" for word in opening)
        if self._is_present[token.index]:
            return True
        if token.tag not in {"VB", "VBN"} or not self.subjects(token):
            return False
        return token.dep != "ccomp" or any(word.dep == "mark" for word in opening)

    def _presents(self) -> list[bool]:
        """For each token, whether it has no auxiliary and is a present tense, or follows one.

        As in "roofs absorb light and release it", where the last is taken for a bare form, and
        "waves hit the coast and break the rocks", where the first is taken for a past.
        """
        presents = [
            token.tag == "VBP" or (token.tag == "VBD" and token.lemma == token.text.lower())
            for token in self.tokens
        ]
        for token in self.downwards[1:]:
            if token.tag == "VB" and token.dep in COORDINATED and not self.has_auxiliary(token):
                presents[token.index] = presents[token.head]
        return presents

    def _commands(self) -> list[bool]:
        """For each token, whether it is an imperative, or coordinated with one."""
        root = self.tokens[self.root]
        commands = [False] * len(self.tokens)
        commands[self.root] = (
            root.tag == "VB"
            and all(aux.lemma == "do" for aux in self.auxiliaries(root))
            and not self.subjects(root)
        )
        for token in self.downwards[1:]:
            if token.tag == "VB" and token.dep in COORDINATED:
                commands[token.index] = commands[token.head]
        return commands

    def _first_conjuncts(self) -> list[int]:
        """For each token, itself or the conjunct that it shares subject and auxiliary with."""
        first = list(range(len(self.tokens)))
        for token in self.downwards[1:]:
            alone = not self.subjects(token) and not self.has_auxiliary(token)
            if token.dep in COORDINATED and alone:
                first[token.index] = first[token.head]
        return first

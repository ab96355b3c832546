"""Which verbs head a clause that may be cut off, and which words belong to it."""

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grading.pyramid.structures import Token

# A sentence's dependency tree, and what the rules for clauses ask of it.

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


# Clauses whose verb is not tensed, and which say something all the same.
#
# Section 4.1 of the paper cuts at tensed verbs only. Two kinds of clauses beyond it are offered, as
# alternatives to the cuts between tensed verbs and never instead of them: participles that tell of
# something ("..., warming the air", "sensors placed on roofs"), and verbs that share an auxiliary
# but have objects of their own ("we should plant trees | and drive less").

_PARTICIPLES = frozenset(("VBG", "VBN"))
# Participles that stand for a preposition, or only give a name to what they follow.
_NO_VERBS_OF_CLAUSES = frozenset(
    (
        *("accord", "base", "call", "compare", "concern", "consider", "depend", "entitle"),
        *("exclude", "follow", "give", "include", "involve", "name", "regard", "relate", "title"),
    )
)
_COMPLEMENTS = (
    *("acomp", "advmod", "agent", "attr", "ccomp", "dative", "dobj", "npadvmod", "oprd", "prep"),
    *("prt", "xcomp"),
)


def heads_untensed_clause(tree: Tree, token: Token) -> bool:
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
        and token.lemma not in _NO_VERBS_OF_CLAUSES
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


# Which verbs head a clause that may be cut off, and which words belong to it.
#
# A tensed clause is kept in its noun phrase where the phrase makes no sense without it: in a
# subject ("things that move", "the fact that roofs are dark") and in a definition ("energy is a
# power that moves things"). Only a second half can leave a definition: "matter is what has mass |
# and takes up space".

_CUTTABLE = frozenset(("ccomp", "advcl", "relcl", "acl", "parataxis")) | COORDINATED
_CLAUSAL_SUBJECTS = frozenset(("csubj", "csubjpass"))
_IN_NOUN_PHRASE = frozenset(("prep", "pobj", "conj", "appos"))
_NOUNS = frozenset(("NOUN", "PROPN", "PRON"))
_QUOTES = frozenset(('"', "'", "\u201c", "\u201d", "\u2018", "\u2019", "\u00ab", "\u00bb"))
_VERB_GROUP = frozenset(("aux", "auxpass", "neg"))


@dataclass(frozen=True, slots=True)
class Analysis:
    """A tree, and for each token the head of the innermost clause that it belongs to."""

    tree: Tree
    clause: Sequence[int]

    def heads(self) -> list[Token]:
        """The heads of the clauses: the root, then the others in order."""
        others = sorted(set(self.clause) - {self.tree.root})
        return [self.tree.tokens[index] for index in (self.tree.root, *others)]

    def heads_downwards(self) -> Iterator[Token]:
        """The same heads, each after the one that it hangs on."""
        return (token for token in self.tree.downwards if self.clause[token.index] == token.index)

    def head_over(self, token: Token) -> Token:
        """The head of the clause that a token hangs on."""
        return self.tree.tokens[self.clause[token.head]]

    def subject(self, head: Token) -> set[int]:
        """The words of a clause's own subject."""
        return set().union(*(self.phrase(top) for top in self.tree.subjects(head)))

    def of_which(self, noun: Token) -> Token:
        """The noun that this one is a part of: "the lack of trees that give shade"."""
        while noun.dep == "pobj" and self.tree.parent(noun).lemma == "of":
            above = self.tree.parent(self.tree.parent(noun))
            if above.pos not in _NOUNS:
                break
            noun = above
        return noun

    def phrase(self, top: Token) -> set[int]:
        """The words under a token, without the clauses in it."""
        within = [top]
        for token in within:
            within += [
                child
                for child in self.tree.children(token)
                if self.clause[child.index] == self.clause[top.index]
            ]
        return {token.index for token in within}


def analyse(tokens: Sequence[Token]) -> Analysis:
    """The clauses, with the subjects that the parser lost given back to their verbs."""
    mended = _out_of_quotations(tokens)
    analysis = _analyse(Tree(mended))
    tokens = [*mended]
    for head in analysis.heads()[1:]:
        noun = _lost_subject(analysis.tree, head)
        if noun and not _hangs_on(mended, head, noun):
            mended[noun.index] = noun._replace(head=head.index, dep="nsubj")
    return analysis if mended == tokens else _analyse(Tree(mended))


def _out_of_quotations(tokens: Sequence[Token]) -> list[Token]:
    """What is coordinated with a quoted verb, but not quoted, goes with the verb that quotes.

    As in: She said, “Roofs are the problem,” and left the room.
    """
    mended = [*tokens]
    quotes = [token.index for token in tokens if token.is_punct and token.text in _QUOTES]
    for token in tokens if len(quotes) > 1 else ():
        quoted = tokens[token.head]
        saying = tokens[quoted.head]
        if (
            token.dep in {"cc", "conj"}
            and quoted.dep == "ccomp"
            and _is_any_between(quotes, saying, quoted)
            and _is_any_between(quotes, quoted, token)
        ):
            mended[token.index] = token._replace(head=saying.index)
    return mended


def _is_any_between(indexes: Sequence[int], token: Token, other: Token) -> bool:
    return bisect(indexes, token.index) < bisect(indexes, other.index)


def _analyse(tree: Tree) -> Analysis:
    return Analysis(tree, _clause_of_each(tree))


def _clause_of_each(tree: Tree) -> list[int]:
    clause = [tree.root] * len(tree.tokens)
    anchors = _anchors_of_bracketed(tree.tokens)
    kept: set[int] = set()
    for token in tree.downwards[1:]:
        is_nested = token.head in kept
        is_cut = token.index not in anchors and (
            _leaves_definition(tree, token) if is_nested else _may_be_cut(tree, token)
        )
        clause[token.index] = token.index if is_cut else clause[token.head]
        if not is_cut and (is_nested or _is_clause(tree, token)):
            kept.add(token.index)
    for index, anchor in anchors.items():
        clause[index] = clause[anchor]
    return clause


def _anchors_of_bracketed(tokens: Sequence[Token]) -> dict[int, int]:
    """For each token in round brackets the one before them: "takes up space (see Fig. 2)".

    Not where something outside hangs on a word inside ("hotter (it is a problem) because roofs
    are dark", misread): a clause would come to govern itself.
    """
    anchors: dict[int, int] = {}
    opening: int | None = None
    for token in tokens:
        if token.text == "(" and opening is None:
            opening = token.index
        elif token.text == ")" and opening is not None:
            inside = range(opening, token.index + 1)
            if opening > 0 and not _has_outsiders(tokens, inside):
                anchors |= dict.fromkeys(inside, opening - 1)
            opening = None
    return anchors


def _has_outsiders(tokens: Sequence[Token], inside: range) -> bool:
    """Whether the root is inside, or the head of a token outside."""
    return any(
        token.head in inside and (token.index not in inside or token.head == token.index)
        for token in tokens
    )


def _is_clause(tree: Tree, token: Token) -> bool:
    return token.dep in _CUTTABLE | _CLAUSAL_SUBJECTS and tree.is_tensed(token)


def _may_be_cut(tree: Tree, token: Token) -> bool:
    return (
        token.dep in _CUTTABLE
        and (tree.is_tensed(token) or heads_untensed_clause(tree, token))
        and not _is_in_subject(tree, token)
        and not _defines(tree, token)
        and not _shares_its_object(tree, token)
    )


def _shares_its_object(tree: Tree, token: Token) -> bool:
    """As in "they collected and analyzed the data": nothing stands between the two verbs."""
    between = tree.tokens[token.head + 1 : token.index]
    return token.dep in COORDINATED and all(each.dep == "cc" for each in between)


def _leaves_definition(tree: Tree, token: Token) -> bool:
    if not _is_clause(tree, token) or not _defines(tree, tree.parent(token)):
        return False
    subjects = tree.subjects(token)
    if token.dep == "advcl":
        return any(subject.pos != "PRON" for subject in subjects)
    return token.dep in COORDINATED and not subjects


def _is_in_subject(tree: Tree, token: Token) -> bool:
    return _is_restrictive(tree, token) and _phrase(tree, token).dep in SUBJECTS


def _defines(tree: Tree, token: Token) -> bool:
    """Whether it says what the subject of the verb "to be" is; "which" only adds to that."""
    is_complement = token.dep == "acl" and tree.is_tensed(token)  # "the notion that it is lost"
    is_added = is_complement or tree.first(token).lemma == "which"
    if is_added or not _is_restrictive(tree, token):
        return False
    noun = _phrase(tree, token)
    return noun.dep == "attr" and any(
        subject.dep != "expl" for subject in tree.subjects(tree.parent(noun))
    )


def _is_restrictive(tree: Tree, token: Token) -> bool:
    """A clause that describes a noun, without a comma before it."""
    return token.dep in {"relcl", "acl"} and not tree.is_set_off(token)


def _phrase(tree: Tree, token: Token) -> Token:
    """The head of the whole noun phrase that a relative clause stands in."""
    noun = tree.parent(token)
    while noun.dep in _IN_NOUN_PHRASE:
        noun = tree.parent(noun)
    return noun


def _lost_subject(tree: Tree, verb: Token) -> Token | None:
    """The noun just before a clause without subject, where the parser took it for an object.

    Frequent where a comma or a full stop is missing: "of motion and potential [energy is]".
    """
    if verb.dep in {"relcl", "acl"} or tree.subjects(verb) or not tree.is_tensed(verb):
        return None
    first = tree.first(verb).index
    if first == 0 or any(token.dep not in _VERB_GROUP for token in tree.tokens[first : verb.index]):
        return None
    noun = tree.tokens[first - 1]
    while noun.dep == "pobj" and tree.parent(tree.parent(noun)).pos in _NOUNS:
        noun = tree.parent(tree.parent(noun))
    return noun if noun.pos in _NOUNS and noun.dep != "pobj" else None


def _hangs_on(tokens: Sequence[Token], token: Token, other: Token) -> bool:
    while token.head not in {token.index, other.index}:
        token = tokens[token.head]
    return token.head == other.index

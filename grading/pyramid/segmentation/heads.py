"""Which verbs head a clause that may be cut off, and which words belong to it."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from grading.pyramid.segmentation.words import Words
from grading.pyramid.structures import Token

# A sentence's dependency tree, and what the rules for clauses ask of it.

SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
COORDINATED = frozenset(("conj", "dep"))  # "dep" is how the parser says that it does not know
_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_MISTAGGED = frozenset(("VB", "VBN", "NNS"))  # tags that finite verbs get by mistake
_AUXILIARIES = frozenset(("aux", "auxpass"))
# A tag that looks finite, and that of the conjunct before, which shows that it is not.
_SHARING_AN_AUXILIARY = frozenset((("VBD", "VBN"), ("VBP", "VB")))


class Tree:
    """Tokens with their children; ``downwards`` lists each after the one that it hangs on."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.root = next(token.index for token in tokens if token.head == token.index)
        # By what they hang on; most words have nothing.
        self._children: defaultdict[int, list[Token]] = defaultdict(list)
        self._subjects: defaultdict[int, list[Token]] = defaultdict(list)
        self._auxiliaries: defaultdict[int, list[Token]] = defaultdict(list)
        for token in tokens:
            head, dep = token.head, token.dep
            if head != token.index:
                self._children[head].append(token)
                if dep in SUBJECTS:
                    self._subjects[head].append(token)
                elif dep in _AUXILIARIES:
                    self._auxiliaries[head].append(token)
        self.downwards = [tokens[self.root]]
        self._coordinated: list[Token] = []
        for token in self.downwards:
            if token.dep in COORDINATED:
                self._coordinated.append(token)
            if token.index in self._children:
                self.downwards += self._children[token.index]
        # For all tokens at once: sentences without end are long chains of "and".
        self._presents = self._find_presents()
        self._commands = self._find_commands()
        self._first_conjuncts = self._find_first_conjuncts()

    @cached_property
    def _first(self) -> list[int]:
        """For each token, the leftmost of it and all that hang on it."""
        first = list(range(len(self.tokens)))
        for token in reversed(self.downwards):
            first[token.head] = min(first[token.head], first[token.index])
        return first

    def parent(self, token: Token) -> Token:
        return self.tokens[token.head]

    def children(self, token: Token) -> Sequence[Token]:
        return self._children.get(token.index, ())

    def first(self, top: Token) -> Token:
        """The leftmost of a token and all that hang on it."""
        return self.tokens[self._first[top.index]]

    def first_conjunct(self, token: Token) -> Token:
        """The verb that this one shares its subject and auxiliary with; else the verb itself."""
        return self.tokens[self._first_conjuncts.get(token.index, token.index)]

    def is_set_off(self, top: Token) -> bool:
        """Whether a mark stands before all that hangs on a token."""
        first = self.first(top)
        return first.is_punct or (first.index > 0 and self.tokens[first.index - 1].is_punct)

    def dependents(self, token: Token, *labels: str) -> list[Token]:
        """The tokens that hang directly on this one by one of the labels."""
        return [child for child in self.children(token) if child.dep in labels]

    def subjects(self, token: Token) -> Sequence[Token]:
        return self._subjects.get(token.index, ())

    def auxiliaries(self, token: Token) -> Sequence[Token]:
        return self._auxiliaries.get(token.index, ())

    def has_auxiliary(self, token: Token) -> bool:
        return token.index in self._auxiliaries

    def is_tensed(self, token: Token) -> bool:
        """Whether a verb is finite, has a finite auxiliary, or commands."""
        auxiliaries = self.auxiliaries(token)
        if auxiliaries and any(aux.tag in _FINITE for aux in auxiliaries):
            return True
        if token.tag in _FINITE:
            return not self._shares_an_auxiliary(token)
        return token.index in self._commands or (
            token.tag in _MISTAGGED and not auxiliaries and self._is_mistagged(token)
        )

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
        if token.tag == "NNS":
            opening = self.dependents(token, "mark", "advmod")
            may_be_verb = token.dep in {"advcl", "ccomp"}
            return may_be_verb and any(word.dep == "mark" or word.tag == "WRB" for word in opening)
        if token.index in self._presents:
            return True
        if not self.subjects(token):
            return False
        return token.dep != "ccomp" or bool(self.dependents(token, "mark"))

    def _find_presents(self) -> set[int]:
        """The bare forms without an auxiliary that follow a present tense.

        As in "roofs absorb light and release it", where the last is taken for a bare form, and
        "waves hit the coast and break the rocks", where the first is taken for a past.
        """
        presents: set[int] = set()
        for token in self._coordinated:
            if token.tag == "VB" and not self.has_auxiliary(token):
                before = self.parent(token)
                is_past_in_form = before.tag == "VBD" and before.lemma == before.text.lower()
                if before.tag == "VBP" or is_past_in_form or before.index in presents:
                    presents.add(token.index)
        return presents

    def _find_commands(self) -> set[int]:
        """The imperatives, and what is coordinated with them."""
        root = self.tokens[self.root]
        commands = set()
        if (
            root.tag == "VB"
            and all(aux.lemma == "do" for aux in self.auxiliaries(root))
            and not self.subjects(root)
        ):
            commands.add(self.root)
        for token in self._coordinated:
            if token.tag == "VB" and token.head in commands:
                commands.add(token.index)
        return commands

    def _find_first_conjuncts(self) -> dict[int, int]:
        """For tokens that share subject and auxiliary with another, the first one of these."""
        first: dict[int, int] = {}
        for token in self._coordinated:
            if not self.subjects(token) and not self.has_auxiliary(token):
                first[token.index] = first.get(token.head, token.head)
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


def _heads_untensed_clause(tree: Tree, token: Token) -> bool:
    """Whether a verb that is not tensed heads a clause that may be cut off all the same."""
    if token.dep in COORDINATED:
        return _shares_an_auxiliary(tree, token)
    if token.dep == "acl":  # "the heat stored in walls"
        return _is_participle(tree, token)
    return token.dep == "advcl" and _is_adverbial(tree, token)


def _is_adverbial(tree: Tree, token: Token) -> bool:
    """A participle that a comma sets off from its clause, or that has a conjunction or subject."""
    if not _is_participle(tree, token):
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
    if not token.tag.startswith("VB"):
        return False
    first, before = tree.first_conjunct(token), tree.parent(token)
    return (
        first is not token
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
_CLAUSAL = _CUTTABLE | frozenset(("csubj", "csubjpass"))
_OF_NOUNS = frozenset(("relcl", "acl"))
_IN_NOUN_PHRASE = frozenset(("prep", "pobj", "conj", "appos"))
_NOUNS = frozenset(("NOUN", "PROPN", "PRON"))
_QUOTES = frozenset(('"', "'", "\u201c", "\u201d", "\u2018", "\u2019", "\u00ab", "\u00bb"))
_ROUND_BRACKETS = frozenset("()")
_VERB_GROUP = frozenset(("aux", "auxpass", "neg"))


class Analysis(NamedTuple):
    """A tree, and for each token the head of the innermost clause that it belongs to.

    ``heads_downwards`` are these heads, each after the one that it hangs on. Those that are not
    among the ``tensed`` head a clause that may be cut off all the same, or are the root.
    """

    tree: Tree
    clause: Sequence[int]
    heads_downwards: Sequence[Token]
    tensed: Collection[int]

    def heads(self) -> list[Token]:
        """The heads of the clauses: the root, then the others in order."""
        root, *others = self.heads_downwards
        return [root, *sorted(others, key=attrgetter("index"))]

    def head_over(self, token: Token) -> Token:
        """The head of the clause that a token hangs on."""
        return self.tree.tokens[self.clause[token.head]]

    def subject(self, head: Token) -> Words:
        """The words of a clause's own subject."""
        words = 0
        for top in self.tree.subjects(head):
            words |= self.phrase(top)
        return words

    def of_which(self, noun: Token) -> Token:
        """The noun that this one is a part of: "the lack of trees that give shade"."""
        while noun.dep == "pobj" and self.tree.parent(noun).lemma == "of":
            above = self.tree.parent(self.tree.parent(noun))
            if above.pos not in _NOUNS:
                break
            noun = above
        return noun

    def phrase(self, top: Token) -> Words:
        """The words under a token, without the clauses in it."""
        clause = self.clause[top.index]
        within, words = [top], 0
        for token in within:
            words |= 1 << token.index
            children = self.tree.children(token)
            within += [child for child in children if self.clause[child.index] == clause]
        return words


def is_one_clause(tokens: Sequence[Token]) -> bool:
    """Whether nothing hangs by a label of what may be cut off, so that there is nothing to find."""
    return not any(token.dep in _CUTTABLE for token in tokens)


def analyse(tokens: Sequence[Token]) -> Analysis:
    """The clauses, with the subjects that the parser lost given back to their verbs."""
    mended = _out_of_quotations(tokens)
    analysis = _analyse(Tree(mended))
    tokens = [*mended]
    for head in analysis.heads()[1:]:
        noun = _lost_subject(analysis, head)
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
    clause = [tree.root] * len(tree.tokens)
    anchors = _anchors_of_bracketed(tree.tokens)
    root = tree.tokens[tree.root]
    heads, kept = [root], set()
    tensed = {tree.root} if tree.is_tensed(root) else set()
    for token in tree.downwards[1:]:
        index, head = token.index, token.head
        clause[index] = clause[head]
        is_nested, is_tensed = head in kept, False
        if token.dep in _CLAUSAL:
            is_tensed = tree.is_tensed(token)
            may_be_cut = _leaves_definition if is_nested else _may_be_cut
            if index not in anchors and may_be_cut(tree, token, is_tensed=is_tensed):
                clause[index] = index
                heads.append(token)
                if is_tensed:
                    tensed.add(index)
                continue
        if is_nested or is_tensed:
            kept.add(index)
    for index, anchor in anchors.items():
        clause[index] = clause[anchor]
    return Analysis(tree, clause, heads, tensed)


def _anchors_of_bracketed(tokens: Sequence[Token]) -> dict[int, int]:
    """For each token in round brackets the one before them: "takes up space (see Fig. 2)".

    Not where something outside hangs on a word inside ("hotter (it is a problem) because roofs
    are dark", misread): a clause would come to govern itself.
    """
    anchors: dict[int, int] = {}
    opening: int | None = None
    for token in [token for token in tokens if token.text in _ROUND_BRACKETS]:
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


def _may_be_cut(tree: Tree, token: Token, *, is_tensed: bool) -> bool:
    return (
        token.dep in _CUTTABLE
        and (is_tensed or _heads_untensed_clause(tree, token))
        and not _is_in_subject(tree, token)
        and not _defines(tree, token)
        and not _shares_its_object(tree, token)
    )


def _shares_its_object(tree: Tree, token: Token) -> bool:
    """As in "they collected and analyzed the data": nothing stands between the two verbs."""
    if token.dep not in COORDINATED:
        return False
    return all(each.dep == "cc" for each in tree.tokens[token.head + 1 : token.index])


def _leaves_definition(tree: Tree, token: Token, *, is_tensed: bool) -> bool:
    if not is_tensed or not _defines(tree, tree.parent(token)):
        return False
    subjects = tree.subjects(token)
    if token.dep == "advcl":
        return any(subject.pos != "PRON" for subject in subjects)
    return token.dep in COORDINATED and not subjects


def _is_in_subject(tree: Tree, token: Token) -> bool:
    return (
        token.dep in _OF_NOUNS
        and _phrase(tree, token).dep in SUBJECTS
        and _is_restrictive(tree, token)
    )


def _defines(tree: Tree, token: Token) -> bool:
    """Whether it says what the subject of the verb "to be" is; "which" only adds to that."""
    if token.dep not in _OF_NOUNS:
        return False
    noun = _phrase(tree, token)
    if noun.dep != "attr" or all(
        subject.dep == "expl" for subject in tree.subjects(tree.parent(noun))
    ):
        return False
    is_complement = token.dep == "acl" and tree.is_tensed(token)  # "the notion that it is lost"
    is_added = is_complement or tree.first(token).lemma == "which"
    return not is_added and _is_restrictive(tree, token)


def _is_restrictive(tree: Tree, token: Token) -> bool:
    """Whether a clause describes its noun without a comma before it."""
    return token.dep in _OF_NOUNS and not tree.is_set_off(token)


def _phrase(tree: Tree, token: Token) -> Token:
    """The head of the whole noun phrase that a relative clause stands in."""
    noun = tree.parent(token)
    while noun.dep in _IN_NOUN_PHRASE:
        noun = tree.parent(noun)
    return noun


def _lost_subject(analysis: Analysis, verb: Token) -> Token | None:
    """The noun just before a clause without subject, where the parser took it for an object.

    Frequent where a comma or a full stop is missing: "of motion and potential [energy is]".
    """
    tree = analysis.tree
    if verb.dep in _OF_NOUNS or verb.index not in analysis.tensed or tree.subjects(verb):
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

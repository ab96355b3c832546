"""Which verbs head a clause that may be cut off, and which words belong to it.

A tensed clause is kept in its noun phrase where the phrase makes no sense without it: in a
subject ("things that move", "the fact that roofs are dark") and in a definition ("energy is a
power that moves things"). Only a second half can leave a definition: "matter is what has mass |
and takes up space".
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grading.pyramid.segmentation.tree import COORDINATED, SUBJECTS, Tree
from grading.pyramid.segmentation.untensed import is_told
from grading.pyramid.structures import Token

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
            mended[noun.index] = replace(noun, head=head.index, dep="nsubj")
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
            mended[token.index] = replace(token, head=saying.index)
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
            if opening > 0 and not _holds_outsiders(tokens, inside):
                anchors |= dict.fromkeys(inside, opening - 1)
            opening = None
    return anchors


def _holds_outsiders(tokens: Sequence[Token], inside: range) -> bool:
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
        and (tree.is_tensed(token) or is_told(tree, token))
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

"""What denies a clause, limits it or makes it conditional, in the clause itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grading.pyramid.contradictions.vocabulary import (
    AMOUNTS,
    CERTAINTIES,
    CHANCES,
    CONDITIONS,
    DENYING_ADVERBS,
    DENYING_DETERMINERS,
    DENYING_PRONOUNS,
    FEW,
    LESS,
    LESSENING,
    LIMITING,
    LIMITS,
    MANY,
    NEARLY_NONE,
    ONLY,
    THINKING,
)
from grading.pyramid.structures import Token

# A parsed sentence as a tree: children and small letters of each token.

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
        return {self.words[below] for below in self.subtree(place)}

    def downwards(self) -> list[int]:
        """All tokens, heads before what hangs on them."""
        order = [place for place, token in enumerate(self.tokens) if token.head == place]
        for place in order:
            order.extend(self.children[place])
        return order


_ARGUMENTS = SUBJECTS | frozenset(("dobj", "dative", "attr", "pobj", "agent", "npadvmod", "oprd"))
_PREPOSITIONS = frozenset(("prep", "agent", "dative"))
_CLAUSES = frozenset(("ccomp", "xcomp", "advcl", "acl", "relcl", "pcomp", "csubj", "csubjpass"))
_FINITE = ("VBZ", "VBP", "VBD", "MD")
_AUXILIARIES = frozenset(("aux", "auxpass"))
_CONJUNCTS = frozenset(("conj", "ccomp", "parataxis"))
_MODIFIERS = frozenset(("amod", "compound", "nmod", "det"))

# --- denials in a clause ---


def denials_of_clause(tree: Tree, place: int) -> Iterator[int]:
    """The tokens that deny a clause in the clause itself."""
    if tree.tokens[place].pos in ("NOUN", "PROPN", "PRON"):
        yield from _of_argument(tree, place)
    for child in tree.children[place]:
        token = tree.tokens[child]
        if token.dep in COMPLEMENTS:
            yield from (
                grandchild
                for grandchild in tree.children[child]
                if _is_denial(tree, grandchild, child)
            )
            if tree.words[child] == "free" and tree.has_child(child, frozenset(("of", "from"))):
                yield child  # "is free of tax": there is none on it
        if _is_denial(tree, child, place):
            yield child
        elif token.dep in _ARGUMENTS:
            yield from _of_argument(tree, child)
            yield from _neither_of(tree, child, place)
        elif token.dep in _PREPOSITIONS:
            for noun in tree.with_dep(child, frozenset(("pobj",))):
                yield from _of_argument(tree, noun)


def _neither_of(tree: Tree, noun: int, verb: int) -> Iterator[int]:
    """The "neither" between a subject and its verb, which the parser hangs on the subject."""
    for child in tree.with_dep(noun, frozenset(("appos",))):
        if noun < child < verb and tree.words[child] == "neither":
            yield child


def _of_argument(tree: Tree, noun: int) -> Iterator[int]:
    denial = denying_word(tree, noun)
    if denial is not None:
        yield denial


def _is_denial(tree: Tree, place: int, head: int) -> bool:
    word = tree.words[place]
    if word == "no" and tree.tokens[head].pos == "VERB":  # "no denying"
        return True
    if word in ("longer", "more"):
        return any(tree.words[child] == "no" for child in tree.children[place])
    if word == "little" and tree.dep(place) == "advmod":
        return not tree.has_child(place, frozenset(("a", "so", "too")))
    if word not in DENYING_ADVERBS or tree.dep(place) in ("det", "cc", "intj"):
        return word == "nor" and tree.dep(place) == "preconj"
    return not (place > head and tree.words[place - 1] == ",")


def has_instead(tree: Tree, clause: int, denial: int) -> bool:
    """ "Not from ships but from rivers": the clause affirms something else."""
    for place in tree.subtree(clause, _CLAUSES):
        if tree.words[place] == "but" and tree.dep(place) == "cc" and place > denial:
            head = tree.head(place)
            others = [conjunct for conjunct in tree.with_dep(head, _CONJUNCTS) if conjunct > place]
            if head != clause and all(
                tree.tokens[other].pos not in ("VERB", "AUX") for other in others
            ):
                return True
    return False


def is_beside(tree: Tree, place: int, clause: int) -> bool:
    """ "Bacteria but not viruses", "worse, not better": one of several things is denied."""
    if place == 0:
        return False
    head = tree.head(place)
    follows = head < place and tree.tokens[head].pos not in ("AUX", "VERB")
    if (
        tree.words[place - 1] not in (",", "but", "and", "(", "-", "\u2013", "\u2014")
        and not follows
    ):
        return False
    while head != tree.head(head) and tree.dep(head) not in _CLAUSES:
        if head == clause:
            break
        head = tree.head(head)
    nearby = tree.tokens[place : place + 3]
    return head == clause and not any(token.pos in ("VERB", "AUX") for token in nearby)


def denying_word(tree: Tree, noun: int) -> int | None:
    """The word that says that there is none, or little, of a noun."""
    word = tree.words[noun]
    if word in DENYING_PRONOUNS or (word in FEW and not _has_article(tree, noun)):
        return noun
    if tree.lemma(noun) in CERTAINTIES:
        return None
    below = (
        grandchild
        for child in tree.with_dep(noun, _MODIFIERS)
        for grandchild in tree.children[child]
    )
    denying = (word for word in (*tree.children[noun], *below) if _denies_noun(tree, noun, word))
    return next(denying, None)


def _denies_noun(tree: Tree, noun: int, word: int) -> bool:
    said = tree.words[word]
    if said in DENYING_DETERMINERS:
        return tree.dep(word) in ("det", "neg", "preconj", "cc")
    if said in FEW:
        return tree.head(word) == noun and _is_scarce(tree, noun, word)
    not_many = said == "not" and tree.words[tree.head(word)] in ("many", "much", "enough")
    any_at_all = said == "any" and tree.has_child(word, NEARLY_NONE)
    return said == "zero" or said in NEARLY_NONE or not_many or any_at_all


def _is_scarce(tree: Tree, noun: int, word: int) -> bool:
    """ "Few bees", "little heat"; not "a few bees", "the little bees", "too few"."""
    is_plain = not tree.children[word] or tree.words[word + 1 : word + 3] == ("or", "no")
    plain = is_plain and not _has_article(tree, noun)
    return plain and (tree.words[word] == "few" or tree.tokens[noun].tag == "NN")


def _has_article(tree: Tree, noun: int) -> bool:
    return any(
        tree.dep(child) in ("det", "poss") and tree.words[child] != "no"
        for child in tree.children[noun]
    )


def is_limited(tree: Tree, denial: int) -> bool:
    """Whether a denial leaves room: "not only", "not all", "nothing but", "no less than"."""
    following = tree.words[denial + 1 : denial + 2]
    return any(word in LIMITING or word == "but" for word in following)


def has_limit(tree: Tree, place: int, *, is_denied: bool) -> bool:
    """Whether the clause says something of a part of the cases only."""
    for child in tree.children[place]:
        if child < place and "only" in _openers(tree, child):
            return True
        if tree.dep(child) == "dobj" and _is_little_of(tree, child):
            return True
        if is_denied and (tree.words[child] == "much" or "same" in tree.subtree_words(child)):
            return True
        if tree.dep(child) in ("advcl", "prep"):
            opens = {
                tree.words[child],
                *(tree.words[grandchild] for grandchild in tree.children[child]),
            }
            if tree.words[first_token(tree, child)] == "only" or "unless" in opens:
                return True
    return False


def _is_little_of(tree: Tree, noun: int) -> bool:
    """ "Reflects only a twentieth": how much is said, and that it is little; not "only light"."""
    words = tree.subtree_words(noun)
    is_amount = words & AMOUNTS or any(tree.tokens[at].pos == "NUM" for at in tree.subtree(noun))
    return bool(is_amount) and tree.words[first_token(tree, noun)] in ONLY


def limits_of(tree: Tree, place: int) -> frozenset[str]:
    """The "until", "before", "enough" or "anymore" of a clause, and "less" for what is less."""
    limits: set[str] = set()
    for child in tree.children[place]:
        words = {child, *tree.children[child]}
        spoken = {tree.words[word] for word in words}
        if tree.dep(child) in ("advcl", "prep"):
            limits |= LIMITS & spoken
        limits |= spoken & {"enough", "anymore"}
        too_little = any(
            tree.words[word] == "little" and tree.has_child(word, frozenset(("too",)))
            for word in words
        )
        if spoken & LESSENING or too_little:
            limits.add(LESS)
    return frozenset(limits)


def _openers(tree: Tree, child: int) -> set[str]:
    """The word, or those of a subject: "only one", "it only"."""
    subject = tree.dep(child) in SUBJECTS
    return tree.subtree_words(child) if subject else {tree.words[child]}


def is_conditional(tree: Tree, place: int) -> bool:
    """Whether a clause holds under a condition only."""
    for child in tree.children[place]:
        word, dep = tree.words[child], tree.dep(child)
        if dep == "aux" and word in ("would", "'d"):
            return True
        if dep == "prep" and word == "without":
            return True
        if dep == "advcl":
            openers = {tree.words[opener] for opener in tree.children[child] if opener < child}
            if openers & CONDITIONS and "even" not in openers:
                return True
    return False


# --- small questions ---


def is_many(tree: Tree, noun: int) -> bool:
    """Whether a noun is said to be many, or plenty."""
    if any(
        tree.words[child] in MANY and tree.dep(child) in ("amod", "det", "nummod")
        for child in tree.children[noun]
    ):
        return not any(tree.words[child] == "not" for child in tree.children[noun])
    above = tree.head(noun)
    return tree.words[above] == "of" and tree.words[tree.head(above)] in MANY


def is_there(tree: Tree, noun: int) -> bool:
    """Whether a noun is what "there is"."""
    above = tree.head(noun)
    return (
        tree.lemma(above) == "be"
        and tree.dep(noun) == "attr"
        and any(tree.dep(child) == "expl" for child in tree.children[above])
    )


def is_instead(tree: Tree, preposition: int) -> bool:
    """Whether a preposition is that of "instead of" or "rather than"."""
    before = tree.words[max(preposition - 2, 0) : preposition]
    return tree.words[preposition] == "instead" or "instead" in before or "rather" in before


def denies_locally(tree: Tree, place: int) -> bool:
    """Whether a word denies only what follows it."""
    return tree.words[place] in ("without", "instead", "rather")


def is_finite(tree: Tree, place: int) -> bool:
    """Whether a verb has a tense, by itself or by an auxiliary."""
    return tree.tokens[place].tag in _FINITE or any(
        tree.tokens[child].tag in _FINITE for child in tree.with_dep(place, _AUXILIARIES)
    )


def has_that(tree: Tree, noun: int) -> bool:
    """ "Evidence that", also where its clause is taken for a relative one."""
    return tree.lemma(noun) in CHANCES | THINKING and tree.words[noun + 1 : noun + 2] == ("that",)


def has_mark(tree: Tree, place: int) -> bool:
    """Whether a clause begins with "that", "because" or another mark."""
    return any(tree.dep(child) == "mark" for child in tree.children[place])


def joining_words(tree: Tree, first: int, place: int) -> set[str]:
    """The "or" or "but" that joins a conjunct to what is before it."""
    joining = [child for child in tree.children[first] if tree.dep(child) == "cc" and child < place]
    return {tree.words[child] for child in joining[-1:]}


def words_before(tree: Tree, place: int, count: int = 2) -> str:
    """The words before a token, each after a space."""
    return " " + " ".join(tree.words[max(place - count, 0) : place])


def first_token(tree: Tree, place: int) -> int:
    """The first token of what hangs on a token."""
    return min(tree.subtree(place))


def arguments_of(tree: Tree, operators: tuple[int, ...]) -> Iterator[int]:
    """The subjects and objects that the denials belong to."""
    for operator in operators:
        yield operator if tree.dep(operator) in _ARGUMENTS else tree.head(operator)

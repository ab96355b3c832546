"""Which predicates of a sentence are affirmed, and which are denied.

A predicate is a verb, or the quality or noun that a form of "be" ascribes. Its sign is the product
of the denials in its own clause ("not", "never", "no" on its subject or object) and of what
governs the clause: "fails to", "prevents … from" and "it is false that" turn it round, so two of
them cancel. What a sentence leaves open ("if", "not only", "until") has the sign 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from grading.pyramid.contradictions.clauses import (
    COMPLEMENTS,
    SUBJECTS,
    Tree,
    arguments_of,
    denials_of_clause,
    denies_locally,
    denying_word,
    first_token,
    has_instead,
    has_limit,
    has_mark,
    has_that,
    is_beside,
    is_conditional,
    is_finite,
    is_instead,
    is_limited,
    is_many,
    is_there,
    joining_words,
    limits_of,
    words_before,
)
from grading.pyramid.contradictions.vocabulary import (
    AFFIRMING_QUALITIES,
    CERTAINTIES,
    CONDITIONS,
    DENYING_NOUNS,
    DENYING_ONLY_WITH_FROM,
    DENYING_QUALITIES,
    DENYING_VERBS,
    ENDING,
    EXCLUDING,
    FEARING,
    LESS,
    THINKING,
    TIMES,
)

_ARGUMENTS = SUBJECTS | frozenset(("dobj", "dative", "attr", "pobj", "agent", "npadvmod", "oprd"))
_PREPOSITIONS = frozenset(("prep", "agent", "dative"))
_NO_PREDICATES = frozenset(("aux", "auxpass", "amod", "compound", "det", "prep", "mark", "punct"))
_CLAUSES = frozenset(("ccomp", "xcomp", "advcl", "acl", "relcl", "pcomp", "csubj", "csubjpass"))
_CONJUNCTS = frozenset(("conj", "ccomp", "parataxis"))
_BUT = frozenset(("but",))
_OF_NOUNS = frozenset(("det", "amod", "nummod"))
_DENYING_WORDS = DENYING_QUALITIES | DENYING_NOUNS


@dataclass(frozen=True, slots=True)
class Predicate:
    """A word with its sign: 1 affirmed, -1 denied, 0 left open.

    ``operators`` are the tokens that deny it, or one of its governors; ``conditional`` is what
    holds under a condition only ("if", "without", "would"); ``limits`` are "until" and "before".
    ``never`` denies under any condition.
    """

    sign: int
    conditional: bool = False
    operators: tuple[int, ...] = ()
    limits: frozenset[str] = frozenset()
    never: bool = False

    def is_comparable(self, other: "Predicate") -> bool:
        """Whether a denial of one is one of the other: "not before eight" denies "before eight"."""
        denied, affirmed = (self, other) if self.sign < 0 else (other, self)
        # Who pays less attention does not pay attention.
        is_less = LESS in affirmed.limits - denied.limits
        same = denied.sign == affirmed.sign or (denied.limits <= affirmed.limits and not is_less)
        # What never happens does not happen under a condition either.
        never = denied.never and denied.sign < affirmed.sign
        return same and (self.conditional == other.conditional or never)


_OPEN = Predicate(0)
_AFFIRMED = Predicate(1)


def _is_some(tree: Tree, operator: int) -> bool:
    """ "Earns little" is open, for who does so earns; "gives little heat" denies the heat."""
    return tree.words[operator] == "little" and tree.dep(operator) not in ("amod", "det")


def _complements(tree: Tree, place: int) -> Iterator[int]:
    for child in tree.with_dep(place, COMPLEMENTS):
        yield child
        if not tree.has_child(child, _BUT):
            yield from tree.with_dep(child, frozenset(("conj",)))


class Signs:
    """The signs of the predicates of one sentence, found when they are first needed."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[int, Predicate] = {}

    @cached_property
    def _nots(self) -> list[int]:
        words = self._tree.words
        return [place for place, word in enumerate(words) if word in ("not", "never")]

    def predicate(self, place: int) -> Predicate | None:
        """That of a clause, or of the verb that ascribes this word; None where it is neither.

        A verb before that ascribes a clause says less of it than the clause itself.
        """
        verb = self._ascribed_by(place)
        if verb is not None and (verb > place or not self.is_clause(place)):
            return self.of(verb)
        return self.of(place) if self.is_clause(place) else None

    def _ascribed_by(self, place: int) -> int | None:
        """The clause of which a word is a complement, or is joined to one: see _complements."""
        tree = self._tree
        complement = tree.head(place) if tree.dep(place) == "conj" else place
        if tree.dep(complement) not in COMPLEMENTS:
            return None
        if complement != place and tree.has_child(complement, _BUT):
            return None
        verb = tree.head(complement)
        return verb if self.is_clause(verb) else None

    def quantity(self, place: int) -> int:
        """-1 for a noun of which there are none or few, 1 for one of which there are many."""
        tree = self._tree
        if tree.tokens[place].pos not in ("NOUN", "PROPN"):
            return 0
        clause = self.clause_above(place)
        denial = denying_word(tree, place)
        if denial is not None:
            # Where the noun's denial is also that of its clause, the noun is denied once.
            above = self.of(clause)
            is_fragment = tree.tokens[clause].pos not in ("VERB", "AUX")
            return -1 if is_fragment else above.sign if denial in above.operators else -above.sign
        if is_there(tree, place):
            return self.of(clause).sign
        if is_many(tree, place):
            return max(self.of(clause).sign, 0)  # "many people do not sleep enough": there are many
        return 0

    def is_excluded(self, place: int) -> bool:
        """Whether a word of a clause is left out by "without", "against", "instead of" it."""
        tree = self._tree
        while not self.is_clause(place):
            if tree.words[place] in EXCLUDING or is_instead(tree, place):
                return True
            place = tree.head(place)
        return False

    def bears_on(self, clause: int) -> set[int]:
        """What the denial of a clause bears on: verb, complements, noun that there is none of."""
        tree, predicate = self._tree, self.of(clause)
        return {clause, *_complements(tree, clause)} | {
            tree.head(operator)
            for operator in predicate.operators
            if tree.dep(operator) in _OF_NOUNS
        }

    def is_clause(self, place: int) -> bool:
        """Whether a token heads a clause, or a fragment."""
        token = self._tree.tokens[place]
        if token.head == place or (token.dep in _CLAUSES and not token.is_punct):
            return True
        return token.pos in ("VERB", "AUX") and token.dep not in _NO_PREDICATES

    def clause_above(self, place: int) -> int:
        while not self.is_clause(place):
            place = self._tree.head(place)
        return place

    def of(self, place: int) -> Predicate:
        if place not in self._known:
            self._known[place] = self._found(place)
        return self._known[place]

    def _found(self, place: int) -> Predicate:
        context = self._context(place)
        own = self._own(place)
        return Predicate(
            context.sign * own.sign,
            context.conditional or own.conditional,
            (*context.operators, *own.operators),
            own.limits,
            own.never,
        )

    # --- within the clause ---

    def _own(self, place: int) -> Predicate:
        tree = self._tree
        operators = list(denials_of_clause(tree, place))
        if any(is_beside(tree, negation, place) for negation in self._nots):
            return _OPEN
        is_some = all(_is_some(tree, operator) for operator in operators)
        if operators and (is_some or self._is_affirmed_too(place)):
            return _OPEN
        if self._is_repeated(place) or (operators and has_instead(tree, place, min(operators))):
            return _OPEN
        conditional = is_conditional(tree, place)
        if any(is_limited(tree, operator) for operator in operators) or len(operators) > 1:
            return Predicate(0, conditional, tuple(operators))
        if has_limit(tree, place, is_denied=bool(operators)):
            return Predicate(0, conditional, tuple(operators))
        limits = limits_of(tree, place)
        never = any(tree.words[operator] == "never" for operator in operators)
        return Predicate(-1 if operators else 1, conditional, tuple(operators), limits, never)

    def _is_repeated(self, place: int) -> bool:
        """Whether the verb is said again by a mere "can": "… cannot be predicted, but … can"."""
        tree = self._tree
        return any(
            tree.tokens[child].pos == "AUX"
            and next(tree.with_dep(child, COMPLEMENTS | _PREPOSITIONS), None) is None
            for child in tree.with_dep(place, _CONJUNCTS)
        )

    def _is_affirmed_too(self, place: int) -> bool:
        """ "Does not change in size but changes into something new"."""
        tree = self._tree
        others = tree.with_dep(place, frozenset(("conj",)))
        return any(tree.lemma(other) == tree.lemma(place) for other in others)

    # --- what governs the clause ---

    def _context(self, place: int) -> Predicate:
        tree, dep = self._tree, self._tree.dep(place)
        if tree.head(place) == place:
            return _OPEN if tree.words[-1] == "?" else _AFFIRMED
        before = words_before(tree, place)
        if before in (" instead of", " rather than") or before.endswith(" without"):
            return self._once_denied(place)
        of_dependency = {
            "conj": self._of_conjunct,
            "xcomp": self._of_complement,
            "ccomp": self._of_complement,
            "csubj": self._of_complement,
            "csubjpass": self._of_complement,
            "pcomp": self._of_gerund,
            "advcl": self._of_adverbial,
            "acl": self._of_noun_clause,
            "relcl": self._of_noun_clause,
        }.get(dep)
        return of_dependency(place) if of_dependency else _AFFIRMED

    def _above(self, place: int) -> Predicate:
        return self.of(self.clause_above(self._tree.head(place)))

    def _turned(self, above: Predicate, operator: int) -> Predicate:
        return Predicate(-above.sign, above.conditional, (*above.operators, operator))

    def _once_denied(self, place: int) -> Predicate:
        above = self._above(place)
        start = next((p for p in range(place - 1, -1, -1) if denies_locally(self._tree, p)), place)
        return self._turned(above, start) if above.sign == 1 else _OPEN

    def _affirmed_below(self, above: Predicate) -> Predicate:
        """What an affirmed clause presents beside itself is affirmed; beside a denied one, open."""
        return Predicate(1, above.conditional) if above.sign == 1 else _OPEN

    def _of_conjunct(self, place: int) -> Predicate:
        tree, first = self._tree, self._tree.head(place)
        if not self.is_clause(first):
            return _AFFIRMED
        context = self._context(first)
        own = self._own(first)
        if next(tree.with_dep(place, SUBJECTS), None) is not None:
            return context if tree.dep(first) in ("xcomp", "ccomp", "advcl") else _AFFIRMED
        joined = joining_words(tree, first, place)
        if not own.operators:
            # "Fails to reflect the light and absorbs it": whether both fail is open.
            return context if context.sign >= 0 or joined & {"or", "nor"} else _OPEN
        if joined & {"or", "nor"}:
            return Predicate(context.sign * own.sign, context.conditional, own.operators)
        if joined & {"but"} or next(denials_of_clause(tree, place), None) is not None:
            return context
        shared = any(
            tree.dep(argument) in SUBJECTS for argument in arguments_of(tree, own.operators)
        )
        return _OPEN if not shared else self.of(first)

    def _denier(self, place: int) -> int | None:
        """The word at a clause that turns round what it governs: "false", "myth", "unable"."""
        tree = self._tree
        words = [place, *tree.with_dep(place, COMPLEMENTS)]
        return next((word for word in words if tree.lemma(word) in _DENYING_WORDS), None)

    def _turning_word(self, place: int, governor: int) -> int | None:
        """The word that turns round a complement: "fails", "false", "too" of "too hot to"."""
        tree = self._tree
        lemma = tree.lemma(governor)
        cannot_but = lemma == "help" and tree.has_child(place, frozenset(("but",)))
        fails = lemma in DENYING_VERBS - DENYING_ONLY_WITH_FROM and tree.dep(place) != "csubj"
        if fails or cannot_but:
            return governor
        denier = self._denier(governor)
        if denier is not None or tree.tokens[governor].pos not in ("ADJ", "ADV"):
            return denier
        return next(
            (child for child in tree.children[governor] if tree.words[child] == "too"), None
        )

    def _of_complement(self, place: int) -> Predicate:
        tree, governor = self._tree, self._tree.head(place)
        above = self._above(place)
        turning = self._turning_word(place, governor)
        if turning is not None:
            return self._turned(above, turning)
        is_marked = has_mark(tree, place)
        if tree.dep(place) == "xcomp" or not (is_finite(tree, place) or is_marked):
            return above
        if place < governor and not is_marked:
            return _AFFIRMED  # sentences joined by a comma
        words = {governor, *tree.with_dep(governor, COMPLEMENTS)}
        if {tree.lemma(word) for word in words} & FEARING:
            return _OPEN
        if {tree.lemma(word) for word in words} & (THINKING | AFFIRMING_QUALITIES):
            return above
        return self._affirmed_below(above)

    def _of_gerund(self, place: int) -> Predicate:
        tree, preposition = self._tree, self._tree.head(place)
        governor, word = tree.head(preposition), tree.words[preposition]
        if word == "from" and tree.dep(governor) in _ARGUMENTS:
            governor = tree.head(governor)  # "prevents the path from being closed"
        above = self._above(place)
        if word in ("without", "against") or is_instead(tree, preposition):
            # "They cross without paying": it is no condition for itself.
            return (
                replace(self._turned(above, preposition), conditional=False)
                if above.sign == 1
                else _OPEN
            )
        if word == "before":
            ends = tree.lemma(governor) in ENDING and above.sign == 1
            return self._turned(above, preposition) if ends else _OPEN
        if word == "from" and tree.lemma(governor) in DENYING_VERBS:
            return self._turned(above, governor)
        if tree.lemma(governor) in _DENYING_WORDS:
            return self._turned(above, governor)
        if tree.dep(governor) in COMPLEMENTS and tree.tokens[governor].pos in ("ADJ", "NOUN"):
            return above
        return self._affirmed_below(above)

    def _of_adverbial(self, place: int) -> Predicate:
        tree = self._tree
        openers = {tree.words[child] for child in tree.children[place] if child < place}
        above = self._above(place)
        if "before" in openers and tree.lemma(tree.head(place)) in ENDING and above.sign == 1:
            return self._turned(above, tree.head(place))
        if openers & (CONDITIONS | TIMES) or "soon" in words_before(tree, place, 8).split():
            return _OPEN
        if "because" in openers:  # "not because energy is created"
            return self._affirmed_below(above)
        is_clause = is_finite(tree, place) or has_mark(tree, place)
        return _AFFIRMED if is_clause else self._affirmed_below(above)

    def _of_noun_clause(self, place: int) -> Predicate:
        tree, noun = self._tree, self._tree.head(place)
        above = self._above(place)
        lemma = tree.lemma(noun)
        if lemma in CERTAINTIES:
            return _AFFIRMED
        if lemma in DENYING_NOUNS:
            return self._turned(above, noun)
        infinitive = any(tree.words[child] == "to" for child in tree.children[place])
        is_that = has_mark(tree, place) or has_that(tree, noun)
        is_relative = tree.dep(place) == "relcl" and not (infinitive or is_that)
        if is_relative:
            restricts = tree.words[first_token(tree, place) - 1] != ","
            is_denied = next(denials_of_clause(tree, place), None) is not None
            return _OPEN if restricts and is_denied else _AFFIRMED
        if lemma == "order":  # "in order to"
            return self._affirmed_below(above)
        denier = self._denier(self.clause_above(noun)) if is_that else None
        if denier is not None and tree.dep(noun) in SUBJECTS:  # "the idea that … is wrong"
            return self._turned(above, denier)
        return above if infinitive or is_that else self._affirmed_below(above)

"""Where one of two sentences denies what the other affirms."""

from collections import Counter
from collections.abc import Iterator

from grading.pyramid.contradictions.alignment import Pair
from grading.pyramid.contradictions.compared import (
    Both,
    Finding,
)
from grading.pyramid.contradictions.denials import Predicate
from grading.pyramid.contradictions.opposites import are_opposites
from grading.pyramid.contradictions.statements import Statement

_LEAST_SHARED = 2  # words in clauses of the other sign
_MUCH = 0.4  # of the experts' words, there
_CLAUSES = frozenset(("relcl", "acl"))  # left out of quotes
_MOST_QUOTED = 8  # words in a row; of longer quotes only the ends


def denied_predicates(both: Both) -> Iterator[Finding]:
    """Aligned predicates that share other words, by whether both or one of them is denied."""
    for pair in sorted(both.pairs.values(), key=lambda one: one.text):
        sign = _sign(both, pair)
        if not sign:
            continue
        topic = ("predicate", pair.text)
        if sign > 0:
            if not pair.opposite:
                yield Finding(topic)
        elif not (_cancels(both, pair) or _is_ambiguous(both, pair)):
            quote = _quoted_predicate(both.text, pair.text)
            known = _quoted_predicate(both.expert, pair.expert)
            yield Finding(topic, "opposite" if pair.opposite else "denial", quote, known)


def _sign(both: Both, pair: Pair) -> int:
    """1 where two predicates agree, -1 where one is denied, 0 where they are not comparable."""
    expert, text = both.expert, both.text
    first, second = expert.predicates.get(pair.expert), text.predicates.get(pair.text)
    if first is None or second is None or not (pair.says_the_same or pair.opposite):
        return 0
    sign = first.sign * second.sign * pair.sign * (-1 if pair.opposite else 1)
    if not sign or not first.is_comparable(second) or not _is_one_verb(both, pair):
        return 0
    if _denies_comparison(expert, first, second) or _denies_comparison(text, second, first):
        return 0
    is_light = expert.is_light(pair.expert) or text.is_light(pair.text)
    if is_light and not (pair.same_stem or pair.opposite):
        return 0
    if pair.opposite and (expert.is_degree(pair.expert) or text.is_degree(pair.text)):
        return 0  # "lower than" and "higher than" are judged by their sides
    return sign if both.shared(pair) > is_light else 0


def _is_one_verb(both: Both, pair: Pair) -> bool:
    """ "Give off" is another verb than "give"; "pass" and "pass on" are one."""
    particles = both.expert.particle(pair.expert), both.text.particle(pair.text)
    is_other = particles[0] != particles[1] and (
        all(particles) or both.expert.is_light(pair.expert)
    )
    return not (pair.same_stem and is_other)


def _denies_comparison(statement: Statement, predicate: Predicate, other: Predicate) -> bool:
    """Whether a denial is one of a comparison, which is judged by its sides."""
    return predicate.sign < other.sign and any(
        statement.predicates.get(comparison.clause) == predicate
        for comparison in statement.comparisons
    )


def _cancels(both: Both, predicate: Pair | None = None) -> bool:
    """Whether opposites in the two sentences turn the denial round once more.

    "Not connected to the positive pole", "connected to the negative pole".
    """
    pairs, expert, text = both.pairs, both.expert, both.text
    same = {pair.text for pair in pairs.values() if pair.same_stem}
    return any(
        are_opposites(expert.stems[first], text.stems[second])
        for first in expert.content
        if first not in pairs or not pairs[first].same_stem
        for second in text.content
        if second not in same
        if predicate is None or (first, second) != (predicate.expert, predicate.text)
    )


def _is_ambiguous(both: Both, pair: Pair) -> bool:
    return both.expert.is_ambiguous(pair.expert) or both.text.is_ambiguous(pair.text)


def _quoted_predicate(statement: Statement, place: int) -> str:
    """A predicate with what denies it: "cannot pass"."""
    predicate = statement.predicates.get(place)
    operators = predicate.operators if predicate else ()
    first, last = min(place, *operators, place), max(place, *operators, place)
    if last - first >= _MOST_QUOTED:
        return statement.quoted({first, last, place})
    if operators and first > 0 and statement.tokens[first - 1].dep == "aux":
        first -= 1
    return statement.quoted(range(first, last + 1))


def denied_clauses(both: Both) -> Iterator[Finding]:
    """Words of an affirmed clause of the experts and a denied one of the text, or vice versa.

    All that the denial bears on must be aligned: "the heat does not escape" does not deny "the
    heat is caught", but "energy is not a property" denies "a property is energy".
    """
    expert, text = both.expert, both.text
    signs: dict[int, Counter[tuple[int, int]]] = {-1: Counter(), 0: Counter(), 1: Counter()}
    for pair in both.pairs.values():
        clauses = expert.clauses[pair.expert], text.clauses[pair.text]
        signs[_clause_sign(both, pair)][clauses] += 1
    differing = signs[-1]
    # Two denials agree only where they deny the same: "does not trap gas", "gas cannot escape".
    agreeing = sum(
        count
        for (first, second), count in signs[1].items()
        if expert.clause(first).sign > 0 or _bears_on_aligned(both, first, second)
    )
    if agreeing and agreeing >= differing.total():
        yield Finding(("clauses", 0))
    elif differing and not agreeing:
        (first, second), count = max(differing.items(), key=lambda item: (item[1], item[0]))
        enough = count >= max(_LEAST_SHARED, _MUCH * len(expert.content))
        if enough and _bears_on_aligned(both, first, second) and not _cancels(both):
            quote, known = quoted_clause(text, second), quoted_clause(expert, first)
            yield Finding(("clauses", 0), "denial", quote, known)


def _clause_sign(both: Both, pair: Pair) -> int:
    if not (pair.says_the_same or pair.opposite) or _is_ambiguous(both, pair):
        return 0
    places = both.expert.clauses[pair.expert], both.text.clauses[pair.text]
    first, second = both.expert.clause(places[0]), both.text.clause(places[1])
    if not first.is_comparable(second):
        return 0
    if _denies_comparison(both.expert, first, second) or _denies_comparison(
        both.text, second, first
    ):
        return 0
    return first.sign * second.sign * pair.sign * (-1 if pair.opposite else 1)


def _bears_on_aligned(both: Both, first: int, second: int) -> bool:
    """Whether the words that the denial bears on are aligned with words of the other clause."""
    expert, text = both.expert, both.text
    aligned = [
        pair
        for pair in both.pairs.values()
        if (expert.clauses[pair.expert], text.clauses[pair.text]) == (first, second)
        and not pair.opposite
    ]
    if expert.clause(first).sign < 0:
        denied, there = expert.denied_words(first), {pair.expert for pair in aligned}
        return denied <= there and not any(map(expert.is_ambiguous, denied))
    denied, there = text.denied_words(second), {pair.text for pair in aligned}
    return denied <= there and not any(map(text.is_ambiguous, denied))


def quoted_clause(statement: Statement, clause: int) -> str:
    words = sorted({clause, *statement.denied_words(clause)} & statement.focus)
    if clause in statement.predicates:
        return _quoted_predicate(statement, max(words))
    return statement.quoted(words or statement.content[:_MOST_QUOTED])


def denied_quantities(both: Both) -> Iterator[Finding]:
    """Things of which one side says that there are none or few, the other that there are many."""
    expert, text = both.expert, both.text
    for pair in both.pairs.values():
        sign = expert.quantities.get(pair.expert, 0) * text.quantities.get(pair.text, 0)
        if not sign or not pair.same_stem or not both.shared(pair):
            continue
        topic = ("quantity", pair.text)
        if sign > 0:
            yield Finding(topic)
        else:
            first, second = _phrase(expert, pair.expert), _phrase(text, pair.text)
            yield Finding(topic, "denial", *both.quoted(first, second))


def exclusions(both: Both) -> Iterator[Finding]:
    """ "Without light" where the experts say "with light", beside the same verb."""
    expert, text = both.expert, both.text
    if not expert.excluded and not text.excluded:
        return
    for pair in both.pairs.values():
        first, second = expert.clauses[pair.expert], text.clauses[pair.text]
        verb = both.pairs.get(first)
        differ = (pair.expert in expert.excluded) != (pair.text in text.excluded)
        same_verb = verb is not None and verb.text == second and verb.same_stem
        signs = min(expert.clause(first).sign, text.clause(second).sign)
        is_clear = pair.same_stem and not _repeats(expert, pair.expert, text, pair.text)
        if differ and same_verb and is_clear and signs > 0 and both.shared(pair):
            quote, known = _excluded_phrase(text, pair.text), _excluded_phrase(expert, pair.expert)
            yield Finding(("exclusion", pair.text), "denial", quote, known)


def _repeats(expert: Statement, first: int, text: Statement, second: int) -> bool:
    """Whether a word is said twice in a sentence, so that it may be both in and out."""
    return any(
        len(statement.by_stem.get(stem, ())) > 1
        for statement, place in ((expert, first), (text, second))
        for stem in statement.stems[place]
    )


def _excluded_phrase(statement: Statement, place: int) -> str:
    """A word with the preposition before it."""
    tree, first = statement.tree, place
    while tree.dep(first) not in ("prep", "ROOT") and statement.clauses[place] != tree.head(first):
        first = tree.head(first)
    return statement.quoted(range(min(first, place), place + 1))


def _phrase(statement: Statement, noun: int) -> Iterator[int]:
    """A noun with what describes it, and with the "plenty of" before it."""
    above = statement.tree.head(noun)
    is_of = statement.tree.words[above] == "of"
    return statement.tree.subtree(statement.tree.head(above) if is_of else noun, _CLAUSES)

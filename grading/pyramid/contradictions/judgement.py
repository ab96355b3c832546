"""Whether a sentence denies an idea that the experts state."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product

from grading.pyramid.contradictions.denials import Predicate
from grading.pyramid.contradictions.grounds import (
    LEAST_SHARED_BY_CLAUSES,
    MUCH,
    may_conflict,
)
from grading.pyramid.contradictions.numbers import TIME, Number, numbers_agree, other_things
from grading.pyramid.contradictions.relations import Comparison, Direction, Relation, contrary_kinds
from grading.pyramid.contradictions.statements import Pair, Statement, align
from grading.pyramid.contradictions.vocabulary import DENIALS, OPPOSITE_PREPOSITIONS, are_opposites

# A contributor beside a sentence, and what is found where both say something.


@dataclass(frozen=True, slots=True)
class Finding:
    """What a contributor and the text say of the same thing.

    ``topic`` is a place of the text in one respect: where one contributor agrees, what another
    says differently is no conflict. ``kind`` is "" for what agrees.
    """

    topic: tuple[str, int]
    kind: str = ""
    said: str = ""
    known: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Both:
    """A contributor, a sentence of the text, and their aligned words."""

    expert: Statement
    text: Statement
    pairs: Mapping[int, Pair]

    def shared(self, pair: Pair) -> int:
        """How many other words the two have in common within two steps of these."""
        near, there = self.expert.near[pair.expert], self.text.near[pair.text]
        return sum(
            place in near and other.text in there and other.sign > 0 and not other.opposite
            for place, other in self.pairs.items()
        )

    def crossing(self, first: frozenset[int], second: frozenset[int]) -> int:
        """How many of the first words are the same as some of the second."""
        pairs = self.pairs
        return sum(
            place in pairs and pairs[place].says_the_same and pairs[place].text in second
            for place in first
        )

    def has_changed_places(self, relation: Relation, other: Relation) -> bool:
        """Whether who does it is to whom it was done, and the one who did it is nowhere else.

        "The state pays farmers", "farmers pay the damage".
        """
        if not self.crossing(relation.objects, other.agents):
            return False
        if self.crossing(relation.agents, other.objects):
            return True
        is_there = any(place in self.pairs for place in relation.agents)
        is_object = self.text.has_object(other.verb) and self.expert.has_object(relation.verb)
        return is_object and not is_there

    def quoted(self, first: Iterable[int], second: Iterable[int]) -> tuple[str, str]:
        """What the text says, and what the experts say."""
        return self.text.quoted(second), self.expert.quoted(first)


# Where one of two sentences denies what the other affirms.

_CLAUSES = frozenset(("relcl", "acl"))  # left out of quotes
_MOST_QUOTED = 8  # words in a row; of longer quotes only the ends


def denied_predicates(both: Both) -> Iterator[Finding]:
    """Aligned predicates that share other words, by whether both or one of them is denied."""
    for pair in sorted(both.pairs.values(), key=lambda pair: pair.text):
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
    first, second = expert.predicate(pair.expert), text.predicate(pair.text)
    if first is None or second is None or not (pair.says_the_same or pair.opposite):
        return 0
    sign = first.sign * second.sign * pair.sign * (-1 if pair.opposite else 1)
    if not sign or not _are_comparable(both, pair, first, second):
        return 0
    if sign < 0 and _have_same_operators(both, first, second):
        return 0
    is_light = expert.is_light(pair.expert) or text.is_light(pair.text)
    return sign if both.shared(pair) > is_light else 0


def _are_comparable(both: Both, pair: Pair, first: Predicate, second: Predicate) -> bool:
    expert, text = both.expert, both.text
    if not first.is_comparable(second) or not _is_one_verb(both, pair):
        return False
    if _are_fragments(both, pair):
        return False
    if _denies_comparison(expert, first, second) or _denies_comparison(text, second, first):
        return False
    is_light = expert.is_light(pair.expert) or text.is_light(pair.text)
    is_degree = expert.is_degree(pair.expert) or text.is_degree(pair.text)
    if pair.opposite:
        return not is_degree  # "lower than" and "higher than" are judged by their sides
    return pair.same_stem or not is_light


def _are_fragments(both: Both, pair: Pair) -> bool:
    """Lists such as "no loss, no duplication" tell too little of what denies what."""
    return both.expert.is_fragment(pair.expert) and both.text.is_fragment(pair.text)


def _have_same_operators(both: Both, first: Predicate, second: Predicate) -> bool:
    """Whether the same words deny both, so that they hardly differ."""
    words = {both.expert.tree.words[place] for place in first.operators}
    return bool(words) and words == {both.text.tree.words[place] for place in second.operators}


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
        statement.predicate(comparison.clause) == predicate for comparison in statement.comparisons
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


def _product_of_signs(first: Predicate | None, second: Predicate | None) -> int:
    return first.sign * second.sign if first and second else 0


def _is_ambiguous(both: Both, pair: Pair) -> bool:
    return both.expert.is_ambiguous(pair.expert) or both.text.is_ambiguous(pair.text)


def _quoted_predicate(statement: Statement, place: int) -> str:
    """A predicate with what denies it: "cannot pass"."""
    predicate = statement.predicate(place)
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
        enough = count >= max(LEAST_SHARED_BY_CLAUSES, MUCH * len(expert.content))
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
    if _are_fragments(both, pair):
        return 0
    if _denies_comparison(both.expert, first, second) or _denies_comparison(
        both.text, second, first
    ):
        return 0
    if _have_same_operators(both, first, second) and first.sign * second.sign < 0:
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
    if statement.predicate(clause):
        return _quoted_predicate(statement, max(words))
    return statement.quoted(words or statement.content[:_MOST_QUOTED])


def denied_quantities(both: Both) -> Iterator[Finding]:
    """Things of which one side says that there are none or few, the other that there are many."""
    expert, text = both.expert, both.text
    for pair in both.pairs.values():
        sign = expert.quantity(pair.expert) * text.quantity(pair.text)
        if not sign or not pair.same_stem or not both.shared(pair):
            continue
        if _are_fragments(both, pair):
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


def opposite_prepositions(both: Both) -> Iterator[Finding]:
    """ "To England" where the experts say "from England", beside something else that they share."""
    expert, text = both.expert, both.text
    for pair in both.pairs.values():
        first, second = expert.preposition(pair.expert), text.preposition(pair.text)
        is_clear = pair.same_stem and not _repeats(expert, pair.expert, text, pair.text)
        if not (first and second and is_clear and both.shared(pair)):
            continue
        clauses = expert.clauses[pair.expert], text.clauses[pair.text]
        if min(expert.clause(clauses[0]).sign, text.clause(clauses[1]).sign) <= 0:
            continue
        topic = ("preposition", pair.text)
        words = expert.tree.words[first], text.tree.words[second]
        if words[0] == words[1]:
            yield Finding(topic)
        elif OPPOSITE_PREPOSITIONS.get(words[0]) == words[1]:
            quotes = both.quoted({first, pair.expert}, {second, pair.text})
            yield Finding(topic, "direction", *quotes)


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


# Where sides have changed places, or what increases decreases.

_LEAST_SHARED_BESIDE_COMPARATIVES = 2  # words beside comparatives


def crossed_comparisons(both: Both) -> Iterator[Finding]:
    """Comparisons of the same quality whose sides cross, or of which one is denied."""
    for comparison in both.expert.comparisons:
        for other in both.text.comparisons:
            order = _order(both, comparison, other)
            quality = _quality(both, comparison, other)
            if order < 0 and _have_more(both, comparison, other):
                quality = 1  # "gives more food than potatoes", "feed more people than wheat"
            signs = comparison.sign * other.sign
            topic = ("comparison", other.degree)
            if quality * order * signs > 0:
                yield Finding(topic)
            elif quality * order * signs < 0:
                kind = "direction" if quality < 0 else "denial" if signs < 0 else "roles"
                first, second = (
                    {*each.left, each.degree, each.quality, *each.right}
                    for each in (comparison, other)
                )
                yield Finding(topic, kind, *both.quoted(first, second))


def bare_comparisons(both: Both) -> Iterator[Finding]:
    """ "Walls would be cheaper" where the experts say that something is cheaper than walls."""
    expert, text = both.expert, both.text
    for comparison, degree in product(expert.comparisons, text.degrees):
        predicate = text.predicate(degree)
        if comparison.sign <= 0 or predicate is None or predicate.sign <= 0:
            continue
        subjects = frozenset(text.subjects_of(degree))
        is_same = expert.stems[comparison.degree] & text.stems[degree]
        if not is_same or both.crossing(comparison.left, subjects):
            continue
        if both.crossing(comparison.right, subjects):
            first = {*comparison.left, comparison.degree, *comparison.right}
            quotes = both.quoted(first, {*subjects, degree})
            yield Finding(("comparison", degree), "roles", *quotes)


def _quality(both: Both, comparison: Comparison, other: Comparison) -> int:
    """1 for the same quality, -1 for opposites, 0 for others."""
    first, second = both.expert.stems[comparison.quality], both.text.stems[other.quality]
    if first & second:
        return 1
    if are_opposites(first, second):
        return -1
    bare = comparison.quality == comparison.degree or other.quality == other.degree
    degrees = both.expert.stems[comparison.degree], both.text.stems[other.degree]
    if bare and are_opposites(*degrees):  # "kill more birds", "kill some birds, but far fewer"
        return -1
    pair = both.pairs.get(comparison.quality)
    return int(pair is not None and pair.text == other.quality and pair.says_the_same)


def _have_more(both: Both, comparison: Comparison, other: Comparison) -> bool:
    words = both.expert.tree.words[comparison.degree], both.text.tree.words[other.degree]
    return words == ("more", "more") and comparison.sign * other.sign > 0


def _order(both: Both, comparison: Comparison, other: Comparison) -> int:
    """1 where the sides are the same, -1 where both cross, 0 where neither is clear."""
    straight = both.crossing(comparison.left, other.left) + both.crossing(
        comparison.right, other.right
    )
    crossed = (
        both.crossing(comparison.left, other.right),
        both.crossing(comparison.right, other.left),
    )
    if straight and not any(crossed):
        return 1
    return -1 if all(crossed) and not straight else 0


def contrary_comparatives(both: Both) -> Iterator[Finding]:
    """ "Makes the problem smaller" where the experts say "worse", and the rest is the same."""
    expert, text = both.expert, both.text
    for first, second in product(expert.degrees, text.degrees):
        predicates = expert.predicate(first), text.predicate(second)
        same_sign = _product_of_signs(*predicates) > 0
        if same_sign and are_opposites(expert.stems[first], text.stems[second]):
            same = {pair.text for pair in both.pairs.values() if pair.says_the_same}
            if len(same) >= _LEAST_SHARED_BESIDE_COMPARATIVES and same | {second} >= set(
                text.content
            ):
                quotes = both.quoted({first}, {second})
                yield Finding(("direction of amount", 0), "direction", *quotes)


def contrary_directions(both: Both) -> Iterator[Finding]:
    """What the experts say increases, and the text decreases; or is kept, and lost."""
    expert, text = both.expert, both.text
    contrary = contrary_kinds(expert.ways, text.ways)
    if contrary and _cancels_direction(both):
        contrary = frozenset()
    same = [pair for pair in both.pairs.values() if pair.same_stem]
    same_words = {("expert", pair.expert) for pair in same} | {("text", pair.text) for pair in same}
    for first, second in product(expert.directions, text.directions):
        is_same = first.kind == second.kind and any(
            pair.expert in first.about and pair.text in second.about and pair.says_the_same
            for pair in both.pairs.values()
        )
        topic = (f"direction of {first.kind}", 0)
        if is_same and first.way == second.way:
            yield Finding(topic)
        elif same_words & {("expert", first.place), ("text", second.place)}:
            continue  # "cannot be created or destroyed", "cannot be destroyed"
        elif is_same and first.kind in contrary and first.conditional == second.conditional:
            quote, known = _quoted_direction(text, second), _quoted_direction(expert, first)
            yield Finding(topic, "direction", quote, known)


def _cancels_direction(both: Both) -> bool:
    """Whether opposite things go opposite ways: poor streets have less, rich ones more."""
    expert, text = both.expert, both.text
    if expert.comparisons and text.comparisons:
        return True  # these are judged by their sides
    moving = (
        {direction.place for direction in expert.directions},
        {direction.place for direction in text.directions},
    )
    return any(
        are_opposites(expert.stems[first], text.stems[second])
        for first in set(expert.content) - moving[0]
        for second in set(text.content) - moving[1]
    )


def _quoted_direction(statement: Statement, direction: Direction) -> str:
    """The word with what it is said of next to it."""
    clause = statement.clauses.get(direction.place)
    if clause is not None and statement.clause(clause).sign < 0:
        return quoted_clause(statement, clause)
    return statement.quoted({direction.place, *direction.about})


def crossed_relations(both: Both) -> Iterator[Finding]:
    """Verbs whose subject and object have changed places."""
    for relation in both.expert.relations:
        pair = both.pairs.get(relation.verb)
        if pair is None or not pair.says_the_same:
            continue
        have_objects = both.expert.has_object(relation.verb) and both.text.has_object(pair.text)
        if not (pair.same_stem or have_objects):
            continue  # "the plague killed half", "half died of the plague"
        for other in both.text.relations:
            if other.verb == pair.text:
                topic = ("relation", other.verb)
                if both.crossing(relation.agents, other.agents):
                    yield Finding(topic)
                elif both.has_changed_places(relation, other):
                    first, second = (
                        {*each.agents, each.verb, *each.objects} for each in (relation, other)
                    )
                    yield Finding(topic, "roles", *both.quoted(first, second))


_LEAST_SHARED_BESIDE_NUMBER = 2  # words beside a number
_MOSTLY = 0.6  # of the experts' words, beside another year


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is wrong about a sentence that seems to express an idea.

    ``kind`` is "denial", "roles", "number", "opposite" or "" where nothing is. A sentence that
    ``holds`` a denial of the idea earns nothing until a person decides; an opposite is only a
    remark, unless it says that the same thing increases and decreases. ``expert`` is the place of
    the contributor that it contradicts.
    """

    kind: str = ""
    holds: bool = False
    remark: str = ""
    expert: int | None = None


NOTHING = Judgement()


def judge(idea: Sequence[Statement], sentence: Statement) -> Judgement:
    """How a sentence contradicts the contributors of an idea; it is enough to agree with one."""
    suspects = [place for place, expert in enumerate(idea) if may_conflict(expert, sentence)]
    if not suspects:
        return _other_number(idea, sentence) or NOTHING
    findings = {place: list(findings_of(idea[place], sentence)) for place in suspects}
    conflicts = [
        (place, finding) for place in suspects for finding in findings[place] if finding.kind
    ]
    if conflicts:
        others = (expert for place, expert in enumerate(idea) if place not in findings)
        known = chain(*findings.values(), *(findings_of(expert, sentence) for expert in others))
        agreed = {finding.topic for finding in known if not finding.kind}
        conflicts = [
            (place, finding) for place, finding in conflicts if finding.topic not in agreed
        ]
    conflicts = [
        (place, finding)
        for place, finding in conflicts
        if not (_denies_alike(finding) or _is_said_by_an_expert(finding, idea, sentence))
    ]
    for kind in ("denial", "roles", "direction"):
        for place, finding in conflicts:
            if finding.kind == kind:
                return _judgement(finding, place, idea, sentence)
    different = _other_number(idea, sentence)
    if different is None and conflicts:
        place, finding = conflicts[0]
        different = _judgement(finding, place, idea, sentence)
    return different or NOTHING


def _denies_alike(finding: Finding) -> bool:
    """Whether both quotes deny by the same words: they convince nobody of a difference."""
    said, known = (DENIALS & set(words.lower().split()) for words in (finding.said, finding.known))
    return bool(said) and said == known


def _is_said_by_an_expert(finding: Finding, idea: Sequence[Statement], sentence: Statement) -> bool:
    """Whether an expert uses the word for the idea: walls "keep" heat, and "release" it later."""
    respect, place = finding.topic
    if finding.kind != "opposite" or respect != "predicate":
        return False
    predicates = (
        expert.predicate(expert.content[position])
        for expert in idea
        for stem in sentence.stems[place]
        for position in expert.by_stem.get(stem, ())
    )
    return any(predicate and predicate.sign > 0 for predicate in predicates)


def _judgement(
    finding: Finding, expert: int, idea: Sequence[Statement], sentence: Statement
) -> Judgement:
    said, known = finding.said, finding.known
    if said.lower() == known.lower():
        # The difference is in what they say it of: "faster" against "faster" tells nobody anything.
        said, known = (each.quoted(each.focus).rstrip(" .") for each in (sentence, idea[expert]))
    remark = f'The text says "{said}", the experts say "{known}".'
    kind = "opposite" if finding.kind == "direction" else finding.kind
    return Judgement(kind, finding.kind != "opposite", remark, expert)


def findings_of(expert: Statement, text: Statement) -> Iterator[Finding]:
    pairs = align(expert, text)
    both = Both(expert, text, pairs)
    yield from denied_predicates(both)
    yield from denied_clauses(both)
    yield from denied_quantities(both)
    yield from exclusions(both)
    yield from opposite_prepositions(both)
    yield from crossed_comparisons(both)
    yield from bare_comparisons(both)
    yield from crossed_relations(both)
    yield from contrary_comparatives(both)
    yield from contrary_directions(both)


# --- numbers ---


def _other_number(idea: Sequence[Statement], sentence: Statement) -> Judgement | None:
    """Another number of the same things, where no number of the experts agrees."""
    known = [(place, number) for place, expert in enumerate(idea) for number in expert.numbers]
    if not known or not sentence.numbers:
        return None
    different = [
        number
        for number in sentence.numbers
        if not any(numbers_agree(expert_number, number) for _, expert_number in known)
    ]
    unsaid = [
        (place, expert_number)
        for place, expert_number in known
        if not any(numbers_agree(expert_number, number) for number in sentence.numbers)
    ]
    for number in different:
        for place, expert_number in unsaid:
            if _counts_the_same(idea[place], sentence, expert_number, number):
                remark = f'The text says "{number.said}", the experts say "{expert_number.said}".'
                return Judgement("number", True, remark, place)
    return None


def _counts_the_same(expert: Statement, text: Statement, number: Number, other: Number) -> bool:
    if number.kind != other.kind or other_things(number, other):
        return False
    least: float = _LEAST_SHARED_BESIDE_NUMBER
    if number.kind == "year":
        least = max(least, _MOSTLY * len(expert.content))
    elif not number.about & other.about:
        return False
    shared = (expert.by_stem.keys() & text.by_stem.keys()) - TIME
    # "It takes a day, and packet yeast two hours": the number is one of its own clause.
    return len(shared) >= least and not shared.isdisjoint(text.stems_beside(other.said))

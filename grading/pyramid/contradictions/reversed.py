"""Where sides have changed places, or what increases decreases."""

from collections.abc import Iterator
from itertools import product

from grading.pyramid.contradictions.compared import (
    Both,
    Finding,
)
from grading.pyramid.contradictions.comparisons import Comparison
from grading.pyramid.contradictions.denied import (
    quoted_clause,
)
from grading.pyramid.contradictions.directions import Direction, are_contrary
from grading.pyramid.contradictions.opposites import are_opposites
from grading.pyramid.contradictions.relations import Relation
from grading.pyramid.contradictions.statements import Statement

_LEAST_SHARED = 2  # words beside comparatives


def crossed_comparisons(both: Both) -> Iterator[Finding]:
    """Comparisons of the same quality whose sides cross, or of which one is denied."""
    for comparison in both.expert.comparisons:
        for other in both.text.comparisons:
            quality = _quality(both, comparison, other)
            order = _order(both, comparison, other)
            signs = comparison.sign * other.sign
            topic = ("comparison", other.degree)
            if quality * order * signs > 0:
                yield Finding(topic)
            elif quality * order * signs < 0:
                kind = "opposite" if quality < 0 else "denial" if signs < 0 else "roles"
                first, second = (
                    {*each.left, each.degree, each.quality, *each.right}
                    for each in (comparison, other)
                )
                yield Finding(topic, kind, *both.quoted(first, second))


def _quality(both: Both, comparison: Comparison, other: Comparison) -> int:
    """1 for the same quality, -1 for opposites, 0 for others."""
    first, second = both.expert.stems[comparison.quality], both.text.stems[other.quality]
    if first & second:
        return 1
    if are_opposites(first, second):
        return -1
    pair = both.pairs.get(comparison.quality)
    return int(pair is not None and pair.text == other.quality and pair.says_the_same)


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
        same_sign = expert.predicates[first].sign * text.predicates[second].sign > 0
        if same_sign and are_opposites(expert.stems[first], text.stems[second]):
            same = {pair.text for pair in both.pairs.values() if pair.says_the_same}
            if len(same) >= _LEAST_SHARED and same | {second} >= set(text.content):
                quotes = both.quoted({first}, {second})
                yield Finding(("direction", 0), "direction", *quotes)


def contrary_directions(both: Both) -> Iterator[Finding]:
    """What the experts say increases, and the text decreases; or improves, and worsens."""
    expert, text = both.expert, both.text
    contrary = are_contrary(expert.ways, text.ways) and not _cancels_direction(both)
    for first, second in product(expert.directions, text.directions):
        is_same = first.kind == second.kind and any(
            pair.expert in first.about and pair.text in second.about and not pair.opposite
            for pair in both.pairs.values()
        )
        if is_same and first.way == second.way:
            yield Finding(("direction", 0))
        elif is_same and contrary and first.conditional == second.conditional:
            quote, known = _quoted_direction(text, second), _quoted_direction(expert, first)
            yield Finding(("direction", 0), "direction", quote, known)


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
        for other in both.text.relations:
            if other.verb == pair.text:
                yield from _relation(both, relation, other)


def _relation(both: Both, relation: Relation, other: Relation) -> Iterator[Finding]:
    topic = ("relation", other.verb)
    if both.crossing(relation.agents, other.agents):
        yield Finding(topic)
    elif both.crossing(relation.agents, other.objects) and both.crossing(
        relation.objects, other.agents
    ):
        first, second = ({*each.agents, each.verb, *each.objects} for each in (relation, other))
        yield Finding(topic, "roles", *both.quoted(first, second))

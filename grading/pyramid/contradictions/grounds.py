"""What two sentences must have between them, so that one of them can contradict the other.

Most pairs have none of it, and their words need not be aligned. Each rule of ``judgement`` that
finds a conflict needs one of these grounds; a rule that is added needs its ground here.
"""

from itertools import product

from grading.pyramid.contradictions.relations import Relation, contrary_kinds
from grading.pyramid.contradictions.statements import (
    NOT_DENIED,
    SAME,
    Cosines,
    Statement,
    cosines_of,
)

_LEAST_SHARED = 2  # words, where a denial is one of the same thing


def may_conflict(expert: Statement, text: Statement) -> bool:
    """Whether it is worth aligning the words of the two; where not, no rule finds a conflict."""
    if not expert.content or not text.content:
        return False
    if (
        _denies_by_prefix(expert, text)
        or not expert.opposites.isdisjoint(text.content_stems)
        or expert.turns_round(text)
        or (expert.comparisons and (text.comparisons or text.degrees))
        or _goes_another_way(expert, text)
    ):
        return True
    return _is_suspicious(expert, text) and (
        _may_be_denied(expert, text) or _may_change_places(expert, text)
    )


def _denies_by_prefix(expert: Statement, text: Statement) -> bool:
    """ "Insufficient" beside "sufficient", on either side."""
    return not (
        text.content_stems.isdisjoint(expert.by_base)
        and expert.content_stems.isdisjoint(text.by_base)
    )


def _goes_another_way(expert: Statement, text: Statement) -> bool:
    """Whether something may increase in one of them and decrease in the other."""
    if text.kinds_of_change.isdisjoint(expert.kinds_of_one_way):
        return False
    return bool(contrary_kinds(expert.ways, text.ways))


def _is_suspicious(expert: Statement, text: Statement) -> bool:
    return (
        expert.has_denial
        or text.has_denial
        or not expert.agent_stems.isdisjoint(text.object_stems)
        or not expert.object_stems.isdisjoint(text.agent_stems)
    )


def _may_be_denied(expert: Statement, text: Statement) -> bool:
    """Whether a word may be denied, or excluded, on one side only, and another one is shared."""
    if not expert.denials and not text.denials:
        return False
    if expert.vectors is not None and text.vectors is not None:
        return True  # other words may be close enough
    pairs = [
        (expert.content[first], text.content[second])
        for stem in expert.content_stems & text.content_stems
        for first, second in product(expert.by_stem[stem], text.by_stem[stem])
    ]
    if len({place for place, _ in pairs}) < _LEAST_SHARED:
        return False
    denials = [
        (place, expert.denials.get(place, NOT_DENIED), text.denials.get(there, NOT_DENIED))
        for place, there in pairs
    ]
    if any(first.by_itself != second.by_itself for _, first, second in denials):
        return True
    in_other_clauses = {
        place for place, first, second in denials if first.with_clause != second.with_clause
    }
    return len(in_other_clauses) >= _LEAST_SHARED


def _may_change_places(expert: Statement, text: Statement) -> bool:
    """Whether the object of a verb may be the agent of the same verb on the other side."""
    if not expert.relations or not text.relations:
        return False
    cosines = cosines_of(expert, text)
    return any(
        _may_be_one(expert, relation.verb, text, other.verb, cosines)
        and _may_cross(expert, relation, text, other, cosines)
        for relation in expert.relations
        for other in text.relations
    )


def _may_cross(
    expert: Statement, relation: Relation, text: Statement, other: Relation, cosines: Cosines | None
) -> bool:
    return any(
        _may_be_one(expert, place, text, there, cosines)
        for place in relation.objects
        for there in other.agents
    )


def _may_be_one(
    expert: Statement, place: int, text: Statement, there: int, cosines: Cosines | None
) -> bool:
    """Whether two words may be aligned, and say the same."""
    first, second = expert.positions.get(place), text.positions.get(there)
    if first is None or second is None:
        return False
    if not expert.forms[first].isdisjoint(text.forms[second]):
        return True
    return cosines is not None and bool(cosines[first, second] >= SAME)

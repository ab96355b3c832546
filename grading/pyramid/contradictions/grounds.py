"""What two sentences must have between them, so that one of them can contradict the other.

Most pairs have none of it, and their words need not be aligned. Each rule of ``judgement`` that
finds a conflict needs one of these grounds; a rule that is added needs its ground here. Only pairs
that are suspicious at a glance are asked for the last two grounds.
"""

from collections.abc import Set
from itertools import product

import numpy as np

from grading.pyramid.contradictions.relations import contrary_kinds
from grading.pyramid.contradictions.statements import (
    NOT_DENIED,
    SAME,
    SIMILAR,
    Statement,
    cosines_of,
)

_LEAST_SHARED = 2  # words, where a denial is one of the same thing


def may_conflict(expert: Statement, text: Statement) -> bool:
    """Whether it is worth aligning the words of the two."""
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
    return is_suspicious(expert, text) and (
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
    if expert.contrary_ways.isdisjoint(text.possible_ways):
        return False
    return bool(contrary_kinds(expert.ways, text.ways))


def is_suspicious(expert: Statement, text: Statement) -> bool:
    """Whether one side has a denial, or who does something is to whom it is done on the other."""
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
    pairs = _pairs_that_say_the_same(expert, text)
    denials = [
        (
            first,
            expert.denials.get(expert.content[first], NOT_DENIED),
            text.denials.get(text.content[second], NOT_DENIED),
        )
        for first, second in pairs
    ]
    in_other_clauses = {
        word for word, first, second in denials if first.with_clause != second.with_clause
    }
    return len(in_other_clauses) >= _LEAST_SHARED or (
        any(first.by_itself != second.by_itself for _, first, second in denials)
        and _share_enough(expert, text, pairs)
    )


def _pairs_that_say_the_same(expert: Statement, text: Statement) -> set[tuple[int, int]]:
    """Positions of words that may be aligned as saying the same: by stem, or by their vectors."""
    pairs = {
        pair
        for stem in expert.content_stems & text.content_stems
        for pair in product(expert.by_stem[stem], text.by_stem[stem])
    }
    cosines = cosines_of(expert, text)
    if cosines is not None:
        rows, columns = np.nonzero(cosines >= SAME)
        pairs.update(zip(rows.tolist(), columns.tolist(), strict=True))
    return pairs


def _share_enough(expert: Statement, text: Statement, pairs: Set[tuple[int, int]]) -> bool:
    """Whether words enough may be aligned at all."""
    words = {first for first, _ in pairs}
    cosines = cosines_of(expert, text)
    if cosines is not None:
        words.update(np.flatnonzero(cosines.max(axis=1) >= SIMILAR).tolist())
    return len(words) >= _LEAST_SHARED


def _may_change_places(expert: Statement, text: Statement) -> bool:
    """Whether the object of a verb may be the agent of the same verb on the other side."""
    if not expert.relations or not text.relations:
        return False
    return any(
        _may_be_one(expert, relation.verb, text, other.verb)
        and any(
            _may_be_one(expert, place, text, there)
            for place in relation.objects
            for there in other.agents
        )
        for relation in expert.relations
        for other in text.relations
    )


def _may_be_one(expert: Statement, place: int, text: Statement, there: int) -> bool:
    """Whether two words may be aligned, and say the same."""
    first, second = expert.positions.get(place), text.positions.get(there)
    if first is None or second is None:
        return False
    if not expert.stems[place].isdisjoint(text.stems[there]):
        return True
    cosines = cosines_of(expert, text)
    return cosines is not None and bool(cosines[first, second] >= SAME)

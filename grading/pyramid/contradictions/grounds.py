"""What two sentences must have between them, so that one of them can contradict the other.

Most pairs have none of it, and their words need not be aligned. Each rule of ``judgement`` that
finds a conflict needs one of these grounds; a rule that is added needs its ground here. What takes
longer to find out is asked last: first whether two words may be aligned at all, then whether the
pair is suspicious at a glance, then which words are denied.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

import numpy as np

from grading.pyramid.contradictions.relations import contrary_kinds
from grading.pyramid.contradictions.statements import (
    SAME,
    SIMILAR,
    Statement,
    cosines_of,
)
from grading.pyramid.contradictions.vocabulary import OPPOSITE_PREPOSITIONS

LEAST_SHARED_BY_CLAUSES = 2  # words in clauses of the other sign
MUCH = 0.4  # of the experts' words, there
_LEAST_SHARED = 2  # words, where a denial is one of the same thing


def may_conflict(expert: Statement, text: Statement) -> bool:
    """Whether it is worth aligning the words of the two."""
    if not expert.content or not text.content:
        return False
    if (
        _denies_by_prefix(expert, text)
        or not expert.opposites.isdisjoint(text.content_stems)
        or (expert.comparisons and (text.comparisons or text.degrees))
        or _goes_another_way(expert, text)
    ):
        return True
    if not _share_enough(expert, text):
        return False
    turns_round = expert.turns_round(text)
    return (turns_round or is_suspicious(expert, text)) and (
        (turns_round and _have_opposite_prepositions(expert, text))
        or _may_be_denied(expert, text)
        or _may_change_places(expert, text)
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


def _have_opposite_prepositions(expert: Statement, text: Statement) -> bool:
    """Whether the same word has a preposition in one of them, and its opposite in the other."""
    return any(
        OPPOSITE_PREPOSITIONS.get(expert.tree.words[before]) == text.tree.words[there]
        for stem in expert.content_stems & text.content_stems
        for first, second in product(expert.by_stem[stem], text.by_stem[stem])
        if (before := expert.preposition(expert.content[first]))
        and (there := text.preposition(text.content[second]))
    )


def _may_be_denied(expert: Statement, text: Statement) -> bool:
    """Whether a word, or those of a clause, may be denied on one side and affirmed on the other."""
    if not (expert.denied or text.denied):
        return False
    in_clauses: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for word, there in _words_that_say_the_same(expert, text):
        if word not in expert.denied and there not in text.denied:
            continue
        if _is_denied_by_itself(expert, word, text, there):
            return True
        clauses = expert.clauses[word], text.clauses[there]
        first, second = expert.clause(clauses[0]), text.clause(clauses[1])
        if first.sign * second.sign < 0 and first.is_comparable(second):
            in_clauses[clauses].add(word)
    most = max(map(len, in_clauses.values()), default=0)
    return most >= max(LEAST_SHARED_BY_CLAUSES, MUCH * len(expert.content))


def _is_denied_by_itself(expert: Statement, word: int, text: Statement, there: int) -> bool:
    """Whether two words differ as predicates, by how much there is of them, or by exclusion."""
    first, second = expert.predicate(word), text.predicate(there)
    if first and second and first.sign * second.sign < 0 and first.is_comparable(second):
        return True
    if (word in expert.excluded) != (there in text.excluded):
        clauses = expert.clauses[word], text.clauses[there]
        return not expert.stems[clauses[0]].isdisjoint(text.stems[clauses[1]])
    return expert.quantity(word) * text.quantity(there) < 0


def _words_that_say_the_same(expert: Statement, text: Statement) -> Iterator[tuple[int, int]]:
    """Places of words that may be aligned as saying the same: by stem, or by their vectors."""
    pairs = {
        pair
        for stem in expert.content_stems & text.content_stems
        for pair in product(expert.by_stem[stem], text.by_stem[stem])
    }
    cosines = cosines_of(expert, text)
    if cosines is not None:
        rows, columns = np.nonzero(cosines >= SAME)
        pairs.update(zip(rows.tolist(), columns.tolist(), strict=True))
    for first, second in pairs:
        yield expert.content[first], text.content[second]


def _share_enough(expert: Statement, text: Statement) -> bool:
    """Whether words enough may be aligned at all."""
    stems = expert.content_stems & text.content_stems
    words = {first for stem in stems for first in expert.by_stem[stem]}
    if len(words) >= _LEAST_SHARED:
        return True
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

"""The tensed clauses of a sentence, each with the words that it needs to be read alone.

PyrEval (Gao, Sun and Passonneau 2019), section 4.1, starts a segment at every tensed verb phrase
of a constituency parse, and takes the subject of its head verb from a dependency parse. Here both
come from the dependency parse alone. Two rules go beyond the paper, so that a segment reads as a
proposition: a relative clause takes along the noun phrase that it describes, and a clause that
says nothing ("I think", "the reason is") stays with the one that says it.
"""

from bisect import insort
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from grading.pyramid.parsing import ParsedSentence
from grading.pyramid.segmentation.heads import (
    COORDINATED,
    Analysis,
    analyse,
    is_one_clause,
)
from grading.pyramid.segmentation.words import Words, places
from grading.pyramid.structures import Token

_COMPLETING = frozenset(("ccomp", "relcl", "acl", "advcl"))
_CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "NUM"))
_FRAGMENT = 2  # words: what is not longer never is a segment of its own


class Clause(NamedTuple):
    """The index of its verb, its own words, and those that it takes along from others.

    ``governor`` is the position of the clause that it goes back to where the two are not cut
    apart; only the main clause, always the first, has none.
    """

    verb: int
    is_tensed: bool
    own: Words
    carried: Words
    governor: int | None


def clauses_of(sentence: ParsedSentence) -> tuple[Clause, ...]:
    """The main clause, then in order those that may be cut from it; none where none may be."""
    if is_one_clause(sentence.tokens):
        return ()
    analysis = analyse(sentence.tokens)
    if len(analysis.heads_downwards) == 1:
        return ()
    groups = _join_what_cannot_stand(analysis, _groups(analysis))
    positions = {group: position for position, group in enumerate(groups)}
    return tuple(
        Clause(
            verb=group.head.index,
            is_tensed=group.is_tensed,
            own=group.own,
            carried=group.carried,
            governor=positions[group.governor] if group.governor else None,
        )
        for group in groups
    )


def merge(clauses: Sequence[Clause], cut: Iterable[int]) -> list[Words]:
    """Each segment's words, when only the clauses at ``cut`` leave their governors."""
    leaders = {leader: leader for leader in (0, *cut)}
    words = {leader: clauses[leader].carried for leader in leaders}
    for position, clause in enumerate(clauses):
        if position not in leaders:
            _find_leader(clauses, position, leaders)
        words[leaders[position]] |= clause.own
    return [words[leader] for leader in sorted(words, key=lambda i: clauses[i].verb)]


def _find_leader(clauses: Sequence[Clause], position: int, leaders: dict[int, int]) -> None:
    """Add the clause that one goes back to, for it and all on the way."""
    way: list[int] = []
    while position not in leaders:
        if len(way) > len(clauses):
            raise RuntimeError("A clause governs itself.")  # better an error than no end
        way.append(position)
        position = clauses[position].governor or 0
    leaders |= dict.fromkeys(way, leaders[position])


@dataclass(slots=True, eq=False)
class _Group:
    """A clause in the making: clauses that are never cut apart, with the head of the first."""

    head: Token
    is_tensed: bool
    carried: Words
    own: Words = 0
    governor: "_Group | None" = None
    governed: list["_Group"] = field(default_factory=list)


# --- where a clause belongs, and what it takes along ---


def _groups(analysis: Analysis) -> list[_Group]:
    heads = analysis.heads()
    carriers = _carriers(analysis)
    groups = {
        head.index: _Group(head, head.index in analysis.tensed, _carried(analysis, head, carriers))
        for head in heads
    }
    for index, head_of_clause in enumerate(analysis.clause):
        groups[head_of_clause].own |= 1 << index
    governors = _governors(analysis)
    for head in heads[1:]:
        governor = groups[governors[head.index].index]
        groups[head.index].governor = governor
        governor.governed.append(groups[head.index])
    return list(groups.values())


def _governors(analysis: Analysis) -> dict[int, Token]:
    """Coordinated clauses with subjects of their own have one governor; without, they chain."""
    governors: dict[int, Token] = {}
    for head in analysis.heads_downwards:
        above = analysis.head_over(head)
        shares_governor = (
            head.dep in COORDINATED
            and head.head == above.index != analysis.tree.root
            and analysis.tree.subjects(head)
        )
        governors[head.index] = governors[above.index] if shares_governor else above
    return governors


def _carriers(analysis: Analysis) -> dict[int, Token]:
    """For each head, the one whose subject it shares: itself, the first conjunct, the governor."""
    carriers: dict[int, Token] = {}
    for head in analysis.heads_downwards:
        leans = head.dep in COORDINATED or (
            head.dep == "advcl" and head.index not in analysis.tensed
        )
        shares = leans and head.index != analysis.tree.root and not analysis.tree.subjects(head)
        carriers[head.index] = carriers[analysis.head_over(head).index] if shares else head
    return carriers


def _carried(analysis: Analysis, head: Token, carriers: Mapping[int, Token]) -> Words:
    """The subject of the first conjunct, the noun phrase that a relative clause describes."""
    at = carriers[head.index]
    carried = 0 if at is head else analysis.subject(at)
    if head.dep in COORDINATED and head.index not in analysis.tensed:
        first = analysis.tree.first_conjunct(head)
        for word in analysis.tree.dependents(first, "aux", "auxpass", "neg"):
            carried |= 1 << word.index
    noun = analysis.tree.parent(at)
    is_relative = at.dep == "relcl" or (at.dep == "acl" and at.index not in analysis.tensed)
    if not is_relative or noun.pos in {"VERB", "AUX"}:
        return carried
    return carried | analysis.phrase(analysis.of_which(noun))


# --- what can stand alone ---


def _join_what_cannot_stand(analysis: Analysis, groups: Sequence[_Group]) -> list[_Group]:
    """The groups that are left, in order."""
    waiting = deque(groups)
    alone = _Alone(analysis)
    gone: set[_Group] = set()
    while waiting:
        group = waiting.popleft()
        if group not in gone and (other := _neighbour(group)) and not alone.stands(group):
            first, second = (other, group) if other is group.governor else (group, other)
            first.governed = [each for each in first.governed if each is not second]
            for each in second.governed:
                each.governor = first
                insort(first.governed, each, key=lambda group: group.head.index)
                # "Matter is | anything that has mass | and takes up space": the last needs it all.
                if each.carried & first.own:
                    each.carried |= first.own
            first.own |= second.own
            first.is_tensed |= second.is_tensed
            gone.add(second)
            waiting.append(first)
    return [group for group in groups if group not in gone]


class _Alone:
    """Whether clauses of a sentence can stand alone; its words are looked at once for all."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._seen = self._content = 0  # words without marks, words of content
        for token in analysis.tree.tokens:
            if not token.is_punct:
                self._seen |= 1 << token.index
                if token.pos in _CONTENT:
                    self._content |= 1 << token.index

    def stands(self, group: _Group) -> bool:
        """Whether it has a verb of its own, and says something of its subject."""
        has_verb = group.is_tensed or group.head.index != self._analysis.tree.root
        words = (group.own | group.carried) & self._seen
        return has_verb and words.bit_count() > _FRAGMENT and self._has_content(group)

    def _has_content(self, group: _Group) -> bool:
        content = group.own & self._content
        if not content or (content.bit_count() == 1 and _needs_more(group)):
            return False
        tokens = self._analysis.tree.tokens
        about = group.carried or self._analysis.subject(group.head)
        known = {(tokens[index].lemma, tokens[index].pos) for index in places(about)}
        own = {(tokens[index].lemma, tokens[index].pos) for index in places(content)}
        return not own <= known


def _needs_more(group: _Group) -> bool:
    return (
        group.head.dep == "relcl"
        or (not group.is_tensed and group.head.dep not in COORDINATED)
        or any(other.head.dep == "ccomp" for other in _completing(group))
    )


def _completing(group: _Group) -> Iterator[_Group]:
    """The clauses after its verb that may say what it leaves open."""
    return (
        other
        for other in group.governed
        if other.head.dep in _COMPLETING and other.head.index > group.head.index
    )


def _neighbour(group: _Group) -> _Group | None:
    """What a clause that cannot stand is joined with: complement, governor, first dependent."""
    complement = next(_completing(group), None)
    return complement or group.governor or next(iter(group.governed), None)

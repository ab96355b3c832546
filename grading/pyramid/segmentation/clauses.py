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
from itertools import chain, islice

from grading.pyramid.parsing import ParsedSentence
from grading.pyramid.segmentation.heads import (
    COORDINATED,
    Analysis,
    analyse,
    heads_untensed_clause,
    is_reduced,
)
from grading.pyramid.structures import Token

_COMPLETING = frozenset(("ccomp", "relcl", "acl", "advcl"))
_CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "NUM"))
_FRAGMENT = 2  # words: what is not longer never is a segment of its own


@dataclass(frozen=True, slots=True)
class Clause:
    """Token indexes: of its verb, of its own words, of those that it takes along from others.

    ``governor`` is the position of the clause that it goes back to where the two are not cut
    apart; only the main clause, always the first, has none.
    """

    verb: int
    is_tensed: bool
    own: frozenset[int]
    carried: frozenset[int]
    governor: int | None


def clauses_of(sentence: ParsedSentence) -> tuple[Clause, ...]:
    """The main clause, then in order those that may be cut from it."""
    analysis = analyse(sentence.tokens)
    groups = _join_what_cannot_stand(analysis, _groups(analysis))
    positions = {group: position for position, group in enumerate(groups)}
    return tuple(
        Clause(
            verb=group.head.index,
            is_tensed=group.is_tensed,
            own=frozenset(group.own),
            carried=frozenset(group.carried - group.own),
            governor=positions[group.governor] if group.governor else None,
        )
        for group in groups
    )


def merge(clauses: Sequence[Clause], cut: Iterable[int]) -> list[frozenset[int]]:
    """Each segment's tokens, when only the clauses at ``cut`` leave their governors."""
    leaders = {leader: leader for leader in (0, *cut)}
    words = {leader: set(clauses[leader].carried) for leader in leaders}
    for position, clause in enumerate(clauses):
        words[_leader(clauses, position, leaders)] |= clause.own
    return [frozenset(words[leader]) for leader in sorted(words, key=lambda i: clauses[i].verb)]


def _leader(clauses: Sequence[Clause], position: int, leaders: dict[int, int]) -> int:
    """The clause that one goes back to; remembers it for all on the way."""
    way: list[int] = []
    while position not in leaders:
        if len(way) > len(clauses):
            raise RuntimeError("A clause governs itself.")  # better an error than no end
        way.append(position)
        position = clauses[position].governor or 0
    leaders |= dict.fromkeys(way, leaders[position])
    return leaders[position]


@dataclass(slots=True, eq=False)
class _Group:
    """A clause in the making: clauses that are never cut apart, with the head of the first."""

    head: Token
    is_tensed: bool
    carried: set[int]
    own: set[int] = field(default_factory=set)
    governor: "_Group | None" = None
    governed: list["_Group"] = field(default_factory=list)


# --- where a clause belongs, and what it takes along ---


def _groups(analysis: Analysis) -> list[_Group]:
    heads = analysis.heads()
    carriers = _carriers(analysis)
    groups = {
        head.index: _Group(head, analysis.tree.is_tensed(head), _carried(analysis, head, carriers))
        for head in heads
    }
    for token, clause in zip(analysis.tree.tokens, analysis.clause, strict=True):
        groups[clause].own.add(token.index)
    governors = _governors(analysis)
    for head in heads[1:]:
        governor = groups[governors[head.index].index]
        groups[head.index].governor = governor
        governor.governed.append(groups[head.index])
    return list(groups.values())


def _governors(analysis: Analysis) -> dict[int, Token]:
    """Coordinated clauses with subjects of their own have one governor; without, they chain."""
    governors: dict[int, Token] = {}
    for head in analysis.heads_downwards():
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
    for head in analysis.heads_downwards():
        leans = head.dep in COORDINATED or (
            head.dep == "advcl" and heads_untensed_clause(analysis.tree, head)
        )
        shares = leans and head.index != analysis.tree.root and not analysis.tree.subjects(head)
        carriers[head.index] = carriers[analysis.head_over(head).index] if shares else head
    return carriers


def _carried(analysis: Analysis, head: Token, carriers: Mapping[int, Token]) -> set[int]:
    """The subject of the first conjunct, the noun phrase that a relative clause describes."""
    at = carriers[head.index]
    carried = set() if at is head else analysis.subject(at)
    if head.dep in COORDINATED and heads_untensed_clause(analysis.tree, head):
        first = analysis.tree.first_conjunct(head)
        carried |= {word.index for word in analysis.tree.dependents(first, "aux", "auxpass", "neg")}
    noun = analysis.tree.parent(at)
    is_relative = at.dep == "relcl" or is_reduced(analysis.tree, at)
    if not is_relative or noun.pos in {"VERB", "AUX"}:
        return carried
    return carried | analysis.phrase(analysis.of_which(noun))


# --- what can stand alone ---


def _join_what_cannot_stand(analysis: Analysis, groups: Sequence[_Group]) -> list[_Group]:
    """The groups that are left, in order."""
    waiting = deque(groups)
    gone: set[_Group] = set()
    while waiting:
        group = waiting.popleft()
        if group not in gone and not _stands(analysis, group) and (other := _neighbour(group)):
            first, second = (other, group) if other is group.governor else (group, other)
            first.governed = [each for each in first.governed if each is not second]
            for each in second.governed:
                each.governor = first
                insort(first.governed, each, key=lambda group: group.head.index)
                # "Matter is | anything that has mass | and takes up space": the last needs it all.
                if not each.carried.isdisjoint(first.own):
                    each.carried |= first.own
            first.own |= second.own
            first.is_tensed |= second.is_tensed
            gone.add(second)
            waiting.append(first)
    return [group for group in groups if group not in gone]


def _stands(analysis: Analysis, group: _Group) -> bool:
    """Whether it has a verb of its own, and says something of its subject."""
    has_verb = group.is_tensed or heads_untensed_clause(analysis.tree, group.head)
    return has_verb and _has_words(analysis, group) and _has_content(analysis, group)


# Both look no further than they must: a main clause that takes in thousands is asked each time.


def _has_words(analysis: Analysis, group: _Group) -> bool:
    words = (
        index
        for index in chain(group.own, group.carried - group.own)
        if not analysis.tree.tokens[index].is_punct
    )
    return len(list(islice(words, _FRAGMENT + 1))) > _FRAGMENT


def _has_content(analysis: Analysis, group: _Group) -> bool:
    tokens = analysis.tree.tokens
    about = group.carried or analysis.subject(group.head)
    known = {(tokens[index].lemma, tokens[index].pos) for index in about}
    own = (tokens[index] for index in group.own)
    content = (token for token in own if token.pos in _CONTENT and not token.is_punct)
    says_something = False
    for count, token in enumerate(content, start=1):
        says_something = says_something or (token.lemma, token.pos) not in known
        if says_something and (count > 1 or not _needs_more(group)):
            return True
    return False


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

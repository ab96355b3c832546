"""The tensed clauses of a sentence, each with the words that it needs to be read alone.

PyrEval (Gao, Sun and Passonneau 2019), section 4.1, starts a segment at every tensed verb phrase
of a constituency parse, and takes the subject of its head verb from a dependency parse. Here both
come from the dependency parse alone. Two rules go beyond the paper, so that a segment reads as a
proposition: a relative clause takes along the noun phrase that it describes, and a clause that
says nothing ("I think", "the reason is") stays with the one that says it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grading.pyramid.parsing import ParsedSentence, Token
from grading.pyramid.segmentation.heads import Analysis, analyse
from grading.pyramid.segmentation.tree import COORDINATED

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
    own: frozenset[int]
    carried: frozenset[int]
    governor: int | None


def clauses_of(sentence: ParsedSentence) -> tuple[Clause, ...]:
    """The main clause, then in order those that may be cut from it."""
    found = analyse(sentence.tokens)
    groups = _groups(found)
    _join_what_cannot_stand(found, groups)
    positions = {group: position for position, group in enumerate(groups)}
    return tuple(
        Clause(
            verb=group.head.index,
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


def _groups(found: Analysis) -> list[_Group]:
    heads = found.heads()
    groups = {
        head.index: _Group(head, found.tree.is_tensed(head), _carried(found, head))
        for head in heads
    }
    for token, clause in zip(found.tree.tokens, found.clause, strict=True):
        groups[clause].own.add(token.index)
    for head in heads[1:]:
        governor = groups[_governor(found, head).index]
        groups[head.index].governor = governor
        governor.governed.append(groups[head.index])
    return list(groups.values())


def _governor(found: Analysis, head: Token) -> Token:
    """Coordinated clauses with subjects of their own have one governor; without, they chain."""
    above = found.head_over(head)
    while (
        head.dep in COORDINATED
        and head.head == above.index != found.tree.root
        and found.tree.subjects(head)
    ):
        head, above = above, found.head_over(above)
    return above


def _carried(found: Analysis, head: Token) -> set[int]:
    """The subject of the first conjunct, the noun phrase that a relative clause describes."""
    at = head
    while at.dep in COORDINATED and not found.tree.subjects(at):
        at = found.head_over(at)
    carried = set() if at is head else found.subject(at)
    noun = found.tree.parent(at)
    if at.dep != "relcl" or noun.pos in {"VERB", "AUX"}:
        return carried
    while noun.dep == "pobj" and found.tree.parent(noun).lemma == "of":
        noun = found.tree.parent(found.tree.parent(noun))
    return carried | found.phrase(noun)


# --- what can stand alone ---


def _join_what_cannot_stand(found: Analysis, groups: list[_Group]) -> None:
    waiting = [*groups]
    while waiting:
        group = waiting.pop(0)
        if group in groups and not _stands(found, group) and (other := _neighbour(group)):
            first, second = (other, group) if other is group.governor else (group, other)
            _absorb(first, second)
            groups.remove(second)
            waiting.append(first)


def _stands(found: Analysis, group: _Group) -> bool:
    """Whether it has a tensed verb and says something of its subject."""
    tokens = found.tree.tokens
    words = [index for index in group.own | group.carried if not tokens[index].is_punct]
    if len(words) <= _FRAGMENT or not group.is_tensed:
        return False
    about = group.carried or found.subject(group.head)
    known = {(tokens[index].lemma, tokens[index].pos) for index in about}
    content = [tokens[index] for index in group.own if _is_content(tokens[index])]
    says_something = any((token.lemma, token.pos) not in known for token in content)
    introduces = any(other.head.dep == "ccomp" for other in _completing(group))
    needed = 2 if introduces or group.head.dep == "relcl" else 1
    return says_something and len(content) >= needed


def _is_content(token: Token) -> bool:
    return token.pos in _CONTENT and not token.is_punct


def _completing(group: _Group) -> list[_Group]:
    """The clauses after its verb that may say what it leaves open."""
    return [
        other
        for other in group.governed
        if other.head.dep in _COMPLETING and other.head.index > group.head.index
    ]


def _neighbour(group: _Group) -> _Group | None:
    """What a clause that cannot stand is joined with: complement, governor, first dependent."""
    candidates = [*_completing(group)[:1], group.governor, *group.governed[:1]]
    return next((other for other in candidates if other), None)


def _absorb(group: _Group, other: _Group) -> None:
    for each in other.governed:
        each.governor = group
        # "Matter is | anything that has mass | and takes up space": the last needs it all.
        if each.carried & group.own:
            each.carried |= group.own
    group.governed = sorted(
        (each for each in group.governed + other.governed if each is not other),
        key=lambda each: each.head.index,
    )
    group.own |= other.own
    group.is_tensed |= other.is_tensed

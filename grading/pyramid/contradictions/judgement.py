"""Whether a sentence denies an idea that the experts state."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from grading.pyramid.contradictions.alignment import align
from grading.pyramid.contradictions.compared import (
    Both,
    Finding,
)
from grading.pyramid.contradictions.denied import (
    denied_clauses,
    denied_predicates,
    denied_quantities,
    exclusions,
)
from grading.pyramid.contradictions.directions import are_contrary
from grading.pyramid.contradictions.numbers import Number, numbers_agree, other_things
from grading.pyramid.contradictions.reversed import (
    contrary_comparatives,
    contrary_directions,
    crossed_comparisons,
    crossed_relations,
)
from grading.pyramid.contradictions.statements import Statement

_LEAST_SHARED = 2  # words beside a number
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
    suspects = [place for place, expert in enumerate(idea) if _may_conflict(expert, sentence)]
    findings = {place: list(_findings(idea[place], sentence)) for place in suspects}
    conflicts = [
        (place, finding) for place in suspects for finding in findings[place] if finding.kind
    ]
    if conflicts:
        others = (expert for place, expert in enumerate(idea) if place not in findings)
        known = chain(*findings.values(), *(_findings(expert, sentence) for expert in others))
        agreed = {finding.topic for finding in known if not finding.kind}
        conflicts = [(place, one) for place, one in conflicts if one.topic not in agreed]
    for kind in ("denial", "roles", "direction"):
        for place, finding in conflicts:
            if finding.kind == kind:
                return _judgement(finding, place)
    different = _other_number(idea, sentence)
    if different is None and conflicts:
        different = _judgement(conflicts[0][1], conflicts[0][0])
    return different or NOTHING


def _judgement(finding: Finding, expert: int) -> Judgement:
    remark = f'The text says "{finding.said}", the experts say "{finding.known}".'
    kind = "opposite" if finding.kind == "direction" else finding.kind
    return Judgement(kind, finding.kind != "opposite", remark, expert)


def _may_conflict(expert: Statement, sentence: Statement) -> bool:
    """Whether it is worth aligning the words."""
    if not expert.content or not sentence.content:
        return False
    return (
        expert.has_denial
        or sentence.has_denial
        or bool(expert.comparisons and sentence.comparisons)
        or not expert.agent_stems.isdisjoint(sentence.object_stems)
        or not expert.object_stems.isdisjoint(sentence.agent_stems)
        or not expert.opposites.isdisjoint(sentence.by_stem)
        or are_contrary(expert.ways, sentence.ways)
    )


def _findings(expert: Statement, text: Statement) -> Iterator[Finding]:
    pairs = align(expert, text)
    both = Both(expert, text, pairs)
    yield from denied_predicates(both)
    yield from denied_clauses(both)
    yield from denied_quantities(both)
    yield from exclusions(both)
    yield from crossed_comparisons(both)
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
        if not any(numbers_agree(one, number) for _, one in known)
    ]
    unsaid = [
        (place, one)
        for place, one in known
        if not any(numbers_agree(one, number) for number in sentence.numbers)
    ]
    for number in different:
        for place, one in unsaid:
            if _counts_the_same(idea[place], sentence, one, number):
                remark = f'The text says "{number.said}", the experts say "{one.said}".'
                return Judgement("number", True, remark, place)
    return None


def _counts_the_same(expert: Statement, text: Statement, number: Number, other: Number) -> bool:
    if number.kind != other.kind or other_things(number, other):
        return False
    least: float = _LEAST_SHARED
    if number.kind == "year":
        least = max(least, _MOSTLY * len(expert.content))
    elif not number.about & other.about:
        return False
    return len(expert.by_stem.keys() & text.by_stem.keys()) >= least

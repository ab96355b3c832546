"""The result of an attempt as its student may keep it: what was found, and what is told besides."""

from collections import Counter
from typing import Any

from grading.feedback.page_contradictions import Contradiction, contradictions_of
from grading.feedback.page_missed import MissedIdea, missed_of
from grading.models import Missed, Sight
from grading.pyramid.formats.pyramid_json import spans_to_json
from grading.pyramid.structures import Match, Pyramid, ScoreReport, Text


def own_result_of(
    text: Text, pyramid: Pyramid, report: ScoreReport, sight: Sight, *, corrected: bool
) -> dict[str, Any]:
    pyramid = pyramid.counted()
    ideas = {scu.uid: scu for scu in pyramid.scus}
    evidence = report.evidence
    matches = [
        match
        for match in sorted(evidence.credited, key=lambda match: match.spans)
        if match.scu in ideas
    ]
    against = contradictions_of(text, pyramid, evidence.contradicting, sight)
    result = {
        **_numbers(report),
        "parts_counted": report.scus,
        "corrected_by_hand": corrected,
        "remarks": list(report.remarks),
        "found": [
            _found(number, match, text, ideas[match.scu].label, ideas[match.scu].weight)
            for number, match in enumerate(matches, start=1)
        ],
        "may_contradict_the_experts": [_contradiction(one) for one in against],
        "held": [
            {"words": text.words_at((span,)), "spans": spans_to_json((span,))}
            for span in evidence.held
        ],
        "said_again": _said_again(text, report, [match.scu for match in matches]),
    }
    return result | ({} if evidence.is_held else _missed(pyramid, report, sight))


def _numbers(report: ScoreReport) -> dict[str, float | None]:
    """The scores; a text that is held has none yet, which is not a zero."""
    numbers = {
        "quality": report.quality,
        "coverage": report.coverage,
        "comprehensive": report.comprehensive,
        "points": report.raw,
    }
    is_held = report.evidence.is_held
    return {name: None if is_held else round(number, 4) for name, number in numbers.items()}


def _contradiction(one: Contradiction) -> dict[str, Any]:
    """As much of the experts' side as is told."""
    experts = {"idea": one.label, "experts_words": one.experts, "remark": one.remark}
    told = {name: words for name, words in experts.items() if words}
    return {"words": one.words, "spans": spans_to_json(one.spans)} | told


def _found(number: int, match: Match, text: Text, label: str, weight: int) -> dict[str, Any]:
    return {
        "number": number,
        "idea": label,
        "weight": weight,
        "words": text.words_at(match.spans),
        "spans": spans_to_json(match.spans),
        "sureness": None if match.probability is None else round(match.probability, 2),
        "by_hand": match.by_hand,
        "to_check": list(match.remarks),
    }


def _said_again(text: Text, report: ScoreReport, found: list[int]) -> list[dict[str, Any]]:
    """Words that tell once more what counts elsewhere; ``number`` is that of the idea above."""
    return [
        {
            "number": 1 + found.index(repeat.scu),
            "words": text.words_at(repeat.segment.spans),
            "spans": spans_to_json(repeat.segment.spans),
        }
        for repeat in report.evidence.repeats
        if repeat.scu in found
    ]


def _missed(pyramid: Pyramid, report: ScoreReport, sight: Sight) -> dict[str, Any]:
    """Nothing at all where nothing is told of what the text lacks, not even that it lacks any."""
    missed = missed_of(pyramid, report, sight)
    if missed is None:
        return {}
    told = {match.scu for match in report.evidence.credited}
    found = Counter(scu.weight for scu in pyramid.scus if scu.uid in told)
    counts = Counter(scu.weight for scu in pyramid.scus)
    ideas = [*missed.first, *missed.more]
    return {
        "by_weight": [
            {"weight": weight, "found": found[weight], "of": counts[weight]}
            for weight in sorted(counts, reverse=True)
        ],
        **({"not_found": [_told(idea, sight) for idea in ideas]} if ideas else {}),
    }


def _told(idea: MissedIdea, sight: Sight) -> dict[str, Any]:
    if sight.missed == Missed.HINTS:
        return {"weight": idea.weight, "about": list(idea.topics)}
    quote = {"experts_words": idea.quote.words} if idea.quote else {}
    return {"weight": idea.weight, "idea": idea.label} | quote

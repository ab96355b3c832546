"""What people correct in the evidence of a program, and the scores that follow.

A person's word on a content unit of a text holds against the program's, and the last word against
earlier ones. A unit that is told by hand counts with the segment that has most of its words; where
no segment has any, the words are a segment of their own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from grading.pyramid.scores import score
from grading.pyramid.structures import (
    Evidence,
    Match,
    Pyramid,
    Repeat,
    ScoreReport,
    Segment,
    Spans,
    join_spans,
    shared_length,
)


class Verdict(StrEnum):
    TOLD = "told"
    NOT_TOLD = "not_told"


@dataclass(frozen=True, slots=True)
class Correction:
    """A person's word on one unit; ``spans`` are the words that tell it, if it is told."""

    scu: int
    verdict: Verdict
    spans: Spans = ()


def correct_report(
    report: ScoreReport, pyramid: Pyramid, corrections: Sequence[Correction]
) -> ScoreReport:
    """The program's report as people have corrected it, in the order of their corrections."""
    counted = pyramid.counted()
    evidence = correct_evidence(report.evidence, counted, corrections)
    return replace(score(counted, evidence, report.signature), remarks=report.remarks)


def correct_evidence(
    evidence: Evidence, pyramid: Pyramid, corrections: Sequence[Correction]
) -> Evidence:
    """The evidence with the last word on each unit; corrections of unknown units change nothing."""
    known = {scu.uid for scu in pyramid.scus}
    last = {one.scu: one for one in corrections if one.scu in known}
    found = {match.scu: match for match in evidence.matches}
    segments = list(evidence.segments)
    matches = [match for match in evidence.matches if match.scu not in last]
    told = [one for one in last.values() if one.verdict is Verdict.TOLD]
    matches += [_match_by_hand(one, segments, found) for one in told]
    return Evidence(
        tuple(sorted(segments)),
        tuple(sorted(matches, key=lambda one: (one.segment, one.scu))),
        _still_repeated(evidence.repeats, matches),
    )


def _still_repeated(repeats: Iterable[Repeat], matches: Sequence[Match]) -> tuple[Repeat, ...]:
    """What tells something again that still counts, and tells nothing of its own by now."""
    units, segments = {one.scu for one in matches}, {one.segment for one in matches}
    return tuple(one for one in repeats if one.scu in units and one.segment not in segments)


def _match_by_hand(
    correction: Correction, segments: list[Segment], found: Mapping[int, Match]
) -> Match:
    """What the program thought of the unit stays, where it is about the same words."""
    spans = join_spans(correction.spans)
    segment = max(segments, key=lambda one: shared_length(one.spans, spans), default=None)
    if segment is None or not shared_length(segment.spans, spans):
        segment = Segment(spans)
        segments.append(segment)
    marked = () if spans == segment.spans else spans
    program = found.get(correction.scu)
    if program is not None and program.spans == spans:
        return replace(program, segment=segment, marked=marked, by_hand=True)
    return Match(segment, correction.scu, 1.0, marked=marked, by_hand=True)


def report_by_person(
    report: ScoreReport, pyramid: Pyramid, told: Mapping[int, Spans]
) -> ScoreReport:
    """What the report would be if only a person had looked for ideas: those of ``told``.

    The parts of the text stay those of the program. An idea that both have stands where the program
    has it; of any other whose words were not named it is taken that a part tells it in which
    nothing else is told, and only where there is none left does it count as a part of its own.
    """
    evidence = report.evidence
    found = {match.scu for match in evidence.matches}
    used = {match.segment for match in evidence.matches if match.scu in told}
    bare = [segment for segment in evidence.segments if segment not in used]
    corrections = [Correction(uid, Verdict.NOT_TOLD) for uid in sorted(found - told.keys())]
    for uid in sorted(told.keys() - found):
        spans = told[uid] or (bare.pop(0).spans if bare else ())
        corrections.append(Correction(uid, Verdict.TOLD, spans))
    return correct_report(report, pyramid, corrections)

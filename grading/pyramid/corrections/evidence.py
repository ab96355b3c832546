"""What people correct in the evidence of a program, and the scores that follow.

A person's word on a content unit of a text holds against the program's, and the last word against
earlier ones. A unit that is told by hand counts with the segment that has most of its words; where
no segment has any, the words are a segment of their own. A segment most of which is left out counts
no more, and nothing that the program found in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from grading.pyramid.corrections.verdicts import Correction, Verdict, in_force
from grading.pyramid.scores import score
from grading.pyramid.structures import (
    Evidence,
    Match,
    Pyramid,
    Repeat,
    ScoreReport,
    Segment,
    Spans,
    is_mostly_in,
    join_spans,
    shared_length,
    spans_without,
)


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
    holding = in_force(
        correction
        for correction in corrections
        if correction.scu is None or correction.scu in known
    )
    gone = {
        segment for segment in evidence.segments if is_mostly_in(segment.spans, holding.left_out)
    }
    segments = [segment for segment in evidence.segments if segment not in gone]
    by_program = {match.scu: match for match in (*evidence.possible, *evidence.matches)}
    matches = [
        match
        for match in evidence.matches
        if match.scu not in holding.words and match.segment not in gone
    ]
    confirmed = [word for word in holding.words.values() if word.verdict.tells]
    matches += [_match_by_hand(one, segments, by_program) for one in confirmed]
    possible = (
        match
        for match in evidence.possible
        if match.scu not in holding.words and match.segment not in gone
    )
    held = spans_without(spans_without(evidence.held, holding.counted), holding.left_out)
    return Evidence(
        tuple(sorted(segments)),
        tuple(
            sorted(
                (_released(match, holding.counted) for match in matches),
                key=lambda one: (one.segment, one.scu),
            )
        ),
        _still_repeated(
            (repeat for repeat in evidence.repeats if repeat.segment not in gone), matches
        ),
        tuple(_released(match, holding.counted) for match in possible),
        held,
        evidence.held_reason if held else "",
    )


def correction_count(evidence: Evidence, corrections: Sequence[Correction]) -> int:
    """How many of the corrections in force say something else than the program's evidence."""
    holding = in_force(corrections)
    return holding.count + bool(shared_length(evidence.held, holding.counted))


def _released(match: Match, counted: Spans) -> Match:
    """A match that was held earns its points once a person has counted its words."""
    if match.held and is_mostly_in(match.spans, counted):
        return replace(match, held=False)
    return match


def _still_repeated(repeats: Iterable[Repeat], matches: Sequence[Match]) -> tuple[Repeat, ...]:
    """What tells something again that still counts, and tells nothing of its own by now."""
    units, segments = {match.scu for match in matches}, {match.segment for match in matches}
    return tuple(
        repeat for repeat in repeats if repeat.scu in units and repeat.segment not in segments
    )


def _match_by_hand(
    correction: Correction, segments: list[Segment], by_program: Mapping[int, Match]
) -> Match:
    """What the program thought of the unit stays, where it is about the same words."""
    if correction.scu is None:
        raise ValueError("Nothing can be told but a unit.")
    spans = join_spans(correction.spans)
    segment = max(segments, key=lambda one: shared_length(one.spans, spans), default=None)
    if segment is None or not shared_length(segment.spans, spans):
        segment = Segment(spans)
        segments.append(segment)
    marked = () if spans == segment.spans else spans
    program = by_program.get(correction.scu)
    if program is not None and program.spans == spans:
        return replace(program, segment=segment, marked=marked, by_hand=True)
    return Match(segment, correction.scu, 1.0, marked=marked, by_hand=True)


def report_by_person(
    report: ScoreReport, pyramid: Pyramid, annotated: Mapping[int, Spans]
) -> ScoreReport:
    """What the report would be if only a person had looked for ideas: those of ``told``.

    The statements stay those of the program, and so does the place of an idea that both have; it
    earns its whole weight. Of any other idea whose words were not named it is assumed that a
    statement expresses it which expresses nothing else; only where none is left does it count as a
    statement of its own. A person has read the words that the program holds.
    """
    evidence = report.evidence
    by_program = {match.scu: match.spans for match in evidence.matches}
    used = {match.segment for match in evidence.matches if match.scu in annotated}
    bare = [segment for segment in evidence.segments if segment not in used]
    known = by_program.keys() | {match.scu for match in evidence.possible}
    corrections = [Correction(uid, Verdict.NOT_TOLD) for uid in sorted(known - annotated.keys())]
    corrections += [
        Correction(uid, Verdict.CONFIRMED, by_program[uid])
        for uid in sorted(by_program.keys() & annotated.keys())
    ]
    if evidence.held:
        corrections.append(Correction(None, Verdict.COUNTED, evidence.held))
    for uid in sorted(annotated.keys() - by_program.keys()):
        spans = annotated[uid] or (bare.pop(0).spans if bare else ())
        corrections.append(Correction(uid, Verdict.TOLD, spans))
    return correct_report(report, pyramid, corrections)

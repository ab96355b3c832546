"""A scored text with what waits for a person: a contradiction, held words, a possible match."""

from dataclasses import replace

from grading.pyramid.scores import score
from grading.pyramid.structures import Evidence, Match, ScoreReport, Spans
from tests.feedback_scene import Scored, made

EXPERTS_SAY = "Bells never wake the quiet harbour."  # stands nowhere else
REMARK = "The text says that bells wake it where the experts say: bells never wake the harbour."


def contradicting(matches: int = 5) -> Scored:
    """The first match contradicts the experts."""
    scored = made(matches)
    first, *others = scored.report.evidence.matches
    denied = replace(first, contradicts=EXPERTS_SAY, remarks=(REMARK,))
    return _with(scored, replace(scored.report.evidence, matches=(denied, *others)))


def held(matches: int = 5, *, whole: bool = True) -> Scored:
    """Its statements are held: all of them, or only the first."""
    scored = made(matches)
    evidence = scored.report.evidence
    segments = evidence.segments if whole else evidence.segments[:1]
    spans: Spans = tuple(span for segment in segments for span in segment.spans)
    waiting = tuple(replace(match, held=match.segment in segments) for match in evidence.matches)
    return _with(scored, replace(evidence, matches=waiting, held=spans))


def denying(matches: int = 5) -> Scored:
    """Its matches contradict the experts so often that all of it is held."""
    scored = held(matches)
    reason = "4 matches in this text may contradict the experts."
    return _with(scored, replace(scored.report.evidence, held_reason=reason))


def repeating(matches: int = 5) -> Scored:
    """It is held because most of its sentences are there before."""
    scored = held(matches)
    reason = "Of these 90 words, 81 are sentences that the text has already, word for word."
    return _with(scored, replace(scored.report.evidence, held_reason=reason))


def with_possible(matches: int = 5) -> Scored:
    """The statement without an idea may express the heaviest one that is missed."""
    scored = made(matches)
    evidence = scored.report.evidence
    matched = {match.scu_uid for match in evidence.matches}
    missed = max(
        (scu for scu in scored.pyramid.scus if scu.uid not in matched), key=lambda scu: scu.weight
    )
    possible = Match(evidence.unmatched[0], missed.uid, 0.4, probability=0.32)
    return _with(scored, replace(evidence, possible=(possible,)))


def _with(scored: Scored, evidence: Evidence) -> Scored:
    report: ScoreReport = score(scored.pyramid, evidence, "made")
    return replace(scored, report=report)

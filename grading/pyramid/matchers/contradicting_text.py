"""A text that contradicts the experts so often that it waits for a person.

``whole_text`` has the rules; here they are asked about the matches of a text. Held is all but the
sentences that say nearly nothing else than an expert.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grading.pyramid.contradictions.whole_text import HALF_RIGHT, may_be_held, sentences_against
from grading.pyramid.matchers.judged_text import JudgedText
from grading.pyramid.order.held_words import HeldWords
from grading.pyramid.structures import (
    CONTRADICTING_WORDS,
    Match,
    SegmentedText,
    Span,
    join_spans,
    spans_without,
)


class PlacedMatch(NamedTuple):
    """A match with the number of its sentence, and the column of its idea."""

    match: Match
    sentence: int
    column: int


def held_where_it_contradicts(
    text: SegmentedText,
    matches: Sequence[PlacedMatch],
    judged: JudgedText,
    held: HeldWords,
    *,
    several_wordings: bool,
) -> HeldWords:
    """What is held of a text: more than before, where it contradicts the experts too often.

    Without ``several_wordings`` of any idea denials are not compared: one wording tells too little
    of what experts deny.
    """
    matched = {placed.sentence for placed in matches}
    contradicting = {placed.sentence for placed in matches if placed.match.contradicts}
    if not may_be_held(matched, contradicting):
        return held
    best = _best_matches(matches) if several_wordings else []
    denying = {
        placed.sentence for placed in best if judged.denies_alone(placed.sentence, placed.column)
    }
    if not contradicting and not sentences_against(matched, contradicting, denying, set()):
        return held
    doubtful = {
        placed.sentence
        for placed in best
        if placed.match.remarks or judged.is_doubtful(placed.sentence, placed.column)
    }
    against = sentences_against(matched, contradicting, denying, doubtful)
    if not against:
        return held
    suspect = contradicting | denying | doubtful
    free = {
        placed.sentence
        for placed in matches
        if placed.sentence not in suspect
        and judged.is_said_by_an_expert(placed.sentence, placed.column)
    }
    if len(free) < HALF_RIGHT * len(matched):
        free = set()
    free_spans = tuple(text.sentences[sentence].span for sentence in sorted(free))
    spans = spans_without((Span(0, len(text.text.content)),), free_spans)
    return HeldWords(join_spans((*held.spans, *spans)), not free, _reason(against, free))


def _best_matches(matches: Sequence[PlacedMatch]) -> Iterable[PlacedMatch]:
    """Of each sentence the idea that it says best: a true one is often near others."""
    return {placed.sentence: placed for placed in sorted(matches, key=_likelihood)}.values()


def _likelihood(placed: PlacedMatch) -> tuple[float, int]:
    return placed.match.likelihood, -placed.match.scu_uid


def _reason(against: int, free: set[int]) -> str:
    earns = "Nothing in it earns"
    if free:
        earns = "Only sentences in words of the expert summaries earn"
    return (
        f"{against} sentences of this text may {CONTRADICTING_WORDS}. {earns} "
        "points until a grader reads it."
    )

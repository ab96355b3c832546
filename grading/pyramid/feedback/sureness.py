"""How likely it is that a text expresses an idea: three steps, with the percentage."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from grading.pyramid.structures import Match

_PERCENT = "\u202f%"  # a narrow space at which no line is broken


class Confidence(StrEnum):
    """In the words in which pages speak of a match."""

    UNSURE = "unsure"
    LIKELY = "likely"
    CERTAIN = "certain"


LIKELY_FROM = 0.7  # a probability, as it is shown; below it a match has a question mark
CERTAIN_FROM = 0.9
POSSIBLE_BELOW = 0.5


def confidence_of(match: Match) -> Confidence | None:
    """None where a person has decided, or the method knows no probability."""
    if match.by_hand or match.probability is None:
        return None
    return _confidence(match.probability)


def _confidence(probability: float) -> Confidence:
    shown = round(probability, 2)
    if shown >= CERTAIN_FROM:
        return Confidence.CERTAIN
    return Confidence.LIKELY if shown >= LIKELY_FROM else Confidence.UNSURE


def is_doubtful(match: Match) -> bool:
    """Is the match unsure?

    A method that knows no probability has no doubts: which other ideas came close is no question
    for the writer, who may not know of them.
    """
    return confidence_of(match) is Confidence.UNSURE


def percent_of(probability: float) -> str:
    """As pages show it; what is possible is never shown as 0, nor as 100 percent."""
    return f"{min(99, max(1, round(100 * round(probability, 2))))}{_PERCENT}"


def likelihood_in_words(probability: float) -> str:
    """Of words that somebody chose: “possible, 32 %”, “likely, 82 %”."""
    if probability < POSSIBLE_BELOW:
        return f"possible, {percent_of(probability)}"
    return f"{_confidence(probability)}, {percent_of(probability)}"


def confidence_in_words(match: Match) -> str:
    """“likely, 82 %”; empty where the method knows no probability."""
    confidence = confidence_of(match)
    if confidence is None or match.probability is None:
        return ""
    return f"{confidence}, {percent_of(match.probability)}"


@dataclass(frozen=True, slots=True)
class Sureness:
    """Of all matches of a text: the mean probability where there is any, and how many are unsure.

    Matches on which a person has decided are neither probable nor unsure.
    """

    mean: float | None
    doubtful: int


def sureness_of(matches: Sequence[Match]) -> Sureness:
    known = [
        match.probability
        for match in matches
        if not match.by_hand and match.probability is not None
    ]
    return Sureness(sum(known) / len(known) if known else None, sum(map(is_doubtful, matches)))

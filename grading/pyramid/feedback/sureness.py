"""How sure it is that a text tells an idea."""

from collections.abc import Sequence
from dataclasses import dataclass

from grading.pyramid.structures import Match

SURE_ENOUGH = 0.7  # from this probability on a match is shown without a question mark


def is_doubtful(match: Match) -> bool:
    """Not probable enough, and no person has said so.

    A method that knows no probability has no doubts: which other ideas came close is no question
    for the writer, who may not know of them.
    """
    if match.by_hand or match.probability is None:
        return False
    return match.probability < SURE_ENOUGH


@dataclass(frozen=True, slots=True)
class Sureness:
    """Of all matches of a text: the mean probability where there is any, and how many are doubtful.

    A person's word is neither probable nor doubtful.
    """

    mean: float | None
    doubtful: int


def sureness_of(matches: Sequence[Match]) -> Sureness:
    told = [one.probability for one in matches if not one.by_hand and one.probability is not None]
    return Sureness(sum(told) / len(told) if told else None, sum(map(is_doubtful, matches)))

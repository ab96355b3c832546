"""How sure it is that a text tells an idea."""

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

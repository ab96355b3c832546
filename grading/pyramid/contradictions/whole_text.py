"""Whether a text contradicts the experts so often that all of it waits for a person.

For each contradiction that the rules find, others are worded in ways that no rule knows. Where
some are sure, what alone says little counts too: a denial where no expert denies anything, and a
pair of opposites.
"""

from collections.abc import Set

# Of the sentences with a match, so many contradict the experts, and this share:
CONTRADICTING, CONTRADICTING_SHARE = 2, 1 / 6
# or one does, and so many may, and this share:
DOUBTFUL, DOUBTFUL_SHARE = 3, 0.4
# or none does, and so many deny something where no expert does, and this share.
DENYING, DENYING_SHARE = 3, 0.6


def sentences_against(
    matched: Set[int], contradicting: Set[int], denying: Set[int], opposing: Set[int]
) -> int:
    """How many sentences of a text speak against it as a whole; 0 where it is not held.

    All are numbers of sentences: those with a match, and among them those that contradict the
    experts, deny what no expert denies, or have the opposite of an expert's word.
    """
    doubtful = contradicting | denying | opposing
    if len(contradicting) >= CONTRADICTING and _is_share(
        contradicting, matched, CONTRADICTING_SHARE
    ):
        return len(contradicting)
    if contradicting and len(doubtful) >= DOUBTFUL and _is_share(doubtful, matched, DOUBTFUL_SHARE):
        return len(doubtful)
    if len(denying) >= DENYING and _is_share(denying, matched, DENYING_SHARE):
        return len(denying)
    return 0


def _is_share(some: Set[int], matched: Set[int], share: float) -> bool:
    return len(some) >= share * len(matched)

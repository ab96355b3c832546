"""How well each sentence of a text expresses each content unit, as one value.

Three things make the value. The similarity of the unit to the sentence and to the whole text, half
each: the sentence for who says it in one breath, the text for who spreads it. The *contrast*: how
much more similar the sentence is to this unit than to the others, so that a sentence about the
topic as a whole expresses none of them. And whether the sentence names the unit's numbers.

All but the similarity to the whole text looks at each sentence by itself. So a sentence that is
added to a text never lowers the best value of a unit.
"""

import numpy as np

from grading.pyramid.similarity import Matrix

DECIMALS = 6


def contrast(similarity: Matrix) -> Matrix:
    """How much more similar each row is to a unit than to the others, on average.

    0 where there are no others; a unit without similarities (NaN) is none.
    """
    known = ~np.isnan(similarity)
    filled = np.where(known, similarity, 0.0)
    others = known.sum(axis=1, keepdims=True) - 1
    mean_of_others = (filled.sum(axis=1, keepdims=True) - filled) / np.maximum(others, 1)
    difference: Matrix = np.where(known & (others > 0), filled - mean_of_others, 0.0)
    return difference


def idea_values(similarity: Matrix, whole: Matrix, *terms: Matrix) -> Matrix:
    """Sentences by units; ``whole`` is of the whole text, in one row or one for each sentence.

    A unit without similarities (NaN) stays so.
    """
    values: Matrix = np.round((similarity + whole) / 2 + sum(terms), DECIMALS)
    return values

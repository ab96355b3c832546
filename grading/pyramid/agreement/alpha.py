"""Krippendorff's alpha for nominal data, with missing values.

Krippendorff, K. (2011), “Computing Krippendorff's Alpha-Reliability”, University of Pennsylvania,
sections B to D. Counted are pairs of values of different judges on the same unit; a unit that fewer
than two judged pairs nothing. Coincidences add up over units, so that the figure of any draw of
texts is had from the sum of theirs.
"""

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
Numbers = NDArray[np.float64]

MISSING = -1
PRESENT_OR_NOT = 2  # values: 0 and 1


def coincidences(codes: Codes, values: int = PRESENT_OR_NOT) -> Numbers:
    """The coincidence matrix of codes 0 to ``values`` - 1: a row for each judge."""
    counts = np.stack([(codes == value).sum(axis=0) for value in range(values)], axis=1)
    judged = counts.sum(axis=1)
    counts, judged = counts[judged >= 2].astype(np.float64), judged[judged >= 2]
    shared = counts / (judged - 1)[:, None]
    matrix: Numbers = counts.T @ shared - np.diag(shared.sum(axis=0))
    return matrix


def alpha(matrix: Numbers) -> Numbers:
    """Of one coincidence matrix, or of each in a stack; not a number where nothing varies."""
    totals = matrix.sum(axis=-1)
    pairable = totals.sum(axis=-1)
    observed = pairable - np.trace(matrix, axis1=-2, axis2=-1)
    expected = pairable**2 - (totals**2).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        values: Numbers = np.where(
            expected > 0, 1 - (pairable - 1) * observed / expected, np.float64("nan")
        )
    return values

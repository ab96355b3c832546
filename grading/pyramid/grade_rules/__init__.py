"""From scores to grades: which score counts, what it is worth, lateness, rounding, attempts.

The order of the steps is fixed, and docs/methods.md tells it with an example: the scores to four
places, the weighted mean, the scale, the penalty, one rounding at the end (halves go up), the band.
Numbers are decimals and fractions throughout; what is not scored has no grade, which is never 0.
"""

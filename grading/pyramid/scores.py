"""Evidence to numbers: raw, quality, coverage and comprehensive (paper, section 4.6).

What the paper leaves open, and what is done here:

- The average number of content units of a reference may be a fraction: the best sum is then
  interpolated linearly between the whole numbers beside it.
- A unit counts once, however often it is told.
- A segment that tells several units counts as many times: who lists four examples in one clause
  has told four ideas.
- An idea that no reference tells (a statement out of a rubric) is expected of everyone.
- Whoever tells more than an average reference cannot have more than all of it: coverage ends at 1.
"""

import math
from collections.abc import Sequence
from itertools import accumulate

from grading.pyramid.figures import hundredths, number_of
from grading.pyramid.structures import Evidence, Pyramid, ScoreReport


def score(pyramid: Pyramid, evidence: Evidence, signature: str) -> ScoreReport:
    """The four scores, with lines that tell how they come about."""
    weights = sorted((scu.weight for scu in pyramid.scus), reverse=True)
    matched = _matched_weights(pyramid, evidence)
    raw = sum(matched)
    counted = max(evidence.counted, len(matched))
    average = ideas_of_a_reference(pyramid)
    best, expected = best_sum(weights, counted), best_sum(weights, average)
    quality = raw / best if best else 0.0
    coverage = min(1.0, raw / expected) if expected else 0.0
    comprehensive = harmonic_mean(quality, coverage)
    if counted:
        trace = (
            *lines_of_found(pyramid, evidence),
            f"{_best(counted, len(weights))} would give {_points(best)}.",
            _line_of_ratio("Quality", raw, best, quality),
            _line_of_average(pyramid, average),
            f"The most important ideas, as many as that, would give {_points(expected)}.",
            _line_of_ratio("Coverage", raw, expected, coverage),
            f"Comprehensive = both together (their harmonic mean) = {hundredths(comprehensive)}.",
        )
    else:
        trace = lines_of_found(pyramid, evidence)
    return ScoreReport(evidence, raw, quality, coverage, comprehensive, trace, signature)


def lines_of_found(pyramid: Pyramid, evidence: Evidence) -> tuple[str, ...]:
    """What was counted and found, without anything that depends on what was not."""
    weights = _matched_weights(pyramid, evidence)
    counted = max(evidence.counted, len(weights))
    if not counted:
        return ("No part of this text is long enough to count: all scores are 0.",)
    return _line_of_parts(len(evidence.segments), counted), _line_of_matches(weights)


def ideas_of_a_reference(pyramid: Pyramid) -> float:
    """How many of the ideas a reference has on average.

    Without references, or where no reference tells an idea, the idea is expected of everyone.
    """
    told = [scu for scu in pyramid.scus if scu.contributors]
    by_hand = len(pyramid.scus) - len(told)
    count = len(pyramid.references)
    return by_hand + (sum(min(count, scu.weight) for scu in told) / count if count else 0)


def best_sum(weights: Sequence[int], count: float) -> float:
    """The highest sum of ``count`` of the weights, which are given heaviest first."""
    sums = list(accumulate(weights, initial=0))
    below = min(math.floor(count), len(weights))
    above = min(below + 1, len(weights))
    return sums[below] + (count - math.floor(count)) * (sums[above] - sums[below])


def harmonic_mean(first: float, second: float) -> float:
    """0 where both are 0."""
    return 2 * first * second / (first + second) if first + second else 0.0


def _matched_weights(pyramid: Pyramid, evidence: Evidence) -> list[int]:
    matched = {match.scu for match in evidence.matches}
    return sorted((scu.weight for scu in pyramid.scus if scu.uid in matched), reverse=True)


def _line_of_parts(segments: int, counted: int) -> str:
    parts = f"{number_of(segments, 'part')} of the text counted"
    if counted == segments:
        return f"{parts}."
    return f"{parts}, as {counted}, since some of them tell several ideas."


def _line_of_average(pyramid: Pyramid, average: float) -> str:
    if any(scu.contributors for scu in pyramid.scus):
        return f"An expert's summary has {_number(average)} ideas on average."
    return f"The pyramid was made from a list: all {_number(average)} ideas are expected."


def _line_of_matches(weights: Sequence[int]) -> str:
    if not weights:
        return "None of the ideas was found."
    terms = " + ".join(str(weight) for weight in weights)
    total = _points(sum(weights))
    if len(weights) == 1:
        return f"1 idea was found. Its weight gives {total}."
    return f"{len(weights)} ideas were found. Their weights give {terms} = {total}."


def _line_of_ratio(name: str, raw: int, best: float, ratio: float) -> str:
    if not best:
        return f"{name} = 0: there is nothing to compare with."
    if raw > best:
        return f"{name} = {raw} / {_number(best)}, which is more than all of it: 1.00."
    return f"{name} = {raw} / {_number(best)} = {hundredths(ratio)}."


def _best(count: int, ideas: int) -> str:
    if count >= ideas > 1:
        return f"All {ideas} ideas"
    return "The most important idea" if count == 1 else f"The {count} most important ideas"


def _points(value: float) -> str:
    return f"{_number(value)} point" if value == 1 else f"{_number(value)} points"


def _number(value: float) -> str:
    """Whole where it is whole, else with two decimals."""
    return f"{hundredths(value)}".removesuffix(".00")

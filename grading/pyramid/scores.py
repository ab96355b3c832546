"""Evidence to numbers: raw, quality, coverage and comprehensive (paper, section 4.6).

What the paper leaves open, and what is done here:

- The average number of content units of a reference may be a fraction: the best sum is then
  interpolated linearly between the whole numbers beside it.
- Points are expected points: a match earns the weight of its unit times its probability, until a
  person confirms it (all of it) or removes it (nothing). The paper's methods know no probability.
- A unit counts once, however often it is expressed.
- A segment that expresses several units counts as many times: who lists four examples in one
  clause has made four statements.
- An idea that no reference expresses (a statement out of a rubric) is expected of everyone.
- No score leaves [0, 1]: more points than the best sum are all of it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from grading.pyramid.figures import hundredths, number_of, points_as_shown
from grading.pyramid.structures import Evidence, Match, Points, Pyramid, ScoreReport

POINT_DECIMALS = 4
SCORE_DECIMALS = 4
_TIMES = "\u00d7"


def score(
    pyramid: Pyramid,
    evidence: Evidence,
    signature: str,
    *,
    points: Points = Points.EXPECTED,
    explained: bool = True,
) -> ScoreReport:
    """The four scores, with lines that explain the calculation unless nobody reads them."""
    report = _scored(pyramid, _as_counted(evidence, points), signature, explained=explained)
    return replace(report, evidence=evidence)


def _as_counted(evidence: Evidence, points: Points) -> Evidence:
    """With matches that earn all or nothing, where points are not expected ones."""
    if points is Points.EXPECTED:
        return evidence
    matches = tuple(replace(match, probability=None) for match in evidence.matches)
    return replace(evidence, matches=matches, possible=())


def _scored(
    pyramid: Pyramid, evidence: Evidence, signature: str, *, explained: bool
) -> ScoreReport:
    weights = sorted(pyramid.weights.values(), reverse=True)
    raw = round(sum(points_of_ideas(pyramid, evidence).values()), POINT_DECIMALS)
    counted = evidence.counted
    average = ideas_of_a_reference(pyramid)
    best, expected = best_sum(weights, counted), best_sum(weights, average)
    quality = min(1.0, raw / best) if best else 0.0
    coverage = min(1.0, raw / expected) if expected else 0.0
    comprehensive = harmonic_mean(quality, coverage)
    trace: tuple[str, ...] = ()
    if explained and counted:
        trace = (
            *lines_of_found(pyramid, evidence),
            f"{_best(counted, len(weights))} would give {points_in_words(best)}.",
            _line_of_ratio("Quality", raw, best, quality),
            _line_of_average(pyramid, average),
            f"The same number of the most important ideas would give {points_in_words(expected)}.",
            _line_of_ratio("Coverage", raw, expected, coverage),
            f"Comprehensive = both together (their harmonic mean) = {hundredths(comprehensive)}.",
        )
    elif explained:
        trace = lines_of_found(pyramid, evidence)
    return ScoreReport(evidence, raw, quality, coverage, comprehensive, trace, signature)


def points_of_ideas(pyramid: Pyramid, evidence: Evidence) -> dict[int, float]:
    """What each matched or possible unit is expected to be worth, by its uid: weight times credit.

    A unit counts once; where several matches name it, the one with the highest credit counts.
    """
    weights = pyramid.weights
    points: dict[int, float] = {}
    for match in (*evidence.matches, *evidence.possible):
        if match.scu_uid in weights:
            worth = weights[match.scu_uid] * match.credit
            points[match.scu_uid] = max(worth, points.get(match.scu_uid, 0.0))
    return points


def lines_of_found(
    pyramid: Pyramid, evidence: Evidence, *, counts_possible: bool = True
) -> tuple[str, ...]:
    """What was counted and matched, without anything that depends on what was not.

    Without ``counts_possible`` the number of possible ideas is left out: it says how many ideas
    were missed at least.
    """
    counted = evidence.counted
    if not counted:
        return ("No statement in this text is long enough to count: all scores are 0.",)
    return (
        _line_of_statements(len(evidence.segments), counted),
        *_lines_of_matches(pyramid, evidence, counts_possible),
        *_lines_of_what_waits(evidence),
    )


def ideas_of_a_reference(pyramid: Pyramid) -> float:
    """How many of the ideas a reference has on average.

    Without references, or where no reference expresses an idea, the idea is expected of everyone.
    """
    shared = [pyramid.weights[scu.uid] for scu in pyramid.scus if scu.contributors]
    by_hand = len(pyramid.scus) - len(shared)
    count = len(pyramid.references)
    return by_hand + (sum([min(count, weight) for weight in shared]) / count if count else 0)


def best_sum(weights: Sequence[int], count: float) -> float:
    """The highest sum of ``count`` of the weights, which are given heaviest first."""
    whole = math.floor(count)
    return sum(weights[:whole]) + (count - whole) * sum(weights[whole : whole + 1])


def harmonic_mean(first: float, second: float) -> float:
    """0 where both are 0."""
    return 2 * first * second / (first + second) if first + second else 0.0


@dataclass(frozen=True, slots=True)
class ExpertScale:
    """What experts score: the mean, the lowest and the highest."""

    mean: float
    lowest: float
    highest: float


def scale_of(scores: Sequence[float]) -> ExpertScale | None:
    """None of fewer than two scores: one expert is no scale."""
    if len(scores) < 2:
        return None
    mean = round(sum(sorted(scores)) / len(scores), SCORE_DECIMALS)
    return ExpertScale(mean, min(scores), max(scores))


def _line_of_statements(segments: int, counted: int) -> str:
    statements = f"{number_of(segments, 'statement')} in the text counted"
    if counted == segments:
        return f"{statements}."
    return f"{statements}, as {counted}, because some of them express several ideas."


def _lines_of_matches(pyramid: Pyramid, evidence: Evidence, counts_possible: bool) -> Iterator[str]:
    """The sum of the points."""
    earned = _earnings(pyramid, evidence.matches)
    possible = _earnings(pyramid, evidence.possible)
    if earned:
        ideas = "1 idea was" if len(earned) == 1 else f"{len(earned)} ideas were"
        terms = " + ".join([_term(*each) for each in sorted(earned, reverse=True)])
        is_sum = len(earned) > 1 or earned[0][1] < 1
        calculation = f"{terms} = " if is_sum else ""
        yield f"{ideas} matched: {calculation}{points_in_words(_worth(earned))}."
    else:
        yield "No idea was matched."
    if any(credit < 1 for _, credit in earned):
        yield (
            "Each match earns the weight of its idea times its probability. "
            "A match that a person confirms earns the whole weight."
        )
    if possible:
        ideas = "1 idea that is possible but unlikely adds"
        if not counts_possible:
            ideas = "What is possible but unlikely adds"
        elif len(possible) > 1:
            ideas = f"{len(possible)} ideas that are possible but unlikely add"
        yield f"{ideas} {points_in_words(_worth(possible))}."


def _lines_of_what_waits(evidence: Evidence) -> Iterator[str]:
    """What earns nothing until a person decides."""
    against = len(evidence.contradicting)
    if against:
        matches = "1 match that may contradict the experts earns"
        if against > 1:
            matches = f"{against} matches that may contradict the experts earn"
        yield f"{matches} nothing until a grader decides."
    if evidence.held:
        yield "Held words earn nothing until a grader has read them."


def _earnings(pyramid: Pyramid, matches: Sequence[Match]) -> list[tuple[int, float]]:
    """Of each match that earns something the weight of its idea, and its credit."""
    weights = pyramid.weights
    known = [
        (weights[match.scu_uid], match.credit) for match in matches if match.scu_uid in weights
    ]
    return [(weight, credit) for weight, credit in known if credit]


def _worth(earnings: Sequence[tuple[int, float]]) -> float:
    return sum([weight * credit for weight, credit in earnings])


@lru_cache(maxsize=1 << 14)
def _term(weight: int, credit: float) -> str:
    """“5” for a match that earns all, else the weight times the probability."""
    return str(weight) if credit == 1 else f"{weight} {_TIMES} {hundredths(credit)}"


def _line_of_average(pyramid: Pyramid, average: float) -> str:
    if any(scu.contributors for scu in pyramid.scus):
        return f"An expert's summary has {points_as_shown(average)} ideas on average."
    return f"The pyramid was made from a list: all {points_as_shown(average)} ideas are expected."


def _line_of_ratio(name: str, raw: float, best: float, ratio: float) -> str:
    if not best:
        return f"{name} = 0: there is nothing to compare with."
    division = f"{points_as_shown(raw)} / {points_as_shown(best)}"
    if raw > best:
        return f"{name} = {division}, which is more than all of it: 1.00."
    return f"{name} = {division} = {hundredths(ratio)}."


def _best(count: int, ideas: int) -> str:
    if count >= ideas > 1:
        return f"All {ideas} ideas"
    return "The most important idea" if count == 1 else f"The {count} most important ideas"


def points_in_words(value: float) -> str:
    """“1 point”, “12.50 points”."""
    return f"{points_as_shown(value)} {'point' if value == 1 else 'points'}"

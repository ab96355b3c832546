"""Scoring by an EDU pyramid: the assignment of equations 20 to 24, the knapsack of 25 to 27.

A pair counts the weight of the pyramid's unit, whichever unit of the summary says it. So the best
assignment takes the pyramid's units from the heaviest on, wherever the pairs taken so far can make
room for one more by changing partners (the sets that can be matched are a transversal matroid, for
which this greedy way is optimal): no solver is needed, and the result is exact.
"""

from collections.abc import Mapping, Sequence

from grading.pyramid.edus.likeness import Subsequences


def similar(
    pyramid: Sequence[Sequence[str]], summary: Sequence[Sequence[str]], threshold: float
) -> dict[int, dict[int, float]]:
    """For each unit of the pyramid those of the summary that say it (24), with phi."""
    pairs = {}
    for number, words in enumerate(pyramid):
        like = Subsequences(words)
        shares = ((place, like.share_in(others)) for place, others in enumerate(summary))
        close = {place: share for place, share in shares if share and share >= threshold}
        if close:
            pairs[number] = close
    return pairs


def assign(pairs: Mapping[int, Mapping[int, float]], weights: Sequence[float]) -> dict[int, int]:
    """The unit of the summary for each unit of the pyramid that is matched (20 to 23).

    Of units of the same weight the one with the most similar partner comes first, then the earlier;
    each tries its most similar partners first.
    """
    partners: dict[int, int] = {}  # of a unit of the summary, the unit of the pyramid
    best = {unit: max(close.values()) for unit, close in pairs.items()}
    for unit in sorted(pairs, key=lambda one: (-weights[one], -best[one], one)):
        _make_room(unit, pairs, partners)
    return {unit: place for place, unit in partners.items()}


def _make_room(
    unit: int, pairs: Mapping[int, Mapping[int, float]], partners: dict[int, int]
) -> None:
    """Find a partner for the unit; those that give theirs away find others (Kuhn 1955)."""
    came_from: dict[int, int] = {}  # of a unit of the summary, the unit that asks for it
    asking, seen = [unit], {unit}
    for asker in asking:  # it grows while it is read
        for place in sorted(pairs[asker], key=lambda one: (-pairs[asker][one], one)):
            if place in came_from:
                continue
            came_from[place] = asker
            holder = partners.get(place)
            if holder is None:
                _hand_over(place, came_from, partners)
                return
            if holder not in seen:
                seen.add(holder)
                asking.append(holder)


def _hand_over(place: int, came_from: Mapping[int, int], partners: dict[int, int]) -> None:
    held = {unit: at for at, unit in partners.items()}
    while True:
        unit = came_from[place]
        partners[place] = unit
        if unit not in held:
            return
        place = held[unit]


def best_within(weights: Sequence[int], lengths: Sequence[int], limit: int) -> int:
    """The highest sum of weights of units that have at most ``limit`` words together (25 to 27)."""
    best = [0] * (limit + 1)
    for weight, length in zip(weights, lengths, strict=True):
        if length <= limit:
            taken = [weight + one for one in best[: limit + 1 - length]]
            best[length:] = map(max, best[length:], taken)
    return best[limit]

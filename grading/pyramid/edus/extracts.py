"""Extractive references by their units, and scores of a summary by them."""

from bisect import bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from grading.pyramid.edus.units import Edu
from grading.pyramid.errors import InputError
from grading.pyramid.ilp import Program, choose, relax
from grading.pyramid.ilp import assign as assign_all

# How much of a unit another one says: the share of its words in their order (equation 6).


class Subsequences:
    """The longest common subsequences of one sequence of words with others.

    Bits stand for the words: each word of the other sequence moves all columns of the table at once
    (Allison and Dix 1986).
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.length = len(words)
        self._all = (1 << len(words)) - 1
        self._places: dict[str, int] = {}
        for place, word in enumerate(words):
            self._places[word] = self._places.get(word, 0) | 1 << place

    def with_words(self, others: Sequence[str]) -> int:
        """The length of the longest common subsequence."""
        row = self._all
        for word in others:
            places = self._places.get(word)
            if places:
                shared = row & places
                row = (row + shared) | (row - shared)
        return self.length - (row & self._all).bit_count()

    def share_in(self, others: Sequence[str]) -> float:
        """phi: the length of that subsequence as a share of the words; 0 of no words."""
        return self.with_words(others) / self.length if self.length else 0.0


# Extractive references: the units of a source that say what a reference says, within its length.
#
# Section 3.1 (equations 1 to 6) aligns units one to one; section 3.2 (equations 7 to 18) looks for
# the oracle, the extract with the best recall of the reference's bigrams or Basic Elements. Both
# are solved by HiGHS to a proven optimum.
#
# Optima need not be unique. Of equally good extracts the one with the fewest words is taken, and of
# those the one whose units are earliest in the source: each unit costs, beside its words, a share
# that grows with its place by square roots of primes, of which no two sets have the same sum. The
# costs are too small to change what is best. In the oracle all values are whole numbers; alignments
# count as equally good where they differ by less than a thousandth of a unit.

_SCALE = 1_000  # of the values: HiGHS takes differences below a millionth for none
_WORDS_COST = 0.4  # of an extract as long as allowed
_PLACE_COST = 0.2  # of a word, for all units together
_ALIGNMENT_TIES = 1e-3
_PRICES = (0.8, 0.9, 1.0, 1.05, 1.1, 1.2, 1.35, 1.5)  # of a word, times that of the relaxation
_MARGIN = 1e-3  # of a thousandth: what the relaxation may be wrong by

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Aligned:
    """A unit of the source, the unit of the reference that it says, and how much of it."""

    unit: int
    reference_unit: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Extract:
    """The units of the source by their index, what they are worth, and whether that is proven."""

    units: tuple[int, ...]
    value: float
    is_proven: bool = True
    pairs: tuple[Aligned, ...] = ()


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Where a bigram or Basic Element is in the source: the units of its left and right word."""

    key: Key
    left: int
    right: int


def align(source: Sequence[Edu], reference: Sequence[Edu], limit: int) -> Extract:
    """The best alignment of equations 1 to 5 of at most ``limit`` words."""
    likeness = [Subsequences(unit.words) for unit in reference]
    pairs = [
        Aligned(unit, place, share)
        for unit, edu in enumerate(source)
        if len(edu.words) <= limit
        for place, like in enumerate(likeness)
        if (share := like.share_in(edu.words))
    ]
    costs = _costs(source, sorted({pair.unit for pair in pairs}), limit)
    worths = {
        (pair.unit, pair.reference_unit): pair.similarity - _ALIGNMENT_TIES * costs[pair.unit]
        for pair in pairs
    }
    lengths = [len(unit.words) for unit in source]
    needed = _undominated(worths, lengths, min(len(reference), limit))
    pairs = [pair for pair in pairs if (pair.unit, pair.reference_unit) in needed]
    values = [_SCALE * worths[pair.unit, pair.reference_unit] for pair in pairs]
    of_unit: defaultdict[int, dict[int, int]] = defaultdict(dict)
    of_reference: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for column, pair in enumerate(pairs):
        of_unit[pair.unit][column] = 1
        of_reference[pair.reference_unit][column] = 1
    length = {column: len(source[pair.unit].words) for column, pair in enumerate(pairs)}
    rows = [length, *of_unit.values(), *of_reference.values()]
    limits = [limit, *[1] * (len(rows) - 1)]
    columns, is_proven = _solve_alignment(Program(values, rows, limits), pairs)
    units = sorted({pairs[column].unit for column in columns})
    taken = _partners(units, pairs)
    return Extract(tuple(units), sum(pair.similarity for pair in taken), is_proven, tuple(taken))


def _partners(units: Sequence[int], pairs: Sequence[Aligned]) -> list[Aligned]:
    """The best alignment of these units alone: the same whichever way they were chosen."""
    among = [pair for pair in pairs if pair.unit in units]
    table = _Table(among)
    return [among[column] for column in table.assign([pair.similarity for pair in among])]


class _Table:
    """Pairs as the cells of a table: units by units of the reference."""

    def __init__(self, pairs: Sequence[Aligned]) -> None:
        sides = [(pair.unit, pair.reference_unit) for pair in pairs]
        lines = [
            {value: at for at, value in enumerate(sorted(set(side)))}
            for side in zip(*sides, strict=True)
        ]
        self._shape = tuple(map(len, lines))
        self._cells = {
            (lines[0][unit], lines[1][place]): column for column, (unit, place) in enumerate(sides)
        }

    def assign(self, values: Sequence[float]) -> list[int]:
        """The pairs, each side at most once, with the highest sum of values above 0."""
        if not self._cells:
            return []
        table = np.zeros(self._shape)
        for cell, column in self._cells.items():
            table[cell] = max(0.0, values[column])
        return [self._cells[cell] for cell in assign_all(table) if table[cell] > 0]


def _solve_alignment(program: Program, pairs: Sequence[Aligned]) -> tuple[tuple[int, ...], bool]:
    """The best columns; most of the others are seen to be in no best choice before solving.

    The prices of the relaxation say what a choice with a column is worth at most. Where some
    alignment within the limit is worth more, no best choice has the column.
    """
    relaxation = relax(program) if pairs else None
    if relaxation is None:
        return _solve(program)
    gains = np.array(program.values)
    for row, price in zip(program.rows, relaxation.prices, strict=True):
        gains[list(row)] -= price * np.array(list(row.values()))
    most = relaxation.value + np.minimum(0.0, gains)
    reached = _good_alignment(program, pairs, relaxation.prices[0])
    kept = np.flatnonzero(most >= reached - _MARGIN).tolist()
    number = {column: place for place, column in enumerate(kept)}
    rows = [{number[c]: times for c, times in row.items() if c in number} for row in program.rows]
    values = [program.values[column] for column in kept]
    columns, is_proven = _solve(Program(values, rows, program.limits))
    return tuple(kept[column] for column in columns), is_proven


def _good_alignment(program: Program, pairs: Sequence[Aligned], price: float) -> float:
    """What a good choice within the limit is worth.

    It is the best assignment where each word has a price; what is too much is dropped, the least
    worth by the word first, and what has room is added, the most worth first.
    """
    table, values = _Table(pairs), np.array(program.values)
    lengths = np.array([program.rows[0][column] for column in range(len(pairs))])
    by_value = np.argsort(-values, kind="stable").tolist()
    best = 0.0
    for times in _PRICES:
        taken = table.assign((values - times * price * lengths).tolist())
        taken.sort(key=lambda column: values[column] / lengths[column], reverse=True)
        words = int(lengths[taken].sum())
        while words > program.limits[0]:
            words -= int(lengths[taken.pop()])
        units = {pairs[column].unit for column in taken}
        places = {pairs[column].reference_unit for column in taken}
        for column in by_value:
            unit, place = pairs[column].unit, pairs[column].reference_unit
            fits = words + lengths[column] <= program.limits[0] and values[column] > 0
            if fits and unit not in units and place not in places:
                taken.append(column)
                units.add(unit)
                places.add(place)
                words += int(lengths[column])
        best = max(best, float(values[taken].sum()))
    return best


def _undominated(
    worths: Mapping[tuple[int, int], float], lengths: Sequence[int], most: int
) -> set[tuple[int, int]]:
    """Pairs that an optimum may need: at most ``most`` units are used, so of as many others that
    are no longer and worth no less for the same unit of the reference, one is free to take over.
    """
    by_reference: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
    for (unit, place), value in worths.items():
        by_reference[place].append((-value, unit))
    needed = set()
    for place, candidates in by_reference.items():
        better: list[int] = []  # the lengths of those that are worth more
        for _, unit in sorted(candidates):
            if bisect_right(better, lengths[unit]) < most:
                needed.add((unit, place))
            insort(better, lengths[unit])
    return needed


def oracle(
    source: Sequence[Edu],
    occurrences: Sequence[Occurrence],
    wanted: Mapping[Key, int],
    limit: int,
    sentence_cost: int,
) -> Extract:
    """The extract of equations 9 to 18 of at most ``limit`` words.

    ``wanted`` says how often the reference has each key; each sentence that is used costs.
    """
    places_by_key: defaultdict[Key, Counter[tuple[int, int]]] = defaultdict(Counter)
    for occurrence in occurrences:
        fits = len(source[occurrence.left].words) + len(source[occurrence.right].words) * (
            occurrence.left != occurrence.right
        )
        if occurrence.key in wanted and fits <= limit:
            places_by_key[occurrence.key][
                min(occurrence.left, occurrence.right), max(occurrence.left, occurrence.right)
            ] += 1
    both = sorted({places for counted in places_by_key.values() for places in counted})
    units = sorted({unit for places in both for unit in places})
    if not units:
        return Extract((), 0.0)
    costs = _costs(source, units, limit)
    program = _Columns()
    chosen = {unit: program.add(-costs[unit]) for unit in units}
    sentences = {
        number: program.add(-sentence_cost)
        for number in sorted({source[unit].sentence for unit in units})
    }
    shared = {
        places: chosen[places[0]] if places[0] == places[1] else program.add(0) for places in both
    }
    program.limit({chosen[unit]: len(source[unit].words) for unit in units}, limit)
    for (left, right), column in shared.items():
        if left != right:
            program.limit({column: 1, chosen[left]: -1}, 0)
            program.limit({column: 1, chosen[right]: -1}, 0)
    for unit in units:
        program.limit({chosen[unit]: 1, sentences[source[unit].sentence]: -1}, 0)
    for key, counted in sorted(places_by_key.items()):
        times = min(wanted[key], counted.total())
        counts = {program.add(1): 1 for _ in range(times)}
        program.limit(counts | {shared[places]: -times_ for places, times_ in counted.items()}, 0)
    columns, is_proven = _solve(
        Program([_SCALE * value for value in program.values], program.rows, program.limits)
    )
    taken = set(columns)
    extract = tuple(unit for unit in units if chosen[unit] in taken)
    return Extract(extract, worth(extract, source, places_by_key, wanted, sentence_cost), is_proven)


def worth(
    extract: Sequence[int],
    source: Sequence[Edu],
    places_by_key: Mapping[Key, Mapping[tuple[int, int], int]],
    wanted: Mapping[Key, int],
    sentence_cost: int,
) -> float:
    """The objective (9) of an extract: the keys that it has, less the cost of its sentences."""
    taken = set(extract)
    matched = sum(
        min(
            wanted[key], sum(times for places, times in counted.items() if taken.issuperset(places))
        )
        for key, counted in places_by_key.items()
    )
    return matched - sentence_cost * len({source[unit].sentence for unit in extract})


class _Columns:
    """A program in the making."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self.rows: list[Mapping[int, int]] = []
        self.limits: list[int] = []

    def add(self, value: float) -> int:
        self.values.append(value)
        return len(self.values) - 1

    def limit(self, row: Mapping[int, int], most: int) -> None:
        self.rows.append(row)
        self.limits.append(most)


def _costs(source: Sequence[Edu], units: Sequence[int], limit: int) -> dict[int, float]:
    """What each unit costs so that one of equally good extracts is best: below 1 together."""
    if not units:
        return {}
    word = _WORDS_COST / max(1, limit)
    roots = [sqrt(prime) for prime in _primes(len(units))]
    place = word * _PLACE_COST / sum(roots)
    return {
        unit: word * len(source[unit].words) + place * root
        for unit, root in zip(units, roots, strict=True)
    }


def _primes(count: int) -> list[int]:
    primes: list[int] = []
    number = 2
    while len(primes) < count:
        if all(number % prime for prime in primes):
            primes.append(number)
        number += 1
    return primes


def _solve(program: Program) -> tuple[tuple[int, ...], bool]:
    choice = choose(program)
    if choice is None:
        raise InputError("No extractive reference was found within the limits of the solver.")
    return choice.columns, choice.proven


# Scoring by an EDU pyramid: the assignment of equations 20 to 24, the knapsack of 25 to 27.
#
# A pair counts the weight of the pyramid's unit, whichever unit of the summary says it. So the best
# assignment takes the pyramid's units from the heaviest on, wherever the pairs taken so far can
# make room for one more by changing partners (the sets that can be matched are a transversal
# matroid, for which this greedy way is optimal): no solver is needed, and the result is exact.


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
    for unit in sorted(pairs, key=lambda unit: (-weights[unit], -best[unit], unit)):
        _make_room(unit, pairs, partners)
    return {unit: place for place, unit in partners.items()}


def _make_room(
    unit: int, pairs: Mapping[int, Mapping[int, float]], partners: dict[int, int]
) -> None:
    """Find a partner for the unit; those that give theirs away find others (Kuhn 1955)."""
    came_from: dict[int, int] = {}  # of a unit of the summary, the unit that asks for it
    asking, seen = [unit], {unit}
    for asker in asking:  # it grows while it is read
        for place in sorted(pairs[asker], key=lambda place: (-pairs[asker][place], place)):
            if place in came_from:
                continue
            came_from[place] = asker
            rival = partners.get(place)
            if rival is None:
                _hand_over(place, came_from, partners)
                return
            if rival not in seen:
                seen.add(rival)
                asking.append(rival)


def _hand_over(place: int, came_from: Mapping[int, int], partners: dict[int, int]) -> None:
    place_of = {unit: at for at, unit in partners.items()}
    while True:
        unit = came_from[place]
        partners[place] = unit
        if unit not in place_of:
            return
        place = place_of[unit]


def best_within(weights: Sequence[int], lengths: Sequence[int], limit: int) -> int:
    """The highest sum of weights of units that have at most ``limit`` words together (25 to 27)."""
    best = [0] * (limit + 1)
    for weight, length in zip(weights, lengths, strict=True):
        if length <= limit:
            taken = [weight + total for total in best[: limit + 1 - length]]
            best[length:] = map(max, best[length:], taken)
    return best[limit]

"""How similar words and phrases are: align, disambiguate, and walk."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.word_senses.lexicon import Entry, Integers, Lexicon, load_lexicon

if TYPE_CHECKING:
    from scipy.sparse import csr_array


# Where a random walk from a sense goes: personalised PageRank, and what is kept of it.
#
# Pilehvar, Jurgens and Navigli (2013), section 2.1, after Haveliwala (2002): the walk goes on to a
# neighbour with probability ALPHA, and back to its sense otherwise. The signature of a sense are
# the senses that the walk is at most often, with how often.
#
# The walk is computed locally, by pushing what is left over from sense to sense (Andersen, Chung
# and Lang 2006): all that is more than ``LEAST`` a neighbour is passed on, so only the surroundings
# of a sense are ever touched. Sums are made in the order of the graph: every machine gets the same.

Numbers = NDArray[np.float64]

ALPHA = 0.85
LEAST = 2e-5  # of a walk, per neighbour: less is not passed on
KEPT = 200  # senses of a signature
_WHOLE = 10**8  # parts of a walk: shares that differ by less are equal
_MOST_KEPT = 10_000  # signatures in memory: about 50 MB
_PLACE_BITS = 36  # more than the number of a sense, or of an unknown word, has
_PLACES = (1 << _PLACE_BITS) - 1


@dataclass(frozen=True, eq=False, slots=True)
class RankedSenses:
    """Senses, ascending, with their ranks by the share of a walk that is at each.

    Ranks count from 1; of equal shares the lower sense has the better rank.
    """

    senses: Integers
    ranks: Integers


@dataclass(frozen=True, eq=False, slots=True)
class SenseSignature(RankedSenses):
    """With the shares."""

    shares: Numbers


class SenseSignatures:
    """The signatures of a lexicon's senses, each computed when it is first asked for, and kept.

    A number beyond the lexicon's senses is a word that it does not know: the walk stays there.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._starts = lexicon.starts
        self._neighbours = lexicon.neighbours
        self._degrees = np.diff(lexicon.starts)
        self._known: dict[int, SenseSignature] = {}

    def of(self, sense: int) -> SenseSignature:
        """The signature of one sense (two milliseconds the first time)."""
        signature = self._known.get(sense)
        if signature is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            if sense < len(self._degrees):
                signature = _kept(*self._walk(sense))
            else:
                signature = SenseSignature(
                    np.array([sense]), np.ones(1, dtype=np.int64), np.ones(1)
                )
            self._known[sense] = signature
        return signature

    def of_all(self, sets: Sequence[Sequence[int]]) -> list[RankedSenses]:
        """Of walks that begin at any of the senses of a set: the means of their signatures."""
        from scipy.sparse import csr_array  # noqa: PLC0415 - scipy would make web processes large

        senses = sorted({sense for sense_set in sets for sense in sense_set})
        row_of = {sense: row for row, sense in enumerate(senses)}
        signatures, reached = _matrix(
            [self.of(sense).senses for sense in senses], [self.of(sense).shares for sense in senses]
        )
        rows = [row_of[sense] for sense_set in sets for sense in sorted(set(sense_set))]
        starts = np.cumsum([0, *(len(set(sense_set)) for sense_set in sets)])
        shape = len(sets), len(senses)
        sums = csr_array((np.ones(len(rows)), rows, starts), shape=shape) @ signatures
        shares = sums.data / np.repeat(np.diff(starts), np.diff(sums.indptr))
        keys = _keys(reached[sums.indices], shares)
        return [_ranked(keys[start:end]) for start, end in pairwise(sums.indptr.tolist())]

    def _walk(self, sense: int) -> tuple[Integers, Numbers]:
        """The senses that a walk reaches, and its share of each."""
        shares = np.zeros(len(self._degrees))
        left = np.zeros(len(self._degrees))
        left[sense] = 1.0
        active = np.array([sense])
        reached = [active]
        while len(active):
            amounts = left[active]
            left[active] = 0.0
            shares[active] += (1 - ALPHA) * amounts
            degrees = self._degrees[active]
            ends = np.cumsum(degrees)
            steps = np.arange(ends[-1]) - np.repeat(ends - degrees, degrees)
            targets = self._neighbours[np.repeat(self._starts[active], degrees) + steps]
            passed = ALPHA * amounts / np.maximum(degrees, 1)
            places, where = np.unique(targets, return_inverse=True)
            left[places] += np.bincount(where, np.repeat(passed, degrees), len(places))
            active = places[left[places] > LEAST * self._degrees[places]]
            reached.append(active)
        visited = np.unique(np.concatenate(reached))
        return visited, shares[visited]


def _kept(places: Integers, shares: Numbers) -> SenseSignature:
    """The most frequent ones; the places ascend."""
    ranked = _ranked(_keys(places, shares))
    return SenseSignature(
        ranked.senses, ranked.ranks, shares[np.searchsorted(places, ranked.senses)]
    )


def _keys(places: Integers, shares: Numbers) -> Integers:
    """Share and sense in one number: none are equal, of equal shares the lower sense is first."""
    keys: Integers = (np.rint(shares * _WHOLE).astype(np.int64) << _PLACE_BITS) - places
    return keys


def _ranked(keys: Integers) -> RankedSenses:
    """The highest ones."""
    best = np.partition(keys, -KEPT)[-KEPT:] if len(keys) > KEPT else keys.copy()
    best.sort()
    senses = -best[::-1] & _PLACES
    order = senses.argsort()
    return RankedSenses(senses[order], order + 1)


# How similar words and phrases are: align, disambiguate, and walk.
#
# Pilehvar, Jurgens and Navigli (2013): each word of a phrase takes the sense that is closest to any
# sense of the other phrase (section 3.1); a walk from all senses so chosen gives each phrase a
# signature, and two signatures are as similar as their Weighted Overlap (section 2.2), which
# compares the ranks of the senses that both have.
#
# Where this departs from the paper:
#
# - Senses are aligned by the cosine of their signatures, which is one product of matrices, in the
#   place of their Weighted Overlap, which decides in the end.
# - A word that WordNet does not know is a sense of its own, similar to itself only.
# - Phrases whose words align badly (a mean cosine below ``LEAST_ALIGNED``) have similarity 0: their
#   signatures are not compared.

Phrase = tuple[Entry, ...]  # its content words, each a part of speech and a form
SenseSet = tuple[int, ...]

LEAST_ALIGNED = 0.1
MOST_SENSES = 12  # of a word: the most frequent ones
_MOST_SETS = 5_000  # signatures of phrases in memory: about 25 MB
_MOST_OVERLAPS = 200_000
_SETS_AT_ONCE = 500  # bounds the memory that many phrases take
_DECIMALS = 6  # beyond them, equal cosines are equal


@dataclass(frozen=True, eq=False, slots=True)
class Phrases:
    """Phrases to be compared with others: the senses of their words, and these as a matrix.

    ``words`` has the words of all phrases one after the other, each by the rows of its senses.
    The columns of the matrix are the senses ``reached``.
    """

    phrases: tuple[Phrase, ...]
    senses: tuple[int, ...]
    matrix: "csr_array"
    reached: Integers
    words: tuple[tuple[int, ...], ...]
    starts: Integers  # of each phrase among the words; one more at the end


class Adw:
    """Compares words and phrases; signatures that were once computed are kept."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._signatures = SenseSignatures(lexicon)
        self._of_sets: dict[SenseSet, RankedSenses] = {}
        self._overlaps: dict[tuple[SenseSet, SenseSet], float] = {}

    @property
    def name(self) -> str:
        """For signatures of methods."""
        return f"adw-1-{self._lexicon.name}"

    def word_similarity(self, first: Entry, second: Entry) -> float:
        """That of the two words' closest senses; 0 where one has none."""
        pairs = (
            weighted_overlap(self._signatures.of(sense), self._signatures.of(other))
            for sense in self._lexicon.senses(first[1], first[0])
            for other in self._lexicon.senses(second[1], second[0])
        )
        return max(pairs, default=0.0)

    def knows(self, entry: Entry) -> bool:
        """Whether WordNet has the word."""
        return bool(self._lexicon.senses(entry[1], entry[0]))

    def against(self, columns: Sequence[Phrase]) -> Callable[[Sequence[Phrase]], Numbers]:
        """What compares any phrases with these, which are prepared once."""
        prepared = self.prepare(columns)
        return lambda rows: self.similarities(self.prepare(rows), prepared)

    def prepare(self, phrases: Sequence[Phrase]) -> Phrases:
        """Phrases with the signatures of all their senses, computed where they are not yet."""
        entries = sorted({entry for phrase in phrases for entry in phrase})
        senses_of = {entry: self._senses(entry) for entry in entries}
        senses = sorted(
            {sense for senses_of_word in senses_of.values() for sense in senses_of_word}
        )
        row_of = {sense: row for row, sense in enumerate(senses)}
        words = tuple(
            tuple(row_of[sense] for sense in senses_of[entry])
            for phrase in phrases
            for entry in phrase
        )
        starts = np.cumsum([0, *map(len, phrases)])
        signatures = [self._signatures.of(sense) for sense in senses]
        shares = [
            signature.shares / np.sqrt((signature.shares * signature.shares).sum())
            for signature in signatures
        ]
        matrix, reached = _matrix([signature.senses for signature in signatures], shares)
        return Phrases(tuple(phrases), tuple(senses), matrix, reached, words, starts)

    def similarities(self, rows: Phrases, columns: Phrases) -> Numbers:
        """How similar each phrase of the first is to each of the second, 0 to 1."""
        result = np.zeros((len(rows.phrases), len(columns.phrases)))
        if not rows.words or not columns.words:
            return result
        cosines = _cosines(rows, columns)
        chosen, there = _aligned(cosines, rows, columns)
        chosen_back, back = _aligned(cosines.T, columns, rows)
        both = (there + back.T) / 2
        of_rows = np.array(rows.senses)[chosen].T.tolist()
        of_columns = np.array(columns.senses)[chosen_back].T.tolist()
        row_starts, column_starts = rows.starts.tolist(), columns.starts.tolist()
        places = np.argwhere(both >= LEAST_ALIGNED)
        pairs = []
        for row, column in places.tolist():
            of_row = of_rows[column][row_starts[row] : row_starts[row + 1]]
            of_column = of_columns[row][column_starts[column] : column_starts[column + 1]]
            first, second = tuple(sorted(set(of_row))), tuple(sorted(set(of_column)))
            pairs.append((first, second) if first <= second else (second, first))
        result[places[:, 0], places[:, 1]] = self._overlaps_of(pairs)
        return result

    def _senses(self, entry: Entry) -> tuple[int, ...]:
        part, word = entry
        known = self._lexicon.senses(word, part)[:MOST_SENSES]
        return known or (self._lexicon.size + zlib.crc32(word.encode()),)

    def _overlaps_of(self, pairs: Sequence[tuple[SenseSet, SenseSet]]) -> list[float]:
        """The Weighted Overlaps of pairs of sets; those that were once computed are kept."""
        if len(self._overlaps) >= _MOST_OVERLAPS:
            self._overlaps.clear()
        if len(self._of_sets) >= _MOST_SETS:
            self._of_sets.clear()
        new = dict.fromkeys(pair for pair in pairs if pair not in self._overlaps)
        sets = dict.fromkeys(
            sense_set for pair in new for sense_set in pair if sense_set not in self._of_sets
        )
        missing = list(sets)
        for start in range(0, len(missing), _SETS_AT_ONCE):
            some = missing[start : start + _SETS_AT_ONCE]
            self._of_sets.update(zip(some, self._signatures.of_all(some), strict=True))
        for first, second in new:
            overlap = weighted_overlap(self._of_sets[first], self._of_sets[second])
            self._overlaps[first, second] = overlap
        return [self._overlaps[pair] for pair in pairs]


@cache
def shared_adw() -> Adw:
    """The process's own, over the shipped lexicon: what one assignment computed serves the next."""
    return Adw(load_lexicon())


def weighted_overlap(first: RankedSenses, second: RankedSenses) -> float:
    """Between 0 (no sense in common) and 1 (the same senses in the same order)."""
    places = np.searchsorted(second.senses, first.senses)
    places[places == len(second.senses)] = 0
    common = second.senses[places] == first.senses
    count = int(common.sum())
    if not count:
        return 0.0
    ranks = first.ranks[common] + second.ranks[places[common]]
    ranks.sort()
    return float((1 / ranks).sum()) / _best_overlap(count)


@cache
def _best_overlap(count: int) -> float:
    """Of so many senses that have the same ranks in both."""
    return float((1 / (2 * np.arange(1, count + 1))).sum())


def _matrix(senses: Sequence[Integers], shares: Sequence[Numbers]) -> tuple["csr_array", Integers]:
    """A row for each signature, and the senses that the columns are."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - scipy would make web processes large

    starts = np.cumsum([0, *map(len, shares)])
    places = np.concatenate([np.zeros(0, dtype=np.int64), *senses])
    reached, columns = np.unique(places, return_inverse=True)
    shape = len(shares), len(reached)
    return csr_array(
        (np.concatenate([np.zeros(0), *shares]), columns, starts), shape=shape
    ), reached


def _cosines(first: Phrases, second: Phrases) -> Numbers:
    """All cosines, from a product of sparse matrices: one thread, and the same on any machine."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - as above

    places = np.searchsorted(second.reached, first.reached)
    places[places == len(second.reached)] = 0
    known = second.reached[places] == first.reached
    data = np.where(known[first.matrix.indices], first.matrix.data, 0.0)
    indices = np.where(known, places, 0)[first.matrix.indices]
    shape = first.matrix.shape[0], len(second.reached)
    moved = csr_array((data, indices, first.matrix.indptr), shape=shape)
    product: Numbers = (moved @ second.matrix.T.tocsr()).toarray()
    return np.round(product, _DECIMALS)


def _aligned(
    cosines: Numbers, phrases: Phrases, others: Phrases
) -> tuple[NDArray[np.int64], Numbers]:
    """For each word and other phrase the sense that is closest to it; and the means of phrases."""
    columns = np.array([sense for word in others.words for sense in word])
    lengths = np.cumsum([0, *map(len, others.words)])
    filled = np.flatnonzero(np.diff(others.starts))
    closest = np.zeros((cosines.shape[0], len(others.phrases)))
    starts = lengths[others.starts[filled]]
    closest[:, filled] = np.maximum.reduceat(cosines[:, columns], starts, axis=1)
    chosen = np.zeros((len(phrases.words), len(others.phrases)), dtype=np.int64)
    values = np.zeros(chosen.shape)
    for number, word in enumerate(phrases.words):
        senses = np.array(word)
        best = closest[senses].argmax(axis=0)
        chosen[number] = senses[best]
        values[number] = closest[chosen[number], np.arange(chosen.shape[1])]
    counts = np.diff(phrases.starts)
    sums = np.add.reduceat(np.vstack([values, np.zeros((1, values.shape[1]))]), phrases.starts[:-1])
    means = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], 0.0)
    return chosen, means

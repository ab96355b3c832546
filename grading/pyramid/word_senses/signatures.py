"""Where a random walk from a sense goes: personalised PageRank, and what is kept of it.

Pilehvar, Jurgens and Navigli (2013), section 2.1, after Haveliwala (2002): the walk goes on to a
neighbour with probability ALPHA, and back to its sense otherwise. The signature of a sense are
the senses that the walk is at most often, with how often.

The walk is computed locally, by pushing what is left over from sense to sense (Andersen, Chung and
Lang 2006): all that is more than ``LEAST`` a neighbour is passed on, so only the surroundings of a
sense are ever touched. Sums are made in the order of the graph: every machine gets the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.word_senses.lexicon import Integers, Lexicon

Numbers = NDArray[np.float64]

ALPHA = 0.85
LEAST = 2e-5  # of a walk, per neighbour: less is not passed on
KEPT = 200  # senses of a signature
_WHOLE = 10**8  # parts of a walk: shares that differ by less are equal
_MOST_KEPT = 10_000  # signatures in memory: about 50 MB
_PLACE_BITS = 36  # more than the number of a sense, or of an unknown word, has


@dataclass(frozen=True, eq=False, slots=True)
class SenseSignature:
    """Senses, ascending, with the share of the walk that is at each, and their ranks by that.

    Ranks count from 1; of equal shares the lower sense has the better rank.
    """

    senses: Integers
    shares: Numbers
    ranks: Integers


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
                    np.array([sense]), np.ones(1), np.ones(1, dtype=np.int64)
                )
            self._known[sense] = signature
        return signature

    def of_all(self, senses: Iterable[int]) -> SenseSignature:
        """The signature of a walk that begins at any of the senses: their mean."""
        parts = [self.of(sense) for sense in sorted(set(senses))]
        if len(parts) == 1:
            return parts[0]
        places = np.concatenate([part.senses for part in parts])
        shares = np.concatenate([part.shares for part in parts])
        order = places.argsort(kind="stable")
        ordered = places[order]
        starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        return _kept(ordered[starts], np.add.reduceat(shares[order], starts) / len(parts))

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
    # Share and sense in one number: no two are equal, and the lower sense of equal shares is first.
    keys = (np.rint(shares * _WHOLE).astype(np.int64) << _PLACE_BITS) - places
    if len(keys) > KEPT:
        best = np.sort(keys.argpartition(-KEPT)[-KEPT:])
        places, shares, keys = places[best], shares[best], keys[best]
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[(-keys).argsort()] = np.arange(1, len(keys) + 1)
    return SenseSignature(places, shares, ranks)

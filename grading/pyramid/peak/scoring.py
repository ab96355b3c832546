"""What a summary has of the content units: algorithm 2.

Yang, Passonneau and de Melo (2016). Each triple of the summary is compared with each unit; where
they are similar enough, the unit's weight stands in a matrix, in which the Hungarian algorithm
assigns triples to units, each to one at most. The score is the sum of the weights assigned. Left
open, and chosen here:

- A triple is as similar to a unit as to the unit's most similar triple, anchor or contributor.
- Algorithm 2 keeps weights only, so that equal weights tie. Here a thousandth of the similarity is
  added to each: of assignments with the same score the one with the most similar pairs is taken.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from grading.pyramid.ilp import assign
from grading.pyramid.peak.settings import Comparison
from grading.pyramid.word_senses.adw import Phrase
from grading.pyramid.word_senses.lexicon import Integers
from grading.pyramid.word_senses.signatures import Numbers

_TIE = 0.001  # of a similarity: less than any difference between whole weights


@dataclass(frozen=True, eq=False, slots=True)
class ScoredUnits:
    """Content units, ready to be compared with: each of their triples, and the units' weights.

    ``owners[p]`` is the number of the unit that the ``p``-th of the triples belongs to.
    """

    compare: Callable[[Sequence[Phrase]], Numbers]
    owners: Integers
    weights: Numbers


@dataclass(frozen=True, slots=True)
class Assignment:
    """A triple of the summary and the unit that it is assigned to, by their numbers."""

    triple: int
    unit: int
    similarity: float


def prepare_units(
    triples: Sequence[Sequence[Phrase]], weights: Sequence[float], comparison: Comparison
) -> ScoredUnits:
    """The units of a model, each with the phrases of its triples."""
    owners = [number for number, phrases in enumerate(triples) for _ in phrases]
    compare = comparison.against([phrase for phrases in triples for phrase in phrases])
    return ScoredUnits(compare, np.array(owners, dtype=np.int64), np.array(weights, dtype=float))


def assign_triples(triples: Sequence[Phrase], units: ScoredUnits, match: float) -> list[Assignment]:
    """The assignment with the highest sum of weights, in the order of the triples."""
    similarities = np.zeros((len(triples), len(units.weights)))
    if similarities.size:
        np.maximum.at(similarities.T, units.owners, units.compare(triples).T)
    worth = np.where(similarities >= match, units.weights + _TIE * similarities, 0.0)
    return [
        Assignment(triple, unit, float(similarities[triple, unit]))
        for triple, unit in assign(worth)
        if worth[triple, unit] > 0
    ]

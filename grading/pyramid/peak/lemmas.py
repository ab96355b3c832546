"""Plain lemma overlap in the place of ADW: what PEAK is worth without senses of words.

A control, not of the paper: the same triples, hypergraph, merging and assignment, but two phrases
are as similar as the share of their lemmas that both have (Jaccard).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from grading.pyramid.word_senses.adw import Phrase
from grading.pyramid.word_senses.signatures import Numbers


@dataclass(frozen=True, slots=True)
class LemmaOverlap:
    """Compares phrases by their words alone."""

    name: str = "lemmas-1"

    def against(self, columns: Sequence[Phrase]) -> Callable[[Sequence[Phrase]], Numbers]:
        """What compares any phrases with these; phrases without words have similarity 0."""
        sets = [set(phrase) for phrase in columns]

        def compare(rows: Sequence[Phrase]) -> Numbers:
            table = np.zeros((len(rows), len(sets)))
            for number, words in enumerate(map(set, rows)):
                table[number] = [
                    len(words & others) / max(1, len(words | others)) for others in sets
                ]
            return table

        return compare

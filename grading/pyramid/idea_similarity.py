"""How well each sentence of a text expresses each idea, and what an idea is known by."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.encoders.words import content_words_in
from grading.pyramid.similarity import Matrix, digest_of
from grading.pyramid.structures import Pyramid, Scu, Text, Unit

# What a content unit is known by: its contributors, and its label where that has words of its own.
#
# A text is compared with each part; a unit is as similar as the mean of its best part and of all
# its parts: one expert's wording may be met, but an idea is what the experts share.

DECIMALS = 6  # the last bits of a sum depend on the order of contributors
NO_REFERENCE = ""  # where a label comes from
_NUMBER = re.compile(r"(?<!\w)(?:\d[\d,.]*\d|\d)")  # "1956", "27,000", "5.86"; not the 2 of CO2


@dataclass(frozen=True, eq=False, slots=True)
class ScuParts:
    """The parts of all content units of a pyramid, those of a unit side by side."""

    units: tuple[Unit, ...]
    starts: NDArray[np.int64]  # of the parts of each content unit
    references: tuple[str, ...]  # that each part comes from
    numbers: tuple[frozenset[str], ...]  # of each content unit: those that half of its parts name
    keys: tuple[str, ...]  # of each content unit: they name what its parts say, in their texts

    @classmethod
    def of(cls, pyramid: Pyramid) -> "ScuParts":
        parts = [
            _parts_of(
                scu,
                tuple(pyramid.reference(contributor.reference) for contributor in scu.contributors),
            )
            for scu in pyramid.scus
        ]
        sizes = [len(of_scu.units) for of_scu in parts]
        starts = np.cumsum([0, *sizes[:-1]]) if sizes else np.zeros(0, dtype=np.int64)
        return cls(
            units=tuple(unit for of_scu in parts for unit in of_scu.units),
            starts=starts,
            references=tuple(source for of_scu in parts for source in of_scu.references),
            numbers=tuple(of_scu.numbers for of_scu in parts),
            keys=tuple(of_scu.key for of_scu in parts),
        )

    def of_scu(self, place: int) -> tuple[Unit, ...]:
        """The parts of a content unit."""
        ends = [*self.starts[1:].tolist(), len(self.units)]
        return self.units[self.starts[place] : ends[place]]

    def contributes(self, reference: str) -> NDArray[np.bool_]:
        """Which content units the reference contributed to."""
        if not len(self.starts):
            return np.zeros(0, dtype=np.bool_)
        own = np.array([source == reference for source in self.references], dtype=np.bool_)
        contributes: NDArray[np.bool_] = np.logical_or.reduceat(own, self.starts)
        return contributes

    def join(self, similarity: Matrix, *, without: str | None = None) -> Matrix:
        """Rows by parts to rows by content units.

        The parts that come from the reference ``without`` are passed over; a content unit of which
        nothing is left is NaN.
        """
        if not len(self.starts) or not len(similarity):
            return np.full((len(similarity), len(self.starts)), np.nan)
        if without is None:
            return self._joined(similarity, np.diff(self.starts, append=len(self.units)))
        kept = np.array([source != without for source in self.references])
        sizes = np.add.reduceat(kept.astype(np.int64), self.starts)
        joined = self._joined(np.where(kept, similarity, 0.0), np.maximum(sizes, 1))
        joined[:, sizes == 0] = np.nan
        return joined

    def _joined(self, similarity: Matrix, sizes: NDArray[np.int64]) -> Matrix:
        best = np.maximum.reduceat(similarity, self.starts, axis=1)
        mean = np.add.reduceat(similarity, self.starts, axis=1) / sizes
        joined: Matrix = ((best + mean) / 2).round(DECIMALS)
        return joined

    def number_agreement(self, sentences: Sequence[str]) -> Matrix:
        """For each sentence and content unit: 1 if it names all numbers of the unit, -1 if none.

        In between for some of them; 0 for a unit without numbers.
        """
        agreement = np.zeros((len(sentences), len(self.starts)))
        named = [numbers_in(sentence) for sentence in sentences]
        for scu, numbers in enumerate(self.numbers):
            if numbers:
                agreement[:, scu] = [2 * (len(numbers & here) / len(numbers)) - 1 for here in named]
        return agreement


@lru_cache(maxsize=1 << 14)
def numbers_in(words: str) -> frozenset[str]:
    """The numbers that are written in digits, without their commas."""
    return frozenset(match.group().replace(",", "") for match in _NUMBER.finditer(words))


def _shared_numbers(parts: Sequence[str]) -> frozenset[str]:
    counts = Counter(number for words in parts for number in numbers_in(words))
    return frozenset(number for number, count in counts.items() if 2 * count >= len(parts))


@dataclass(frozen=True, eq=False, slots=True)
class _PartsOfScu:
    """The parts of one content unit, and what follows from them."""

    units: tuple[Unit, ...]
    references: tuple[str, ...]
    numbers: frozenset[str]
    key: str


@lru_cache(maxsize=1 << 12)
def _parts_of(scu: Scu, texts: tuple[Text, ...]) -> _PartsOfScu:
    """``texts`` are those of the contributors. An edit changes a content unit or two of many."""
    units = [
        Unit(text, contributor.spans)
        for text, contributor in zip(texts, scu.contributors, strict=True)
    ]
    references = [contributor.reference for contributor in scu.contributors]
    words = [unit.words for unit in units]
    label = scu.label_unit
    if not units or (label.words and label.words not in words):
        units.append(label)
        references.append(NO_REFERENCE)
        words.append(label.words)
    key = digest_of("\n".join(f"{unit.spans} of {unit.text.content}" for unit in units))
    return _PartsOfScu(tuple(units), tuple(references), _shared_numbers(words), key)


# How well each sentence of a text expresses each content unit, as one value.
#
# Three things make the value. The similarity of the unit to the sentence, for who says it in one
# breath, and a smaller share of that to the whole text, for who spreads it. The *contrast*: how
# much closer the meaning of the sentence is to this unit than to the best of the others, so that a
# sentence about the topic as a whole expresses none of them, and own words express the one that is
# meant. A long sentence may express several units, so there it counts less. And whether the
# sentence names the unit's numbers.
#
# All but the similarity to the whole text looks at each sentence on its own. So a sentence that is
# added to a text never lowers the best value of a unit.

DECIMALS_OF_VALUES = 6
WHOLE_SHARE = 0.3  # of the similarity to the whole text, beside that to the sentence
WORDS_OF_AN_IDEA = 6  # of content; in a sentence with more the contrast counts less


def contrast(similarity: Matrix) -> Matrix:
    """How much more similar each row is to a unit than to the best of the others.

    0 where there are no others; a unit without similarities (NaN) is none.
    """
    known = ~np.isnan(similarity)
    others = known.sum(axis=1, keepdims=True) - 1
    if similarity.shape[1] < 2:
        return np.zeros_like(similarity)
    filled = np.where(known, similarity, 0.0)
    ordered = np.sort(filled, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    best_of_others = np.where(filled == best, second, best)
    difference: Matrix = np.where(known & (others > 0), filled - best_of_others, 0.0)
    return difference


def room_for_one(sentences: Sequence[str]) -> Matrix:
    """For each sentence a number up to 1: the smaller, the more ideas have room in it."""
    counts = [content_words_in(sentence) for sentence in sentences]
    room: Matrix = WORDS_OF_AN_IDEA / np.maximum(
        np.array(counts, dtype=np.float64), WORDS_OF_AN_IDEA
    )
    return room[:, None]


def idea_values(similarity: Matrix, whole: Matrix, *terms: Matrix) -> Matrix:
    """Sentences by units; ``whole`` is of the whole text, in one row or one for each sentence.

    A unit without similarities (NaN) stays so.
    """
    both = (1 - WHOLE_SHARE) * similarity + WHOLE_SHARE * whole
    values: Matrix = np.round(both + sum(terms), DECIMALS_OF_VALUES)
    return values

"""How much of the content of one unit another one tells, word by word.

Each word of the column takes its closest word of the row; the similarity is the mean of these,
weighted. It has a direction: a long text tells all of a short idea, not the other way round. A
function word weighs 0.3. A word of content weighs 1 among equals; against the units of a pyramid it
weighs more the fewer of them have its stem: in "Density is a physical property", beside five other
physical properties, "density" is what makes the difference.

The idea of a recall in which each word takes its closest one is BERTScore's (Zhang et al. 2020).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.calibration import Priors
from grading.pyramid.encoders import VectorMemory
from grading.pyramid.encoders.words import Words, words_of
from grading.pyramid.similarity import Compare, Matrix
from grading.pyramid.similarity.closest_words import (
    Closest,
    ClosestWords,
    RecallMemory,
    Rows,
    digest_of,
)
from grading.pyramid.structures import Spans, Unit

_words_of = lru_cache(maxsize=512)(words_of)  # references and labels, as often as one is edited

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

FUNCTION_WORD = 0.3  # the weight of a word without content
COMMONEST = 0.05  # the weight of a word that all units of a pyramid have
_REFERENCES = 16  # at most, that a pyramid is made of
DECIMALS = 4  # what is left of them is noise of single precision


@dataclass(frozen=True, eq=False, slots=True)
class _Columns:
    """Units to compare with, ready. The words of their texts stand side by side.

    ``read`` are the texts whose vectors were needed so far, as they are multiplied.
    ``told`` are the units that have words; their words have ``places`` and ``weights``, those of
    one unit after those of another, from ``starts`` on.
    """

    number: int
    texts: Mapping[str, Words]
    digests: Mapping[str, str]
    read: dict[str, Words]
    told: Places
    places: Places
    weights: Floats
    starts: Places


class Recall:
    """Recall over words that ``read`` finds in a text, close as ``closeness`` says.

    ``remembered`` is the number of texts whose closest words are kept, so that they can be compared
    again at once when a pyramid was edited.
    """

    def __init__(
        self,
        name: str,
        read: Callable[[str], Words],
        closeness: Callable[[Words, Words], Floats],
        priors: Priors,
        remembered: int = 0,
        memory: VectorMemory | None = None,
    ) -> None:
        self.name = name
        self.priors = priors
        self._read = read
        self._closeness = closeness
        # The references are compared as well: less room would push out what comes next.
        room = remembered + _REFERENCES if remembered else 0
        self._closest = ClosestWords(room)
        self.memory = RecallMemory(memory, self._closest) if memory else None

    def words(self, content: str) -> Words:
        return self._read(content)

    def among(self, units: Sequence[Unit]) -> Matrix:
        """The mean of both directions."""
        recall = self._recall(units, _columns(units, _texts(units), {}))
        symmetric: Matrix = np.round((recall + recall.T) / 2, DECIMALS)
        return symmetric

    def against(self, columns: Sequence[Unit]) -> Compare:
        texts = _texts(columns)
        ready = _columns(columns, texts, _rarity(columns, texts))
        return lambda rows: self._recall(rows, ready)

    def _recall(self, rows: Sequence[Unit], columns: _Columns) -> Matrix:
        table = np.zeros((len(rows), columns.number))
        if not len(columns.told):
            return table
        for content in dict.fromkeys(row.text.content for row in rows):
            here = [number for number, row in enumerate(rows) if row.text.content == content]
            spans = tuple(rows[number].spans for number in here)
            closest = self._closest_words(content, spans, columns)[columns.places]
            weighted = closest.astype(np.float32) * columns.weights[:, None]
            totals = np.add.reduceat(weighted, columns.starts, axis=0)
            recall = totals / np.add.reduceat(columns.weights, columns.starts)[:, None]
            table[np.ix_(np.array(here), columns.told)] = recall.T.clip(0, 1).round(DECIMALS)
        return table

    def _closest_words(self, content: str, rows: Rows, columns: _Columns) -> Closest:
        """For each word of the columns' texts, how close the closest word of each row is."""
        known = self._closest.of(content, rows)
        new = {key: one for one, key in columns.digests.items() if key not in known}
        if new:
            words = _ready(self._read(content))
            closeness = [self._closeness(self._column(one, columns), words) for one in new.values()]
            highest = _highest(closeness, [_places(words, row) for row in rows])
            ends = np.cumsum([one.shape[0] for one in closeness])[:-1]
            tables = dict(zip(new, np.split(highest, ends), strict=True))
            self._closest.add(content, known, tables, columns.digests.values())
        return np.concatenate([known[digest] for digest in columns.digests.values()])

    def _column(self, content: str, columns: _Columns) -> Words:
        """Read when it is first needed: not at all where all that is compared is known."""
        if content not in columns.read:
            columns.read[content] = _ready(self._read(content))
        return columns.read[content]


def _texts(units: Sequence[Unit]) -> dict[str, Words]:
    """The words, without vectors, of all texts that the units are of."""
    return {content: _words_of(content) for content in (unit.text.content for unit in units)}


def _ready(words: Words) -> Words:
    """With vectors as they are multiplied: not converted again for each text to compare with."""
    return replace(words, vectors=words.vectors.astype(np.float64))


def _highest(closeness: Sequence[Floats], rows: Sequence[Places]) -> NDArray[np.float16]:
    """The maxima over the words of each row; all columns below one another."""
    # Words of rows come first: maxima over columns of a wide matrix take thirty times as long.
    by_row = np.concatenate([one.T for one in closeness], axis=1)
    closest = np.zeros((len(rows), by_row.shape[1]), dtype=np.float16)
    for number, places in enumerate(rows):
        if len(places):
            closest[number] = by_row[places].max(axis=0)
    return closest.T


def _rarity(units: Sequence[Unit], texts: Mapping[str, Words]) -> dict[str, float]:
    """1 for a stem that one unit has, towards 0 for one that all have."""
    stems: Counter[str] = Counter()
    for unit in units:
        words = texts[unit.text.content]
        stems.update({words.stems[place] for place in _places(words, unit.spans).tolist()})
    most = np.log((len(units) + 1) / 1.5)
    return {
        stem: max(COMMONEST, float(np.log((len(units) + 1) / (count + 0.5)) / most))
        for stem, count in stems.items()
    }


def _columns(
    units: Sequence[Unit], texts: Mapping[str, Words], rarity: Mapping[str, float]
) -> _Columns:
    ends = np.cumsum([len(words.starts) for words in texts.values()]).tolist()
    offsets = dict(zip(texts, [0, *ends], strict=False))
    weights = {content: _weights(words, rarity) for content, words in texts.items()}
    places = [_places(texts[unit.text.content], unit.spans) for unit in units]
    with_words = [number for number, of_unit in enumerate(places) if len(of_unit)]
    contents = [units[number].text.content for number in with_words]
    placed = [places[number] for number in with_words]
    return _Columns(
        number=len(units),
        texts=texts,
        digests={content: digest_of(content) for content in texts},
        read={},
        told=np.array(with_words, dtype=np.int64),
        places=_joined([offsets[one] + of for one, of in zip(contents, placed, strict=True)]),
        weights=_joined([weights[one][of] for one, of in zip(contents, placed, strict=True)]),
        starts=np.cumsum([0, *map(len, placed)])[:-1],
    )


def _weights(words: Words, rarity: Mapping[str, float]) -> Floats:
    content = [rarity.get(stem, 1.0) for stem in words.stems]
    return np.where(words.has_content, content, FUNCTION_WORD).astype(np.float32)


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _places(words: Words, spans: Spans) -> Places:
    """The words that stand in the spans."""
    ranges = [
        np.arange(
            np.searchsorted(words.starts, span.start),
            np.searchsorted(words.ends, span.end, "right"),
        )
        for span in spans
    ]
    return _joined(ranges)

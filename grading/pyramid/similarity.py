"""Two batches of units to a matrix of similarities in [0, 1]."""

import json
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, islice, pairwise
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.calibration import Calibration, Priors
from grading.pyramid.encoders import Encoder, VectorMemory
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.encoders.words import Vectors, Words, words_of
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Span, Spans, Unit

Matrix = NDArray[np.float64]
Meanings = NDArray[np.float16]
Compare = Callable[[Sequence[Unit]], Matrix]  # units to their similarities with others, a row each


class Memory(VectorMemory, Protocol):
    """Keeps what was found out about a text besides."""

    def has_news_of(self, content: str) -> bool:
        """Is there more to keep of a text than was kept or given back last?"""


class Similarity(Protocol):
    """What builders and matchers need: one measure among equals, one of a text against ideas."""

    @property
    def name(self) -> str:
        """Name and content of the models, for signatures."""

    @property
    def priors(self) -> Priors:
        """How probable a match is by this similarity, as far as other texts than these tell."""

    @property
    def memory(self) -> Memory | None:
        """What spares texts from being read again; None where reading takes no time."""

    def words(self, content: str) -> Words | None:
        """The words of a text as they are compared, with vectors; None where there are none."""

    def among(self, units: Sequence[Unit]) -> Matrix:
        """How similar the units are to one another; symmetric."""

    def against(self, columns: Sequence[Unit]) -> Compare:
        """Ready units, once, for others to be compared with: how much of a column a row tells."""

    def meanings(self, units: Sequence[Unit]) -> Meanings:
        """A vector of length 1 for each unit as a whole; no columns where there are none."""


# Cosines of vectors, as PyrEval compares segments (Gao, Sun and Passonneau 2019, section 4.3).
#
# Deviation: a negative cosine counts as 0, like that of a vector without length. Cosines are
# rounded to six decimals: the last bits of a matrix product depend on the shape and order of its
# factors, and must not decide between equals.

COSINE_DECIMALS = 6


class CosineSimilarity:
    """The cosine of the vectors that an encoder gives; the same in both directions."""

    # Cosines differ so much from text to text that this is no more than a guess.
    priors = Priors(*[Calibration(slope=4.8, threshold=0.431)] * 3)
    memory = None  # vectors of sentences are made as fast as they are looked up

    def __init__(self, encoder: Encoder) -> None:
        self.name = f"cosine-{encoder.name}"
        self._encoder = encoder

    def words(self, content: str) -> None:
        """Sentences have vectors here, and words have none."""

    def among(self, units: Sequence[Unit]) -> Matrix:
        vectors = self._encoder.encode(units)
        return cosine_matrix(vectors, vectors)

    def against(self, columns: Sequence[Unit]) -> Compare:
        vectors = _unit_length(self._encoder.encode(columns))
        return lambda rows: _cosines_of_units(_unit_length(self._encoder.encode(rows)), vectors)

    def meanings(self, units: Sequence[Unit]) -> Meanings:
        """None: they are what is compared already."""
        return np.zeros((len(units), 0), dtype=np.float16)


def cosine_matrix(rows: NDArray[np.floating[Any]], columns: NDArray[np.floating[Any]]) -> Matrix:
    """The cosine of each row vector with each column vector, in [0, 1]."""
    return _cosines_of_units(_unit_length(rows), _unit_length(columns))


def _cosines_of_units(rows: NDArray[np.float64], columns: NDArray[np.float64]) -> Matrix:
    """The same of vectors of length 1."""
    cosines: Matrix = (rows @ columns.T).clip(0.0, 1.0).round(COSINE_DECIMALS)
    return cosines


def closeness(rows: Meanings, columns: NDArray[np.floating[Any]]) -> Matrix:
    """The cosines of meanings; 0 where one side has none."""
    if not rows.shape[1] or not columns.shape[1]:
        return np.zeros((len(rows), len(columns)))
    # Sums of products of half precision are exact, as in _cosines: the same for any threads.
    cosines: Matrix = (_double(rows) @ _double(columns).T).clip(0, 1).round(DECIMALS)
    return cosines


def _unit_length(vectors: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    exact = np.ascontiguousarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    scaled: NDArray[np.float64] = np.divide(
        exact, lengths, out=np.zeros_like(exact), where=lengths > 0
    )
    return scaled


# How much of the content of one unit another one expresses, word by word.

# What a recall remembers of a text: how close its closest words are to those of other texts.
#
# By the rows that the text was compared in, and by the other texts. It can be kept with the vectors
# of the text, so that another process need not multiply them again. What was found out about long
# texts, which are the references, is kept at once; about labels of ideas only where there are many
# new ones, as a few are done again in no time.

Rows = tuple[Spans, ...]
# A row for each word of the other text, a column for each row; of stems only whether it has them.
Closest = NDArray[np.float16] | NDArray[np.bool_]
OfOthers = dict[str, Closest]  # by the digest of the other text

MOST_OTHERS: Final = 512  # pyramids of an assignment, with labels by hand
MOST_WAYS: Final = 2  # sets of rows that a text is compared in
_LONG: Final = 40  # words
_MOST_KEPT: Final = 16  # long others, for each set of rows
_MOST_SHORT: Final = 256  # others: the labels of a pyramid
_HALF: Final = np.dtype("<f2")
_NUMBER: Final = 4  # bytes


def digest_of(content: str) -> str:
    return blake2b(content.encode(errors="surrogatepass"), digest_size=12).hexdigest()


class ClosestWords:
    """Of the texts that were compared last; ``room`` is how many."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._known: OrderedDict[str, dict[Rows, OfOthers]] = OrderedDict()
        self._news: set[str] = set()

    def of(self, content: str, rows: Rows) -> OfOthers:
        """What is known of a text in these rows."""
        ways = self._known.setdefault(content, {}) if self._room else {}
        if rows not in ways:
            for old in list(ways)[: max(0, len(ways) - MOST_WAYS + 1)]:
                del ways[old]
            ways[rows] = {}
        if self._room:
            self._known.move_to_end(content)
        while len(self._known) > self._room:
            self._news.discard(self._known.popitem(last=False)[0])
        return ways[rows]

    def add(self, content: str, known: OfOthers, new: OfOthers, in_use: Iterable[str]) -> None:
        """Remember more of a text; what is not in use goes where there is too much of it."""
        used = set(in_use)
        unused = [digest for digest in known if digest not in used]
        for old in unused[: max(0, len(known) + len(new) - MOST_OTHERS)]:
            del known[old]
        known |= new
        if content in self._known and sum(map(len, new.values())) >= _LONG:
            self._news.add(content)

    def has_news_of(self, content: str) -> bool:
        """Was something found out that is worth keeping, since it was kept or given back?"""
        return content in self._news

    def keep(self, content: str) -> bytes:
        header: list[Any] = []
        tables: list[bytes] = []
        for rows, others in self._known.get(content, {}).items():
            long = [pair for pair in others.items() if len(pair[1]) >= _LONG]
            short = [pair for pair in others.items() if len(pair[1]) < _LONG]
            if others:
                both = (*long[-_MOST_KEPT:], *short[-_MOST_SHORT:])
                kept = sorted(both, key=lambda pair: pair[0])
                ends = [[end for span in row for end in (span.start, span.end)] for row in rows]
                header.append([ends, [[digest, len(table)] for digest, table in kept]])
                tables += (np.ascontiguousarray(table, dtype=_HALF).tobytes() for _, table in kept)
        self._news.discard(content)
        document = json.dumps(header).encode()
        return len(document).to_bytes(_NUMBER, "little") + document + b"".join(tables)

    def give_back(self, content: str, kept: bytes | memoryview) -> None:
        """Of bytes that were kept of this text."""
        size = int.from_bytes(kept[:_NUMBER], "little")
        at = _NUMBER + size
        for ends, others in json.loads(bytes(kept[_NUMBER:at])):
            rows = tuple(
                tuple(Span(*pair) for pair in zip(end[::2], end[1::2], strict=True)) for end in ends
            )
            known = self.of(content, rows)
            count = len(rows) * sum(words for _, words in others)
            tables = np.frombuffer(kept, dtype=_HALF, count=count, offset=at)
            tables = tables.reshape(-1, len(rows))
            first = 0
            for digest, words in others:
                known.setdefault(digest, tables[first : first + words])
                first += words
            at += count * _HALF.itemsize
        self._news.discard(content)


class RecallMemory:
    """The vectors of a text, as their reader keeps them, and its closest words."""

    def __init__(self, vectors: VectorMemory, closest: ClosestWords) -> None:
        self.name = f"{vectors.name}-closest-1"
        self._vectors = vectors
        self._closest = closest

    def has_news_of(self, content: str) -> bool:
        return self._closest.has_news_of(content)

    def read_ahead(self, contents: Sequence[str]) -> None:
        self._vectors.read_ahead(contents)

    def keep(self, content: str) -> bytes:
        vectors = self._vectors.keep(content)
        kept = len(vectors).to_bytes(_NUMBER, "little") + vectors + self._closest.keep(content)
        return _proof(content, kept) + kept

    def give_back(self, content: str, kept: bytes | memoryview) -> None:
        proof, document = kept[:_NUMBER], memoryview(kept)[_NUMBER:]
        if proof != _proof(content, document):
            raise InputError("This was not kept of this text.")
        end = _NUMBER + int.from_bytes(document[:_NUMBER], "little")
        self._vectors.give_back(content, document[_NUMBER:end])
        self._closest.give_back(content, document[end:])


def _proof(content: str, document: bytes | memoryview) -> bytes:
    proof = zlib.crc32(document, zlib.crc32(content.encode(errors="surrogatepass")))
    return proof.to_bytes(_NUMBER, "little")


# How much of the content of one unit another one tells, word by word.
#
# Each word of the column takes its closest word of the row; the similarity is the mean of these,
# weighted. It has a direction: a long text tells all of a short idea, not the other way round. A
# function word weighs 0.3. A word of content weighs 1 among equals; against the units of a pyramid
# it weighs more the fewer of them have its stem: in "Density is a physical property", beside five
# other physical properties, "density" is what makes the difference.
#
# The idea of a recall in which each word takes its closest one is BERTScore's (Zhang et al. 2020).

_words_of = lru_cache(maxsize=512)(words_of)  # references and labels, as often as one is edited

Floats = NDArray[np.float32]
Places = NDArray[np.int64]
Ranges = Sequence[tuple[int, int]]  # numbers of words: the first, and the one after the last
# For each word of another text, and each row of a text, how close the closest word of the row is.
FindClosest = Callable[[Words, Sequence[Ranges], Words], Closest]

FUNCTION_WORD = 0.3  # the weight of a word without content
COMMONEST = 0.05  # the weight of a word that all units of a pyramid have
_REFERENCES = 16  # at most, that a pyramid is made of
DECIMALS = 4  # what is left of them is noise of single precision


@dataclass(frozen=True, eq=False, slots=True)
class _Columns:
    """Units to compare with, ready. The words of their texts stand side by side.

    ``read`` are the texts whose vectors were needed so far, as they are multiplied.
    ``told`` are the units that have words; their words have ``places`` and ``weights``, those of
    one unit after those of another, from ``starts`` on. ``totals`` are the weights of each unit.
    """

    number: int
    texts: Mapping[str, Words]
    digests: Mapping[str, str]
    read: dict[tuple[str, ...], Words]
    told: Places
    places: Places
    weights: Floats
    starts: Places
    totals: Floats


class Recall:
    """Recall over words that ``read`` finds in a text, close as ``closest`` says.

    ``remembered`` is the number of texts whose closest words are kept, so that they can be compared
    again at once when a pyramid was edited.
    """

    def __init__(
        self,
        name: str,
        read: Callable[[str], Words],
        closest: FindClosest,
        priors: Priors,
        remembered: int = 0,
        memory: VectorMemory | None = None,
    ) -> None:
        self.name = name
        self.priors = priors
        self._read = read
        self._find_closest = closest
        # The references are compared as well: less room would push out what comes next.
        room = remembered + _REFERENCES if remembered else 0
        self._closest = ClosestWords(room)
        self.memory = RecallMemory(memory, self._closest) if memory else None

    def words(self, content: str) -> Words:
        return self._read(content)

    def among(self, units: Sequence[Unit]) -> Matrix:
        """The mean of both directions."""
        recall = self._recall(units, _columns(units, by_rarity=False))
        symmetric: Matrix = np.round((recall + recall.T) / 2, DECIMALS)
        return symmetric

    def against(self, columns: Sequence[Unit]) -> Compare:
        ready = _columns(columns, by_rarity=True)
        return lambda rows: self._recall(rows, ready)

    def meanings(self, units: Sequence[Unit]) -> Meanings:
        """The mean of a unit's vectors of words, where function words weigh less."""
        contents = {unit.text.content for unit in units}
        if self.memory:
            self.memory.read_ahead(sorted(contents))
        texts = {content: self._read(content) for content in contents}
        width = max((words.vectors.shape[1] for words in texts.values()), default=0)
        if not width:
            return np.zeros((len(units), 0), dtype=np.float16)
        weighted = {content: _weighted(words) for content, words in texts.items()}
        meanings = np.zeros((len(units), width))
        for content, (weights, vectors) in weighted.items():
            rows = [number for number, unit in enumerate(units) if unit.text.content == content]
            spans = [units[row].spans for row in rows]
            for row, ranges in zip(rows, _ranges(texts[content], spans), strict=True):
                words = _slice_or_places(ranges)
                total = weights[words] @ vectors[words]
                meanings[row, : len(total)] = total  # a text without words has no vectors
        return _unit_length(meanings).astype(np.float16)

    def _recall(self, rows: Sequence[Unit], columns: _Columns) -> Matrix:
        table = np.zeros((len(rows), columns.number))
        if not len(columns.told):
            return table
        for content in dict.fromkeys(row.text.content for row in rows):
            here = [number for number, row in enumerate(rows) if row.text.content == content]
            spans = tuple(rows[number].spans for number in here)
            closest = self._closest_words(content, spans, columns).take(columns.places, axis=0).T
            weighted = _single(closest) * columns.weights
            recall = np.add.reduceat(weighted, columns.starts, axis=1) / columns.totals
            table[np.ix_(np.array(here), columns.told)] = recall.clip(0, 1).round(DECIMALS)
        return table

    def _closest_words(self, content: str, rows: Rows, columns: _Columns) -> Closest:
        """For each word of the columns' texts, how close the closest word of each row is."""
        known = self._closest.of(content, rows)
        new = {key: other for other, key in columns.digests.items() if key not in known}
        if new:
            words = _ready(self._read(content))
            side_by_side = self._side_by_side(tuple(new.values()), columns)
            highest = self._find_closest(words, _ranges(words, rows), side_by_side)
            ends = accumulate(
                (len(columns.texts[other].starts) for other in new.values()), initial=0
            )
            tables = [highest[first:end] for first, end in pairwise(ends)]
            self._closest.add(
                content, known, dict(zip(new, tables, strict=True)), columns.digests.values()
            )
            if len(new) == len(columns.digests):
                return highest
        return np.concatenate([known[digest] for digest in columns.digests.values()])

    def _side_by_side(self, contents: tuple[str, ...], columns: _Columns) -> Words:
        """The words of texts as those of one, read when they are first needed.

        Not at all where all that is compared is known. Those that were needed last are kept: for
        most texts they are all texts of the columns.
        """
        if contents not in columns.read:
            if self.memory:
                self.memory.read_ahead(contents)
            columns.read.clear()
            columns.read[contents] = _joined_words([_ready(self._read(text)) for text in contents])
        return columns.read[contents]


def _texts(units: Sequence[Unit]) -> dict[str, Words]:
    """The words, without vectors, of all texts that the units are of."""
    return {content: _words_of(content) for content in (unit.text.content for unit in units)}


def _ready(words: Words) -> Words:
    """With vectors as they are multiplied: not converted again for each text to compare with."""
    return replace(words, vectors=_single(words.vectors))


def _joined_words(parts: Sequence[Words]) -> Words:
    vectors = [_single(words.vectors) for words in parts if len(words.starts)]
    return Words(
        starts=_joined([words.starts for words in parts]),
        ends=_joined([words.ends for words in parts]),
        stems=tuple(stem for words in parts for stem in words.stems),
        has_content=_joined([words.has_content for words in parts]),
        vectors=np.concatenate(vectors or [np.zeros((0, 0), dtype=np.float32)]),
    )


def closest_by(closeness: Callable[[Words, Words], Floats]) -> FindClosest:
    """The maxima of a closeness of words, from 0 to 1; 0 where a row has no words."""

    def closest(words: Words, rows: Sequence[Ranges], others: Words) -> Closest:
        close = closeness(words, others)
        highest = np.zeros((len(rows), close.shape[1]), dtype=np.float32)
        for row, ranges in zip(highest, rows, strict=True):
            for first, end in ranges:
                np.maximum(row, close[first:end].max(axis=0), out=row)
        return highest.astype(np.float16).T

    return closest


def _rarity(
    units: Sequence[Unit], places: Sequence[Places], texts: Mapping[str, Words]
) -> dict[str, float]:
    """1 for a stem that one unit has, towards 0 for one that all have."""
    stems: Counter[str] = Counter()
    for unit, of_unit in zip(units, places, strict=True):
        of_text = texts[unit.text.content].stems
        stems.update({of_text[place] for place in of_unit.tolist()})
    most = np.log((len(units) + 1) / 1.5)
    rarity = {
        count: max(COMMONEST, float(np.log((len(units) + 1) / (count + 0.5)) / most))
        for count in set(stems.values())
    }
    return {stem: rarity[count] for stem, count in stems.items()}


def _columns(units: Sequence[Unit], *, by_rarity: bool) -> _Columns:
    texts = _texts(units)
    places = [_places(texts[unit.text.content], unit.spans) for unit in units]
    rarity = _rarity(units, places, texts) if by_rarity else {}
    ends = np.cumsum([len(words.starts) for words in texts.values()]).tolist()
    offsets = dict(zip(texts, [0, *ends], strict=False))
    weights = {content: _weights(words, rarity) for content, words in texts.items()}
    with_words = [number for number, of_unit in enumerate(places) if len(of_unit)]
    contents = [units[number].text.content for number in with_words]
    placed = [places[number] for number in with_words]
    starts = np.cumsum([0, *map(len, placed)])[:-1]
    placed_weights = _joined(
        [weights[content][words] for content, words in zip(contents, placed, strict=True)]
    )
    return _Columns(
        number=len(units),
        texts=texts,
        digests={content: digest_of(content) for content in texts},
        read={},
        told=np.array(with_words, dtype=np.int64),
        places=_joined(
            [offsets[content] + words for content, words in zip(contents, placed, strict=True)]
        ),
        weights=placed_weights,
        starts=starts,
        totals=np.add.reduceat(placed_weights, starts) if len(starts) else placed_weights,
    )


def _weights(words: Words, rarity: Mapping[str, float]) -> Floats:
    content = [rarity.get(stem, 1.0) for stem in words.stems]
    return np.where(words.has_content, content, FUNCTION_WORD).astype(np.float32)


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _places(words: Words, spans: Spans) -> Places:
    """The words that stand in the spans."""
    [ranges] = _ranges(words, [spans])
    return _joined([np.arange(first, end) for first, end in ranges])


def _weighted(words: Words) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights of words in a meaning, and their vectors."""
    return np.where(words.has_content, 1.0, FUNCTION_WORD), _double(words.vectors)


def _slice_or_places(ranges: Ranges) -> slice | Places:
    """The words of ranges; words side by side need not be copied."""
    if len(ranges) == 1:
        return slice(*ranges[0])
    return _joined([np.arange(first, end) for first, end in ranges])


def _ranges(words: Words, rows: Sequence[Spans]) -> list[list[tuple[int, int]]]:
    """For each row the ranges of words that stand in its spans."""
    starts = [span.start for row in rows for span in row]
    ends = [span.end for row in rows for span in row]
    firsts = np.searchsorted(words.starts, starts).tolist()
    afters = np.searchsorted(words.ends, ends, "right").tolist()
    ranges = iter(zip(firsts, afters, strict=True))
    return [
        [(first, after) for first, after in islice(ranges, len(row)) if first < after]
        for row in rows
    ]


# Recall of word stems: two words are as close as they are equal.

_REMEMBERED = 64  # texts whose words are kept at least; those of one take 5 kB


def lexical_recall(remembered: int = 0) -> Recall:
    """Needs no model."""
    read = lru_cache(maxsize=max(_REMEMBERED, remembered))(words_of)
    priors = Priors(
        similarity=Calibration(slope=4.9, threshold=0.536),
        idea=Calibration(slope=4.3, threshold=0.547),
        statement=Calibration(slope=4.3, threshold=0.547),
    )
    return Recall("stems-1", read, _equal_stems, priors, remembered)


def _equal_stems(words: Words, rows: Sequence[Ranges], others: Words) -> Closest:
    """Whether a row has the stem of the other word."""
    numbers, of_others = _numbered(others.stems)
    without = len(numbers)
    own = np.array([numbers.get(stem, without) for stem in words.stems], dtype=np.int64)
    has_stem = np.zeros((without + 1, len(rows)), dtype=np.bool_)
    for number, ranges in enumerate(rows):
        for first, end in ranges:
            has_stem[own[first:end], number] = True
    equal: NDArray[np.bool_] = has_stem.take(of_others, axis=0)
    return equal


@lru_cache(maxsize=16)
def _numbered(stems: tuple[str, ...]) -> tuple[dict[str, int], Places]:
    """Different stems with numbers, and the number of each: the same columns for many rows."""
    numbers = {stem: number for number, stem in enumerate(dict.fromkeys(stems))}
    return numbers, np.array([numbers[stem] for stem in stems], dtype=np.int64)


# Recall over contextual vectors: two words are as close as the cosine of their vectors.


def token_recall(model: OnnxEncoder, remembered: int = 0) -> Recall:
    """The priors are learnt from news summaries (docs/methods.md)."""
    priors = Priors(
        similarity=Calibration(slope=9.8, threshold=0.658),
        idea=Calibration(slope=7.0, threshold=0.579),
        statement=Calibration(slope=7.3, threshold=0.584),
    )
    closest = closest_by(_cosines)
    return Recall(f"recall-{model.name}", model.read, closest, priors, remembered, model)


def _cosines(rows: Words, columns: Words) -> Floats:
    if not len(columns.starts) or not len(rows.starts):
        return np.zeros((len(rows.starts), len(columns.starts)), dtype=np.float32)
    # Products of whole 2048ths are whole 4,194,304ths, and so are their sums, which are no more
    # than 1 (Cauchy and Schwarz): exact in single precision, whatever is added first.
    cosines: Floats = _single(rows.vectors) @ _single(columns.vectors).T
    return np.clip(cosines, 0, 1, out=cosines)


_MORE_BITS: Final = 13  # of single precision behind those of half precision
_SIGN_AND_NUMBER: Final = np.int32(-0x70000001)  # without the bits that copy the sign
_OF_EXPONENTS: Final = np.float32(2.0**112)  # for both precisions count them from another number


def _single(numbers: Vectors | Closest) -> Floats:
    """In single precision.

    numpy converts half precision number by number. Shifting the bits of all of them takes a quarter
    of the time, with the same results; infinity and NaN are none that are compared.
    """
    if numbers.dtype != np.float16:
        return numbers.astype(np.float32, copy=False)
    bits = numbers.view(np.int16).astype(np.int32)
    bits <<= _MORE_BITS
    bits &= _SIGN_AND_NUMBER
    singles: Floats = bits.view(np.float32)
    singles *= _OF_EXPONENTS
    return singles


def _double(vectors: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    exact = _single(vectors) if vectors.dtype == np.float16 else vectors
    return exact.astype(np.float64, copy=False)


# The mean of several similarities.


class Blend:
    """Each part has the same say."""

    def __init__(self, *parts: Similarity, priors: Priors) -> None:
        self.priors = priors
        self.name = "+".join(part.name for part in parts)
        # Of several memories one is used: a part whose own is not reads texts itself.
        self.memory = next((part.memory for part in parts if part.memory), None)
        self._parts = parts

    def words(self, content: str) -> Words | None:
        return self._parts[0].words(content)

    def among(self, units: Sequence[Unit]) -> Matrix:
        return _mean([part.among(units) for part in self._parts])

    def against(self, columns: Sequence[Unit]) -> Compare:
        ready = [part.against(columns) for part in self._parts]
        return lambda rows: _mean([compare(rows) for compare in ready])

    def meanings(self, units: Sequence[Unit]) -> Meanings:
        return self._parts[0].meanings(units)


def _mean(matrices: Sequence[Matrix]) -> Matrix:
    mean: Matrix = np.mean(matrices, axis=0)
    return mean

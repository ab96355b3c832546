"""Weighted textual matrix factorisation: a sentence becomes a vector of latent meaning.

Guo and Diab (2012), "Modeling sentences in the latent space", ACL; chosen in section 4.2 of Gao,
Sun and Passonneau (2019). The matrix X of words by sentences holds tf-idf values and is
approximated by the product of word vectors P and sentence vectors Q. A cell of a word that the
sentence has weighs 1, a cell of a missing word w_m: a sentence is also known by what it does not
say, but less so. A new sentence is folded in, that is, its q is solved for with P held fixed.

Deviations: words are reduced to their stems, and the training text is WordNet only, without
Wiktionary and the Brown corpus (``wtmf_training`` makes the model, docs/methods.md measures it).
"""

import hashlib
import pickle
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from snowballstemmer import EnglishStemmer

from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.structures import Unit

MODEL_FILE = Path(__file__).parent / "data" / "wtmf-wordnet.kv"

# Letters and digits, with apostrophes inside; "3.5" and "1,000" are words too.
_WORD = re.compile(r"[^\W_]+(?:(?:'|(?<=\d)[.,](?=\d))[^\W_]+)*")
_REMEMBERED = 1 << 15  # rows: those of a class of 1,000 texts; 30 MB
_LONGEST_WORD = 50  # longer strings are no words, and cost the stemmer time
_MOST_NUMBERS = 1 << 21  # in one step of the solver: 16 MB

Floats = NDArray[np.float64]
_Bag = tuple[tuple[int, int], ...]  # word numbers with their counts, ascending


@dataclass(frozen=True, eq=False, slots=True)
class WtmfModel:
    """Word vectors in half precision, with what is needed to fold a sentence in."""

    words: tuple[str, ...]
    vectors: NDArray[np.float16]  # P, a row for each word
    inverse_document_frequencies: NDArray[np.float32]
    missing_weight: float  # w_m
    regularisation: float  # lambda

    @property
    def name(self) -> str:
        """Changes with everything that a vector depends on."""
        digest = hashlib.sha256(f"{self.missing_weight} {self.regularisation}\n".encode())
        digest.update("\n".join(self.words).encode())
        digest.update(self.vectors.tobytes())
        digest.update(self.inverse_document_frequencies.tobytes())
        return f"wtmf-{digest.hexdigest()[:8]}"


@dataclass(frozen=True, eq=False, slots=True)
class Cells:
    """The observed cells of X by row: those of row i stand from starts[i] to starts[i + 1]."""

    starts: NDArray[np.integer]
    columns: NDArray[np.integer]
    values: Floats


class WtmfEncoder:
    """Vectors of the shipped model, or of one in another file; making one loads the model."""

    def __init__(self, path: Path = MODEL_FILE) -> None:
        model = read_model(path)
        self.name = model.name
        self._idf = model.inverse_document_frequencies.astype(np.float64)
        self._numbers = {word: number for number, word in enumerate(model.words)}
        self._solver = LatentSolver(model.vectors, model.missing_weight, model.regularisation)
        self._width = model.vectors.shape[1]
        self._known: dict[str, Floats] = {}

    def encode(self, units: Sequence[Unit]) -> Floats:
        """A row for each unit; zeros where no word is known. Rows solved lately are remembered."""
        words = [unit.words for unit in units]
        known = {text: self._known[text] for text in words if text in self._known}
        if new := [text for text in dict.fromkeys(words) if text not in known]:
            known.update(zip(new, self._solved(new), strict=True))
            if len(self._known) + len(new) > _REMEMBERED:
                self._known.clear()
            self._known.update(known)
        return np.array([known[text] for text in words]).reshape(len(words), self._width)

    def _solved(self, words: Sequence[str]) -> Floats:
        rows: dict[_Bag, int] = {}
        places = [rows.setdefault(self._bag(text), len(rows)) for text in words]
        return self._solver.solve(self._cells(list(rows)))[np.array(places, dtype=np.intp)]

    def _bag(self, words: str) -> _Bag:
        known = (self._numbers.get(stem) for stem in stems(words))
        return tuple(sorted(Counter(number for number in known if number is not None).items()))

    def _cells(self, bags: Sequence[_Bag]) -> Cells:
        flat = np.array([cell for bag in bags for cell in bag], dtype=np.int64).reshape(-1, 2)
        starts = np.cumsum([0, *map(len, bags)])
        return Cells(starts, flat[:, 0], flat[:, 1] * self._idf[flat[:, 0]])


class LatentSolver:
    """Solves for the rows of one factor with the other one, F, held fixed.

    The row with the observed cells x in the columns S minimises
    |x - F_S q|² + w_m |F_rest q|² + lambda |q|². With A = w_m F'F + lambda I, that is
    q = (A + (1 - w_m) F_S' F_S)^-1 F_S' x. Each row is solved by itself: numpy stacks the
    small matrices but multiplies them one by one, so that the others make no difference.
    """

    def __init__(
        self, factors: NDArray[np.floating], missing_weight: float, regularisation: float
    ) -> None:
        exact = factors.astype(np.float64)
        self._factors = factors
        self._dimensions = exact.shape[1]
        self._extra = 1.0 - missing_weight
        self._base = missing_weight * (exact.T @ exact) + regularisation * np.eye(exact.shape[1])
        self._projected = exact @ np.linalg.inv(self._base)  # F A^-1

    def solve(self, cells: Cells) -> Floats:
        """A row for each row of cells; zeros where it has none."""
        solved = np.zeros((len(cells.starts) - 1, self._dimensions))
        for rows, columns, values in _equally_long(cells, self._dimensions):
            few = columns.shape[1] < self._dimensions
            solved[rows] = (self._solve_few if few else self._solve_many)(columns, values)
        return solved

    def _solve_few(self, columns: NDArray[np.integer], values: Floats) -> Floats:
        """By Woodbury's identity: a system as small as the row has cells."""
        factors = self._factors[columns].astype(np.float64)
        projected = self._projected[columns].transpose(0, 2, 1)
        systems = np.eye(columns.shape[1]) + self._extra * (factors @ projected)
        solved: Floats = projected @ np.linalg.solve(systems, values[:, :, None])
        return solved[:, :, 0]

    def _solve_many(self, columns: NDArray[np.integer], values: Floats) -> Floats:
        factors = self._factors[columns].astype(np.float64)
        turned = factors.transpose(0, 2, 1)
        systems = self._base + self._extra * (turned @ factors)
        solved: Floats = np.linalg.solve(systems, turned @ values[:, :, None])
        return solved[:, :, 0]


def stems(text: str) -> list[str]:
    """The words of a text in lower case, digits included, without their endings."""
    return [_stem(word) for word in _WORD.findall(text.lower().replace("\u2019", "'"))]


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    # A stemmer of its own for each word, because one keeps state and threads share this module.
    stem: str = EnglishStemmer().stemWord(word[:_LONGEST_WORD])
    return stem


def _equally_long(
    cells: Cells, dimensions: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.integer], Floats]]:
    """Rows with the same number of cells, in blocks of bounded size; rows without are left out."""
    lengths = np.diff(cells.starts)
    for length in np.unique(lengths[lengths > 0]):
        rows = np.flatnonzero(lengths == length)
        step = max(1, _MOST_NUMBERS // (int(length) * dimensions))
        for start in range(0, len(rows), step):
            block = rows[start : start + step]
            places = cells.starts[block][:, None] + np.arange(length)
            yield block, cells.columns[places], cells.values[places]


# WTMF models in files: gensim KeyedVectors with each word's inverse document frequency.
#
# One file, written by gensim's ``save``, the same to the byte for the same model. It holds a
# pickle, so only files of one's own making may be read.

_IDF = "idf"


def write_model(model: WtmfModel, path: Path) -> None:
    """Store a model."""
    from gensim.models import KeyedVectors  # noqa: PLC0415 - it would make web processes large

    keyed = KeyedVectors(model.vectors.shape[1], dtype=np.float16)
    keyed.lifecycle_events = None  # they would put the time into the file
    keyed.add_vectors(list(model.words), model.vectors)
    keyed.expandos[_IDF] = model.inverse_document_frequencies
    keyed.missing_weight = model.missing_weight
    keyed.regularisation = model.regularisation
    keyed.save(str(path), separately=[])


def read_model(path: Path) -> WtmfModel:
    """Load a model; a ResourceMissingError says how to make one if there is none."""
    from gensim.models import KeyedVectors  # noqa: PLC0415 - as above

    try:
        keyed = KeyedVectors.load(str(path))
        return WtmfModel(
            tuple(keyed.index_to_key),
            keyed.vectors,
            keyed.expandos[_IDF],
            keyed.missing_weight,
            keyed.regularisation,
        )
    except (OSError, EOFError, pickle.UnpicklingError, AttributeError, KeyError) as error:
        raise ResourceMissingError(
            f"There is no WTMF model in “{path}”. Make one with: "
            f"python manage.py train_wtmf --wordnet DIR --out “{path}”"
        ) from error

"""Training of a WTMF model by alternating least squares.

Guo and Diab (2012): with the sentence vectors fixed each word vector has a closed solution, and
the other way round; the two take turns. The defaults are the settings named for PyrEval.

All is computed in double precision and stored in half precision, so that what another number of
threads rounds differently disappears: the same sentences and settings give the same model.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from grading.pyramid.encoders.wtmf import Cells, Floats, LatentSolver, WtmfModel, stems
from grading.pyramid.errors import InputError


@dataclass(frozen=True, slots=True)
class WtmfSettings:
    """Options of the training, with the paper's symbols."""

    dimensions: int = 100  # K
    missing_weight: float = 0.01  # w_m
    regularisation: float = 20.0  # lambda
    iterations: int = 20
    least_sentences: int = 2  # a word of fewer sentences teaches nothing, and takes space
    seed: int = 0


DEFAULT_SETTINGS = WtmfSettings()


def train(
    sentences: Iterable[str],
    settings: WtmfSettings = DEFAULT_SETTINGS,
    *,
    progress: Callable[[int], None] | None = None,
) -> WtmfModel:
    """Factorise the tf-idf matrix of the sentences; ``progress`` hears how many turns are done."""
    bags = [Counter(stems(sentence)) for sentence in sentences]
    frequencies = _document_frequencies(bags, settings.least_sentences)
    if not frequencies:
        raise InputError(
            f"No word is in {settings.least_sentences} of the sentences: nothing can be learnt."
        )
    idf = np.log(len(bags) / np.array(list(frequencies.values()), dtype=np.float64))
    by_sentence = _matrix(bags, list(frequencies), idf)
    words = _factorise(_cells(by_sentence), _cells(by_sentence.T.tocsr()), settings, progress)
    return WtmfModel(
        tuple(frequencies),
        words.astype(np.float16),
        idf.astype(np.float32),
        settings.missing_weight,
        settings.regularisation,
    )


def _document_frequencies(bags: Iterable[Counter[str]], least: int) -> dict[str, int]:
    """In how many sentences each word is, the most frequent first."""
    counts = Counter(word for bag in bags for word in bag)
    kept = [(word, count) for word, count in counts.items() if count >= least]
    return dict(sorted(kept, key=lambda item: (-item[1], item[0])))


def _matrix(bags: Sequence[Counter[str]], words: Sequence[str], idf: Floats) -> csr_array:
    """X transposed: sentences by words."""
    numbers = {word: number for number, word in enumerate(words)}
    cells = [
        (row, numbers[word], count)
        for row, bag in enumerate(bags)
        for word, count in bag.items()
        if word in numbers
    ]
    rows, columns, counts = np.array(cells, dtype=np.int64).T
    matrix = csr_array((counts * idf[columns], (rows, columns)), shape=(len(bags), len(words)))
    matrix.sort_indices()
    return matrix


def _cells(matrix: csr_array) -> Cells:
    return Cells(matrix.indptr, matrix.indices, matrix.data)


def _factorise(
    by_sentence: Cells,
    by_word: Cells,
    settings: WtmfSettings,
    progress: Callable[[int], None] | None,
) -> Floats:
    """P, from a random start."""
    shape = len(by_word.starts) - 1, settings.dimensions
    words: Floats = np.random.default_rng(settings.seed).normal(size=shape)
    for done in range(settings.iterations):
        if progress is not None:
            progress(done)
        sentences = _solver(words, settings).solve(by_sentence)
        words = _solver(sentences, settings).solve(by_word)
    return words


def _solver(factors: Floats, settings: WtmfSettings) -> LatentSolver:
    return LatentSolver(factors, settings.missing_weight, settings.regularisation)

"""Recall over the vectors of words: cosines that are exact, and so the same for all threads."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.encoders.onnx_encoder import OnnxEncoder, in_steps
from grading.pyramid.encoders.words import Words, words_of
from grading.pyramid.similarity import (
    Recall,
    _cosines,
    _single,
    closeness,
    closest_by,
    lexical_recall,
    token_recall,
)
from grading.pyramid.structures import Span, Text, Unit

ROOT = Path(__file__).resolve().parents[3]

models = pytest.mark.models
PRIORS = lexical_recall().priors


def with_vectors(words: int, seed: int, width: int = 384) -> Words:
    """So many words with unit vectors by chance."""
    rows = np.random.default_rng(seed).normal(size=(words, width)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return replace(words_of(" ".join(["word"] * words)), vectors=in_steps(rows))


def whole(content: str) -> Unit:
    return Unit(Text("text", content), (Span(0, len(content)),))


@settings(max_examples=25)
@given(st.integers(1, 90), st.integers(1, 90), st.integers(0, 9))
def test_cosines_are_the_same_to_the_last_bit_in_any_company(
    rows: int, columns: int, seed: int
) -> None:
    first, other = with_vectors(rows, seed), with_vectors(columns, seed + 100)
    table = _cosines(first, other)
    assert table.shape == (rows, columns)
    assert ((table >= 0) & (table <= 1)).all()
    assert np.array_equal(_cosines(other, first).T, table)
    alone = replace(other, vectors=other.vectors[-1:])
    assert np.array_equal(_cosines(first, alone)[:, 0], table[:, -1])


def test_half_precision_is_converted_exactly() -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = every[np.isfinite(every)].reshape(-1, 4).T
    singles = _single(halves)
    assert singles.dtype == np.float32
    expected = halves.astype(np.float32)
    assert np.array_equal(singles.view(np.int32), expected.view(np.int32))  # -0.0 as well


def test_a_meaning_is_of_length_one_and_of_the_same_words_the_same() -> None:
    def read(content: str) -> Words:
        return with_vectors(len(content.split()), 1)

    recall = Recall("test", read, closest_by(_cosines), PRIORS)
    meanings = recall.meanings([whole("word word word"), whole("word word word"), whole("")])
    assert meanings.shape == (3, 384)
    assert closeness(meanings[:1], meanings[1:]) == pytest.approx(np.array([[1.0, 0.0]]), abs=1e-3)
    assert closeness(meanings, recall.meanings([whole("")])).tolist() == [[0.0]] * 3
    assert lexical_recall().meanings([whole("ice melts")]).shape == (1, 0)


def test_a_word_is_as_close_to_itself_as_can_be() -> None:
    words = with_vectors(200, 3)
    assert (np.diag(_cosines(words, words)).astype(np.float16) == 1).all()


def test_texts_without_vectors_have_nothing_in_common() -> None:
    bare, full = words_of("no vectors here"), with_vectors(2, 0)
    for first, other in ((words_of(""), full), (full, words_of(""))):
        assert _cosines(first, other).shape == (len(first.starts), len(other.starts))
    assert _cosines(bare, words_of("")).shape == (3, 0)


PROGRAM = """
import hashlib
from grading.pyramid.similarity import _cosines
from tests.pyramid.similarity.test_token_recall import with_vectors
told = hashlib.sha256()
for columns, rows in ((110, 150), (133, 257), (1, 40), (700, 300)):
    told.update(_cosines(with_vectors(columns, 1), with_vectors(rows, 2)).tobytes())
print(told.hexdigest())
"""


def test_the_threads_of_numpy_make_no_difference() -> None:
    expected = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads},
            check=True,
            capture_output=True,
            timeout=120,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(expected) == 1


@pytest.fixture(scope="module")
def similarity() -> Recall:
    return token_recall(OnnxEncoder())


@models
def test_other_words_for_the_same_are_close(similarity: Recall) -> None:
    column = whole("The physician examined her patient.")
    rows = [whole("The doctor looked at the sick woman."), whole("Dark roofs store heat.")]
    near, far = similarity.against([column])(rows)[:, 0].tolist()
    assert near > far + 0.1


@models
def test_a_text_tells_all_of_its_own_parts(similarity: Recall) -> None:
    content = (
        "Don\u2019t 🐝panic: cafe\u0301s in Łódź sell 3.5 kg of 水 and co\u00adoperate. It's true!"
    )
    text = Text("text", content)
    spans = [Span(start, end) for start in range(0, 60, 7) for end in range(start + 9, 83, 11)]
    units = [
        Unit(text, (span,))
        for span in spans
        if len(words_of(content[span.start : span.end]).starts) > 3
    ]
    places = similarity.against(units)([whole(content)])
    assert (places == 1).all()


@models
def test_the_model_is_named(similarity: Recall) -> None:
    assert similarity.name.startswith("recall-minilm-")
    assert 0 < similarity.priors.idea.threshold < 1

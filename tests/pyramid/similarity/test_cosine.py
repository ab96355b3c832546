"""Cosines that do not depend on what else is compared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from grading.pyramid.similarity import cosine_matrix

Floats = NDArray[np.float64]

vectors = arrays(
    np.float64,
    st.tuples(st.integers(1, 12), st.just(5)),
    elements=st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda number: round(number, 3)),
)


def random_vectors(number: int, seed: int) -> Floats:
    return np.random.default_rng(seed).normal(size=(number, 100))


@pytest.mark.parametrize(
    ("first", "other", "cosine"),
    [
        ([1.0, 0.0], [1.0, 0.0], 1.0),
        ([1.0, 0.0], [0.0, 1.0], 0.0),
        ([1.0, 0.0], [-1.0, 0.0], 0.0),
        ([0.0, 0.0], [1.0, 0.0], 0.0),
        ([0.0, 0.0], [0.0, 0.0], 0.0),
        ([3.0, 4.0], [4.0, 3.0], 0.96),
        ([1.0, 0.0], [1.0, 1.0], 0.707107),
    ],
)
def test_known_cosines(first: list[float], other: list[float], cosine: float) -> None:
    assert cosine_matrix(np.array([first]), np.array([other])).tolist() == [[cosine]]


@given(vectors, vectors)
def test_it_is_symmetric_and_between_0_and_1(rows: Floats, columns: Floats) -> None:
    cosines = cosine_matrix(rows, columns)

    assert cosines.shape == (len(rows), len(columns))
    assert cosines.min() >= 0
    assert cosines.max() <= 1
    assert np.array_equal(cosines, cosine_matrix(columns, rows).T)


@given(vectors)
def test_a_vector_is_like_itself_unless_it_is_zero(rows: Floats) -> None:
    assert np.array_equal(np.diag(cosine_matrix(rows, rows)), rows.any(axis=1).astype(float))


def test_neither_neighbours_nor_order_make_a_difference() -> None:
    rows, columns = random_vectors(300, 1), random_vectors(80, 2)
    whole = cosine_matrix(rows, columns)
    order = np.random.default_rng(3).permutation(300)

    assert np.array_equal(cosine_matrix(rows[order], columns), whole[order])
    assert np.array_equal(cosine_matrix(rows, columns[::-1]), whole[:, ::-1])
    for row in range(300):
        assert np.array_equal(cosine_matrix(rows[row : row + 1], columns)[0], whole[row])


def test_length_and_precision_of_vectors_make_no_difference() -> None:
    rows, columns = random_vectors(20, 1).astype(np.float32), random_vectors(20, 2)

    assert np.array_equal(
        cosine_matrix(rows, columns), cosine_matrix(rows.astype(np.float64) * 8, columns)
    )


def test_vectors_are_left_alone() -> None:
    rows = random_vectors(5, 1)
    before = rows.copy()
    cosine_matrix(rows, rows)

    assert np.array_equal(rows, before)


def test_no_vectors() -> None:
    assert cosine_matrix(np.zeros((0, 100)), random_vectors(3, 1)).shape == (0, 3)

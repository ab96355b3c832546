"""Krippendorff's alpha: the worked examples of his paper of 2011, and what always holds."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from grading.pyramid.agreement import MISSING, alpha, coincidences

# Krippendorff (2011), “Computing Krippendorff's Alpha-Reliability”: B, C and D.
TWO_VALUES = ("0100000010", "1110010000")
MANY_VALUES = ("aabbdcccedda", "babbbccceddd")
WITH_GAPS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


def coded(rows: tuple[str, ...]) -> NDArray[np.int64]:
    values = sorted(set("".join(rows)) - {"."})
    codes = [[MISSING if code == "." else values.index(code) for code in row] for row in rows]
    return np.array(codes)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (TWO_VALUES, 0.095),
        (MANY_VALUES, 0.692),
        (WITH_GAPS, 0.743),
    ],
)
def test_the_published_examples(rows: tuple[str, ...], expected: float) -> None:
    codes = coded(rows)

    assert float(alpha(coincidences(codes, codes.max() + 1))) == pytest.approx(expected, abs=5e-4)


def test_the_coincidences_of_the_published_example_with_two_values() -> None:
    assert coincidences(coded(TWO_VALUES)).tolist() == [[10, 4], [4, 2]]


def test_a_unit_that_one_judge_saw_pairs_nothing() -> None:
    codes = np.array([[0, 1, 1], [0, 1, MISSING]])

    assert coincidences(codes).tolist() == [[2, 0], [0, 2]]
    assert float(alpha(coincidences(codes))) == 1


def test_where_nothing_varies_there_is_no_alpha() -> None:
    assert np.isnan(alpha(coincidences(np.zeros((2, 4), dtype=np.int64))))
    assert np.isnan(alpha(np.zeros((2, 2))))


def test_a_stack_has_one_for_each() -> None:
    first, other = coincidences(coded(TWO_VALUES)), np.array([[4.0, 0], [0, 4]])

    result = alpha(np.stack([first, other]))

    assert result.tolist() == [float(alpha(first)), 1.0]


Judged = st.lists(st.lists(st.integers(-1, 1), min_size=3, max_size=3), min_size=1, max_size=20)


@given(Judged, st.randoms(use_true_random=False))
def test_neither_the_order_of_judges_nor_of_units_matters(
    units: list[list[int]], random: Random
) -> None:
    codes = np.array(units).T
    judges, order = [0, 1, 2], list(range(len(units)))
    random.shuffle(judges)
    random.shuffle(order)

    first, second = coincidences(codes), coincidences(codes[judges][:, order])

    assert first == pytest.approx(second)
    assert not float(alpha(first)) > 1


@given(Judged, Judged)
def test_coincidences_add_up_over_texts(first: list[list[int]], second: list[list[int]]) -> None:
    first_row, other = np.array(first).T, np.array(second).T
    together = np.concatenate([first_row, other], axis=1)

    assert coincidences(first_row) + coincidences(other) == pytest.approx(coincidences(together))

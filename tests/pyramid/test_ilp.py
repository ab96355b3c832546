"""Programs solved by hand, and small ones by trying everything."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid import ilp
from grading.pyramid.ilp import Program

# Three columns, of which any two exclude each other.
TRIANGLE = Program([1.0, 1.0, 1.0], [{0: 1, 1: 1}, {1: 1, 2: 1}, {0: 1, 2: 1}], [1, 1, 1])


def test_a_half_of_each_is_the_best_in_fractions() -> None:
    relaxed = ilp.relax(TRIANGLE)
    assert relaxed is not None
    assert relaxed.value == pytest.approx(1.5)
    # One more of a limit would allow another half.
    assert relaxed.prices == pytest.approx((0.5, 0.5, 0.5))


def test_a_choice_takes_columns_wholly() -> None:
    choice = ilp.choose(TRIANGLE)
    assert choice is not None
    assert len(choice.columns) == 1
    assert (choice.value, choice.bound, choice.proven) == (1.0, 1.0, True)


def test_a_path() -> None:
    path = Program([3, 5, 3, 2], [{0: 1, 1: 1}, {1: 1, 2: 1}, {2: 1, 3: 1}], [1, 1, 1])
    choice = ilp.choose(path)
    assert choice is not None
    assert (choice.columns, choice.value) == ((1, 3), 7)


def test_what_cannot_be() -> None:
    impossible = Program([1.0], [{0: 1}, {0: -1}], [1, -2])
    assert ilp.relax(impossible) is None
    assert ilp.choose(impossible) is None


def test_nothing_to_choose_from() -> None:
    choice = ilp.choose(Program([], [], []))
    assert choice is not None
    assert (choice.columns, choice.value, choice.proven) == ((), 0.0, True)


def test_a_row_without_columns_is_no_trouble() -> None:
    choice = ilp.choose(Program([1.0], [{}, {0: 1}], [0, 1]))
    assert choice is not None
    assert choice.columns == (0,)


@settings(max_examples=60)
@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=8),
    st.lists(st.sets(st.integers(0, 7), min_size=1), max_size=8),
)
def test_choices_are_the_best_of_all(values: list[int], sets: list[set[int]]) -> None:
    rows = [{column: 1 for column in members if column < len(values)} for members in sets]
    rows += [{column: 1} for column in range(len(values))]
    program = Program(values, rows, [1] * len(rows))
    legal = (
        chosen
        for chosen in product((0, 1), repeat=len(values))
        if all(sum(chosen[column] for column in row) <= 1 for row in rows)
    )
    best = max(sum(map(int.__mul__, chosen, values)) for chosen in legal)
    choice, relaxed = ilp.choose(program), ilp.relax(program)
    assert choice is not None
    assert relaxed is not None
    assert (choice.value, choice.bound, choice.proven) == (best, best, True)
    assert relaxed.value >= best - 1e-6
    assert choice == ilp.choose(program)


def test_a_choice_that_is_worth_more_is_found_or_proven_not_to_be_there() -> None:
    better = ilp.choose(TRIANGLE, above=0)
    assert better is not None
    assert (len(better.columns), better.value, better.proven) == (1, 1.0, True)
    assert ilp.choose(TRIANGLE, above=1) == ilp.Choice((), 0.0, 1.0, proven=True)


def test_an_assignment_takes_each_row_and_column_once() -> None:
    assert ilp.assign(np.array([[5.0, 4.0, 0.0], [4.0, 0.0, 0.0]])) == [(0, 1), (1, 0)]
    assert ilp.assign(np.zeros((0, 0))) == []

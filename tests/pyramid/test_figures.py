"""What is told in words is what pages show."""

import pytest
from django.template.defaultfilters import floatformat
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.figures import hundredths, number_of


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0.125, "0.13"), (0.625, "0.63"), (1 / 3, "0.33"), (0.365, "0.37"), (0, "0.00"), (1, "1.00")],
)
def test_halves_go_up(number: float, shown: str) -> None:
    assert str(hundredths(number)) == shown


@given(st.integers(0, 40), st.integers(1, 40))
def test_pages_round_the_same_way(above: int, below: int) -> None:
    number = above / below

    assert str(hundredths(number)) == floatformat(number, 2)


@pytest.mark.parametrize(
    ("count", "expected"), [(0, "0 ideas"), (1, "1 idea"), (2, "2 ideas"), (13, "13 ideas")]
)
def test_one_is_told_as_one(count: int, expected: str) -> None:
    assert number_of(count, "idea") == expected

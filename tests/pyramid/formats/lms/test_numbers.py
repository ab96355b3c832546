"""Numbers in gradebooks."""

from decimal import Decimal

import pytest

from grading.pyramid.formats.lms.cells import (
    decimals_of,
    first_number_in,
    number_in,
    rounded,
    separator_of,
    written,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [("8.50", "8.5"), ("8,5", "8.5"), (" 10 ", "10"), ("-1", "-1"), ("0", "0")],
)
def test_both_separators_are_read(text: str, number: str) -> None:
    assert number_in(text) == Decimal(number)


@pytest.mark.parametrize(
    "text", ["", "-", "EX", "80 %", "1,234.50", "8.", "A 7", "Needs Grading", "9" * 40]
)
def test_what_is_no_plain_number_is_none(text: str) -> None:
    assert number_in(text) is None


def test_numbers_are_written_with_the_decimals_they_need() -> None:
    assert written(Decimal("8.500")) == "8.5"
    assert written(Decimal(100)) == "100"
    assert written(Decimal("0.00")) == "0"
    assert written(Decimal("8.125"), ",") == "8,13"
    assert written(Decimal(7), ".", 2) == "7.00"
    assert written(Decimal("7.25"), ".", 1) == "7.25"
    assert written(Decimal("1E+2")) == "100"
    assert rounded(Decimal("2.675")) == Decimal("2.68")


def test_the_separator_is_what_most_numbers_have_and_thousands_say_nothing() -> None:
    assert separator_of(["8,50", "9,00", "1.5", "", "EX"]) == ","
    assert separator_of(["1,234", "10"]) == ""
    assert decimals_of(["8,50", "9.00", "-", ""]) == 2
    assert decimals_of(["8.5", "9"]) == 0
    assert first_number_in("Total Pts: 12,5 Score") == Decimal("12.5")
    assert first_number_in("none") is None


def test_no_points_are_found_in_a_number_too_long_to_be_any() -> None:
    assert first_number_in(f"Total Pts: {'9' * 40} Score") is None

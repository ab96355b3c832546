"""Wordings that are the same, or nearly; and that what says something else is neither."""

import pytest

from grading.pyramid.same_wording import find_wording, is_nearly, may_contain, wording_of

CITIES = "Cities are hotter than the country."


@pytest.mark.parametrize(
    "other",
    [
        "cities are  hotter\nthan the country",
        "“Cities” are hotter, than the country!",
        "Cities are hotter than a country.",
        "Cities are hotter than country.",
        "Cities are hotter than the countryside.",
    ],
)
def test_hardly_different_words_are_nearly_the_same(other: str) -> None:
    assert is_nearly(wording_of(CITIES), wording_of(other))
    assert may_contain(wording_of(f"He says: {other} So."), wording_of(CITIES))


@pytest.mark.parametrize(
    "other",
    [
        "Cities are not hotter than the country.",
        "Cities are colder than the country.",
        "The country is hotter than cities.",
        "Cities are hotter.",
        "",
    ],
)
def test_another_statement_is_not(other: str) -> None:
    assert not is_nearly(wording_of(CITIES), wording_of(other))


def test_a_number_is_another_number() -> None:
    first = wording_of("It warmed by 10 degrees in the last century.")
    assert not is_nearly(first, wording_of("It warmed by 100 degrees in the last century."))


def test_short_wordings_must_be_equal() -> None:
    assert not is_nearly(wording_of("Heat kills"), wording_of("Heats kills"))
    assert not is_nearly((), ())


def test_words_are_found_where_they_stand() -> None:
    content = "First. CITIES are hotter, than the country; they say."
    span = find_wording(content, wording_of(CITIES))
    assert span is not None
    assert content[span.start : span.end] == "CITIES are hotter, than the country"
    assert find_wording("Cities are cooler.", wording_of(CITIES)) is None

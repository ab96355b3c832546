"""A pyramid as a file of JSON."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import read_pyramid_json, write_pyramid_json
from grading.pyramid.structures import Pyramid
from tests.pyramid.formats.pyramids import EXAMPLE, curated_pyramids, refusal

WRITTEN = write_pyramid_json(EXAMPLE)


@settings(max_examples=60)
@given(curated_pyramids())
def test_everything_comes_back(pyramid: Pyramid) -> None:
    assert read_pyramid_json(write_pyramid_json(pyramid)) == pyramid


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"scus": [', '"scus": [,', r"Line \d+, column \d+: this is not JSON"),
        ('"label": "Bees dance"', '"label": 3', r"pyramid.scus\[0\].label: this is not text"),
        ('"uid": 7', '"uid": 3', "two content units have the same uid"),
        ('"reference": "ben"', '"reference": "eva"', "there is no such reference"),
        ('"Bees dance",', '"Bees \\u0000dance",', r"pyramid.scus\[0\].label: .* not plain text"),
        ('"short & sweet"', '"\\ud83d"', r"scus\[0\].contributors\[0\].comment: "),
        ('"signature": ""', '"signature": "\\u0000"', "pyramid.signature: "),
        (
            '"signature": ""',
            f'"signature": "{"x" * 101}"',
            "pyramid.signature: it has more than 100",
        ),
        ('"uid": 7', '"uid": ' + "7" * 5000, "too long a number"),
    ],
)
def test_an_error_names_the_place(old: str, new: str, said: str) -> None:
    assert old in WRITTEN

    with pytest.raises(InputError, match=said):
        read_pyramid_json(WRITTEN.replace(old, new))


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(InputError, match="nested too deep"):
        read_pyramid_json("[" * 100_000)


@given(st.integers(0, len(WRITTEN) - 1), st.text('{}[]",:0a\\', max_size=3), st.integers(0, 5))
def test_damage_never_does_worse_than_an_error(at: int, put: str, taken: int) -> None:
    said = refusal(lambda: read_pyramid_json(WRITTEN[:at] + put + WRITTEN[at + taken :]))

    assert not said or said.startswith(("Line ", "pyramid"))

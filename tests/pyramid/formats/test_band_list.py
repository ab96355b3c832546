"""Bands as people paste them."""

import pytest

from grading.pyramid.grade_rules import Bands, bands_text, read_bands


@pytest.mark.parametrize(
    "text",
    [
        "A | 0.85 | 10\nF | 0 | 0",
        "A\t0,85\t10\n\nF\t0\t0",
        "| A | 0.85 | 10 |\r\n| F | 0 | 0 |",
        "A;0.85;10\nF;0;0",
    ],
)
def test_bands_are_read_with_any_of_the_usual_signs_between(text: str) -> None:
    bands, problems = read_bands(text)

    assert not problems
    assert bands_text(Bands(bands)) == "A | 0.85 | 10\nF | 0 | 0"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("A 0.85 10", "Line 2: a line is a name"),
        ("A | much | 10", "“much” is no number"),
        ("A | 0.5 | -1", "“-1” is no number"),
        (" | 0.5 | 1", "Line 2:"),
        (f"{'A' * 21} | 0.5 | 1", "1 to 20 characters"),
    ],
)
def test_a_problem_names_its_line(line: str, said: str) -> None:
    _, problems = read_bands(f"F | 0 | 0\n{line}")

    assert len(problems) == 1
    assert said in problems[0]


def test_a_long_list_is_not_read_to_its_end() -> None:
    assert read_bands("A | 0 | 0\n" * 1000) == ((), ["There are more than 30 bands."])

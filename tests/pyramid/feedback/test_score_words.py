"""The three scores in words, by bands of the numbers as pages show them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.feedback.score_words import (
    comprehensive_in_words,
    coverage_in_words,
    quality_in_words,
)


@pytest.mark.parametrize(
    ("value", "begins"),
    [
        (0.0, "No idea was"),
        (0.001, "Little of"),
        (0.24, "Little of"),
        (0.245, "Some of"),  # shown as 0.25
        (0.49, "Some of"),
        (0.50, "A good part of"),
        (0.694, "A good part of"),
        (0.695, "Most of"),
        (0.84, "Most of"),
        (0.85, "Nearly all of"),
        (0.999, "Nearly all of"),
        (1.0, "Th"),
    ],
)
def test_bands(value: float, begins: str) -> None:
    assert quality_in_words(value).startswith(begins)
    assert coverage_in_words(value).startswith(begins)


def test_what_the_numbers_compare_with() -> None:
    best, full = (
        "that a text with this many statements could earn.",
        "that a full summary would earn.",
    )
    assert quality_in_words(0.71).endswith(f"71\u202f% of the points {best}")
    assert coverage_in_words(0.83).endswith(f"83\u202f% of the points {full}")
    assert "less than 1\u202f%" in quality_in_words(0.004)
    assert "more than 99\u202f%" in coverage_in_words(0.996)


@pytest.mark.parametrize(
    ("value", "matched_share", "expected"),
    [
        (0.71, 0.72, "Most of this text was recognised as important to the experts: 71"),
        (0.71, 0.69, "A good part of this text was recognised as important to the"),
        (0.95, 0.2, "Little of this text was recognised as important to the experts."),
        (1.0, 0.9, "Nearly all of this text was recognised as important to the exp"),
        (
            1.0,
            1.0,
            "These ideas are as important as they can be",
        ),
    ],
)
def test_no_more_is_called_important_than_tells_an_idea(
    value: float, matched_share: float, expected: str
) -> None:
    assert quality_in_words(value, matched_share=matched_share).startswith(expected)


def test_what_few_parts_earn_is_told_apart_from_how_much_they_are() -> None:
    best = "a text with this many statements could earn."

    little = quality_in_words(0.95, matched_share=0.2)
    all_of_it = quality_in_words(1.0, matched_share=0.2)

    assert little.endswith(
        f"important to the experts. It earns 95\u202f% of the points that {best}"
    )
    assert all_of_it.endswith(f"important to the experts. It earns all that {best}")


@pytest.mark.parametrize(("value", "share"), [(0.87, "87\u202f% of"), (1.0, "all")])
def test_more_parts_than_ideas_are_said_to_be_more(value: float, share: str) -> None:
    assert quality_in_words(value, matched_share=0.2, beyond=True) == (
        "This text has more statements than the experts have ideas. So quality compares with all "
        f"their ideas: {share} their"
        " points were earned."
    )
    assert quality_in_words(0.0, beyond=True) == quality_in_words(0.0)


@pytest.mark.parametrize(
    ("quality", "coverage", "says"),
    [
        (0.0, 0.0, "It rises as soon as one"),
        (0.9, 0.4, "Coverage holds the score back: adding what is missing"),
        (0.72, 0.87, "Quality holds the score back: shortening what matters less"),
        (0.72, 0.86, "both high."),
        (0.55, 0.6, "both in the middle"),
        (0.3, 0.3, "both below the middle"),
        (0.05, 0.03, "both low"),
        (1.0, 1.0, "both high."),
    ],
)
def test_both_together(quality: float, coverage: float, says: str) -> None:
    assert says in comprehensive_in_words(quality, coverage)


@given(
    quality=st.floats(0, 1),
    coverage=st.floats(0, 1),
    matched_share=st.floats(0, 1),
    beyond=st.booleans(),
)
def test_every_number_has_a_sentence_without_scorn_or_gush(
    quality: float, coverage: float, matched_share: float, *, beyond: bool
) -> None:
    labels = (
        quality_in_words(quality, matched_share=matched_share, beyond=beyond),
        coverage_in_words(coverage),
        comprehensive_in_words(quality, coverage),
    )

    for sentence in labels:
        assert sentence.endswith(".")
        assert not {"bad", "poor", "fail", "excellent", "perfect", "!"} & set(sentence.split())

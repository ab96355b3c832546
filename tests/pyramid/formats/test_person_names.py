"""Names as files write them, in any order and script."""

import pytest

from grading.pyramid.formats.csv_table import squash
from grading.pyramid.formats.roster_csv import first_name_first, is_like, spellings_of


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Okoro, Ada", "Ada Okoro"),
        ("Ada  Okoro", "Ada Okoro"),
        ("King, Jr.", "King, Jr."),
        ("حداد, عمر", "عمر حداد"),
        ("Okoro,", "Okoro"),
    ],
)
def test_the_first_name_comes_first(written: str, expected: str) -> None:
    assert first_name_first(written) == expected


def test_a_name_is_known_from_whichever_word_it_begins() -> None:
    assert squash("van Dyk, Ben") in spellings_of("Ben van Dyk")
    assert squash("brânzăzoë") in spellings_of("Zoe Branza")
    assert squash("bendykvan") not in spellings_of("Ben van Dyk")


def test_vowels_that_are_marks_tell_names_apart_and_accents_do_not() -> None:
    assert squash("राम") != squash("रमा")
    assert squash("பிரியா") != squash("பரய")
    assert squash("ปู") != squash("ปี")
    assert squash("שָׁלוֹם") == squash("שלום")
    assert squash("Nguyễn") == squash("nguyen")


def test_likeness_needs_two_words_in_common() -> None:
    assert is_like("Ada M. Okoro", "Ada Okoro")
    assert not is_like("Ada", "Ada Okoro")
    assert not is_like("Ada Brown", "Ada Okoro")

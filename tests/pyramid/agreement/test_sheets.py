"""Sheets: who agrees with whom, and about which ideas people and program differ."""

import numpy as np
import pytest

from grading.pyramid.agreement import (
    Judgements,
    Sheet,
    differences_by_idea,
    pairs_of_people,
    people_among_themselves,
    program_and_people,
)

ANA, BEN = 7, 3


def said(codes: str) -> Judgements:
    return np.array([code == "1" for code in codes])


SHEETS = [
    Sheet(1, said("1100"), {ANA: said("1000"), BEN: said("1010")}),
    Sheet(2, said("0110"), {ANA: said("0110")}),
    Sheet(3, said("1001"), {}),
]


def test_program_and_people_pairs_each_annotation_with_the_program() -> None:
    result = program_and_people(SHEETS)

    # 12 pairs: 5 are both found, by hand: 24 values, 10 of them 1; 3 disagreements.
    pairs = [("1100", "1000"), ("1100", "1010"), ("0110", "0110")]
    ones = sum(code == "1" for pair in pairs for codes in pair for code in codes)
    zeros = 24 - ones
    apart = sum(a != b for first, second in pairs for a, b in zip(first, second, strict=True))
    assert result.value == pytest.approx(1 - 23 * 2 * apart / (24**2 - ones**2 - zeros**2))
    assert result.texts == 2


def test_people_among_themselves_need_texts_that_both_have() -> None:
    result = people_among_themselves(SHEETS, [ANA, BEN])

    assert result.texts == 1
    assert result.value == pytest.approx(1 - 7 * 2 / (64 - 9 - 25))
    assert people_among_themselves(SHEETS, [ANA]).value is None
    assert pairs_of_people(SHEETS) == [(BEN, ANA)]


def test_differences_by_idea_come_with_their_texts_the_most_first() -> None:
    first, second, third, last = differences_by_idea(SHEETS, 4)

    assert (first.place, first.program, first.people, first.program_only) == (1, 2, 0, (1,))
    assert (second.place, second.people_only) == (2, (1,))
    assert (third.place, third.both, third.neither) == (0, 2, 1)
    assert (last.place, last.neither, last.differences) == (3, 3, 0)


def test_nobody_has_annotated() -> None:
    sheets = [SHEETS[2]]

    assert program_and_people(sheets).value is None
    assert [difference.differences for difference in differences_by_idea(sheets, 4)] == [0] * 4

"""Sections beside each other."""

import pytest

from grading.pyramid.class_figures import ClassText, by_section, differences
from tests.pyramid.class_figures.made import pyramid, text


def section(name: str, *ideas_of_texts: list[int]) -> list[ClassText]:
    return [text(key, uids, section=name) for key, uids in enumerate(ideas_of_texts)]


def test_by_name_and_those_without_one_last() -> None:
    texts = [*section("", [1]), *section("b", [1]), *section("A", [2], [1])]

    assert {name: len(members) for name, members in by_section(texts).items()} == {
        "A": 2,
        "b": 1,
        "": 1,
    }
    assert list(by_section(texts)) == ["A", "b", ""]


def test_ideas_that_sections_tell_differently() -> None:
    sections = {"A": section("A", *[[1, 2]] * 10), "B": section("B", *[[1]] * 9, [1, 2])}

    (result,) = differences(pyramid(4, 2), sections)

    assert (result.most_in, result.least_in, result.most.uid) == ("A", "B", 2)
    assert result.apart == pytest.approx(0.9)


def test_small_sections_and_one_alone_are_not_compared() -> None:
    assert differences(pyramid(4), {"A": section("A", *[[1]] * 9)}) == []
    assert differences(pyramid(4), {"A": section("A", *[[1]] * 9), "B": section("B", [])}) == []


def test_what_chance_explains_is_no_difference() -> None:
    sections = {"A": section("A", *[[1]] * 5), "B": section("B", *[[1]] * 3, [], [])}
    assert differences(pyramid(4), sections) == []

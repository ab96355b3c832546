"""What a content unit is known by, and how similar a text is to it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.idea_similarity import ScuParts, contrast, room_for_one
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text

TEXTS = (Text("A", "ice melts fast"), Text("B", "heat melts ice"))
WHOLE = (Span(0, 14),)


def pyramid(*scus: Scu) -> Pyramid:
    return Pyramid(TEXTS, scus)


def unit(label: str, *names: str, uid: int = 1) -> Scu:
    return Scu(uid, label, tuple(Contributor(name, WHOLE) for name in names))


def test_a_label_is_a_part_where_it_has_words_of_its_own() -> None:
    own = ScuParts.of(pyramid(unit("melting", "A", "B")))
    assert [part.words for part in own.of_scu(0)] == ["ice melts fast", "heat melts ice", "melting"]
    assert own.references == ("A", "B", "")
    for label in ("ice melts fast", " ice  melts\nfast ", "", " \n "):
        parts = ScuParts.of(pyramid(unit(label, "A", "B")))
        assert [part.words for part in parts.of_scu(0)] == ["ice melts fast", "heat melts ice"]


@pytest.mark.parametrize("label", ["a new idea", ""])
def test_a_unit_without_contributors_is_known_by_its_label(label: str) -> None:
    parts = ScuParts.of(pyramid(unit("x", "A"), unit(label), unit("y", "B")))
    assert [[part.words for part in parts.of_scu(scu)] for scu in range(3)] == [
        ["ice melts fast", "x"],
        [label],
        ["heat melts ice", "y"],
    ]


def test_a_unit_is_as_similar_as_the_mean_of_its_best_part_and_of_all() -> None:
    parts = ScuParts.of(pyramid(unit("x", "A", "B"), unit("heat melts ice", "B", uid=2)))
    table = np.array([[0.9, 0.3, 0.0, 0.5], [0.0, 0.0, 0.0, 1.0]])
    # (.9 + (.9 + .3 + 0) / 3) / 2 = .65
    assert parts.join(table).tolist() == [[0.65, 0.5], [0, 1]]


def test_a_pyramid_without_units_and_a_text_without_rows() -> None:
    assert ScuParts.of(pyramid()).join(np.zeros((3, 0))).shape == (3, 0)
    assert ScuParts.of(pyramid()).contributes("A").shape == (0,)
    assert ScuParts.of(pyramid(unit("x", "A"))).join(np.zeros((0, 2))).shape == (0, 1)


def test_without_what_a_reference_contributed() -> None:
    scus = (unit("x", "A", "B"), unit("heat melts ice", "B", uid=2), unit("y", "A", uid=3))
    parts = ScuParts.of(pyramid(*scus))
    row = np.array([[1.0, 0.6, 0.2, 0.4, 1.0, 0.3]])
    # Without A: (.6 + (.6 + .2) / 2) / 2 = .5, then .4, and of the last unit its label.
    assert parts.join(row, without="A").tolist() == [[0.5, 0.4, 0.3]]
    assert parts.contributes("A").tolist() == [True, False, True]
    # Without B: (1 + (1 + .2) / 2) / 2 = .8; nothing is left of the second; (1 + .65) / 2 = .825
    [[first, second, third]] = parts.join(row, without="B").tolist()
    assert (first, third) == (0.8, 0.825)
    assert math.isnan(second)
    assert parts.contributes("B").tolist() == [True, True, False]


def test_numbers_agree_where_a_sentence_names_those_of_half_of_the_parts() -> None:
    texts = (Text("A", "In 1956 it cost 5.86 dollars."), Text("B", "In 1956 it began."))
    contributors = tuple(Contributor(text.name, (Span(0, len(text.content)),)) for text in texts)
    scus = (Scu(1, "In 1956 it began.", contributors), Scu(2, "It was 27,000", ()))
    parts = ScuParts.of(Pyramid(texts, scus))
    assert parts.numbers == (frozenset({"1956", "5.86"}), frozenset({"27000"}))
    agreement = parts.number_agreement(["It began in 1956.", "Over 27,000 boxes", "A box"])
    assert agreement.tolist() == [[0, -1], [-1, 1], [-1, -1]]


def test_contrast_is_to_the_best_of_the_others() -> None:
    row = np.array([[0.9, 0.5, 0.1], [0.4, 0.4, np.nan]])
    assert contrast(row) == pytest.approx(np.array([[0.4, -0.4, -0.8], [0.0, 0.0, 0.0]]))
    assert contrast(np.array([[0.9]])).tolist() == [[0.0]]


def test_contrast_counts_less_in_a_sentence_with_room_for_several_ideas() -> None:
    long = "Wet soil, dry sand, hot stone, cold water, thick ice and thin air differ"
    assert room_for_one(["Ice melts.", "", long]).tolist() == [[1.0], [1.0], [6 / 13]]


@given(st.permutations([0.1344, 0.8474, 0.7638]))
def test_the_order_of_contributors_makes_no_difference_to_the_last_bit(row: list[float]) -> None:
    texts = tuple(Text(name, "ice melts") for name in "ABC")
    contributors = tuple(Contributor(text.name, (Span(0, 9),)) for text in texts)
    parts = ScuParts.of(Pyramid(texts, (Scu(1, "ice melts", contributors),)))
    assert parts.join(np.array([row])).tolist() == [[0.714633]]
    assert parts.join(np.array([row]), without="").tolist() == [[0.714633]]

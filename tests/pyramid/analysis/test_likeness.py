"""What counts as alike is learnt from the pyramid itself."""

import pytest

from grading.pyramid.analysis.regrouping import Likeness
from grading.pyramid.structures import Pyramid, Scu
from tests.pyramid.analysis.made import cut, looked_at, pyramid_of
from tests.pyramid.cutting import Written

NAMES = "ABCDE"
TEXTS = [cut(name, *(f"{name}{idea}" for idea in range(3)), f"{name} alone") for name in NAMES]
PYRAMID = pyramid_of(TEXTS, *({name: f"{name}{idea}" for name in NAMES} for idea in range(3)))


def similarity_of(first: str, other: str) -> float:
    return 0.8 if first[1:] == other[1:] else 0.2


PAIRS = {
    (f"{a}{i}", f"{b}{j}"): similarity_of(f"{a}{i}", f"{b}{j}")
    for a in NAMES
    for b in NAMES
    for i in range(3)
    for j in range(3)
}


def test_the_yardstick_lies_between_the_same_idea_and_different_ones() -> None:
    _, likeness = looked_at(TEXTS, PYRAMID, PAIRS)

    result = likeness.yardstick
    assert result.apart == 0.2
    assert result.alike == result.likely == result.fitting == result.very == 0.8


def test_ideas_are_compared_by_the_wordings_of_different_references() -> None:
    _, likeness = looked_at(TEXTS, PYRAMID, PAIRS)

    assert likeness.ideas[0, 1] == pytest.approx(0.2)
    assert likeness.ideas[0, 0] == pytest.approx(0.8)


def test_attraction_is_the_mean_over_pairs() -> None:
    _, likeness = looked_at(TEXTS, PYRAMID, PAIRS | {("A0", "B0"): 0.3, ("B0", "A0"): 0.3})

    assert likeness.attraction(0) == pytest.approx((9 * 0.8 + 0.3) / 10)


def test_a_single_wording_has_no_attraction() -> None:
    pyramid = pyramid_of(TEXTS, {"A": "A0"})

    _, likeness = looked_at(TEXTS, pyramid, {})

    assert likeness.attraction(0) is None


def test_clauses_are_compared_with_ideas() -> None:
    pairs = PAIRS | {("A alone", f"{name}1"): 0.6 for name in NAMES}
    clauses, likeness = looked_at(TEXTS, PYRAMID, pairs)

    place = [clause.unit.words for clause in clauses].index("A alone")
    assert likeness.clauses_to_ideas[place].tolist() == pytest.approx([0.0, 0.6, 0.0])


def test_too_few_pairs_teach_nothing() -> None:
    pyramid = pyramid_of(TEXTS, {"A": "A0", "B": "B0"}, {"A": "A1"})

    _, likeness = looked_at(TEXTS, pyramid, PAIRS)

    assert likeness.yardstick.alike == Written.priors.similarity.threshold
    assert likeness.yardstick.apart == 0.0


def test_an_idea_without_contributors_is_known_by_its_label() -> None:
    pyramid = Pyramid((), (Scu(1, "Heat", (), given_weight=2), Scu(2, "Warmth", ())))

    likeness = Likeness(pyramid, [], Written({("Heat", "Warmth"): 0.7}))

    assert likeness.ideas[0, 1] == pytest.approx(0.7)
    assert [wording.unit.words for wording in likeness.wordings_of(1)] == ["Warmth"]


def test_an_empty_pyramid_has_nothing_to_compare() -> None:
    likeness = Likeness(Pyramid((), ()), [], Written({}))

    assert likeness.ideas.shape == (0, 0)
    assert likeness.clauses_to_ideas.shape == (0, 0)

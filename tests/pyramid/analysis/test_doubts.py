"""Which ideas are probably wrong, with similarities that are written down."""

from dataclasses import replace

import pytest

from grading.pyramid.analysis.doubts import NAMED_FROM, doubtful_ideas
from grading.pyramid.structures import Pyramid, Standing
from tests.pyramid.analysis.made import Idea, cut, every_pair, pyramid_of
from tests.pyramid.cutting import Pairs, Written

WORDS = ("heat", "roof", "tree", "rain", "car")
TEXTS = [
    cut(name, *(f"{word} in {name}" for word in WORDS)) for name in ("Ada", "Ben", "Chi", "Dan")
]


def idea(word: str, *names: str) -> Idea:
    return {name: f"{word} in {name}" for name in names}


def alike(*words: str) -> Pairs:
    """The same word in other references is similar, and nothing else."""
    names = [text.text.name for text in TEXTS]
    groups = [[f"{word} in {name}" for name in names] for word in words]
    return every_pair(0.8, *groups)


@pytest.fixture
def pyramid() -> Pyramid:
    """Three sound ideas, and one that joins Ada's rain with Ben's cars."""
    wrong = {"Ada": "rain in Ada", "Ben": "car in Ben"}
    sound = (idea(word, "Ada", "Ben", "Chi", "Dan") for word in ("heat", "roof", "tree"))
    return pyramid_of(TEXTS, *sound, wrong)


def test_an_idea_of_unlike_words_is_named_with_a_reason(pyramid: Pyramid) -> None:
    [doubt] = doubtful_ideas(pyramid, Written(alike("heat", "roof", "tree")))

    assert doubt.uid == 4
    assert NAMED_FROM <= doubt.probability <= 1
    assert doubt.reason == "“Ada” and “Ben” may say different things."


def test_the_one_who_says_something_else_is_named(pyramid: Pyramid) -> None:
    first, second, *others = pyramid.scus
    swapped = replace(first, contributors=(*first.contributors[:2], second.contributors[2]))
    changed = replace(pyramid, scus=(swapped, *others))

    doubts = doubtful_ideas(changed, Written(alike("heat", "roof", "tree")))

    result = next(doubt for doubt in doubts if doubt.uid == 1)
    assert result.reference == "Chi"
    assert result.reason.startswith("“Chi” may say something different from both others.")


def test_where_the_words_are_closer_to_another_idea_it_is_named(pyramid: Pyramid) -> None:
    closer = {**alike("heat", "roof", "tree"), ("car in Ben", "roof in Chi"): 0.7}

    [doubt] = doubtful_ideas(pyramid, Written(closer))

    assert doubt.reference == "Ben"
    assert doubt.reason.endswith("The words of “Ben” are closer to “roof in Ada”.")


def test_what_is_set_aside_is_not_named(pyramid: Pyramid) -> None:
    *sound, wrong = pyramid.scus
    aside = replace(pyramid, scus=(*sound, replace(wrong, standing=Standing.ASIDE)))

    assert doubtful_ideas(aside, Written(alike("heat", "roof", "tree"))) == ()


def test_the_order_of_ideas_makes_no_difference(pyramid: Pyramid) -> None:
    similarity = Written(alike("heat", "roof"))

    turned = replace(pyramid, scus=pyramid.scus[::-1])

    assert doubtful_ideas(turned, similarity) == doubtful_ideas(pyramid, similarity)


def test_nothing_is_said_where_there_is_too_little_to_compare_with() -> None:
    small = pyramid_of(TEXTS, {"Ada": "rain in Ada", "Ben": "car in Ben"})

    assert doubtful_ideas(small, Written({})) == ()
    assert doubtful_ideas(Pyramid((), ()), Written({})) == ()

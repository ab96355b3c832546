"""How many ideas of each weight there are, against what is expected."""

from dataclasses import replace

from grading.pyramid.analysis.quality import WeightClass, departures, shape_of
from grading.pyramid.config import Config
from grading.pyramid.structures import Pyramid, Scu, Standing
from tests.pyramid.analysis.made import cut, pyramid_of

TEXTS = [cut(name, f"{name} one two", f"{name} three four") for name in "AB"]
CONFIG = Config(beta=1.0, alpha_extra=2)


def test_weights_are_counted_beside_the_capacity() -> None:
    pyramid = pyramid_of(TEXTS, {"A": "A one two", "B": "B one two"}, {"A": "A three four"})

    # Four segments and two more, halved for weight 2.
    assert shape_of(pyramid, TEXTS, CONFIG) == (WeightClass(2, 1, 3), WeightClass(1, 1, None))


def test_only_what_scores_is_counted() -> None:
    pyramid = pyramid_of(TEXTS, {"A": "A one two", "B": "B one two"})
    aside = replace(pyramid.scus[0], standing=Standing.ASIDE)

    counts = [
        weight_class.count
        for weight_class in shape_of(replace(pyramid, scus=(aside,)), TEXTS, CONFIG)
    ]

    assert counts == [0, 0]


def test_a_given_weight_may_be_heavier_than_all_references() -> None:
    pyramid = pyramid_of(TEXTS, {"A": "A one two"})
    heavy = replace(pyramid.scus[0], given_weight=4)

    shape = shape_of(replace(pyramid, scus=(heavy,)), TEXTS, CONFIG)

    assert [(weight_class.weight, weight_class.count) for weight_class in shape] == [
        (4, 1),
        (2, 0),
        (1, 0),
    ]


def test_without_references_nothing_is_expected() -> None:
    scus = tuple(Scu(uid, f"Idea {uid}", (), given_weight=5) for uid in range(1, 9))

    shape = shape_of(Pyramid((), scus), (), CONFIG)

    assert shape == (WeightClass(5, 8, None), WeightClass(1, 0, None))
    assert departures((*shape, WeightClass(4, 1, None)), 0) == ()


def departures_of(*counts: int, expected: int = 3) -> tuple[str, ...]:
    """Counts of the heaviest weight first."""
    heaviest = len(counts)
    shape = [
        WeightClass(heaviest - place, count, expected if heaviest - place > 1 else None)
        for place, count in enumerate(counts)
    ]
    return departures(shape, heaviest)


def test_a_pyramid_that_widens_downwards_is_as_expected() -> None:
    assert departures_of(1, 3, 20) == ()


def test_more_heavy_ideas_than_expected_are_told() -> None:
    (sentence,) = departures_of(6, 7, 20, expected=3)[:1]

    assert sentence.startswith("More ideas of weight 3 than expected (6 where at most 3")


def test_a_waist_is_told() -> None:
    (sentence,) = departures_of(4, 1, 20)

    assert sentence.startswith("Fewer ideas of weight 2 than of weight 3 (1 and 4)")


def test_no_idea_of_all_is_told_for_few_references_only() -> None:
    assert departures_of(0, 3, 9) == (
        "No idea is in all references. Check whether two ideas are really one.",
    )
    assert departures_of(0, 1, 1, 2, 2, 3, 9) == ()

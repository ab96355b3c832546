"""Ideas as pages show them: bands by weight, and where a weight comes from."""

from dataclasses import replace

import pytest

from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Standing, Text
from grading.web.ideas import Ideas, band_of, bands_of

TEXTS = tuple(Text(name, "Ice melts. Water boils.") for name in ("Ada", "Ben", "Chi", "Dee"))
TOLD = tuple(Contributor(text.name, (Span(0, 10),)) for text in TEXTS)
ICE = Scu(1, "Ice melts", TOLD)
WATER = Scu(2, "Water boils", TOLD[:2])


@pytest.mark.parametrize(
    ("weight", "heaviest", "band"),
    [(5, 5, 5), (1, 5, 1), (1, 1, 5), (3, 4, 4), (9, 4, 5), (0, 4, 1), (2, 0, 5), (1, 100, 1)],
)
def test_bands_are_measured_by_the_heaviest(weight: int, heaviest: int, band: int) -> None:
    assert band_of(weight, heaviest) == band


def test_weights_beyond_the_references_are_told_apart() -> None:
    rubric = Pyramid((), tuple(Scu(n, f"Idea {n}", (), given_weight=n) for n in (1, 5, 10)))

    shown = bands_of(rubric)

    assert [(band.weight, band.ideas[0].band) for band in shown.bands] == [(10, 5), (5, 3), (1, 1)]


@pytest.mark.parametrize(
    ("scu", "said"),
    [
        (WATER, "In 2 of 4 expert summaries."),
        (replace(WATER, given_weight=4), "Weight set manually; in 2 of 4 expert summaries."),
        (replace(WATER, given_weight=2), "In 2 of 4 expert summaries."),
        (replace(WATER, contributors=(), given_weight=3), "From the list of ideas asked for."),
        (replace(WATER, standing=Standing.MUST), "Must count; in 2 of 4 expert summaries."),
        (replace(WATER, contributors=(), standing=Standing.MUST), "Must count."),
    ],
)
def test_where_a_weight_comes_from(scu: Scu, said: str) -> None:
    counted = Pyramid(TEXTS, (scu,)).counted()

    assert Ideas(counted).of(counted.scus[0]).source == said


def test_bands_say_who_says_so_only_where_somebody_does() -> None:
    given = replace(WATER, uid=3, given_weight=1)
    must = replace(WATER, uid=4, standing=Standing.MUST)

    shown = bands_of(Pyramid(TEXTS, (ICE, must, WATER, given)))

    assert [(band.weight, band.words) for band in shown.bands] == [
        (4, ""),
        (2, "2 of 4 references"),
        (1, "weight set manually"),
    ]
    assert [band.words for band in bands_of(Pyramid(TEXTS, (ICE,))).bands] == ["all 4 references"]
    pyramid = Pyramid(TEXTS[:1], (replace(ICE, contributors=TOLD[:1]),))
    assert [band.words for band in bands_of(pyramid).bands] == ["the reference"]


def test_what_does_not_count_stands_apart() -> None:
    aside = replace(ICE, uid=3, standing=Standing.ASIDE)
    nothing = replace(ICE, uid=4, contributors=())

    shown = bands_of(Pyramid(TEXTS, (aside, nothing, WATER)))

    assert shown.ideas == 1
    assert [idea.uid for idea in shown.aside] == [3]
    assert [idea.uid for idea in shown.weightless] == [4]

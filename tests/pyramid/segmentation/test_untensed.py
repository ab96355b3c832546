"""Clauses without a tensed verb of their own: alternatives, never a must."""

import pytest

from tests.pyramid.segmentation.conftest import Cut

pytestmark = pytest.mark.models


def test_a_participle_adds_to_the_cuts_between_tensed_verbs(cut: Cut) -> None:
    sentence = "Dark roofs absorb sunlight and then release it slowly, making the nights hotter."
    assert cut(sentence) == [
        [sentence],
        [
            "Dark roofs absorb sunlight",
            "Dark roofs then release it slowly, making the nights hotter",
        ],
        [
            "Dark roofs absorb sunlight",
            "Dark roofs then release it slowly",
            "Dark roofs making the nights hotter",
        ],
        [
            "Dark roofs absorb sunlight and then release it slowly",
            "Dark roofs making the nights hotter",
        ],
    ]


@pytest.mark.parametrize(
    ("sentence", "segments"),
    [
        pytest.param(
            "The city planted 5,000 trees in 2019, reducing the temperature by 3.5 °C.",
            [
                "The city planted 5,000 trees in 2019",
                "The city reducing the temperature by 3.5 °C",
            ],
            id="after a comma, with the subject of the clause",
        ),
        pytest.param(
            "Having measured the roofs, the team painted them white.",
            ["Having measured the roofs the team", "the team painted them white"],
            id="before the clause; all words stay in their order",
        ),
        pytest.param(
            "The study, published in 2018, shows that green roofs work.",
            ["The study, published in 2018", "The study shows that green roofs work"],
            id="between commas",
        ),
        pytest.param(
            "Scientists measured the temperature by using sensors placed on roofs.",
            ["Scientists measured the temperature by using sensors", "sensors placed on roofs"],
            id="beside an object, with what it describes",
        ),
        pytest.param(
            "With temperatures rising, cities must act.",
            ["With temperatures rising", "cities must act"],
            id="with a subject of its own",
        ),
        pytest.param(
            "If a driver is tired, the car can take over and bring everyone home.",
            [
                "If a driver is tired",
                "the car can take over",
                "the car can bring everyone home",
            ],
            id="a shared auxiliary",
        ),
        pytest.param(
            "We should not burn coal or build new mines.",
            ["We should not burn coal", "We should not build new mines"],
            id="a shared auxiliary that is negated",
        ),
    ],
)
def test_the_finest_cut(cut: Cut, sentence: str, segments: list[str]) -> None:
    assert max(cut(sentence), key=len) == segments


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("Cities located near water stay cooler in summer.", id="tells which cities"),
        pytest.param("According to the article, dark roofs absorb heat.", id="a preposition"),
        pytest.param("Cars do not pollute the air while driving.", id="no more than a verb"),
        pytest.param("Sugar is a food made by plants.", id="a definition"),
        pytest.param("Trees can be planted and watered by volunteers.", id="no object of its own"),
        pytest.param("It is a process called photosynthesis.", id="a name"),
    ],
)
def test_what_stays_whole(cut: Cut, sentence: str) -> None:
    assert cut(sentence) == [[sentence]]

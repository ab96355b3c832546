"""Which clauses the real parser's trees are cut into: each case is a rule."""

import pytest

from tests.pyramid.segmentation.conftest import Cut

pytestmark = pytest.mark.models

SHAKE = "Christopher Shake, the director of the London art gallery, suggests"
CASE = "that this is not the case"
COMPANIES = (
    "that many different companies of different natures not just technology related "
    "are getting involved with cryptocurrencies"
)


def test_figure_3_of_the_paper(cut: Cut) -> None:
    """1.6.1, 1.6.3 and 1.6.2, without the "and" that the figure leaves at "suggests"."""
    sentence = f"{SHAKE} {CASE} and {COMPANIES}."
    assert cut(sentence) == [
        [sentence],
        [SHAKE, CASE, COMPANIES],
        [f"{SHAKE} {COMPANIES}", CASE],
        [f"{SHAKE} {CASE}", COMPANIES],
    ]


@pytest.mark.parametrize(
    ("sentence", "segments"),
    [
        pytest.param(
            "Kinetic energy is one and has energy because of an objects motion.",
            ["Kinetic energy is one", "Kinetic energy has energy because of an objects motion"],
            id="a coordinated verb takes the subject of the first",
        ),
        pytest.param(
            "The rule states that energy can be transferred but cannot be destroyed.",
            ["The rule states", "that energy can be transferred", "energy cannot be destroyed"],
            id="also in a complement",
        ),
        pytest.param(
            "It has properties which can be changed by heat and which we can see in the lab.",
            [
                "It has properties",
                "properties which can be changed by heat",
                "which we can see in the lab",
            ],
            id="a relative clause takes what it describes",
        ),
        pytest.param(
            "Bitcoin, which was invented in 2009, is not a currency.",
            ["Bitcoin, which was invented in 2009", "Bitcoin is not a currency"],
            id="a relative clause between commas leaves its subject",
        ),
        pytest.param(
            "When paper burns in a fire, its make-up is changed and it is no longer paper.",
            ["When paper burns in a fire", "its make-up is changed", "it is no longer paper"],
            id="adverbial clauses keep their conjunctions, coordinated ones lose them",
        ),
        pytest.param(
            "If you don't have a thermometer, ask your teacher.",
            ["If you don't have a thermometer", "ask your teacher"],
            id="a command",
        ),
        pytest.param(
            "Matter is anything that has mass and takes up space (volume).",
            ["Matter is anything that has mass", "Matter takes up space (volume)"],
            id="a definition keeps its first half",
        ),
        pytest.param(
            "There are 2 types of mechanical energy; kinetic is when object is moving and "
            "potential is when the object has a position.",
            [
                "There are 2 types of mechanical energy",
                "kinetic is when object is moving",
                "potential is when the object has a position",
            ],
            id="a clause that says nothing stays with the one that says it",
        ),
        pytest.param(
            "The students collected and analyzed the data, and presented it to the class.",
            [
                "The students collected and analyzed the data",
                "The students presented it to the class",
            ],
            id="verbs with one object stay together",
        ),
        pytest.param(
            "Dark roofs absorb heat and release it at night.",
            ["Dark roofs absorb heat", "Dark roofs release it at night"],
            id="a present tense that is taken for a bare form",
        ),
        pytest.param(
            "She said, \u201cRoofs are the problem,\u201d and left the room.",
            ["She said, \u201cRoofs are the problem,\u201d", "She left the room"],
            id="what is not quoted belongs to the speaker",
        ),
        pytest.param(
            "\u201cBees feed us,\u201d the author writes, \u201cand we kill them.\u201d",
            ["Bees feed us", "the author writes", "we kill them"],
            id="quotation marks of others are left out",
        ),
        pytest.param(
            "It is made of H2O, which means that it has two hydrogen atoms.",
            ["It is made of H2O", "H2O, which means that it has two hydrogen atoms"],
            id="a relative clause takes no verb along",
        ),
    ],
)
def test_the_full_split(cut: Cut, sentence: str, segments: list[str]) -> None:
    assert cut(sentence)[1] == segments


@pytest.mark.parametrize(
    ("sentence", "segments"),
    [
        pytest.param(
            "Energy comes in different forms mechanical energy is the energy of motion.",
            ["Energy comes in different forms", "mechanical energy is the energy of motion"],
            id="a missing full stop",
        ),
        pytest.param(
            "Kinetic energy is because of the object's motion and potential energy is because "
            "of the object's position.",
            [
                "Kinetic energy is because of the object's motion",
                "potential energy is because of the object's position",
            ],
            id="a missing comma, which loses the second subject",
        ),
        pytest.param(
            "It produce ATP and it control the cell.",
            ["It produce ATP", "it control the cell"],
            id="a missing ending",
        ),
        pytest.param(
            "Cars don\u2019t get tired, but they can be hacked \U0001f600 (Smith, 2018, p. 4).",
            ["Cars don\u2019t get tired", "they can be hacked"],
            id="typographic apostrophe; emoji and citation at the end of a segment are left out",
        ),
        pytest.param(
            "The graph shows that the population grew to 3.7 million (see Fig. 2).",
            ["The graph shows", "that the population grew to 3.7 million (see Fig. 2)"],
            id="nothing is cut within brackets",
        ),
    ],
)
def test_writing_of_students(cut: Cut, sentence: str, segments: list[str]) -> None:
    assert cut(sentence)[1] == segments


@pytest.mark.parametrize(
    "sentence",
    [
        "Energy can not be created or destroyed.",
        "To classify matter one must identify the physical and chemical properties.",
        "The rule that governs energy is known as the law of conservation of energy.",
        "The energy an object has when it is moving is called kinetic energy.",
        "Matter is the stuff that everything is made up of.",
        "The fact that roofs are dark makes cities hot.",
        "I also learned that matter has both physical and chemical properties.",
        "These occur when they change.",
        "A summary of the article",
    ],
)
def test_what_stays_whole(cut: Cut, sentence: str) -> None:
    assert cut(sentence) == [[sentence]]

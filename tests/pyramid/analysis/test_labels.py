"""Labels that can be read by themselves."""

from dataclasses import replace

import pytest

from grading.pyramid.analysis.labels import clear_sentences, clearer_labels
from grading.pyramid.analysis.suggestions import Suggestion
from grading.pyramid.editing.commands import SetLabel, Several
from grading.pyramid.idea_labels import tidied_label
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.structures import Pyramid
from tests.fakes import FakeParser
from tests.pyramid.analysis.made import cut, every_pair, looked_at, pyramid_of
from tests.pyramid.cutting import Pairs

ADA = cut("Ada", "because cities are hot", "it stores heat for long")
BEN = cut("Ben", "so the towns are warm", "Concrete stores heat")
CHI = cut("Chi", "All cities are warm", "Stone stores the heat of the day")
TEXTS = [ADA, BEN, CHI]
HOT = {"Ada": "because cities are hot", "Ben": "so the towns are warm"}
STORED = {
    "Ada": "it stores heat for long",
    "Ben": "Concrete stores heat",
    "Chi": "Stone stores the heat of the day",
}
ALIKE = every_pair(0.6, list(STORED.values()), list(HOT.values()))


def suggested(pyramid: Pyramid, pairs: Pairs = ALIKE) -> list[Suggestion]:
    _, likeness = looked_at(TEXTS, pyramid, pairs)
    return list(clearer_labels(pyramid, likeness, FakeParser()))


@pytest.mark.parametrize(
    ("words", "tidy"),
    [
        ("because cities are hot", "Cities are hot."),
        ("However, as a result, towns are warm", "Towns are warm."),
        ("Cities are hot.", "Cities are hot."),
        ("and", "And."),
        ("...", ""),
    ],
)
def test_a_label_is_tidied(words: str, tidy: str) -> None:
    assert tidied_label(words) == tidy


def test_labels_that_need_no_other_words_are_tidied_together() -> None:
    (result,) = suggested(pyramid_of(TEXTS, HOT))

    assert result.command == Several(
        "wrote one label as whole sentences", (SetLabel(1, "Cities are hot."),)
    )


def test_a_label_that_points_back_gets_the_most_central_clear_words() -> None:
    pairs = ALIKE | {("Concrete stores heat", "Stone stores the heat of the day"): 0.9}

    (result,) = suggested(pyramid_of(TEXTS, STORED), pairs)

    assert result.command == SetLabel(1, "Concrete stores heat.")


def test_words_that_say_something_else_are_not_proposed() -> None:
    pairs = {(STORED["Ben"], STORED["Chi"]): 0.9, (STORED["Ada"], STORED["Ben"]): 0.4}

    assert suggested(pyramid_of(TEXTS, STORED), pairs) == []


def test_what_a_person_wrote_stays() -> None:
    pyramid = pyramid_of(TEXTS, HOT)
    named = replace(pyramid, scus=(replace(pyramid.scus[0], label="because of it"),))

    assert suggested(named) == []


@pytest.mark.models
def test_sentences_are_told_from_fragments() -> None:
    data = {
        "Every air conditioner expels heat outdoors, which warms the street": True,
        "The difference is greatest at night": True,
        "Energy cannot be created or destroyed": True,
        "space which is known as volume": False,
        "all the heat of the city": False,
        "it is called an island": False,
        "which is why cities are hot": False,
        "Rising heat": False,
        "once night has fallen": False,
        "when night has fallen, the streets are warm": True,
    }

    clear = clear_sentences(data, SpacyParser())

    assert {words: tidied_label(words) in clear for words in data} == data

"""Hints: what an idea is about, and not what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.feedback.likely_ideas import content_words
from grading.pyramid.feedback.topics import Spelling, Topics, hint_in_words
from grading.pyramid.structures import Pyramid, ScoreReport, Scu, Text
from tests.pyramid.feedback.made import cases, pyramid_of

ROOFS = [
    "Dark roofs absorb the light of the sun",
    "Sunlight is absorbed by the roofs",
    "The heat of the sun is stored in dark roofs",
]
CITIES = pyramid_of(
    {
        ROOFS[0]: ROOFS,
        "Trees cool the air": ["Trees cool the air", "The air is cooled by the trees"],
        "The roofs can be painted": ["Roofs can be painted"],
        "Over 50 years 20 cities grew": ["Over 50 years 20 cities grew"],
        "They get it": ["They get it"],
        "It is so": ["It is so"],
    }
)


def hint(place: int, most: int = 3) -> tuple[str, ...]:
    return Topics(CITIES).words(CITIES.scus[place], most)


def test_words_that_most_experts_share_come_first_and_name_things() -> None:
    assert hint(0) == ("roofs", "sun")
    assert hint(1) == ("air",) or hint(1) == ("trees",)
    assert hint(2) == ("roofs",)


def test_fewer_can_be_asked_for() -> None:
    assert hint(0, most=1) == ("roofs",)


def test_numbers_and_light_words_are_no_hints() -> None:
    assert not {"50", "20"} & set(hint(3))


def test_where_there_is_hardly_a_word_little_is_told() -> None:
    assert hint(4) == ("get",)
    assert hint(5) == ()


def test_a_statement_out_of_a_list_hints_by_its_label() -> None:
    rubric = Pyramid((), (Scu(1, "The author's roofs store heat.", (), given_weight=2),))

    assert Topics(rubric).words(rubric.scus[0]) == ("heat", "roofs")


def test_no_possessives() -> None:
    pyramid = pyramid_of({"An object's motion is energy": ["An object's motion is energy"]})

    assert "object's" not in Topics(pyramid).words(pyramid.scus[0])


def test_names_keep_their_capitals_and_first_words_of_sentences_do_not() -> None:
    labels = ["Grades fell in Minnesota", "Minnesota's grades fell: Grades of DNA tests"]
    pyramid = pyramid_of({"They fell there, as grades do": labels, "DNA tests": ["DNA tests"]})
    topics = Topics(pyramid)

    assert topics.words(pyramid.scus[0]) == ("Minnesota",)
    spelling = Spelling(pyramid)
    assert [spelling.of(word) for word in ("dna", "grades", "new")] == ["DNA", "grades", "new"]


@pytest.mark.parametrize(
    ("label", "hint"),
    [
        ("The grades of Minnesota fell", "Minnesota"),
        ("Minnesota gave grades", "minnesota"),  # as “Roofs gave heat”: it may be no name
        ("Grades of DNA fell", "DNA"),
    ],
)
def test_of_a_label_the_order_of_words_tells_nothing(label: str, hint: str) -> None:
    turned = " ".join(reversed(label.split()))
    both = [Pyramid((), (Scu(1, name, (), given_weight=2),)) for name in (label, turned)]

    spelt = [Spelling(pyramid).of(hint.lower()) for pyramid in both]

    assert spelt == [hint, hint]


def test_a_hint_says_that_it_is_one() -> None:
    assert hint_in_words(("grades", "Minnesota")) == "Key words: grades, Minnesota"
    assert hint_in_words(("roofs",)) == "Key word: roofs"
    assert hint_in_words(()) == "An idea without a hint"


@given(case=cases(), most=st.integers(1, 5))
def test_a_hint_is_short_and_never_the_label(
    case: tuple[Text, Pyramid, ScoreReport], most: int
) -> None:
    _, pyramid, _ = case
    topics = Topics(pyramid)
    for scu in pyramid.scus:
        unit = scu.label_unit
        label = {word.stem for word in content_words(unit.text, unit.spans)}
        words = topics.words(scu, most)

        assert len(words) <= max(1, min(most, len(label) // 2))
        assert [word.lower() for word in words] == sorted(word.lower() for word in words)

"""What in a text made a match."""

from grading.pyramid.feedback.likely_ideas import grounds_of
from grading.pyramid.structures import Match, Pyramid, Scu, Segment, Text
from tests.pyramid.feedback.made import pyramid_of, spans_of

TEXT = Text("mine", "All in all, the Roofs are absorbing heat, as roofs do.")
PYRAMID = pyramid_of(
    {"Roofs absorb heat": ["Sunlight warms a house", "The dark roof absorbs heat", "Roofs get hot"]}
)


def match(*words: str) -> Match:
    return Match(Segment(spans_of(TEXT, *words)), 1, 0.8)


def test_words_with_the_same_stem_are_shared_and_shown_where_they_stand() -> None:
    grounds = grounds_of(TEXT, PYRAMID, match("the Roofs are absorbing heat, as roofs do"))

    assert grounds.shared == ("roofs", "absorbing", "heat")
    assert [TEXT.words_at((span,)) for span in grounds.spans] == [
        "Roofs",
        "absorbing",
        "heat",
        "roofs",
    ]
    assert grounds.words == "The dark roof absorbs heat"


def test_only_words_of_the_match_count() -> None:
    assert grounds_of(TEXT, PYRAMID, match("heat")).shared == ("heat",)


def test_a_match_may_share_no_word() -> None:
    grounds = grounds_of(TEXT, PYRAMID, match("All in all"))

    assert (grounds.spans, grounds.shared) == ((), ())
    assert grounds.words == "Sunlight warms a house"


def test_words_put_on_a_match_by_hand_are_the_ones_that_count() -> None:
    by_hand = Match(Segment(spans_of(TEXT, "heat")), 1, 1.0, marked=spans_of(TEXT, "Roofs"))

    assert grounds_of(TEXT, PYRAMID, by_hand).shared == ("roofs",)


def test_an_idea_of_no_expert_is_compared_with_its_label() -> None:
    rubric = Pyramid((), (Scu(1, "Heat is\nabsorbed.", (), given_weight=1),))

    grounds = grounds_of(TEXT, rubric, match("absorbing heat"))

    assert (grounds.shared, grounds.words) == (("absorbing", "heat"), "Heat is absorbed.")

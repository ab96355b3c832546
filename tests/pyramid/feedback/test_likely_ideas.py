"""Which idea somebody may mean, and where a text may tell it."""

import pytest

from grading.pyramid.feedback.likely_ideas import likely_ideas, likely_sentence, sentences_of
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text

ADA = "Ice melts. Trees cool the streets of a town. Water boils."
PYRAMID = Pyramid(
    (Text("Ada", ADA),),
    (
        Scu(1, "Ice melts.", (Contributor("Ada", (Span(0, 10),)),)),
        Scu(2, "Green in towns", (Contributor("Ada", (Span(11, 44),)),)),
        Scu(3, "Water boils.", (), given_weight=3),
    ),
)


def test_ideas_with_most_words_in_common_come_first() -> None:
    likely = likely_ideas(PYRAMID, PYRAMID.scus, "The tree cools a street, and ice is cold.")

    assert [(idea.scu.uid, idea.shared) for idea in likely] == [
        (2, ("tree", "cools", "street")),
        (1, ("ice",)),
        (3, ()),
    ]


def test_of_ideas_with_as_many_the_heavier_comes_first() -> None:
    assert [likely_idea.scu.uid for likely_idea in likely_ideas(PYRAMID, PYRAMID.scus, "")] == [
        3,
        1,
        2,
    ]


def test_a_word_counts_once_however_it_is_written() -> None:
    likely = likely_ideas(PYRAMID, PYRAMID.scus, "Tree, trees, TREE")

    assert likely[0].shared == ("tree",)


@pytest.mark.parametrize(
    ("content", "sentences"),
    [
        ("One thing. Another! A third?", ["One thing.", "Another!", "A third?"]),
        ("  A title\n\nA sentence.  ", ["A title", "A sentence."]),
        ("no end", ["no end"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_are_without_the_space_between_them(content: str, sentences: list[str]) -> None:
    assert [
        content[sentence.start : sentence.end] for sentence in sentences_of(content)
    ] == sentences


def test_the_likely_sentence_has_most_words_of_the_idea() -> None:
    content = "Streets are long. Trees make streets cool. Nobody knows."

    result = likely_sentence(PYRAMID, PYRAMID.scu(2), content)

    assert result is not None
    assert content[result.start : result.end] == "Trees make streets cool."
    assert likely_sentence(PYRAMID, PYRAMID.scu(1), content) is None

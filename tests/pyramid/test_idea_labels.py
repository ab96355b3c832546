"""Labels are whole clauses that can be read by themselves."""

import pytest

from grading.pyramid.idea_labels import Wording, label_of
from grading.pyramid.parsing import Parser
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import Span, Text

pytestmark = pytest.mark.models


def wording(parser: Parser, content: str, words: str, closeness: int = 0) -> Wording:
    (parsed,) = parser.parse([Text("text", content)])
    start = content.index(words)
    spans = (Span(start, start + len(words)),)
    return Wording(segment(parsed, max_segmentations=1), spans, closeness)


@pytest.mark.parametrize(
    ("content", "words", "label"),
    [
        ("Dark roofs store heat.", "Dark roofs store heat.", "Dark roofs store heat."),
        ("It is so because roofs are dark.", "because roofs are dark", "Roofs are dark."),
        ("However, trees cool cities.", "However, trees cool cities.", "Trees cool cities."),
        ("Tall houses trap heat. They also slow the wind.", "They also slow the wind", "Tall"),
        (
            "The old suffer most, since heat kills them.",
            "since heat kills them",
            "Heat kills them.",
        ),
    ],
)
def test_a_label_is_a_sentence(spacy_parser: Parser, content: str, words: str, label: str) -> None:
    assert label_of([wording(spacy_parser, content, words)]).startswith(label)


def test_a_pronoun_is_replaced_where_there_is_no_choice(spacy_parser: Parser) -> None:
    content = "A forest is cool because it gives off water."

    assert (
        label_of([wording(spacy_parser, content, "because it gives off water")])
        == "The forest gives off water."
    )


def test_where_there_is_a_choice_the_sentence_is_the_label(spacy_parser: Parser) -> None:
    content = "The sun heats the road because it is dark."

    assert label_of([wording(spacy_parser, content, "because it is dark")]) == content


def test_a_condition_is_no_label(spacy_parser: Parser) -> None:
    content = "Ports grew where there was deep water."

    assert label_of([wording(spacy_parser, content, "where there was deep water")]) == content


def test_two_ideas_of_a_sentence_are_not_called_the_same(spacy_parser: Parser) -> None:
    content = "Ports grew where there was deep water."
    words = wording(spacy_parser, content, "where there was deep water")

    assert label_of([words], taken={content}) == "Where there was deep water."


def test_the_clearest_wording_is_chosen_then_the_closest(spacy_parser: Parser) -> None:
    unclear = wording(spacy_parser, "It grew fast, as they say.", "It grew fast", 9)
    clear = wording(spacy_parser, "Ports grew quickly.", "Ports grew quickly.", 1)
    closest = wording(spacy_parser, "Harbours grew very quickly.", "Harbours grew very quickly.", 2)

    for order in ([unclear, clear, closest], [closest, clear, unclear]):
        assert label_of(order) == "Harbours grew very quickly."


def test_what_was_cut_off_is_no_label(spacy_parser: Parser) -> None:
    content = "In the war the army saw that the container is useful."

    assert label_of([wording(spacy_parser, content, "In the war the army saw")]) == content

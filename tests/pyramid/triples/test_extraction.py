"""What sentences say, as triples; parsed by the real model."""

import pytest

from grading.pyramid.parsing import Parser
from grading.pyramid.structures import Text
from grading.pyramid.triples.extraction import extract_triples
from grading.pyramid.triples.triple import Triple

pytestmark = pytest.mark.models


def triples(parser: Parser, sentence: str) -> list[Triple]:
    [parsed] = parser.parse([Text("t", sentence)])
    return list(extract_triples(parsed))


def triples_in_words(parser: Parser, sentence: str) -> list[str]:
    """Each triple in a line: subject | predicate | object; object."""
    return [
        " | ".join(
            (
                triple.subject.words,
                triple.predicate.words,
                "; ".join(each.words for each in triple.objects),
            )
        )
        for triple in triples(parser, sentence)
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (  # of the paper's slides
            "These characteristics determine the properties of matter.",
            ["These characteristics | determine | the properties of matter"],
        ),
        (  # a passive, and a preposition that goes with the verb
            "The report was written by a student in 1998.",
            ["The report | was written by | a student in 1998"],
        ),
        (  # a copula
            "Roofs are different from streets.",
            ["Roofs | are different from | streets"],
        ),
        (  # a participle after its noun
            "Sensors placed on roofs measure the heat.",
            ["Sensors | placed on | roofs", "Sensors placed on roofs | measure | the heat"],
        ),
        (  # a relative clause whose pronoun is the subject
            "Cities which lose their trees become hotter.",
            ["Cities | lose | their trees", "Cities | become | hotter"],
        ),
        (  # a relative clause whose noun is the object
            "The city that the river divides is old.",
            ["the river | divides | The city", "The city | is | old"],
        ),
        (  # an infinitive that the verb only opens
            "She wants to learn Greek.",
            ["She | wants to learn | Greek"],
        ),
        (  # an adjective between
            "He is able to see the stars.",
            ["He | is able to see | the stars"],
        ),
        (  # reported speech: that it was said, and what was said
            "The teacher said that the test was easy.",
            ["The teacher | said | that the test was easy", "the test | was | easy"],
        ),
        (  # a list: one triple an item
            "The box contains apples, pears, plums and nuts.",
            [f"The box | contains | {item}" for item in ("apples", "pears", "plums", "nuts")],
        ),
        (  # verbs that share their subject; several objects
            "Dark roofs soak up the sun and release heat slowly after sunset.",
            [
                "Dark roofs | soak up | the sun",
                "Dark roofs | release | heat; slowly; after sunset",
            ],
        ),
        (  # an apposition and a title have no verb
            "Luke Howard, a chemist, noticed the heat.",
            ["Luke Howard | noticed | the heat", "Luke Howard | is | a chemist"],
        ),
    ],
)
def test_what_a_sentence_says(spacy_parser: Parser, sentence: str, expected: list[str]) -> None:
    assert triples_in_words(spacy_parser, sentence) == expected


def test_the_slides_example_is_split(spacy_parser: Parser) -> None:
    """With a verb that has no object, and auxiliaries that are shared."""
    sentence = (
        "The law of conservation of energy is the notion that energy can be transferred between "
        "objects but cannot be created or destroyed."
    )

    assert triples_in_words(spacy_parser, sentence)[1:] == [
        "energy | can be transferred between | objects",
        "energy | can not be created | ",
        "energy | can be destroyed | ",
    ]


def test_every_element_has_its_place_in_the_text(spacy_parser: Parser) -> None:
    sentence = "Ann Lee, a chemist, saw  that roofs, which are dark,\nstore heat."
    for triple in triples(spacy_parser, sentence):
        for element in triple.elements:
            there = "".join(sentence[span.start : span.end] for span in element.spans)
            if there:
                assert "".join(there.split()) == element.words.removeprefix("is ").replace(" ", "")


def test_words_that_are_not_in_the_text_have_no_place(spacy_parser: Parser) -> None:
    *_, apposition = triples(spacy_parser, "Luke Howard, a chemist, noticed the heat.")
    assert apposition.predicate.words == "is"
    assert apposition.predicate.spans == ()


def test_confidences_differ_and_keep_their_bounds(spacy_parser: Parser) -> None:
    text = (
        "Trees cool the streets. There are three causes, the author says. Howard, a chemist, who "
        "lived in London, measured, noted and compared the air, which moved."
    )
    confidences = [triple.confidence for triple in triples(spacy_parser, text)]
    assert all(0 < confidence < 1 for confidence in confidences)
    assert len(set(confidences)) > len(confidences) / 2


def test_a_sentence_does_not_depend_on_others(spacy_parser: Parser) -> None:
    first, two = "Trees cool the streets.", "Heat rises in the city."
    assert triples_in_words(spacy_parser, f"{first} {two}") == triples_in_words(
        spacy_parser, first
    ) + triples_in_words(spacy_parser, two)

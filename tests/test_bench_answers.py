"""Short answers are read with their labels, each with its reference answer."""

from xml.etree import ElementTree as ET

from tests.bench.answers import CONTRADICTORY, CORRECT, question_of


def test_an_answer_goes_with_the_reference_that_its_annotator_named() -> None:
    question = question_of(
        ET.fromstring(  # noqa: S314
            """<question><referenceAnswers>
            <referenceAnswer id="a1">The bulb is lit.</referenceAnswer>
            <referenceAnswer id="a2">The circuit is closed.</referenceAnswer>
            </referenceAnswers><studentAnswers>
            <studentAnswer id="1" accuracy="correct" answerMatch="a2">It is closed.</studentAnswer>
            <studentAnswer id="2" accuracy="contradictory">It is not lit.</studentAnswer>
            <studentAnswer id="3" accuracy="incorrect">It is a bulb.</studentAnswer>
            <studentAnswer id="4" accuracy="correct">Closed.</studentAnswer>
            </studentAnswers></question>"""
        )
    )
    [(text, reference)] = question.answers[CORRECT]
    assert (text.name, reference.content) == ("1", "The circuit is closed.")
    [(text, reference)] = question.answers[CONTRADICTORY]
    assert (text.content, reference.content) == ("It is not lit.", "The bulb is lit.")

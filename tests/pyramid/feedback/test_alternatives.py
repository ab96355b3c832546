"""Which idea words may tell: the nearest first, with what speaks for it."""

from dataclasses import replace

from hypothesis import given

from grading.pyramid.feedback.likely_ideas import alternatives, is_about
from grading.pyramid.structures import Candidate, Pyramid, ScoreReport, Span, Text
from tests.pyramid.feedback.made import cases, pyramid_of, report_of, spans_of, with_match

PYRAMID = pyramid_of(
    {
        "Dark roofs store heat": [
            "Dark roofs store heat",
            "Black roofs keep the warmth of the sun",
        ],
        "Trees cool streets": ["Trees cool the streets"],
        "Heat harms people": ["Heat harms old people", "The old suffer in the heat"],
    }
)
TEXT = Text("zoe", "Roofs store heat. People like trees. The end.")


def ranked(*words: str, report: ScoreReport | None = None) -> list[int]:
    report = report or report_of(TEXT, PYRAMID)
    spans = spans_of(TEXT, *words)
    return [
        alternative.scu.uid for alternative in alternatives(TEXT, PYRAMID, report.evidence, spans)
    ]


def test_the_idea_with_most_of_its_words_comes_first() -> None:
    first = alternatives(
        TEXT, PYRAMID, report_of(TEXT, PYRAMID).evidence, spans_of(TEXT, "Roofs store heat")
    )[0]

    assert (first.scu.uid, first.shared) == (1, ("roofs", "store", "heat"))
    assert first.nearest == "Dark roofs store heat"
    assert (round(first.likeness, 2), first.similarity) == (0.93, None)


def test_words_may_stand_apart() -> None:
    assert ranked("heat", "People") == [3, 1, 2]


def test_of_ideas_as_near_the_heavier_comes_first() -> None:
    assert ranked("The end") == [1, 3, 2]


def test_what_the_program_measured_for_these_words_counts() -> None:
    report = report_of(TEXT, PYRAMID, ("Roofs store heat", 1), probability=0.6)
    report = with_match(report, 1, alternatives=(Candidate(2, 0.8),))

    result = alternatives(TEXT, PYRAMID, report.evidence, spans_of(TEXT, "store heat."))

    rows = [(idea.scu.uid, idea.similarity, idea.probability) for idea in result]
    assert rows == [(1, 0.9, 0.6), (2, 0.8, None), (3, None, None)]
    assert ranked("People like trees", report=report)[0] in {2, 3}


def test_what_the_program_found_elsewhere_says_nothing_of_these_words() -> None:
    report = with_match(
        report_of(TEXT, PYRAMID, ("The end", 1)), 1, alternatives=(Candidate(3, 0.99),)
    )

    assert ranked("Roofs store heat", report=report)[0] == 1


def test_ideas_are_searched_by_number_label_and_words_of_experts() -> None:
    numbers = PYRAMID.numbers()
    about = {
        query: [scu.uid for scu in PYRAMID.scus if is_about(PYRAMID, scu, numbers[scu.uid], query)]
        for query in ("", "HEAT", "warmth roof", "2", "nothing")
    }

    assert about == {"": [1, 2, 3], "HEAT": [1, 3], "warmth roof": [1], "2": [3], "nothing": []}


@given(cases())
def test_each_idea_is_offered_once(case: tuple[Text, Pyramid, ScoreReport]) -> None:
    text, pyramid, report = case
    spans = (Span(0, len(text.content)),)

    result = alternatives(text, pyramid, report.evidence, spans)

    assert sorted(idea.scu.uid for idea in result) == sorted(scu.uid for scu in pyramid.scus)
    turned = replace(pyramid, scus=pyramid.scus[::-1])
    assert alternatives(text, turned, report.evidence, spans) == result

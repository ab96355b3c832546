"""How scores came about, told to those who may not know what is missing."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.feedback.score_words import trace_without_totals
from grading.pyramid.scores import score
from grading.pyramid.structures import Pyramid, ScoreReport, Text
from tests.pyramid.feedback.made import cases, plain_pyramid, report_of, with_other_ideas

# What is said wherever a match earns less than its whole weight.
EARNS = (
    "Each match earns the weight of its idea times its probability. "
    "A match that a person confirms earns the whole weight."
)
TEXT = Text("mine", "The sun heats roofs. Trees cool the air.")


def test_points_are_told_and_best_sums_are_named() -> None:
    pyramid = plain_pyramid(3, 3, 3, 2, 1)
    report = report_of(TEXT, pyramid, ("The sun heats roofs", 1), ("Trees cool the air", 3))

    assert trace_without_totals(pyramid, report) == (
        "2 statements in the text counted.",
        "2 ideas were matched: 3 \u00d7 0.90 + 2 \u00d7 0.90 = 4.50 points.",
        EARNS,
        "Quality = 4.50 points / the most that 2 statements can earn = 0.75.",
        "Coverage = 4.50 points / what a full summary would have = 0.56.",
        "Comprehensive = both together (their harmonic mean) = 0.64.",
    )


def test_one_point_and_one_idea_and_all_of_it() -> None:
    pyramid = plain_pyramid(1, 1)
    report = report_of(TEXT, pyramid, ("The sun heats roofs", 1), probability=None)

    assert trace_without_totals(pyramid, report)[1:4] == (
        "1 idea was matched: 1 point.",
        "Quality = 1 point / the most that 1 statement can earn = 1.00.",
        "Coverage = 1 point / what a full summary would have = 1.00 (it is never more).",
    )


def test_the_number_of_possible_ideas_is_not_given_away() -> None:
    pyramid = plain_pyramid(3, 3, 3, 2)
    likely = report_of(TEXT, pyramid, ("The sun heats roofs", 1))
    possible = report_of(TEXT, pyramid, ("Trees cool the air", 2), probability=0.2)
    evidence = replace(likely.evidence, possible=possible.evidence.matches)
    report = score(pyramid, evidence, "")

    assert "1 idea that is possible but unlikely adds 0.60 points." in report.trace
    lines = trace_without_totals(pyramid, report)
    assert "What is possible but unlikely adds 0.60 points." in lines


def test_a_text_of_which_nothing_counts() -> None:
    pyramid = plain_pyramid(1, 1)
    report = report_of(TEXT, pyramid)

    assert trace_without_totals(pyramid, report) == report.trace


@given(data=st.data(), case=cases())
def test_it_is_the_same_whatever_was_not_found(
    data: st.DataObject, case: tuple[Text, Pyramid, ScoreReport]
) -> None:
    _, pyramid, report = case
    other = data.draw(with_other_ideas(pyramid))

    assert trace_without_totals(other, report) == trace_without_totals(pyramid, report)

"""What a score report says to a reader."""

from dataclasses import replace

import pytest

from grading.pyramid.structures import (
    Candidate,
    Contributor,
    Evidence,
    Match,
    Pyramid,
    ScoreReport,
    Scu,
    Segment,
    Span,
    Text,
)
from grading.views.feedback import feedback_of

PYRAMID = Pyramid(
    (Text("Ada", "Ice melts. Water boils."),),
    (
        Scu(1, "Ice melts.", (Contributor("Ada", (Span(0, 10),)),)),
        Scu(2, "Water boils.", (Contributor("Ada", (Span(11, 23),)),)),
    ),
)
TEXT = Text("zoe-1", "The ice melts.")
SEGMENT = Segment((Span(0, 14),))


# What a teacher expects, and what weighs more than the experts say.
BY_HAND = Pyramid(
    PYRAMID.references,
    (
        Scu(1, "Ice melts.", PYRAMID.scus[0].contributors, given_weight=4),
        Scu(2, "Trees cool streets.", (), given_weight=2),
    ),
)


def report_of(match: Match) -> ScoreReport:
    return ScoreReport(
        Evidence((SEGMENT,), (match,)), 1, 1.0, 1.0, 1.0, ("1 part of the text counted.",), "", ()
    )


@pytest.mark.parametrize(
    ("probability", "other", "doubtful"),
    [
        (0.95, 0.9, False),  # a part of a sentence may tell two ideas: the other is no rival
        (0.69, 0.1, True),
        (None, 0.7, False),
        (None, 0.9, True),  # more similar to another idea: chosen because all in all it counts more
    ],
)
def test_what_is_doubtful(probability: float | None, other: float, *, doubtful: bool) -> None:
    match = Match(SEGMENT, 1, 0.8, (Candidate(2, other),), probability)
    feedback = feedback_of(TEXT, PYRAMID, report_of(match))
    assert feedback.doubtful is doubtful
    assert [found.doubtful for found in feedback.found] == [doubtful]


def test_what_speaks_against_a_match_is_told() -> None:
    match = Match(SEGMENT, 1, 0.8, (), 0.6, ("The text says 40 where the experts say 30.",))
    feedback = feedback_of(TEXT, PYRAMID, report_of(match))
    assert feedback.found[0].remarks == ("The text says 40 where the experts say 30.",)


def test_weights_that_count_experts_are_told_from_others() -> None:
    match = Match(SEGMENT, 1, 0.8)

    assert feedback_of(TEXT, PYRAMID, report_of(match)).weights_are_counts
    by_hand = feedback_of(TEXT, BY_HAND, report_of(match))
    assert not by_hand.weights_are_counts
    assert [(count.weight, count.band) for count in by_hand.weights] == [(4, 5), (2, 3)]
    assert by_hand.found[0].idea.source == "Weight given by hand; in 1 of 1 expert summaries."


def test_of_few_and_light_ideas_at_least_one_is_expected() -> None:
    two_references = replace(
        PYRAMID, references=(*PYRAMID.references, Text("Ben", "Nothing.")), scus=PYRAMID.scus[:1]
    )

    told = feedback_of(TEXT, two_references, report_of(Match(SEGMENT, 1, 0.8)))

    assert (told.ideas, told.ideas_of_an_expert) == (1, 1)  # and not the half of one

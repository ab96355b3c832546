"""What a score report says to a reader."""

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

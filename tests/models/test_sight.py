"""When students see results, and how much of what their texts lack."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from grading.models import Assignment, Missed, Submission

OPEN, CLOSED = Assignment.State.OPEN, Assignment.State.CLOSED
AT_ONCE, AFTER_DUE, BY_HAND = Assignment.Release
RULE, SHOWN, HELD_BACK = Submission.Visibility
SOON = timedelta(hours=1)


def due(when: timedelta | None) -> datetime | None:
    return None if when is None else timezone.now() + when


@pytest.mark.parametrize(
    ("state", "when", "past"),
    [
        (OPEN, None, False),
        (CLOSED, None, True),
        (OPEN, SOON, False),
        (CLOSED, SOON, False),  # closed for a while: the date holds
        (OPEN, -SOON, True),
        (CLOSED, -SOON, True),
    ],
)
def test_the_due_date_decides_what_students_see(
    state: Assignment.State, when: timedelta | None, *, past: bool
) -> None:
    assignment = Assignment(
        state=state,
        due_at=due(when),
        release=AFTER_DUE,
        missed_before=Missed.NOTHING,
        missed_after=Missed.SENTENCES,
    )

    sight = Submission(assignment=assignment).student_sight

    assert sight.shown is past
    assert sight.missed == (Missed.SENTENCES if past else Missed.NOTHING)
    assert not sight.full


@pytest.mark.parametrize(
    ("state", "accepts_late", "expected"),
    [
        (OPEN, True, Missed.NOTHING),
        (OPEN, False, Missed.SENTENCES),
        (CLOSED, True, Missed.SENTENCES),
    ],
)
def test_a_draft_tells_no_more_while_a_late_final_can_follow(
    state: Assignment.State, *, accepts_late: bool, expected: Missed
) -> None:
    assignment = Assignment(
        state=state,
        due_at=due(-SOON),
        accepts_late=accepts_late,
        missed_before=Missed.NOTHING,
        missed_after=Missed.SENTENCES,
    )

    assert Submission(assignment=assignment, is_final=False).student_sight.missed == expected
    assert Submission(assignment=assignment).student_sight.missed == Missed.SENTENCES


@pytest.mark.parametrize(
    ("release", "visibility", "shown"),
    [
        (AT_ONCE, RULE, True),
        (AT_ONCE, HELD_BACK, False),
        (BY_HAND, RULE, False),
        (BY_HAND, SHOWN, True),
        (AFTER_DUE, SHOWN, True),
        (AFTER_DUE, HELD_BACK, False),
    ],
)
def test_what_was_said_by_hand_comes_before_the_rule(
    release: Assignment.Release, visibility: Submission.Visibility, *, shown: bool
) -> None:
    assignment = Assignment(release=release, due_at=due(SOON))

    assert Submission(assignment=assignment, visibility=visibility).is_shown is shown

"""What may still be handed in, by the instructor's rules."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.models import Assignment, Submission, User
from grading.models.assignments import MOST_ATTEMPTS
from grading.pyramid.errors import InputError
from grading.scoring.allowances import allowance_of
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast


def rules(assignment: Assignment, **fields: object) -> Assignment:
    Assignment.objects.filter(pk=assignment.pk).update(**fields)
    assignment.refresh_from_db()
    return assignment


def hand_in(cast: Cast, assignment: Assignment, *, is_final: bool = True) -> Submission:
    """Another text each time: the same one again is no attempt."""
    text = f"{SUMMARY} {assignment.submissions.count()}."
    return submission_submit(
        assignment=assignment, student=cast.student, text=text, is_final=is_final
    )


def left(cast: Cast, assignment: Assignment) -> tuple[int, int]:
    allowance = allowance_of(assignment, cast.student)
    return allowance.drafts, allowance.finals


def test_without_rules_there_are_finals_up_to_the_most_that_is_kept(
    cast: Cast, assignment: Assignment
) -> None:
    assert left(cast, assignment) == (0, MOST_ATTEMPTS)


def test_drafts_come_before_the_final(cast: Cast, assignment: Assignment) -> None:
    rules(assignment, max_drafts=2, max_attempts=1)
    assert left(cast, assignment) == (2, 1)

    hand_in(cast, assignment, is_final=False)
    assert left(cast, assignment) == (1, 1)

    hand_in(cast, assignment)
    assert left(cast, assignment) == (0, 0)
    assert "You have submitted your one attempt." in allowance_of(assignment, cast.student).reason


def test_a_draft_too_many_is_refused(cast: Cast, assignment: Assignment) -> None:
    rules(assignment, max_drafts=1)
    hand_in(cast, assignment, is_final=False)

    with pytest.raises(InputError, match="used all your drafts"):
        hand_in(cast, assignment, is_final=False)
    rules(assignment, max_attempts=1)
    hand_in(cast, assignment)
    with pytest.raises(InputError, match="your one attempt"):
        hand_in(cast, assignment)


@pytest.mark.parametrize("accepts_late", [True, False])
def test_after_the_due_date(cast: Cast, assignment: Assignment, *, accepts_late: bool) -> None:
    past = timezone.now() - timedelta(minutes=1)
    rules(assignment, due_at=past, accepts_late=accepts_late)

    allowance = allowance_of(assignment, cast.student)

    assert allowance.is_none is not accepts_late
    assert ("due date has passed" in allowance.reason) is not accepts_late


def test_nothing_is_handed_in_to_a_closed_assignment(cast: Cast, assignment: Assignment) -> None:
    rules(assignment, state=Assignment.State.CLOSED)

    with pytest.raises(InputError, match="closed"):
        hand_in(cast, assignment)


def test_others_attempts_do_not_count(cast: Cast, assignment: Assignment) -> None:
    rules(assignment, max_attempts=1)
    hand_in(cast, assignment)

    assert allowance_of(assignment, cast.other_student).finals == 1


def test_the_newest_final_counts_else_the_newest_draft(cast: Cast, assignment: Assignment) -> None:
    rules(assignment, max_drafts=3)

    def counting() -> int:
        return assignment.submissions.latest_attempts().get().attempt

    hand_in(cast, assignment, is_final=False)
    hand_in(cast, assignment, is_final=False)
    assert counting() == 2

    hand_in(cast, assignment)
    assert counting() == 3
    # A draft that somehow came later does not take the place of a final.
    Submission.objects.create(
        assignment=assignment,
        student=cast.student,
        attempt=9,
        text=SUMMARY,
        words=9,
        is_final=False,
    )
    assert counting() == 3


def test_attempts_of_a_day_have_a_limit(
    cast: Cast, assignment: Assignment, settings: Any, client_of: Callable[[User | None], Client]
) -> None:
    settings.ATTEMPTS_A_DAY = 2
    first = hand_in(cast, assignment)
    hand_in(cast, assignment)

    page = client_of(cast.student).get(reverse("assignment", args=[assignment.pk]))
    assert "You have submitted 2 times in 24 hours; that is the limit." in page.content.decode()
    with pytest.raises(InputError, match=r"2 times in 24 hours.*Try again after"):
        hand_in(cast, assignment)
    assert assignment.submissions.count() == 2

    yesterday = timezone.now() - timedelta(hours=24, minutes=1)
    Submission.objects.filter(pk=first.pk).update(submitted_at=yesterday)
    hand_in(cast, assignment)

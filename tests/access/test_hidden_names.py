"""Pseudonyms are for display: no account and no membership ever takes one over."""

from typing import TYPE_CHECKING

import pytest

from grading.access.hidden_names import displayed_members, hide_names, pseudonym
from grading.models import Assignment, Membership, Submission
from tests.conftest import SUMMARY, Cast

if TYPE_CHECKING:
    from django.db.models import Model


@pytest.fixture
def submission(cast: Cast, assignment: Assignment) -> Submission:
    assignment.names_hidden = True
    return Submission(assignment=assignment, student=cast.student, text=SUMMARY)


def test_the_submission_leads_to_a_pseudonym_and_the_account_keeps_its_name(
    cast: Cast, submission: Submission
) -> None:
    hide_names(submission.assignment, [submission])

    shown = pseudonym(submission.assignment, cast.student)
    assert (submission.student.name, submission.student.username) == (shown, shown)
    assert submission.student.email == ""
    assert submission.student == cast.student  # as Django compares rows
    assert (cast.student.name, cast.student.username) == ("Zoë Brânză", "zoe")


def test_a_name_for_display_cannot_be_saved(cast: Cast, submission: Submission) -> None:
    course = cast.course
    [member] = displayed_members(
        submission.assignment, Membership.objects.filter(course=course, user=cast.student)
    )
    hide_names(submission.assignment, [submission])
    copies: list[Model] = [submission.student, member, member.user]

    for row in copies:
        with pytest.raises(RuntimeError, match="A copy for display"):
            row.save()

    cast.student.name = "Zoë Novak"
    cast.student.save()  # the account itself can be saved
    cast.student.refresh_from_db()
    assert (cast.student.name, cast.student.username) == ("Zoë Novak", "zoe")


def test_names_that_are_not_hidden_are_the_accounts_own(cast: Cast, submission: Submission) -> None:
    submission.assignment.names_hidden = False

    hide_names(submission.assignment, [submission])

    assert submission.student is cast.student

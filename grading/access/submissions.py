"""Submissions, their scores, comments and second looks."""

from django.core.exceptions import PermissionDenied
from django.http import Http404

from grading.access.assignments import enter_assignment
from grading.access.courses import check_grader
from grading.access.hidden_names import hide_names
from grading.models import (
    Comment,
    Membership,
    Score,
    SecondLook,
    Sight,
    Submission,
    User,
)
from grading.models.sight import FULL_SIGHT


def get_submission_for(
    user: User, submission_pk: int, *, locked: bool = False
) -> tuple[Submission, Membership]:
    """A submission: the user's own, or any of a class that the user grades.

    For graders its ``student`` is a copy under a pseudonym where the assignment hides names.
    ``locked`` needs a transaction: until it ends nobody else gets the lock of this submission.
    """
    rows = Submission.objects.select_related(
        "assignment__course", "assignment__opinion_setting", "student"
    )
    if locked:
        rows = rows.select_for_update(of=("self",))
    submission = rows.filter(pk=submission_pk).first()
    if submission is None:
        raise Http404("No such submission.")
    membership = enter_assignment(user, submission.assignment)
    if submission.student_id != user.pk and not membership.is_grader:
        raise PermissionDenied("This is another student's work.")
    if membership.is_grader:
        hide_names(submission.assignment, [submission])
    return submission, membership


def get_graded_submission_for(
    user: User, submission_pk: int, *, locked: bool = False
) -> tuple[Submission, Membership]:
    """A submission of a class that the user grades."""
    submission, membership = get_submission_for(user, submission_pk, locked=locked)
    check_grader(membership)
    return submission, membership


def get_markable_submission_for(
    user: User, submission_pk: int, *, locked: bool = False
) -> tuple[Submission, Membership]:
    """The same where it is not the user's own, submitted as a student of the course."""
    submission, membership = get_graded_submission_for(user, submission_pk, locked=locked)
    if submission.student_id == user.pk:
        raise PermissionDenied("You wrote this yourself. Somebody else must grade it.")
    return submission, membership


def get_own_comment_for(user: User, comment_pk: int) -> tuple[Comment, Membership]:
    """A comment or note that the user wrote on work of a class that the user grades."""
    comment = Comment.objects.filter(pk=comment_pk).first()
    if comment is None:
        raise Http404("No such comment.")
    submission, membership = get_markable_submission_for(user, comment.submission_id)
    if comment.author_id != user.pk:
        raise PermissionDenied("Only the author of a comment can change it.")
    comment.submission = submission
    return comment, membership


def get_two_graded_submissions_for(
    user: User, submission_pk: int, other_pk: int
) -> tuple[Submission, Submission, Membership]:
    """Two submissions of one assignment whose class the user grades."""
    submission, membership = get_graded_submission_for(user, submission_pk)
    other, _ = get_graded_submission_for(user, other_pk)
    if other.assignment_id != submission.assignment_id:
        raise Http404("No such submission.")
    return submission, other, membership


def get_sight_of(submission: Submission, membership: Membership) -> Sight:
    """What the member may see of the result of a submission."""
    return FULL_SIGHT if membership.is_grader else submission.student_sight


def get_score_for(submission: Submission, sight: Sight) -> Score | None:
    """The newest score: by the newest version, with all corrections. None if unreleased."""
    if not sight.shown:
        return None
    return submission.scores.select_related("pyramid").oldest_first().last()


def get_askable_submission_for(
    user: User, submission_pk: int
) -> tuple[Submission, Membership, Score]:
    """One's own submission whose result one sees, where second looks can be asked for."""
    submission, membership = get_submission_for(user, submission_pk)
    if submission.student_id != user.pk or not membership.is_student:
        raise PermissionDenied("Only the author can request a second look.")
    if not submission.assignment.second_looks:
        raise PermissionDenied("Second looks are off in this assignment.")
    score = get_score_for(submission, get_sight_of(submission, membership))
    if score is None:
        raise Http404("There is no result yet.")
    return submission, membership, score


def _get_second_look(second_look_pk: int) -> SecondLook:
    second_look = SecondLook.objects.select_related("answered_by").filter(pk=second_look_pk).first()
    if second_look is None:
        raise Http404("No such request.")
    return second_look


def get_own_second_look_for(user: User, second_look_pk: int) -> tuple[SecondLook, Membership]:
    """What the user asked for, as long as its result is shown."""
    second_look = _get_second_look(second_look_pk)
    submission, membership = get_submission_for(user, second_look.submission_id)
    if submission.student_id != user.pk:
        raise PermissionDenied("Only the student who requested this can withdraw it.")
    if not get_sight_of(submission, membership).shown:
        raise Http404("No such request.")
    second_look.submission = submission
    return second_look, membership


def get_graded_second_look_for(
    user: User, second_look_pk: int
) -> tuple[SecondLook, Membership, Score]:
    """A student's request in a class that the user grades, and the newest score."""
    second_look = _get_second_look(second_look_pk)
    submission, membership = get_submission_for(user, second_look.submission_id)
    check_grader(membership)
    score = get_score_for(submission, FULL_SIGHT)
    if score is None:
        raise Http404("The score of this request no longer exists.")
    second_look.submission = submission
    return second_look, membership, score


def get_answerable_second_look_for(
    user: User, second_look_pk: int
) -> tuple[SecondLook, Membership, Score]:
    """The same where it is not the user's own, asked for as a student of the course."""
    second_look, membership, score = get_graded_second_look_for(user, second_look_pk)
    if second_look.submission.student_id == user.pk:
        raise PermissionDenied("You requested this yourself. Somebody else must answer it.")
    return second_look, membership, score

"""Fetch and authorise in one call. No view looks a row up by id any other way.

Whoever does not belong to the course gets 404: the row might as well not exist. A member whose role
does not allow it gets 403. What a student may not yet see (a draft) does not exist for students.
"""

from collections.abc import Mapping

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest

from grading.models import (
    Assignment,
    CalibrationRound,
    CalibrationText,
    Draft,
    Job,
    Membership,
    Reference,
    Score,
    SecondLook,
    Sight,
    StoredPyramid,
    Submission,
    User,
)
from grading.models.sight import FULL_SIGHT
from grading.models.users import LONGEST_LOGIN


def get_tried_login(request: HttpRequest, credentials: Mapping[str, str] | None) -> str:
    """The login that wrong passwords are counted for, however it was typed (case, e-mail)."""
    typed = str((credentials or request.POST).get("username", ""))
    try:
        return User.objects.get_by_natural_key(typed).username
    except User.DoesNotExist:
        return typed.strip().lower()[:LONGEST_LOGIN]


def get_client_address(request: HttpRequest) -> str:
    """Where a request comes from. Of X-Forwarded-For only what our own proxies wrote is believed:

    each adds one address at the right, so with n of them the n-th from the right is the client.
    """
    direct = str(request.META.get("REMOTE_ADDR", ""))
    if not settings.TRUSTED_PROXIES:
        return direct
    told = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    return told[-settings.TRUSTED_PROXIES :][0] or direct


def get_membership_for(user: User, course_pk: int) -> Membership:
    """The user's place in the course."""
    found = (
        Membership.objects.select_related("course").filter(course=course_pk, user=user.pk).first()
    )
    if found is None:
        raise Http404("No such course.")
    return found


def get_grader_membership_for(user: User, course_pk: int) -> Membership:
    """The same for instructors and TAs only."""
    membership = get_membership_for(user, course_pk)
    if not membership.is_grader:
        raise PermissionDenied("Only instructors and teaching assistants can see this page.")
    return membership


def get_instructor_membership_for(user: User, course_pk: int) -> Membership:
    """The same for instructors only."""
    membership = get_membership_for(user, course_pk)
    if not membership.is_instructor:
        raise PermissionDenied("Only instructors of this course can do this.")
    return membership


def get_member_for(user: User, course_pk: int, member_pk: int) -> Membership:
    """Somebody's place in a course that the user teaches."""
    mine = get_instructor_membership_for(user, course_pk)
    found = mine.course.memberships.select_related("user", "course").filter(pk=member_pk).first()
    if found is None:
        raise Http404("No such member.")
    return found


def get_course_creator(user: User) -> User:
    """The user, if the right to create courses was given to them."""
    if not user.may_create_courses:
        raise PermissionDenied("Your account cannot create courses. Ask the administrator.")
    return user


def get_memberships_of(user: User) -> QuerySet[Membership]:
    """All places of the user, newest course first."""
    return user.memberships.select_related("course").order_by("-course__created_at", "-pk")


def _get_assignment(assignment_pk: int) -> Assignment:
    found = Assignment.objects.select_related("course").filter(pk=assignment_pk).first()
    if found is None:
        raise Http404("No such assignment.")
    return found


def get_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """An assignment of one of the user's courses; for students only when it is not a draft."""
    assignment = _get_assignment(assignment_pk)
    membership = get_membership_for(user, assignment.course_id)
    if assignment.is_draft and not membership.is_grader:
        raise Http404("No such assignment.")
    return assignment, membership


def get_graded_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """An assignment whose class the user may see: instructors and TAs."""
    assignment, membership = get_assignment_for(user, assignment_pk)
    if not membership.is_grader:
        raise PermissionDenied("Only instructors and teaching assistants can see this page.")
    return assignment, membership


def get_editable_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """An assignment that the user may change: instructors."""
    assignment, membership = get_assignment_for(user, assignment_pk)
    if not membership.is_instructor:
        raise PermissionDenied("Only instructors of this course can do this.")
    return assignment, membership


def get_submittable_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """An assignment that the user may hand a summary in to: its students."""
    assignment, membership = get_assignment_for(user, assignment_pk)
    if not membership.is_student:
        raise PermissionDenied("Only students of this course hand summaries in.")
    return assignment, membership


def get_editable_reference_for(user: User, reference_pk: int) -> tuple[Reference, Membership]:
    """A reference summary of an assignment that the user may change."""
    found = Reference.objects.filter(pk=reference_pk).first()
    if found is None:
        raise Http404("No such reference summary.")
    assignment, membership = get_editable_assignment_for(user, found.assignment_id)
    found.assignment = assignment
    return found, membership


def get_submission_for(user: User, submission_pk: int) -> tuple[Submission, Membership]:
    """A submission: one's own, or any of a class that one grades."""
    found = (
        Submission.objects.select_related("assignment", "student").filter(pk=submission_pk).first()
    )
    if found is None:
        raise Http404("No such submission.")
    assignment, membership = get_assignment_for(user, found.assignment_id)
    if found.student_id != user.pk and not membership.is_grader:
        raise PermissionDenied("This is another student's work.")
    found.assignment = assignment
    return found, membership


def get_graded_submission_for(user: User, submission_pk: int) -> tuple[Submission, Membership]:
    """A submission of a class that the user grades."""
    submission, membership = get_submission_for(user, submission_pk)
    if not membership.is_grader:
        raise PermissionDenied("Only instructors and teaching assistants can see this page.")
    return submission, membership


def get_sight_of(submission: Submission, membership: Membership) -> Sight:
    """What the member may see of the result of a submission."""
    return FULL_SIGHT if membership.is_grader else submission.student_sight


def get_score_for(submission: Submission, sight: Sight) -> Score | None:
    """The score that holds: of the newest version, with the newest corrections. Unless withheld."""
    if not sight.shown:
        return None
    return submission.scores.select_related("pyramid").oldest_first().last()


def get_askable_submission_for(
    user: User, submission_pk: int
) -> tuple[Submission, Membership, Score]:
    """One's own submission whose result one sees, where second looks can be asked for."""
    submission, membership = get_submission_for(user, submission_pk)
    if submission.student_id != user.pk or not membership.is_student:
        raise PermissionDenied("Only the student who wrote this can ask for a second look.")
    if not submission.assignment.second_looks:
        raise PermissionDenied("Second looks cannot be asked for in this assignment.")
    score = get_score_for(submission, get_sight_of(submission, membership))
    if score is None:
        raise Http404("There is no result to look at again yet.")
    return submission, membership, score


def _get_second_look(second_look_pk: int) -> SecondLook:
    found = SecondLook.objects.select_related("answered_by").filter(pk=second_look_pk).first()
    if found is None:
        raise Http404("No such request.")
    return found


def get_own_second_look_for(user: User, second_look_pk: int) -> tuple[SecondLook, Membership]:
    """What the user asked for, as long as its result is shown."""
    found = _get_second_look(second_look_pk)
    submission, membership = get_submission_for(user, found.submission_id)
    if submission.student_id != user.pk:
        raise PermissionDenied("Only the student who asked for this can withdraw it.")
    if not get_sight_of(submission, membership).shown:
        raise Http404("No such request.")
    found.submission = submission
    return found, membership


def get_graded_second_look_for(
    user: User, second_look_pk: int
) -> tuple[SecondLook, Membership, Score]:
    """A student's request in a class that the user grades, and the score that holds."""
    found = _get_second_look(second_look_pk)
    submission, membership = get_submission_for(user, found.submission_id)
    if not membership.is_grader:
        raise PermissionDenied("Only instructors and teaching assistants can see this page.")
    score = get_score_for(submission, FULL_SIGHT)
    if score is None:
        raise Http404("The score that this is about is gone.")
    found.submission = submission
    return found, membership, score


def get_answerable_second_look_for(
    user: User, second_look_pk: int
) -> tuple[SecondLook, Membership, Score]:
    """The same where it is not the user's own, asked for as a student of the course."""
    found, membership, score = get_graded_second_look_for(user, second_look_pk)
    if found.submission.student_id == user.pk:
        raise PermissionDenied("You asked for this yourself: somebody else has to answer it.")
    return found, membership, score


def get_draft_for(user: User, draft_pk: int) -> tuple[Draft, Membership]:
    """A draft of a pyramid whose class the user may see; its documents are not loaded."""
    found = (
        Draft.objects.select_related("assignment__course")
        .defer("document", "first")
        .filter(pk=draft_pk)
        .first()
    )
    if found is None:
        raise Http404("No such draft.")
    return found, get_grader_membership_for(user, found.assignment.course_id)


def get_editable_draft_for(user: User, draft_pk: int) -> tuple[Draft, Membership]:
    """A draft that the user may change: instructors."""
    draft, membership = get_draft_for(user, draft_pk)
    if not membership.is_instructor:
        raise PermissionDenied("Only instructors of this course can do this.")
    return draft, membership


def get_version_for(user: User, version_pk: int) -> tuple[StoredPyramid, Membership]:
    """A published pyramid of a class that the user may see."""
    found = StoredPyramid.objects.select_related("assignment__course").filter(pk=version_pk).first()
    if found is None:
        raise Http404("No such version.")
    return found, get_grader_membership_for(user, found.assignment.course_id)


def get_editable_version_for(user: User, version_pk: int) -> tuple[StoredPyramid, Membership]:
    """A published pyramid of a course that the user teaches."""
    version, membership = get_version_for(user, version_pk)
    if not membership.is_instructor:
        raise PermissionDenied("Only instructors of this course can do this.")
    return version, membership


def get_job_for(user: User, job_pk: int) -> tuple[Job, Membership]:
    """A job: for the graders of its course, and for the student whose submission it is about.

    While a result is withheld, nothing of how it comes about is there for its student either.
    """
    found = Job.objects.select_related("assignment", "submission").filter(pk=job_pk).first()
    if found is None:
        raise Http404("No such job.")
    assignment, membership = get_assignment_for(user, found.assignment_id)
    own = found.submission is not None and found.submission.student_id == user.pk
    if not own and not membership.is_grader:
        raise PermissionDenied("Only instructors and teaching assistants can see this job.")
    found.assignment = assignment
    if found.submission is not None:
        found.submission.assignment = assignment
        if not get_sight_of(found.submission, membership).shown:
            raise Http404("No such job.")
    return found, membership


def get_calibration_round_for(user: User, round_pk: int) -> tuple[CalibrationRound, Membership]:
    """A sample of a class that the user grades."""
    rounds = CalibrationRound.objects.select_related("assignment__course", "pyramid", "created_by")
    found = rounds.filter(pk=round_pk).first()
    if found is None:
        raise Http404("No such sample.")
    return found, get_grader_membership_for(user, found.assignment.course_id)


def get_editable_calibration_round_for(
    user: User, round_pk: int
) -> tuple[CalibrationRound, Membership]:
    """A sample of a course that the user teaches."""
    one, membership = get_calibration_round_for(user, round_pk)
    if not membership.is_instructor:
        raise PermissionDenied("Only instructors of this course can do this.")
    return one, membership


def get_calibration_text_for(
    user: User, round_pk: int, place: int
) -> tuple[CalibrationText, Membership]:
    """A text of a sample that the user may annotate."""
    one, membership = get_calibration_round_for(user, round_pk)
    found = one.texts.select_related("submission").filter(place=place).first()
    if found is None:
        raise Http404("No such text in this sample.")
    found.round = one
    return found, membership


def get_calibration_result_for(user: User, round_pk: int) -> tuple[CalibrationRound, Membership]:
    """A sample with what came of it: for instructors, and for TAs who are done with all of it."""
    one, membership = get_calibration_round_for(user, round_pk)
    done = one.texts.filter(annotations__annotator=user, annotations__is_done=True).count()
    if not membership.is_instructor and done < one.texts.count():
        raise PermissionDenied("You see the result once you are done with all texts of the sample.")
    return one, membership

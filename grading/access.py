"""Fetch and authorise in one call. No view looks a row up by id any other way.

Whoever does not belong to the course gets 404: the row might as well not exist. A member whose role
does not allow it gets 403. What a student may not yet see (a draft) does not exist for students.

What is archived can only be read: a request that writes gets 403 from whichever function it asks.
What is about to be deleted does not exist for anybody. What can be done all the same goes through
grading/course_access.py.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest

from grading.models import (
    Assignment,
    CalibrationRound,
    CalibrationText,
    Comment,
    Draft,
    GradebookExport,
    GradebookUpload,
    Job,
    Membership,
    QueueView,
    Reference,
    Role,
    Score,
    SecondLook,
    Sight,
    StoredPyramid,
    Submission,
    User,
)
from grading.models.hidden_names import hide_names
from grading.models.sight import FULL_SIGHT
from grading.models.users import LONGEST_LOGIN


@dataclass(slots=True)
class Visit:
    """A request: does it write, and has it come to something archived (“course”, “assignment”)?"""

    writes: bool = False
    archived: str = ""


_visit: ContextVar[Visit | None] = ContextVar("visit", default=None)


@contextmanager
def visiting(*, writes: bool) -> Iterator[Visit]:
    """Around a request: whatever it comes to in the block is held to what it may do there."""
    token = _visit.set(Visit(writes=writes))
    try:
        yield get_visit()
    finally:
        _visit.reset(token)


def get_visit() -> Visit:
    return _visit.get() or Visit()


def _only_read(what: str) -> None:
    visit = get_visit()
    visit.archived = visit.archived or what
    if visit.writes:
        raise PermissionDenied(
            f"This {what} is archived: it can only be read. An instructor can bring it back in "
            "its settings."
        )


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


def get_place_in(user: User, course_pk: int) -> Membership:
    """In a course, archived or not. To do something that works with archived ones only."""
    places = Membership.objects.select_related("course").filter(course__leaves_at=None)
    found = places.filter(course=course_pk, user=user.pk).first()
    if found is None:
        raise Http404("No such course.")
    return found


def get_membership_for(user: User, course_pk: int) -> Membership:
    """The user's place in the course."""
    found = get_place_in(user, course_pk)
    if found.course.is_archived:
        _only_read("course")
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
    places = user.memberships.filter(course__leaves_at=None).select_related("course")
    return places.order_by("-course__created_at", "-pk")


def get_assignment(assignment_pk: int) -> Assignment:
    """Whosever it is: a caller asks next whether the user may."""
    found = Assignment.objects.select_related("course").filter(pk=assignment_pk).first()
    if found is None:
        raise Http404("No such assignment.")
    return found


def _enter(user: User, assignment: Assignment) -> Membership:
    """The user's place at an assignment that was found somehow: every function comes through here.

    Not there for anybody who may not see it; only to be read where it or its course is archived.
    """
    membership = get_membership_for(user, assignment.course_id)
    hidden = assignment.is_draft and not membership.is_grader
    if hidden or assignment.leaves_at is not None:
        raise Http404("No such assignment.")
    if assignment.is_archived:
        _only_read("assignment")
    return membership


def _enter_as_grader(user: User, assignment: Assignment) -> Membership:
    membership = _enter(user, assignment)
    if not membership.is_grader:
        raise PermissionDenied("Only instructors and teaching assistants can see this page.")
    return membership


def get_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """An assignment of one of the user's courses; for students only when it is not a draft."""
    assignment = get_assignment(assignment_pk)
    return assignment, _enter(user, assignment)


def get_graded_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """An assignment whose class the user may see: instructors and TAs."""
    assignment = get_assignment(assignment_pk)
    return assignment, _enter_as_grader(user, assignment)


def get_exportable_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """The same, where grades may leave the program: a file for a gradebook names students."""
    assignment, membership = get_graded_assignment_for(user, assignment_pk)
    if assignment.names_hidden:
        raise PermissionDenied(
            "The names of students are hidden from graders of this assignment, and a gradebook "
            "file names them. An instructor can show the names again, on the page of its "
            "submissions; then grades can be exported."
        )
    return assignment, membership


def get_gradebook_upload_for(user: User, upload_pk: int) -> tuple[GradebookUpload, Membership]:
    """A file of the learning platform that waits to be filled."""
    found = GradebookUpload.objects.filter(pk=upload_pk).first()
    if found is None:
        raise Http404("No such file, or its day is over.")
    assignment, membership = get_exportable_assignment_for(user, found.assignment_id)
    found.assignment = assignment
    return found, membership


def get_gradebook_export_for(user: User, export_pk: int) -> tuple[GradebookExport, Membership]:
    """A file with grades that was given out."""
    found = GradebookExport.objects.filter(pk=export_pk, is_there=True).first()
    if found is None:
        raise Http404("No such file.")
    assignment, membership = get_exportable_assignment_for(user, found.assignment_id)
    found.assignment = assignment
    return found, membership


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


def get_graded_student_for(
    user: User, assignment_pk: int, student_pk: int
) -> tuple[Assignment, Membership, Membership]:
    """A student of a class that the user grades, whether anything was handed in or not."""
    assignment, membership = get_graded_assignment_for(user, assignment_pk)
    students = assignment.course.memberships.filter(role=Role.STUDENT)
    found = students.select_related("user").filter(user=student_pk).first()
    if found is None:
        raise Http404("No such student.")
    return assignment, membership, found


def get_editable_reference_for(user: User, reference_pk: int) -> tuple[Reference, Membership]:
    """A reference summary of an assignment that the user may change."""
    found = Reference.objects.filter(pk=reference_pk).first()
    if found is None:
        raise Http404("No such reference summary.")
    assignment, membership = get_editable_assignment_for(user, found.assignment_id)
    found.assignment = assignment
    return found, membership


def get_submission_for(user: User, submission_pk: int) -> tuple[Submission, Membership]:
    """A submission: one's own, or any of a class that one grades, by a pseudonym where names are

    hidden: its ``student`` is then no row to save.
    """
    found = (
        Submission.objects.select_related("assignment", "student").filter(pk=submission_pk).first()
    )
    if found is None:
        raise Http404("No such submission.")
    assignment, membership = get_assignment_for(user, found.assignment.pk)
    if found.student_id != user.pk and not membership.is_grader:
        raise PermissionDenied("This is another student's work.")
    found.assignment = assignment
    if membership.is_grader:
        hide_names(assignment, [found.student])
    return found, membership


def get_graded_submission_for(user: User, submission_pk: int) -> tuple[Submission, Membership]:
    """A submission of a class that the user grades."""
    submission, membership = get_submission_for(user, submission_pk)
    if not membership.is_grader:
        raise PermissionDenied("Only instructors and teaching assistants can see this page.")
    return submission, membership


def get_markable_submission_for(user: User, submission_pk: int) -> tuple[Submission, Membership]:
    """The same where it is not the user's own, handed in as a student of the course."""
    submission, membership = get_graded_submission_for(user, submission_pk)
    if submission.student_id == user.pk:
        raise PermissionDenied("You wrote this yourself: somebody else has to look at it.")
    return submission, membership


def get_own_comment_for(user: User, comment_pk: int) -> tuple[Comment, Membership]:
    """A comment or note that the user wrote on work of a class that the user grades."""
    found = Comment.objects.filter(pk=comment_pk).first()
    if found is None:
        raise Http404("No such comment.")
    submission, membership = get_markable_submission_for(user, found.submission_id)
    if found.author_id != user.pk:
        raise PermissionDenied("Only who wrote a comment can change it.")
    found.submission = submission
    return found, membership


def get_two_graded_submissions_for(
    user: User, submission_pk: int, other_pk: int
) -> tuple[Submission, Submission, Membership]:
    """Two submissions of one assignment whose class the user grades."""
    submission, membership = get_graded_submission_for(user, submission_pk)
    other, _ = get_graded_submission_for(user, other_pk)
    if other.assignment_id != submission.assignment_id:
        raise Http404("No such submission.")
    return submission, other, membership


def get_own_queue_view_for(user: User, view_pk: int) -> QueueView:
    """A view of the queue that the user saved, as long as the user grades in the course."""
    found = QueueView.objects.filter(pk=view_pk, user=user.pk).first()
    if found is None:
        raise Http404("No such view.")
    get_grader_membership_for(user, found.course_id)
    return found


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
    return found, _enter_as_grader(user, found.assignment)


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
    return found, _enter_as_grader(user, found.assignment)


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
    rows = Job.objects.select_related("assignment", "submission").exclude(assignment=None)
    found = rows.filter(pk=job_pk).first()
    if found is None:
        raise Http404("No such job.")
    assignment, membership = get_assignment_for(user, found.assignment.pk)
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

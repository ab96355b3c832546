"""Access to courses as a whole: what is archived, files of courses, what is about to be deleted.

As everywhere: an outsider gets 404, a member without the right 403. These functions let
one write where a course or an assignment is archived: restore it, copy, export, delete it.
"""

from django.db.models import Q, QuerySet
from django.http import Http404

from grading.access.assignments import get_assignment
from grading.access.courses import (
    check_instructor,
    get_course_creator,
    get_membership_even_if_archived,
)
from grading.access.visits import enter_course, get_visit
from grading.models import (
    Assignment,
    Course,
    CourseFile,
    Deletion,
    Job,
    Membership,
    Role,
    Submission,
    User,
    Writing,
)


def get_course_even_if_archived_for(user: User, course_pk: int) -> Membership:
    """The place of an instructor in a course, archived or not."""
    membership = get_membership_even_if_archived(user, course_pk)
    check_instructor(membership)
    return membership


def get_assignment_even_if_archived_for(
    user: User, assignment_pk: int
) -> tuple[Assignment, Membership]:
    """An assignment of a course that the user teaches, archived or not."""
    assignment = get_assignment(assignment_pk)
    membership = get_membership_even_if_archived(user, assignment.course_id)
    if assignment.leaves_at is not None or (assignment.is_draft and membership.is_student):
        raise Http404("No such assignment.")
    return assignment, get_course_even_if_archived_for(user, assignment.course_id)


def get_courses_to_fill(user: User) -> QuerySet[Course]:
    """Courses that the user teaches and that are not archived: something can be copied to them."""
    taught = Membership.objects.filter(user=user, role=Role.INSTRUCTOR)
    courses = Course.objects.filter(memberships__in=taught, archived_at=None, leaves_at=None)
    only = get_visit().course
    return courses if only is None else courses.filter(pk=only)


def get_person_of_for(user: User, course_pk: int, user_pk: int) -> tuple[User, Membership]:
    """Somebody who is a student of a course that the user teaches, or has work in it from before.

    Not who grades there now: they would lose their place with it.
    """
    teaching = get_course_even_if_archived_for(user, course_pk)
    person = get_people_with_data(teaching.course).filter(pk=user_pk).first()
    if person is None:
        raise Http404("No such student.")
    return person, teaching


def get_people_with_data(course: Course) -> QuerySet[User]:
    """Students of the course, and those who have left it and whose work is still there."""
    places = Membership.objects.filter(course=course)
    work = Submission.objects.filter(assignment__course=course)
    typed = Writing.objects.filter(assignment__course=course)
    has_data = (
        Q(pk__in=places.values("user"))
        | Q(pk__in=work.values("student"))
        | Q(pk__in=typed.values("student"))
    )
    graders = places.exclude(role=Role.STUDENT)
    return User.objects.filter(has_data).exclude(pk__in=graders.values("user"))


# --- files of courses ---


def get_course_file_for(user: User, file_pk: int) -> CourseFile:
    """An export: instructors of its course. A file to be imported: whoever has sent it."""
    file = CourseFile.objects.select_related("course").filter(pk=file_pk).first()
    if file is None:
        raise Http404("No such file.")
    if file.kind == CourseFile.Kind.EXPORT and file.course_id is not None:
        get_course_even_if_archived_for(user, file.course_id)
    elif file.owner_id != user.pk:
        raise Http404("No such file.")
    return file


def get_file_to_import_for(user: User, file_pk: int) -> CourseFile:
    """One's own file that is not imported yet, while one may still make courses."""
    file = get_course_file_for(get_course_creator(user), file_pk)
    if file.kind != CourseFile.Kind.IMPORT or not file.is_there:
        raise Http404("No such file.")
    return file


def get_course_job_for(user: User, job_pk: int) -> Job:
    """A job about a whole course: for whom its file is."""
    job = Job.objects.select_related("file").filter(pk=job_pk, assignment=None).first()
    if job is None or job.file_id is None:
        raise Http404("No such job.")
    job.file = get_course_file_for(user, job.file_id)
    return job


# --- what is about to be deleted ---


def get_deletion_for(user: User, deletion_pk: int) -> Deletion:
    """What instructors of its course can still restore."""
    rows = Deletion.objects.select_related("course", "assignment", "student")
    deletion = rows.filter(pk=deletion_pk, state=Deletion.State.WAITING).first()
    if deletion is None or deletion.course_id is None:
        raise Http404("There is nothing to restore.")
    if deletion.kind == Deletion.Kind.COURSE:
        # The course itself is about to be deleted, so other look-ups do not find it.
        enter_course(deletion.course_id)
        membership = Membership.objects.filter(course=deletion.course_id, user=user.pk).first()
        if membership is None:
            raise Http404("There is nothing to restore.")
        check_instructor(membership)
    else:
        get_course_even_if_archived_for(user, deletion.course_id)
    return deletion


def get_courses_to_restore(user: User) -> QuerySet[Deletion]:
    """Pending deletions of courses that the user teaches, which can still be restored."""
    taught = Membership.objects.filter(user=user, role=Role.INSTRUCTOR)
    waiting = Deletion.objects.filter(kind=Deletion.Kind.COURSE, state=Deletion.State.WAITING)
    return waiting.filter(course__memberships__in=taught).select_related("course", "asked_by")


def get_pending_deletions(membership: Membership) -> QuerySet[Deletion]:
    """What can still be restored in the course; nothing for those who may not restore it."""
    waiting = Deletion.objects.filter(state=Deletion.State.WAITING, course=membership.course_id)
    return waiting if membership.is_instructor else waiting.none()


def get_pending_deletions_of_student(user: User) -> QuerySet[Deletion]:
    """What of the user's own work is about to be deleted, for a notice to them."""
    courses = Membership.objects.filter(user=user).values("course")
    theirs = Submission.objects.filter(student=user).values("assignment")
    about = (
        Q(student=user)
        | Q(kind=Deletion.Kind.COURSE, course__in=courses)
        | Q(kind=Deletion.Kind.ASSIGNMENT, assignment__in=theirs)
    )
    waiting = Deletion.objects.filter(about, state=Deletion.State.WAITING)
    return waiting.select_related("course", "assignment", "asked_by")

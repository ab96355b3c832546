"""Assignments, and what hangs on one directly."""

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.crypto import constant_time_compare

from grading.access.courses import (
    check_grader,
    check_instructor,
    get_grader_membership_for,
    get_membership_for,
)
from grading.access.hidden_names import person_key
from grading.access.visits import only_read
from grading.models import (
    Assignment,
    Extension,
    GradebookExport,
    GradebookUpload,
    Membership,
    QueueView,
    Reference,
    Role,
    User,
)


def get_assignment(assignment_pk: int) -> Assignment:
    """Fetch an assignment without authorising anybody; the caller must."""
    assignment = Assignment.objects.select_related("course").filter(pk=assignment_pk).first()
    if assignment is None:
        raise Http404("No such assignment.")
    return assignment


def enter_assignment(user: User, assignment: Assignment) -> Membership:
    """Authorise the user for an assignment that is already fetched. Every function ends up here.

    Answers 404 to anybody who may not see it. Where it or its course is archived, the request may
    only read.
    """
    membership = get_membership_for(user, assignment.course_id)
    hidden = assignment.is_draft and not membership.is_grader
    if hidden or assignment.leaves_at is not None:
        raise Http404("No such assignment.")
    if assignment.is_archived:
        only_read("assignment")
    return membership


def enter_as_grader(user: User, assignment: Assignment) -> Membership:
    membership = enter_assignment(user, assignment)
    check_grader(membership)
    return membership


def get_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """An assignment of one of the user's courses; for students only when it is not a draft."""
    assignment = get_assignment(assignment_pk)
    return assignment, enter_assignment(user, assignment)


def get_graded_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """An assignment whose class the user may see: instructors and TAs."""
    assignment = get_assignment(assignment_pk)
    return assignment, enter_as_grader(user, assignment)


def get_exportable_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """The same, where grades may leave the program: a file for a gradebook names students."""
    assignment, membership = get_graded_assignment_for(user, assignment_pk)
    if assignment.names_hidden:
        raise PermissionDenied(
            "Names are hidden in this assignment, and a gradebook file would show them. An "
            "instructor can show the names again under Submissions."
        )
    return assignment, membership


def get_gradebook_upload_for(user: User, upload_pk: int) -> tuple[GradebookUpload, Membership]:
    """A file of the learning platform that waits to be filled."""
    upload = GradebookUpload.objects.filter(pk=upload_pk).first()
    if upload is None:
        raise Http404("No such file, or it has expired.")
    assignment, membership = get_exportable_assignment_for(user, upload.assignment_id)
    upload.assignment = assignment
    return upload, membership


def get_gradebook_export_for(user: User, export_pk: int) -> tuple[GradebookExport, Membership]:
    """A file with grades that was given out."""
    export = GradebookExport.objects.filter(pk=export_pk, is_there=True).first()
    if export is None:
        raise Http404("No such file.")
    assignment, membership = get_exportable_assignment_for(user, export.assignment_id)
    export.assignment = assignment
    return export, membership


def get_editable_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """An assignment that the user may change: instructors."""
    assignment, membership = get_assignment_for(user, assignment_pk)
    check_instructor(membership)
    return assignment, membership


def get_submittable_assignment_for(user: User, assignment_pk: int) -> tuple[Assignment, Membership]:
    """An assignment that the user may hand a summary in to: its students."""
    assignment, membership = get_assignment_for(user, assignment_pk)
    if not membership.is_student:
        raise PermissionDenied("Only students of this course can submit summaries.")
    return assignment, membership


def get_graded_student_for(
    user: User, assignment_pk: int, student_key: str
) -> tuple[Assignment, Membership, Membership]:
    """A student of a class that the user grades, whether anything was submitted or not."""
    assignment, membership = get_graded_assignment_for(user, assignment_pk)
    students = assignment.course.memberships.filter(role=Role.STUDENT)
    for student in students.select_related("user"):
        if constant_time_compare(person_key(assignment, student.user_id), student_key):
            return assignment, membership, student
    raise Http404("No such student.")


def _get_reference(reference_pk: int) -> Reference:
    reference = Reference.objects.filter(pk=reference_pk).first()
    if reference is None:
        raise Http404("No such reference summary.")
    return reference


def get_graded_reference_for(user: User, reference_pk: int) -> tuple[Reference, Membership]:
    """A reference summary of an assignment whose class the user may see."""
    reference = _get_reference(reference_pk)
    assignment, membership = get_graded_assignment_for(user, reference.assignment_id)
    reference.assignment = assignment
    return reference, membership


def get_editable_reference_for(user: User, reference_pk: int) -> tuple[Reference, Membership]:
    """A reference summary of an assignment that the user may change."""
    reference = _get_reference(reference_pk)
    assignment, membership = get_editable_assignment_for(user, reference.assignment_id)
    reference.assignment = assignment
    return reference, membership


def get_extension_for(user: User, extension_pk: int) -> tuple[Extension, Membership, str]:
    """An extension that the user may change, and whose it is.

    Where names are hidden, a student's cannot be changed: dates of submission would tell who it is.
    """
    extension = Extension.objects.select_related("student").filter(pk=extension_pk).first()
    if extension is None:
        raise Http404("No such extension.")
    assignment, membership = get_editable_assignment_for(user, extension.assignment_id)
    extension.assignment = assignment
    if extension.student is None:
        return extension, membership, extension.section
    if assignment.names_hidden:
        raise PermissionDenied(
            "Names are hidden. Show them again under Submissions to change a student's extension."
        )
    return extension, membership, extension.student.name


def get_own_queue_view_for(user: User, view_pk: int) -> QueueView:
    """A view of the queue that the user saved, as long as the user grades in the course."""
    view = QueueView.objects.filter(pk=view_pk, user=user.pk).first()
    if view is None:
        raise Http404("No such view.")
    get_grader_membership_for(user, view.course_id)
    return view

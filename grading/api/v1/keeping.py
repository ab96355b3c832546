"""Archives, exports of courses, and deletions that can be restored for some days."""

from typing import Any

from django.http import Http404
from ninja import Router, Status

from grading import access
from grading.api.course_schemas import (
    ArchivedIn,
    ConfirmIn,
    CourseFileOut,
    CourseJobOut,
    DeletionOut,
)
from grading.api.middleware import TokenRequest
from grading.api.problems import FORBIDDEN, RefusedError, check_form
from grading.api.schemas import AssignmentOut, CourseOut
from grading.api.shown import shown_assignment, shown_course
from grading.api.shown_courses import shown_course_file, shown_course_job, shown_deletion
from grading.api.v1.stamps import put_stamp
from grading.housekeeping.copies import archive, unarchive
from grading.housekeeping.course_export import export_start
from grading.housekeeping.deletions import (
    DeletionPreview,
    assignment_delete,
    assignment_deletion_preview,
    course_delete,
    course_deletion_preview,
    deletion_restore,
    student_delete,
    student_deletion_preview,
)
from grading.housekeeping.forms import ConfirmForm
from grading.models import AuditKind, CourseFile, Deletion, record
from grading.web.downloads import stream_archive

router = Router(tags=["Archives, exports and deletions"])


@router.put(
    "/courses/{id:course}/archived",
    response=CourseOut,
    summary="Archive a course, or restore it",
)
def course_archived(request: TokenRequest, course: int, payload: ArchivedIn) -> Any:
    """What is archived can only be read."""
    membership = access.get_course_even_if_archived_for(request.user, course)
    (archive if payload.archived else unarchive)(row=membership.course)
    return shown_course(access.get_course_even_if_archived_for(request.user, course))


@router.put(
    "/assignments/{id:assignment}/archived",
    response=AssignmentOut,
    summary="Archive an assignment, or restore it",
)
def assignment_archived(request: TokenRequest, assignment: int, payload: ArchivedIn) -> Any:
    row, _ = access.get_assignment_even_if_archived_for(request.user, assignment)
    (archive if payload.archived else unarchive)(row=row)
    row, _ = access.get_assignment_even_if_archived_for(request.user, assignment)
    return shown_assignment(row)


# --- files of courses ---


@router.get(
    "/courses/{id:course}/exports", response=list[CourseFileOut], summary="Exports of a course"
)
def course_exports(request: TokenRequest, course: int) -> Any:
    membership = access.get_course_even_if_archived_for(request.user, course)
    files = membership.course.files.filter(kind=CourseFile.Kind.EXPORT)
    return [shown_course_file(file) for file in files if file.is_there]


@router.post(
    "/courses/{id:course}/exports", response={202: CourseJobOut}, summary="Export a course"
)
def course_export_create(request: TokenRequest, course: int) -> Any:
    """Answers at once with a job. “file” is there when it is done."""
    membership = access.get_course_even_if_archived_for(request.user, course)
    job = export_start(course=membership.course, requested_by=request.user)
    return Status(202, shown_course_job(job))


@router.get(
    "/course-jobs/{id:course_job}", response=CourseJobOut, summary="The progress of an export"
)
def course_job(request: TokenRequest, course_job: int) -> Any:
    return shown_course_job(access.get_course_job_for(request.user, course_job))


@router.get("/course-files/{id:file}", summary="An export of a course, a zip")
def course_file(request: TokenRequest, file: int) -> Any:
    """It holds everything of the course, so that a token which only reads does not get it."""
    row = access.get_course_file_for(request.user, file)
    if row.kind != CourseFile.Kind.EXPORT or not row.is_there:
        raise Http404("No such file.")
    if not request.api_token.can_write:
        sentence = "Exports of courses are for tokens that can read and write."
        raise RefusedError(FORBIDDEN, sentence)
    record(AuditKind.EXPORTED, "Downloaded an export of the course.", course=row.course)
    answer = stream_archive(row.content(), row.name, row.size)
    put_stamp(answer, f"file-{row.pk}-{row.size}")
    return answer


# --- deletions ---


@router.post(
    "/courses/{id:course}/deletion", response={201: DeletionOut}, summary="Delete a course"
)
def course_remove(request: TokenRequest, course: int, payload: ConfirmIn) -> Any:
    """At once it is there for nobody. The token can restore it by the id of the answer."""
    row = access.get_course_even_if_archived_for(request.user, course).course
    _check_name(payload, course_deletion_preview(course=row))
    return _deleted(course_delete(course=row, asked_by=request.user))


@router.post(
    "/assignments/{id:assignment}/deletion",
    response={201: DeletionOut},
    summary="Delete an assignment",
)
def assignment_remove(request: TokenRequest, assignment: int, payload: ConfirmIn) -> Any:
    row, _ = access.get_assignment_even_if_archived_for(request.user, assignment)
    _check_name(payload, assignment_deletion_preview(assignment=row))
    return _deleted(assignment_delete(assignment=row, asked_by=request.user))


@router.post(
    "/courses/{id:course}/people/{id:member}/deletion",
    response={201: DeletionOut},
    summary="Delete a student's data",
)
def student_remove(request: TokenRequest, course: int, member: int, payload: ConfirmIn) -> Any:
    teaching = access.get_course_even_if_archived_for(request.user, course)
    row = teaching.course.memberships.filter(pk=member).first()
    if row is None:
        raise Http404("No such student.")
    student, _ = access.get_person_of_for(request.user, course, row.user_id)
    _check_name(payload, student_deletion_preview(course=teaching.course, student=student))
    return _deleted(student_delete(course=teaching.course, student=student, asked_by=request.user))


@router.get(
    "/courses/{id:course}/deletions",
    response=list[DeletionOut],
    summary="What was deleted and can be restored",
)
def deletions(request: TokenRequest, course: int) -> Any:
    membership = access.get_course_even_if_archived_for(request.user, course)
    rows = access.get_pending_deletions(membership).select_related(
        "course", "student", "assignment"
    )
    return [shown_deletion(row) for row in rows]


@router.post(
    "/deletions/{id:deletion}/restore", response=DeletionOut, summary="Restore what was deleted"
)
def deletion_undo(request: TokenRequest, deletion: int) -> Any:
    row = access.get_deletion_for(request.user, deletion)
    shown = shown_deletion(row)
    if not deletion_restore(deletion=row, author=request.user):
        raise Http404("There is nothing to restore.")
    return shown | {"state": Deletion.State.TAKEN_BACK}


def _check_name(payload: ConfirmIn, preview: DeletionPreview) -> None:
    check_form(ConfirmForm({"typed": payload.name}, name=preview.name))


def _deleted(deletion: Deletion) -> Any:
    row = Deletion.objects.select_related("course", "student", "assignment").get(pk=deletion.pk)
    return Status(201, shown_deletion(row))

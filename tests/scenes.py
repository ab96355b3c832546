"""Rows in the database to make the URLs of ``url_table`` of: everything that a course can hold."""

from dataclasses import dataclass

from django.urls import reverse

from grading.bulk_import.actions import import_start
from grading.calibration.actions import annotation_save, round_draw
from grading.grades.actions_gradebook_exports import export_keep, fresh_file, upload_keep
from grading.housekeeping.course_export import export_start
from grading.housekeeping.course_import import import_keep
from grading.housekeeping.deletions import student_delete
from grading.jobs.runner import job_run
from grading.marking.actions_comments import Place, comment_write
from grading.models import (
    Assignment,
    CourseFile,
    GradebookExport,
    Job,
    Membership,
    QueueView,
    RosterAccount,
    Scope,
    StoredPyramid,
    User,
    WorkImport,
)
from grading.pyramid.formats.bulk_files import Upload
from grading.pyramid.formats.file_kinds import FILE_KINDS
from grading.pyramid.structures import Span
from grading.pyramids.actions import draft_from_version, pyramid_start_build
from grading.second_looks.actions import Subject, second_look_ask
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.url_table import Row


@dataclass(frozen=True)
class Scene:
    """Rows to make URLs of: everything belongs to ``student`` or to the class."""

    cast: Cast
    assignment: Assignment
    kwargs: dict[str, dict[str, object]]

    def url(self, row: Row) -> str:
        return reverse(row.name, kwargs=self.kwargs[row.about])

    def user(self, who: str) -> User | None:
        return None if who == "anonymous" else getattr(self.cast, who)


def _queue_view(cast: Cast) -> QueueView:
    return QueueView.objects.create(course=cast.course, user=cast.ta, name="Flagged ones")


def make_scene(cast: Cast, assignment: Assignment) -> Scene:
    """With a tiny engine in the place of the real one (the fixture ``engine``)."""
    class_job = pyramid_start_build(
        assignment=assignment, requested_by=cast.instructor, publish=True
    )
    assert job_run(job_pk=class_job.pk)
    version = StoredPyramid.objects.get()
    draft = draft_from_version(version=version, author=cast.instructor)
    submission = submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    job = Job.objects.get(submission=submission)
    assert job_run(job_pk=job.pk)
    second_look = second_look_ask(
        score=submission.scores.get(), subject=Subject((Span(0, 20),)), reason="It is there."
    )
    comment = comment_write(
        submission=submission, text="Good.", is_private=False, place=Place(), author=cast.ta
    )
    sample = round_draw(assignment=assignment, texts=1, author=cast.ta)
    annotation_save(text=sample.texts.get(), annotator=cast.ta, ideas={}, is_done=True)
    # A member whom nobody of the cast is, so that a change of role changes no later answer.
    spare = User.objects.create_user("spare", name="Spare")
    member = Membership.objects.create(course=cast.course, user=spare, role="student")
    housekeeping = _housekeeping(cast)  # first: deleting somebody's data takes copies along
    upload = upload_keep(
        assignment=assignment,
        author=cast.ta,
        file_name="grades.csv",
        data=b"Student,ID,Section,Essay (1)\nZoe,,,\n",
        scope=Scope.ALL,
    )
    prepared, _ = fresh_file(assignment, GradebookExport.Kind.CSV, Scope.ALL, "")
    export = export_keep(assignment=assignment, author=cast.ta, prepared=prepared)
    return Scene(
        cast,
        assignment,
        {
            "": {},
            "token": {"uidb64": "MQ", "token": "set-password"},
            "course": {"pk": cast.course.pk},
            "member": {"pk": cast.course.pk, "member_pk": member.pk},
            "assignment": {"pk": assignment.pk},
            "draft": {"pk": draft.pk},
            "draft idea": {"pk": draft.pk, "uid": 1},
            "draft state": {"pk": draft.pk, "revision": 0},
            "suggestion": {"pk": draft.pk, "key": "0" * 32},
            "version": {"pk": version.pk},
            **{f"draft {kind}": {"pk": draft.pk, "kind": kind} for kind in FILE_KINDS},
            **{f"version {kind}": {"pk": version.pk, "kind": kind} for kind in FILE_KINDS},
            "reference": {"pk": assignment.references.earliest("pk").pk},
            "submission": {"pk": submission.pk},
            "second look": {"pk": second_look.pk},
            "comment": {"pk": comment.pk},
            "job": {"pk": job.pk},
            "class job": {"pk": class_job.pk},
            "gradebook upload": {"pk": upload.pk},
            "gradebook export": {"pk": export.pk},
            **housekeeping,
            "class student": {"pk": assignment.pk, "student_pk": cast.student.pk},
            "queue view": {"pk": _queue_view(cast).pk},
            "two submissions": {"pk": submission.pk, "other": submission.pk},
            "class idea": {"pk": assignment.pk, "uid": 1},
            "roster member": {"pk": cast.course.pk, "member_pk": _roster_member(cast).pk},
            "work import": {"pk": _work_import(cast, assignment).pk},
            "sample": {"pk": sample.pk},
            "sample text": {"pk": sample.pk, "place": 1},
            "sample ideas": {"pk": sample.pk, "kind": "ideas"},
            "sample scores": {"pk": sample.pk, "kind": "scores"},
        },
    )


def _housekeeping(cast: Cast) -> dict[str, dict[str, object]]:
    """Somebody's data to delete and to bring back, and a file of the course to have and to read."""
    spare, gone = User.objects.get(username="spare"), User.objects.create_user("gone", name="Gone")
    Membership.objects.create(course=cast.course, user=gone, role="student")
    deletion = student_delete(course=cast.course, student=gone, asked_by=cast.instructor)
    job = export_start(course=cast.course, requested_by=cast.instructor)
    assert job_run(job_pk=job.pk)
    export = CourseFile.objects.get()
    with export.opened() as content:
        file = import_keep(content=content, name="course.zip", owner=cast.instructor)
    return {
        "student's data": {"pk": cast.course.pk, "user_pk": spare.pk},
        "deletion": {"pk": deletion.pk},
        "export": {"pk": export.pk},
        "import": {"pk": file.pk},
        "export job": {"pk": job.pk},
    }


def _roster_member(cast: Cast) -> Membership:
    user = User(username="rosa", name="Rosa Roster")
    user.set_unusable_password()
    user.save()
    RosterAccount.objects.create(user=user, course=cast.course)
    return Membership.objects.create(course=cast.course, user=user, role="student")


def _work_import(cast: Cast, assignment: Assignment) -> WorkImport:
    """Read, and not taken in."""
    started = import_start(
        assignment=assignment,
        uploads=[Upload("zoe.txt", SUMMARY.encode()), Upload("who.txt", SUMMARY.encode())],
        name="2 files",
        author=cast.ta,
    )
    assert started.reading is not None
    assert job_run(job_pk=started.reading.pk)
    return started

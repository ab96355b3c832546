"""Rows in the database to make the URLs of ``url_table`` of: everything that a course can hold."""

from dataclasses import dataclass

from django.urls import reverse

from grading.access.hidden_names import person_key
from grading.api.actions import token_create, webhook_add
from grading.bulk_import.actions import import_start
from grading.calibration.actions import annotation_save, round_draw
from grading.grades.actions import export_keep, upload_keep
from grading.grades.gradebook_files import prepare_new
from grading.housekeeping.course_export import export_start
from grading.housekeeping.course_import import import_keep
from grading.housekeeping.deletions import student_delete
from grading.jobs.runner import job_run
from grading.marking.actions import comment_write
from grading.models import (
    ApiToken,
    Assignment,
    CourseFile,
    Extension,
    GradebookExport,
    Job,
    LtiPlatform,
    MarkingStep,
    Membership,
    Notice,
    QueueView,
    RemovedMember,
    Role,
    RosterAccount,
    SavedComment,
    Scope,
    SecondOpinion,
    StoredPyramid,
    User,
    Webhook,
    WorkImport,
)
from grading.notifications.mails import switch_off_token
from grading.pyramid.formats.bulk_files import Upload
from grading.pyramid.formats.file_kinds import FILE_KINDS
from grading.pyramid.formats.lms.reading import read_grade_file
from grading.pyramid.structures import Span
from grading.pyramids.actions import draft_from_version, pyramid_start_build
from grading.second_looks.actions import Subject, second_look_ask
from grading.second_opinions.actions import opinion_setting_change
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


def _extension(cast: Cast, assignment: Assignment) -> Extension:
    return Extension.objects.create(
        assignment=assignment,
        student=cast.student,
        max_attempts=3,
        reason=f"{cast.student.name} was ill.",
    )


def _lms(cast: Cast, assignment: Assignment) -> dict[str, dict[str, object]]:
    """A registered LMS: one of its courses is linked with the cast's, another one is not yet."""
    url = "https://lms.example"
    platform = LtiPlatform.objects.create(
        name="LMS", issuer=url, client_id="tool", authorization_url=f"{url}/auth",
        token_url=f"{url}/token", jwks_url=f"{url}/jwks", origins=url,
    )  # fmt: skip
    deployment = platform.deployments.create(deployment_id="1", is_allowed=True)
    linked = deployment.contexts.create(context_id="1", title="Writing", course=cast.course)
    new = deployment.contexts.create(context_id="2", title="Reading")
    for user, role in ((cast.instructor, Role.INSTRUCTOR), (cast.ta, Role.TA)):
        person = platform.people.create(subject=f"subject-{user.pk}", user=user)
        person.enrolments.create(context=new, role=role)
    link = linked.links.create(resource_link_id="1", title="A link", assignment=assignment)
    return {
        "lti token": {"token": "none"},
        "new lti context": {"pk": new.pk},
        "lti context": {"pk": linked.pk},
        "lti link": {"pk": link.pk},
        "lti platform": {"pk": platform.pk},
        "lti deployment": {"pk": deployment.pk},
    }


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
    comment = comment_write(submission=submission, text="Good.", is_private=False, author=cast.ta)
    step = MarkingStep.objects.create(submission=submission, did="confirmed", author=cast.ta)
    saved = SavedComment.objects.create(course=cast.course, key="well", text="Well put.")
    sample = round_draw(assignment=assignment, texts=1, author=cast.ta)
    annotation_save(text=sample.texts.get(), annotator=cast.ta, ideas={}, is_done=True)
    _second_opinion(cast, assignment)
    # A member whom nobody of the cast is, so that a change of role changes no later answer.
    spare = User.objects.create_user("spare", name="Spare")
    member = Membership.objects.create(course=cast.course, user=spare, role="student")
    housekeeping = _housekeeping(cast)  # first: deleting somebody's data takes copies along
    gradebook = b"Student,ID,Section,Essay (1)\nZoe,,,\n"
    upload = upload_keep(
        assignment=assignment,
        author=cast.ta,
        file_name="grades.csv",
        data=gradebook,
        grade_file=read_grade_file(gradebook),
        scope=Scope.ALL,
    )
    prepared, _ = prepare_new(assignment, GradebookExport.Kind.CSV, Scope.ALL, "")
    export = export_keep(assignment=assignment, author=cast.ta, prepared=prepared)
    return Scene(
        cast,
        assignment,
        {
            "": {},
            "mail link": {"token": switch_off_token(cast.student, Notice.Kind.RESULT)},
            "extension": {"pk": _extension(cast, assignment).pk},
            "token": {"uidb36": "1", "key": "set-password"},
            "claim": {"account": "1", "token": "choose-password"},
            "key": {"key": "no-such-key"},
            "session": {"pk": 0},
            "provider": {"provider_id": "none"},
            "organisation": {"organization_slug": "none"},
            "removed member": {"pk": cast.course.pk, "removed_pk": _removed_member(cast).pk},
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
            "marking step": {"pk": submission.pk, "step": step.pk},
            "saved comment": {"pk": saved.pk},
            "job": {"pk": job.pk},
            "class job": {"pk": class_job.pk},
            "any job": {"pk": class_job.pk},
            "gradebook upload": {"pk": upload.pk},
            "gradebook export": {"pk": export.pk},
            **housekeeping,
            **_lms(cast, assignment),
            "class student": {
                "pk": assignment.pk,
                "student_key": person_key(assignment, cast.student.pk),
            },
            "api token": {"pk": _api_token(cast).pk},
            "webhook": {"pk": _webhook(cast).pk},
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


def _api_token(cast: Cast) -> ApiToken:
    token, _ = token_create(
        user=cast.ta, course=cast.course, name="Weekly export", can_write=False, days=30
    )
    return token


def _webhook(cast: Cast) -> Webhook:
    webhook, _ = webhook_add(
        course=cast.course,
        url="https://hooks.example.org/pyreval",
        kinds=frozenset({"scored", "released", "second_looks"}),
        author=cast.instructor,
    )
    return webhook


def _second_opinion(cast: Cast, assignment: Assignment) -> None:
    job = opinion_setting_change(
        assignment=assignment, methods=["rouge-1"], least_difference=1.5, author=cast.instructor
    )
    assert job is not None
    assert job_run(job_pk=job.pk)
    assert SecondOpinion.objects.exists()


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


def _removed_member(cast: Cast) -> RemovedMember:
    user = User.objects.create_user("remo", name="Remo Removed")
    return RemovedMember.objects.create(course=cast.course, user=user)


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

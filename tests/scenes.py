"""Every URL with what each of the cast gets there, and rows in the database to make the URLs of.

A row gives the status for instructor, TA, student (whose work it is), the other student, the
outsider, and anonymous. 302 for anonymous is the way to the log-in page.
"""

from dataclasses import dataclass, field

from django.urls import reverse

from grading.actions.calibration import annotation_save, round_draw
from grading.actions.pyramids import pyramid_start_build
from grading.actions.second_looks import Subject, second_look_ask
from grading.actions.summaries import submission_submit
from grading.actions.versions import draft_from_version
from grading.actions.work import job_run
from grading.models import Assignment, Job, Membership, StoredPyramid, User
from grading.pyramid.formats.file_kinds import FILE_KINDS
from grading.pyramid.structures import Span
from tests.conftest import SUMMARY, Cast

WHO = ("instructor", "ta", "student", "other_student", "outsider", "anonymous")


@dataclass(frozen=True)
class Row:
    """What each of WHO gets."""

    name: str
    statuses: tuple[int, int, int, int, int, int]
    method: str = "get"
    about: str = ""  # what the URL's pk is of
    data: dict[str, str] = field(default_factory=dict)


NEW_SUMMARY = f"{SUMMARY} And more."
RELEASE_ALL = {"what": "shown", "who": "all"}
NEW_LABEL = {"command": "set_label", "uid": "1", "label": "Heat", "revision": "0"}
A_THRESHOLD = {"which": "other", "percent": "40"}
NEW_REQUEST = {"sentence": "1", "reason": "It says so."}

MEMBERS = (200, 200, 200, 200, 404, 302)
GRADERS = (200, 200, 403, 403, 404, 302)
INSTRUCTORS = (200, 403, 403, 403, 404, 302)
INSTRUCTORS_DO = (302, 403, 403, 403, 404, 302)
EVERYONE_IN = (200, 200, 200, 200, 200, 302)
EVERYONE = (200, 200, 200, 200, 200, 200)
OWN = (200, 200, 200, 403, 404, 302)
ONLY_THE_STUDENT = (403, 403, 200, 403, 404, 302)
THE_STUDENT_DOES = (403, 403, 302, 403, 404, 302)

ROWS = (
    Row("home", EVERYONE_IN),
    Row("health", EVERYONE),
    Row("login", (302, 302, 302, 302, 302, 200)),
    Row("logout", (302, 302, 302, 302, 302, 302), "post"),
    Row("sign_up", EVERYONE),
    Row("account", EVERYONE_IN),
    Row("own_data", EVERYONE_IN),
    Row("own_data_file", EVERYONE_IN),
    Row("password_change", EVERYONE_IN),
    Row("password_change_done", EVERYONE_IN),
    Row("password_reset", EVERYONE),
    Row("password_reset_done", EVERYONE),
    Row("password_reset_confirm", EVERYONE, about="token"),
    Row("password_reset_complete", EVERYONE),
    Row("course_new", (200, 403, 403, 403, 200, 302)),
    Row("course_join", EVERYONE_IN),
    Row("course", MEMBERS, about="course"),
    Row("course_edit", INSTRUCTORS, about="course"),
    Row("course_code", INSTRUCTORS_DO, "post", "course"),
    Row("members", GRADERS, about="course"),
    Row("member_role", INSTRUCTORS_DO, "post", "member", {"role": "ta"}),
    Row("member_delete", INSTRUCTORS, about="member"),
    Row("member_delete", INSTRUCTORS_DO, "post", "member"),
    Row("assignment_new", INSTRUCTORS, about="course"),
    Row("assignment", MEMBERS, about="assignment"),
    Row("assignment_edit", INSTRUCTORS, about="assignment"),
    Row("assignment_state", INSTRUCTORS_DO, "post", "assignment", {"state": "open"}),
    Row("references", GRADERS, about="assignment"),
    Row("references", INSTRUCTORS_DO, "post", "assignment", {"text": "A new reference."}),
    Row("reference_edit", INSTRUCTORS, about="reference"),
    Row("reference_delete", INSTRUCTORS, about="reference"),
    Row("reference_delete", INSTRUCTORS_DO, "post", "reference"),
    Row("pyramid", GRADERS, about="assignment"),
    Row("pyramid_build", INSTRUCTORS_DO, "post", "assignment"),
    Row("pyramid_file", GRADERS, about="assignment"),
    Row("draft_empty", INSTRUCTORS_DO, "post", "assignment"),
    Row("draft_rubric", INSTRUCTORS, about="assignment"),
    Row("draft_rubric", INSTRUCTORS, "post", "assignment", {"statements": "Heat | 2\nTrees"}),
    Row("draft_import", INSTRUCTORS, about="assignment"),
    Row("draft_import", (422, 403, 403, 403, 404, 302), "post", "assignment"),
    Row("draft_make", INSTRUCTORS_DO, "post", "assignment"),
    *(Row("draft_file", GRADERS, about=f"draft {kind}") for kind in FILE_KINDS),
    *(Row("version_file", GRADERS, about=f"version {kind}") for kind in FILE_KINDS),
    Row("draft_print", GRADERS, about="draft"),
    Row("version_print", GRADERS, about="version"),
    Row("draft_new", INSTRUCTORS, about="assignment"),
    Row("draft_from_version", INSTRUCTORS_DO, "post", "version"),
    Row("draft_publish", INSTRUCTORS, about="draft"),
    Row("draft_publish", INSTRUCTORS_DO, "post", "draft", {"revision": "0", "same": "on"}),
    Row("draft", GRADERS, about="draft"),
    Row("draft_scu", GRADERS, about="draft idea"),
    Row("draft_changes", (204, 204, 403, 403, 404, 302), "get", "draft", {"since": "0"}),
    Row("draft_edit", INSTRUCTORS_DO, "post", "draft", NEW_LABEL),
    Row("draft_undo", INSTRUCTORS_DO, "post", "draft", {"revision": "0"}),
    Row("draft_redo", INSTRUCTORS_DO, "post", "draft", {"revision": "0"}),
    Row("draft_effect", GRADERS, about="draft"),
    Row("draft_effect", INSTRUCTORS_DO, "post", "draft"),
    Row("draft_analysis", GRADERS, about="draft"),
    Row("draft_analysis", INSTRUCTORS_DO, "post", "draft"),
    Row("suggestion_take", INSTRUCTORS_DO, "post", "suggestion", {"revision": "0"}),
    Row("suggestion_dismiss", INSTRUCTORS_DO, "post", "suggestion"),
    Row("suggestion_bring_back", INSTRUCTORS_DO, "post", "suggestion"),
    Row("draft_quality", GRADERS, about="draft"),
    Row("draft_history", GRADERS, about="draft"),
    Row("draft_state", GRADERS, about="draft state"),
    Row("draft_restore", INSTRUCTORS_DO, "post", "draft state", {"revision": "0"}),
    Row("draft_discard", INSTRUCTORS, about="draft"),
    Row("draft_discard", INSTRUCTORS_DO, "post", "draft"),
    Row("draft_bring_back", INSTRUCTORS_DO, "post", "draft"),
    Row("version", GRADERS, about="version"),
    Row("versions_compare", GRADERS, about="assignment"),
    Row("submit", (403, 403, 302, 302, 404, 302), "get", "assignment"),
    Row("submit", (403, 403, 302, 302, 404, 302), "post", "assignment", {"text": NEW_SUMMARY}),
    Row("writing", (403, 403, 302, 302, 404, 302), "get", "assignment"),
    Row("writing", (403, 403, 302, 302, 404, 302), "post", "assignment", {"text": NEW_SUMMARY}),
    Row("writing_file", (403, 403, 302, 302, 404, 302), "get", "assignment"),
    Row("writing_file", (403, 403, 422, 422, 404, 302), "post", "assignment"),
    Row("writing_bring_back", (403, 403, 302, 302, 404, 302), "get", "assignment"),
    Row("writing_bring_back", (403, 403, 302, 302, 404, 302), "post", "assignment"),
    Row("submission", OWN, about="submission"),
    Row("submission_as_student", GRADERS, about="submission"),
    Row("second_look_new", ONLY_THE_STUDENT, about="submission"),
    Row("second_look_new", THE_STUDENT_DOES, "post", "submission", NEW_REQUEST),
    Row("second_looks", GRADERS, about="assignment"),
    Row("second_look", GRADERS, about="second look"),
    Row("second_look_answer", (422, 422, 403, 403, 404, 302), "post", "second look"),
    Row("second_look_withdraw", THE_STUDENT_DOES, "post", "second look"),
    Row("attempts_compare", OWN, about="submission"),
    Row("release", GRADERS, about="assignment"),
    Row("release", (302, 302, 403, 403, 404, 302), "post", "assignment", RELEASE_ALL),
    Row("gradebook", GRADERS, about="assignment"),
    Row("gradebook_file", GRADERS, about="assignment"),
    # The roster and work in bulk
    # The queue
    # Correcting
    # Calibration
    Row("calibration", GRADERS, about="assignment"),
    Row("calibration", (422, 422, 403, 403, 404, 302), "post", "assignment", {"texts": "1"}),
    Row("calibration_text", GRADERS, about="sample text"),
    Row("calibration_text", (302, 302, 403, 403, 404, 302), "post", "sample text"),
    Row("calibration_result", GRADERS, about="sample"),
    Row("calibration_delete", INSTRUCTORS, about="sample"),
    Row("calibration_delete", INSTRUCTORS_DO, "post", "sample"),
    Row("calibration_file", GRADERS, about="sample ideas"),
    Row("calibration_file", GRADERS, about="sample scores"),
    Row("calibration_threshold", INSTRUCTORS, about="assignment"),
    Row("calibration_threshold", INSTRUCTORS_DO, "post", "assignment", A_THRESHOLD),
    Row("calibration_threshold_set", INSTRUCTORS_DO, "post", "assignment", {"percent": "40"}),
    Row("second_look_figures", GRADERS, about="assignment"),
    # The class
    # From scores to grades
    # Gradebook files
    # Housekeeping
    Row("job", OWN, about="job"),
    Row("job", GRADERS, about="class job"),
    Row("job_try_again", (302, 302, 302, 403, 404, 302), "post", "job"),
)


@dataclass(frozen=True)
class Scene:
    """Rows to make URLs of: everything belongs to ``student`` or to the class."""

    cast: Cast
    kwargs: dict[str, dict[str, object]]

    def url(self, row: Row) -> str:
        return reverse(row.name, kwargs=self.kwargs[row.about])

    def user(self, who: str) -> User | None:
        return None if who == "anonymous" else getattr(self.cast, who)


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
    sample = round_draw(assignment=assignment, texts=1, author=cast.ta)
    annotation_save(text=sample.texts.get(), annotator=cast.ta, told={}, is_done=True)
    # A member whom nobody of the cast is, so that a change of role changes no later answer.
    spare = User.objects.create_user("spare", name="Spare")
    member = Membership.objects.create(course=cast.course, user=spare, role="student")
    return Scene(
        cast,
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
            "job": {"pk": job.pk},
            "class job": {"pk": class_job.pk},
            "sample": {"pk": sample.pk},
            "sample text": {"pk": sample.pk, "place": 1},
            "sample ideas": {"pk": sample.pk, "kind": "ideas"},
            "sample scores": {"pk": sample.pk, "kind": "scores"},
        },
    )

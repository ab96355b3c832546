"""kill -9 in every phase of every kind of job: each ends well, and what it makes is there once."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.conf import LazySettings
from django.utils import timezone

from grading.api.deliveries import webhooks_look
from grading.assignments.actions import submissions_release
from grading.bulk_import.actions import import_start
from grading.calibration.actions import rule_try
from grading.class_figures.actions import new_ideas_start
from grading.editor.actions import analysis_start
from grading.housekeeping.course_export import export_start
from grading.housekeeping.course_import import ImportOptions
from grading.housekeeping.course_import import import_start as course_import_start
from grading.jobs.claims import job_start
from grading.lti.grades import grades_start
from grading.lti.keys import key_ensure
from grading.marking.actions import step_take
from grading.marking.queries import find_desk
from grading.models import (
    Assignment,
    ClassFinding,
    Course,
    CourseFile,
    Draft,
    Finding,
    Job,
    LtiGrade,
    LtiLink,
    MarkingStep,
    Membership,
    Role,
    Score,
    SecondOpinion,
    Submission,
    SubmissionFlags,
    ThresholdTrial,
    User,
    Webhook,
    WebhookDelivery,
    WorkImport,
)
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.formats.bulk_files import Upload
from grading.pyramid.pipeline import Engine
from grading.pyramid.registry import DEFAULT_METHOD
from grading.pyramids.actions import draft_publish, pyramid_start_build
from grading.scoring.effects import effect_start
from grading.scoring.flags import flags_start
from grading.scoring.second_opinions import opinions_start
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast, make_assignment
from tests.drafts.drafting import begun
from tests.faults.planning import WORKER, Faults
from tests.notifications.test_worker import MailServer, mail_server
from tests.scenes import Scene, make_scene
from tests.scoring.test_corrections import work
from tests.workers import wait_until

__all__ = ["mail_server"]

pytestmark = [pytest.mark.workers, pytest.mark.django_db(transaction=True)]

LEASE = 2
PHASES = ("claimed", "working", "ending", "ended")  # of the first, second, … try of every job
Check = Callable[[], object]


@dataclass
class Listener:
    """An LMS and a program with a webhook: it counts what it gets, by address."""

    url: str = ""
    got: Counter[str] = field(default_factory=Counter)


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            listener.got[self.path] += 1
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps({"access_token": "of-the-test"}).encode())

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        listener.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield listener
        server.shutdown()


@pytest.fixture
def scene(cast: Cast, engine: Engine, settings: LazySettings) -> Scene:
    """A course with everything in it, whose jobs so far are done."""
    settings.PYREVAL_METHOD = DEFAULT_METHOD
    scene = make_scene(cast, make_assignment(cast))
    _students(scene.assignment, 3)
    work()
    return scene


def _students(assignment: Assignment, count: int) -> list[Submission]:
    made = []
    for number in range(count):
        login = f"of-{assignment.pk}-{number}"
        student = User.objects.create_user(login, name=f"Student {number}")
        Membership.objects.create(course=assignment.course, user=student, role=Role.STUDENT)
        made.append(submission_submit(assignment=assignment, student=student, text=SUMMARY))
    return made


def _pk(scene: Scene, about: str) -> int:
    return int(str(scene.kwargs[about]["pk"]))


def _score_a_class(scene: Scene) -> Check:
    assignment = make_assignment(scene.cast)
    _students(assignment, 3)
    draft = begun(assignment)
    publication = draft_publish(draft=draft, revision=0, note="", author=scene.cast.instructor)
    scores = Score.objects.filter(pyramid=publication.version)
    return lambda: (scores.count(), scores.values("submission").distinct().count()) == (3, 3)


def _build(scene: Scene) -> Check:
    built = Draft.objects.filter(assignment=scene.assignment, origin=Draft.Origin.BUILT)
    before = built.count()
    pyramid_start_build(assignment=scene.assignment, requested_by=scene.cast.instructor)
    return lambda: built.count() == before + 1


def _find(kind: Finding.Kind, start: Callable[..., Job]) -> Callable[[Scene], Check]:
    def begin(scene: Scene) -> Check:
        draft = Draft.objects.get(pk=_pk(scene, "draft"))
        start(draft=draft, requested_by=scene.cast.instructor)
        return lambda: Finding.objects.filter(draft=draft, kind=kind).count() == 1

    return begin


def _export(scene: Scene) -> Check:
    job = export_start(course=scene.cast.course, requested_by=scene.cast.instructor)
    return lambda: CourseFile.objects.get(jobs=job).is_there


def _import(scene: Scene) -> Check:
    file = CourseFile.objects.get(pk=_pk(scene, "import"))
    options = ImportOptions(name="Imported once", term="", joins_accounts=False)
    course_import_start(file=file, options=options, requested_by=scene.cast.instructor)
    return lambda: Course.objects.filter(name="Imported once").count() == 1


def _find_flags(scene: Scene) -> Check:
    SubmissionFlags.objects.all().delete()
    flags_start(assignment=scene.assignment, requested_by=scene.cast.ta)
    rows = SubmissionFlags.objects.filter(submission__assignment=scene.assignment)
    return lambda: rows.count() == scene.assignment.submissions.count()


def _find_new_ideas(scene: Scene) -> Check:
    new_ideas_start(assignment=scene.assignment, requested_by=scene.cast.ta)
    return lambda: ClassFinding.objects.count() == 1


def _read_files(scene: Scene) -> Check:
    work_import = import_start(
        assignment=scene.assignment,
        uploads=[Upload("zoe.txt", SUMMARY.encode())],
        name="One file",
        author=scene.cast.ta,
    )
    read = WorkImport.objects.filter(pk=work_import.pk, state=WorkImport.State.READY)
    return lambda: len(read.get().document["files"]) == 1 and not work_import.uploads.exists()


def _calibrate(scene: Scene) -> Check:
    rule_try(assignment=scene.assignment, match_probability=0.3, requested_by=scene.cast.instructor)
    return lambda: ThresholdTrial.objects.get().document is not None


def _second_opinions(scene: Scene) -> Check:
    SecondOpinion.objects.all().delete()
    opinions_start(assignment=scene.assignment, requested_by=scene.cast.ta)
    rows = SecondOpinion.objects.filter(submission__assignment=scene.assignment)
    return lambda: rows.count() == scene.assignment.submissions.count()


def _copy_a_step(scene: Scene) -> Check:
    submission = Submission.objects.get(pk=_pk(scene, "submission"))
    desk = find_desk(submission)
    assert desk is not None
    match = desk.report.evidence.matches[0]
    step_take(
        desk=desk,
        corrections=[Correction(match.scu_uid, Verdict.MATCHED, match.spans)],
        did=MarkingStep.Did.CONFIRMED,
        author=scene.cast.ta,
    )
    step = submission.marking_steps.latest("pk")
    others = scene.assignment.submissions.exclude(pk=submission.pk).values_list("pk", flat=True)
    options = {"step": step.pk, "submissions": sorted(others)}
    kind = Job.Kind.COPY_STEP
    job_start(kind=kind, assignment=scene.assignment, requested_by=scene.cast.ta, options=options)
    return lambda: MarkingStep.objects.filter(copy_of=step).count() == len(others) == 3


def _mail(mail_server: MailServer) -> Callable[[Scene], Check]:
    def begin(scene: Scene) -> Check:
        assignment, student = scene.assignment, scene.cast.student
        Assignment.objects.filter(pk=assignment.pk).update(
            release=Assignment.Release.BY_HAND, mails_since=assignment.created_at
        )
        submissions_release(
            assignment=Assignment.objects.get(pk=assignment.pk),
            students=[student.pk],
            visibility=Submission.Visibility.SHOWN,
            author=scene.cast.instructor,
        )
        return lambda: sum(b"Your result" in mail for mail in mail_server.received) == 1

    return begin


def _tell_webhooks(listener: Listener) -> Callable[[Scene], Check]:
    def begin(scene: Scene) -> Check:
        an_hour_ago = timezone.now() - timedelta(hours=1)
        Webhook.objects.update(url=f"{listener.url}/hook", created_at=an_hour_ago)
        assert webhooks_look()
        # Beat looks again after half a minute, and would find what the other jobs made by then.
        Webhook.objects.update(scored=False, released=False, second_looks=False)
        rows = WebhookDelivery.objects.filter(assignment=scene.assignment)
        unsent = rows.exclude(state=WebhookDelivery.State.SENT)
        return lambda: not unsent.exists() and listener.got["/hook"] == rows.count() > 0

    return begin


def _send_grades(listener: Listener) -> Callable[[Scene], Check]:
    def begin(scene: Scene) -> Check:
        key_ensure()
        link = LtiLink.objects.get(assignment=scene.assignment)
        LtiLink.objects.update(line_item_url=f"{listener.url}/item", sends_grades=True)
        platform = link.context.deployment.platform
        platform.token_url = f"{listener.url}/token"
        platform.save()
        person = platform.people.create(subject="s-1", user=scene.cast.student)
        person.enrolments.create(context=link.context, role=Role.STUDENT)
        grades_start(assignment=scene.assignment, requested_by=scene.cast.instructor)
        sent = LtiGrade.objects.filter(state=LtiGrade.State.SENT)
        return lambda: sent.count() == listener.got["/item/scores"] == 1

    return begin


def test_whatever_is_killed_in_whatever_phase_is_done_once(
    scene: Scene, faults: Faults, listener: Listener, mail_server: MailServer
) -> None:
    """Four times a worker process is killed at each job: the third try saves what it made."""
    kinds = Job.Kind
    starts: dict[Job.Kind, Callable[[Scene], Check]] = {
        kinds.BUILD_PYRAMID: _build,
        kinds.SCORE_SUBMISSIONS: _score_a_class,
        kinds.ANALYSE_DRAFT: _find(Finding.Kind.ANALYSIS, analysis_start),
        kinds.PREDICT_EFFECT: _find(Finding.Kind.EFFECT, effect_start),
        kinds.EXPORT_COURSE: _export,
        kinds.IMPORT_COURSE: _import,
        kinds.FIND_FLAGS: _find_flags,
        kinds.FIND_NEW_IDEAS: _find_new_ideas,
        kinds.READ_IMPORT: _read_files,
        kinds.CALIBRATE: _calibrate,
        kinds.SECOND_OPINIONS: _second_opinions,
        kinds.SEND_MAIL: _mail(mail_server),
        kinds.COPY_STEP: _copy_a_step,
        kinds.SEND_WEBHOOKS: _tell_webhooks(listener),
        kinds.SEND_GRADES: _send_grades(listener),
    }
    assert set(starts) == set(kinds), "a kind of job that nobody kills yet"
    done_before = set(Job.objects.values_list("pk", flat=True))
    checks = {kind: start(scene) for kind, start in starts.items()}
    jobs = Job.objects.exclude(pk__in=done_before)
    assert {job.kind for job in jobs} >= set(kinds)

    steps = [(point, tries) for tries, point in enumerate(PHASES, start=1)]
    faults.plan(*({"fault": "die", "point": point, "tries": tries} for point, tries in steps))
    environment = faults.environment(
        LEASE,
        FAULTS_MOST_TRIES="9",
        PYREVAL_METHOD=DEFAULT_METHOD,
        LTI_PRIVATE_PLATFORMS="true",
        WEBHOOK_NETWORKS="127.0.0.0/8",
    )
    with faults.running("worker", [*WORKER, "--beat", "--concurrency", "6"], environment):
        wait_until(lambda: not Job.objects.unfinished().exists(), "all jobs end")

    states = {job.kind: (job.state, job.error) for job in jobs.all()}
    assert states == dict.fromkeys(kinds, (Job.State.DONE, ""))
    assert {job.kind: job.tries for job in jobs.all() if job.tries < 3} == {}
    assert [kind for kind, check in checks.items() if not check()] == []

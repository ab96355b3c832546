"""A real worker is killed in mid-job: the job ends well after a restart, exactly once."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings

from grading.editor.actions import analysis_start
from grading.models import (
    Assignment,
    Course,
    Draft,
    Finding,
    Job,
    Membership,
    ProcessPulse,
    Role,
    Score,
    StoredPyramid,
    StoredReading,
    User,
)
from grading.pyramid.structures import Text
from grading.pyramids.actions import pyramid_start_build, references_add
from grading.scoring.effects import effect_start
from grading.submissions.actions import submission_submit
from tests.conftest import REFERENCES, SUMMARY, Cast
from tests.drafts.drafting import begun
from tests.faults.planning import WORKER, Faults
from tests.workers import LEASE_SECONDS, kill, running_worker, wait_until

pytestmark = [
    pytest.mark.models,
    pytest.mark.workers,
    pytest.mark.django_db(transaction=True),
]


def _state(job: Job) -> str:
    job.refresh_from_db()
    return job.state


def test_a_build_survives_the_death_of_its_worker(
    cast: Cast, assignment: Assignment, tmp_path: Path
) -> None:
    job = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)

    with running_worker(tmp_path) as worker:
        wait_until(lambda: _state(job) == Job.State.RUNNING, "a worker claims the job")
        kill(worker)
    assert _state(job) == Job.State.RUNNING
    assert not StoredPyramid.objects.exists()

    with running_worker(tmp_path):
        wait_until(lambda: _state(job) == Job.State.DONE, "another worker finishes the job")
    assert StoredPyramid.objects.count() == 1
    assert job.tries == 2


def test_scoring_goes_on_where_the_dead_worker_stopped(
    cast: Cast, assignment: Assignment, settings: Settings, tmp_path: Path
) -> None:
    settings.ATTEMPTS_A_DAY = 40
    for number in range(40):
        text = f"{SUMMARY} This is try number {number}."
        submission_submit(assignment=assignment, student=cast.student, text=text)
    build = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)

    with running_worker(tmp_path) as worker:
        wait_until(lambda: Score.objects.count() > 2, "some submissions are scored")
        kill(worker)
    scored_before = set(Score.objects.values_list("pk", flat=True))
    assert len(scored_before) < 40

    with running_worker(tmp_path):
        wait_until(lambda: Score.objects.count() == 40, "the rest is scored")
        wait_until(lambda: not Job.objects.unfinished().exists(), "the job ends")
    assert _state(build) == Job.State.DONE
    assert scored_before <= set(Score.objects.values_list("pk", flat=True))
    assert Score.objects.values("submission").distinct().count() == 40


@pytest.fixture
def draft(cast: Cast, assignment: Assignment) -> Draft:
    """Of a class large enough to keep a worker busy for a while."""
    for number in range(40):
        student = User.objects.create_user(f"student{number}", name=f"Student {number}")
        Membership.objects.create(course=cast.course, user=student, role=Role.STUDENT)
        text = f"{SUMMARY} This is text number {number}."
        submission_submit(assignment=assignment, student=student, text=text)
    return begun(assignment)


@pytest.mark.parametrize("start", [analysis_start, effect_start])
def test_what_is_found_out_about_a_draft_survives_the_death_of_its_worker(
    cast: Cast, draft: Draft, tmp_path: Path, start: Callable[..., Job]
) -> None:
    job = start(draft=draft, requested_by=cast.instructor)

    with running_worker(tmp_path) as worker:
        wait_until(lambda: _state(job) == Job.State.RUNNING, "a worker claims the job")
        wait_until(StoredReading.objects.exists, "some texts are read")
        kill(worker)
    assert _state(job) == Job.State.RUNNING
    assert not Finding.objects.exists()

    with running_worker(tmp_path):
        wait_until(lambda: _state(job) == Job.State.DONE, "another worker finishes the job")
    assert job.tries == 2
    assert Finding.objects.get().revision == draft.revision


LONG_REFERENCE = 20_000  # characters


def _build_of_long_references(course: Course, number: int, person: User) -> Job:
    assignment = Assignment.objects.create(course=course, title=f"Long texts {number}")
    texts = [
        Text(name, f"{content} This is sentence {number}. " * (LONG_REFERENCE // len(content)))
        for name, content in ((text.name, text.content) for text in REFERENCES)
    ]
    references_add(assignment=assignment, texts=texts)
    return pyramid_start_build(assignment=assignment, requested_by=person)


def test_a_student_does_not_wait_for_builds(
    cast: Cast, assignment: Assignment, tmp_path: Path
) -> None:
    """Twenty wait, and the one that runs does not end before there is a score."""
    first = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    faults = Faults(tmp_path)
    environment = faults.environment(LEASE_SECONDS, JOBS_PER_COURSE="2")
    with faults.running("worker", [*WORKER, "--beat", "--concurrency", "2"], environment):
        wait_until(lambda: _state(first) == Job.State.DONE, "there is a pyramid to score with")
        faults.plan({"fault": "wait", "point": "claimed", "kind": Job.Kind.BUILD_PYRAMID})
        for number in range(21):
            course = cast.course if number % 2 else cast.other_course
            _build_of_long_references(course, number, cast.instructor)
        wait_until(lambda: faults.is_waiting, "a build has begun")
        submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
        wait_until(Score.objects.exists, "the student's score")
        builds = Job.objects.filter(lane=Job.Lane.BUILD).unfinished()
        assert builds.filter(state=Job.State.RUNNING).count() == 1
        assert builds.filter(state=Job.State.QUEUED).count() == 20


def test_a_killed_workers_job_begins_again_within_twice_the_lease(
    cast: Cast, assignment: Assignment, tmp_path: Path
) -> None:
    lease = 6
    job = _build_of_long_references(cast.course, 1, cast.instructor)
    with running_worker(tmp_path, lease_seconds=lease) as worker:
        wait_until(lambda: _state(job) == Job.State.RUNNING, "a worker claims the job")
        with running_worker(tmp_path, processes=2, lease_seconds=lease):
            alive = ProcessPulse.objects.filter(kind=ProcessPulse.Kind.WORKER)
            wait_until(lambda: alive.count() == 3, "another worker is there")
            kill(worker)
            killed = time.monotonic()
            wait_until(
                lambda: _state(job) == Job.State.RUNNING and job.tries == 2, "it begins again"
            )
            waited = time.monotonic() - killed
    assert waited < 2 * lease

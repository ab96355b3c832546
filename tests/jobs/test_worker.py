"""A real worker is killed in mid-job: the job ends well after a restart, exactly once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grading.editor.actions import analysis_start
from grading.models import (
    Assignment,
    Draft,
    Finding,
    Job,
    Membership,
    Role,
    Score,
    StoredPyramid,
    StoredReading,
    User,
)
from grading.pyramids.actions import pyramid_start_build
from grading.scoring.effects import effect_start
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.drafts.drafting import begun
from tests.workers import kill, running_worker, wait_until

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
    cast: Cast, assignment: Assignment, tmp_path: Path
) -> None:
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

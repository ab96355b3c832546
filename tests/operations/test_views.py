"""The operator's page: health, workers, queues, and what can be done with jobs."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.jobs.claims import Claim, ClaimLostError
from grading.jobs.runner import job_run
from grading.models import Assignment, AuditKind, AuditRecord, Job, ProcessPulse, User
from grading.pyramid.pipeline import Engine
from grading.pyramids.actions import pyramid_start_build
from tests.conftest import Cast


@pytest.fixture
def operator(cast: Cast, client_of: Callable[[User | None], Client]) -> Client:
    return client_of(User.objects.create_superuser("ada", name="Ada Min"))


def test_the_page_shows_workers_queues_and_jobs(operator: Client, assignment: Assignment) -> None:
    ProcessPulse.objects.beat(ProcessPulse.Kind.WORKER, "host/7", memory=400_000_000)
    build = Job.Kind.BUILD_PYRAMID
    Job.objects.create(kind=build, assignment=assignment)
    failed = Job.objects.create(
        kind=build,
        assignment=assignment,
        state=Job.State.FAILED,
        finished_at=timezone.now(),
        error="The worker stopped.",
    )

    page = operator.get("/operations/").content.decode()

    assert "host/7" in page
    assert "It did not run within a minute" in page
    assert "The worker stopped." in page
    assert reverse("operations_job_retry", args=[failed.pk]) in page
    assert assignment.title in page


def test_the_page_is_there_when_nothing_is(operator: Client) -> None:
    page = operator.get("/operations/").content.decode()

    for sentence in ("No worker was seen", "No job is waiting", "No job has failed"):
        assert sentence in page


def test_an_operator_tries_a_failed_job_again(
    operator: Client, cast: Cast, assignment: Assignment, engine: Engine
) -> None:
    job = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, finished_at=timezone.now())

    operator.post(reverse("operations_job_retry", args=[job.pk]))
    assert job_run(job_pk=job.pk)

    job.refresh_from_db()
    assert job.is_done
    entry = AuditRecord.objects.get(kind=AuditKind.JOB_RETRIED)
    assert (entry.course, entry.assignment) == (cast.course.pk, assignment.pk)
    again = operator.post(reverse("operations_job_retry", args=[job.pk]), follow=True)
    assert "no longer failed" in again.content.decode()


def test_a_cancelled_job_saves_nothing_more(
    operator: Client, cast: Cast, assignment: Assignment
) -> None:
    job = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    token = uuid.uuid4()
    assert Job.objects.claim(job.pk, token)

    operator.post(reverse("operations_job_cancel", args=[job.pk]))

    job.refresh_from_db()
    assert job.is_failed
    assert "cancelled" in job.error
    with pytest.raises(ClaimLostError):
        Claim(job.pk, token).finish()
    assert AuditRecord.objects.filter(kind=AuditKind.JOB_CANCELLED).count() == 1
    late = operator.post(reverse("operations_job_cancel", args=[job.pk]), follow=True)
    assert "ended before" in late.content.decode()
    assert AuditRecord.objects.filter(kind=AuditKind.JOB_CANCELLED).count() == 1


def test_an_unknown_job_is_not_found(operator: Client) -> None:
    assert operator.post(reverse("operations_job_cancel", args=[987654])).status_code == 404


def test_failed_jobs_come_in_pages(operator: Client, assignment: Assignment) -> None:
    now = timezone.now()
    Job.objects.bulk_create(
        Job(
            kind=Job.Kind.CALIBRATE,
            assignment=assignment,
            state=Job.State.FAILED,
            error=f"Failure {number}.",
            finished_at=now - timedelta(minutes=number),
        )
        for number in range(30)
    )

    first, second = (operator.get("/operations/", {"page": n}).content.decode() for n in (1, 2))

    assert "Failure 0." in first
    assert "Failure 29." not in first
    assert "Failure 29." in second


def test_who_runs_the_site_finds_the_page_in_the_menu(
    operator: Client, cast: Cast, client_of: Callable[[User | None], Client]
) -> None:
    assert b'href="/operations/"' in operator.get("/").content
    assert b'href="/operations/"' not in client_of(cast.instructor).get("/").content

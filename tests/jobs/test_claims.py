"""Jobs are claimed once, end once, and are never lost."""

import signal
import threading
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from grading.jobs.claims import (
    Claim,
    ClaimLostError,
    heart_beating,
    job_retry,
    job_start,
    jobs_neglected,
    jobs_sweep,
)
from grading.jobs.pulse import sweeper_beat, sweeper_is_late, worker_pulse_start
from grading.jobs.runner import job_run
from grading.models import Assignment, Draft, Job, ProcessPulse, StoredPyramid
from grading.models.jobs import MOST_TRIES
from grading.pyramid.pipeline import Engine
from tests.conftest import Cast


@pytest.fixture
def job(cast: Cast, assignment: Assignment) -> Job:
    return job_start(
        kind=Job.Kind.BUILD_PYRAMID, assignment=assignment, requested_by=cast.instructor
    )


def claim(job: Job) -> Claim:
    token = uuid.uuid4()
    assert Job.objects.claim(job.pk, token)
    return Claim(job.pk, token)


def silence(job: Job, seconds: int = 3600) -> None:
    """As if nobody had heard of the worker, or the message, for so long."""
    then = timezone.now() - timedelta(seconds=seconds)
    Job.objects.filter(pk=job.pk).update(heartbeat_at=then, enqueued_at=then)


def test_work_is_neglected_where_nobody_sees_to_it(job: Job) -> None:
    assert not jobs_neglected()  # it has only just begun to wait

    silence(job)
    assert jobs_neglected()

    claim(job)
    assert not jobs_neglected()

    silence(job)  # its worker is gone, and no sweeper gives it to another
    assert jobs_neglected()

    jobs_sweep()
    assert not jobs_neglected()


def test_of_two_workers_one_gets_the_job(job: Job) -> None:
    assert Job.objects.claim(job.pk, uuid.uuid4())
    assert not Job.objects.claim(job.pk, uuid.uuid4())


def test_a_finished_job_is_not_run_again(job: Job, engine: Engine) -> None:
    del engine
    assert job_run(job_pk=job.pk)
    assert not job_run(job_pk=job.pk)
    assert Draft.objects.count() == 1


def test_starting_twice_gives_the_job_that_waits(job: Job, cast: Cast) -> None:
    same = job_start(kind=Job.Kind(job.kind), assignment=job.assignment, requested_by=cast.ta)

    assert same == job


def test_a_worker_that_was_given_up_cannot_save(job: Job, assignment: Assignment) -> None:
    slow = claim(job)
    silence(job)
    jobs_sweep()

    @transaction.atomic
    def save_late() -> None:
        StoredPyramid.objects.create(
            assignment=assignment, number=1, document={}, content_hash="", signature=""
        )
        slow.finish()

    with pytest.raises(ClaimLostError):
        save_late()
    assert not StoredPyramid.objects.exists()


def test_the_job_of_a_silent_worker_is_queued_again(job: Job) -> None:
    claim(job)
    silence(job)

    assert jobs_sweep() == 1

    job.refresh_from_db()
    assert job.state == Job.State.QUEUED


def test_the_job_of_a_living_worker_is_left_alone(job: Job) -> None:
    claim(job).beat()

    assert jobs_sweep() == 0


def test_a_job_that_kills_its_workers_fails_in_words(job: Job) -> None:
    for _ in range(MOST_TRIES):
        claim(job)
        silence(job)
        jobs_sweep()

    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "stopped 3 times" in job.error


def test_a_forgotten_message_is_sent_again(job: Job) -> None:
    silence(job)

    assert jobs_sweep() == 1
    assert jobs_sweep() == 0


def test_bad_input_fails_with_its_sentence_and_can_be_tried_again(
    job: Job, assignment: Assignment, engine: Engine
) -> None:
    del engine
    assignment.references.all().delete()

    job_run(job_pk=job.pk)

    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "reference" in job.error
    assert job_retry(job=job)
    assert not job_retry(job=job)
    job.refresh_from_db()
    assert (job.state, job.error, job.tries) == (Job.State.QUEUED, "", 0)


def test_our_own_fault_gives_a_code_and_no_details(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Engine:
        raise RuntimeError("a secret path")

    monkeypatch.setattr("grading.pyramids.actions.load_engine", broken)

    job_run(job_pk=job.pk)

    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "our side" in job.error
    assert "secret" not in job.error


def test_progress_is_written_at_most_twice_a_second_but_the_end_always(job: Job) -> None:
    held = claim(job)
    for done in range(101):
        held.progress("Counting", done, 100)

    job.refresh_from_db()
    assert (job.progress_text, job.progress_done, job.progress_total) == ("Counting", 100, 100)


def test_a_job_that_is_gone_while_it_is_done_is_left_alone(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it was about was deleted, and the work breaks because of it."""

    def deleted() -> Engine:
        Job.objects.filter(pk=job.pk).delete()
        raise Draft.DoesNotExist

    monkeypatch.setattr("grading.pyramids.actions.load_engine", deleted)

    assert job_run(job_pk=job.pk)
    assert not Job.objects.exists()


def test_what_waits_since_a_time_to_come_is_seen_to(job: Job) -> None:
    """The clock was set back since."""
    silence(job, seconds=-3600)
    assert jobs_neglected()
    assert jobs_sweep() == 1

    claim(job)
    silence(job, seconds=-3600)
    assert jobs_neglected()
    assert jobs_sweep() == 1
    job.refresh_from_db()
    assert job.state == Job.State.QUEUED


def test_a_process_of_a_time_to_come_does_not_count_as_alive(db: None) -> None:
    assert sweeper_is_late()
    sweeper_beat()
    assert not sweeper_is_late()

    for hours in (-2, 2):
        ProcessPulse.objects.update(seen_at=timezone.now() + timedelta(hours=hours))
        assert sweeper_is_late()
        assert not ProcessPulse.objects.alive().exists()
    assert ProcessPulse.objects.forget() == 1


@pytest.mark.django_db(transaction=True)
def test_a_heart_outlives_a_database_that_is_away(
    job: Job, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.JOB_LEASE_SECONDS = 0.03
    held, beats, enough = claim(job), 0, threading.Event()

    def beat(_: Claim) -> None:
        nonlocal beats
        beats += 1
        if beats == 3:
            enough.set()
        raise OperationalError

    monkeypatch.setattr(Claim, "beat", beat)
    with heart_beating(held):
        assert enough.wait(10)


@pytest.mark.django_db(transaction=True)
def test_a_job_that_the_database_failed_is_done_again_before_it_fails_in_words(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> Engine:
        raise OperationalError("a secret address")

    monkeypatch.setattr("grading.pyramids.actions.load_engine", away)
    for tries in range(1, MOST_TRIES):
        assert job_run(job_pk=job.pk)
        job.refresh_from_db()
        assert (job.state, job.tries) == (Job.State.RUNNING, tries)
        silence(job)
        jobs_sweep()
    assert job_run(job_pk=job.pk)

    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert job.error == ("The database doesn't answer. Try again later, or tell the administrator.")
    assert connection.is_usable()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.django_db(transaction=True)
def test_threads_of_a_worker_leave_its_end_to_the_main_thread(
    job: Job, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a process that ends for a new one can end with the lock of the whole pool."""
    settings.JOB_LEASE_SECONDS = 0.03
    blocked: list[set[signal.Signals]] = []
    both = threading.Barrier(3, timeout=10)

    def beat(*_: object, **__: object) -> None:
        blocked.append({*signal.pthread_sigmask(signal.SIG_BLOCK, [])})  # type: ignore[arg-type]
        both.wait()
        raise SystemExit  # of this thread

    held = claim(job)
    monkeypatch.setattr(Claim, "beat", beat)
    monkeypatch.setattr(type(ProcessPulse.objects), "beat", beat)
    worker_pulse_start()
    with heart_beating(held):
        both.wait()

    assert [signal.SIGTERM in signals for signals in blocked] == [True, True]
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, [])

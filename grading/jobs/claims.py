"""Jobs: starting, claiming, ending, trying again, and picking up what a dead worker left."""

import logging
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import DatabaseError, Error, connection, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from grading.jobs.pulse import leave_signals_to_main_thread
from grading.jobs.turns import queue_of, wake_worker
from grading.models import Assignment, Course, CourseFile, Draft, Job, Submission, User
from grading.models.jobs import MOST_TRIES

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_PROGRESS_WRITES = 0.5
MOST_WAKE_UPS = 20  # of one sweep and queue: more than there are workers


class ClaimLostError(Exception):
    """The job was taken from us (we were thought dead): whatever we have must not be saved."""


@dataclass(slots=True)
class Claim:
    """A worker's claim on a job. Every write through it fails once the claim is lost."""

    job_pk: int
    token: uuid.UUID
    _last_write: float = field(default=0.0, init=False)

    def beat(self, **fields: object) -> None:
        """Tell the world that we are alive; ClaimLostError if nobody is waiting for us."""
        written = Job.objects.claimed_by(self.token, pk=self.job_pk).update(
            heartbeat_at=timezone.now(), **fields
        )
        if not written:
            raise ClaimLostError

    def progress(self, text: str, done: int, total: int) -> None:
        """Say how far we are, at most twice a second."""
        if monotonic() - self._last_write < SECONDS_BETWEEN_PROGRESS_WRITES and done < total:
            return
        self._last_write = monotonic()
        self.beat(progress_text=text[:200], progress_done=done, progress_total=total)

    def finish(self) -> None:
        """End the job well. Call it inside the transaction that saves the result: both or none."""
        self.beat(state=Job.State.DONE, finished_at=timezone.now())

    def fail(self, error: str) -> None:
        """End the job with a sentence for whoever asked for it."""
        self.beat(state=Job.State.FAILED, finished_at=timezone.now(), error=error)


def wake_for(queue: str) -> None:
    """Send the message. Without it the sweeper will, so a broker that is away is no disaster."""
    try:
        wake_worker(queue)
    except (OperationalError, OSError):
        logger.warning("No message broker: jobs of the queue %s wait for the sweeper.", queue)


def _enqueue(job: Job) -> None:
    transaction.on_commit(lambda: wake_for(queue_of(job.lane)))


@transaction.atomic
def job_start(
    *,
    kind: Job.Kind,
    assignment: Assignment,
    requested_by: User | None,
    submission: Submission | None = None,
    draft: Draft | None = None,
    options: Mapping[str, Any] | None = None,
) -> Job:
    """Start a job when the transaction commits, or return the same one that is still waiting.

    With options, each start is a job of its own.
    """
    Assignment.objects.select_for_update().get(pk=assignment.pk)  # one start at a time
    same = Job.objects.filter(kind=kind, assignment=assignment, submission=submission, draft=draft)
    # Locked: a worker cannot claim it, and look, before our transaction is there to be seen.
    if options is None and (
        waiting := same.filter(state=Job.State.QUEUED).select_for_update().first()
    ):
        return waiting
    job = Job.objects.create(
        kind=kind,
        assignment=assignment,
        submission=submission,
        draft=draft,
        options=dict(options or {}),
        requested_by=requested_by,
    )
    _enqueue(job)
    return job


def course_job_start(
    *, kind: Job.Kind, file: CourseFile, requested_by: User, course: Course | None = None
) -> Job:
    """Start a job about a whole course. Call it in the transaction that makes its file."""
    job = Job.objects.create(kind=kind, file=file, course=course, requested_by=requested_by)
    _enqueue(job)
    return job


@transaction.atomic
def job_retry(*, job: Job) -> bool:
    """Put a failed job back into the queue; False if it is not a failed one (any more)."""
    put_back = Job.objects.filter(pk=job.pk, state=Job.State.FAILED).update(
        state=Job.State.QUEUED,
        tries=0,
        error="",
        failures=[],
        progress_text="",
        progress_done=0,
        progress_total=0,
        enqueued_at=timezone.now(),
        finished_at=None,
    )
    if put_back:
        _enqueue(job)
    return bool(put_back)


def job_cancel(*, job: Job) -> bool:
    """End an unfinished job; its worker notices at its next beat, and saves nothing."""
    cancelled = (
        Job.objects.unfinished()
        .filter(pk=job.pk)
        .update(
            state=Job.State.FAILED,
            claim=None,
            finished_at=timezone.now(),
            error="An administrator cancelled this. Try again, or ask the administrator why.",
        )
    )
    return bool(cancelled)


def jobs_sweep() -> int:
    """Give the jobs of dead workers, and those whose message was lost, to a living worker."""
    swept = 0
    for job in Job.objects.silent():
        swept += _requeue(job) if job.tries < MOST_TRIES else _give_up(job)
    for lane in Job.Lane:
        forgotten = Job.objects.forgotten().filter(lane=lane).update(enqueued_at=timezone.now())
        for _ in range(min(forgotten, MOST_WAKE_UPS)):
            wake_for(queue_of(lane))
        swept += forgotten
    return swept


def jobs_neglected() -> bool:
    """For who watches over workers: does none of them do anything, though there is work?

    Where the database does not answer, that is not the workers' fault.
    """
    try:
        return Job.objects.is_neglected()
    except DatabaseError:
        logger.warning("The database does not answer; nothing is known of the jobs.")
        return False


def _requeue(job: Job) -> int:
    claimed = Job.objects.silent().filter(pk=job.pk, claim=job.claim)
    requeued = claimed.update(state=Job.State.QUEUED, claim=None, enqueued_at=timezone.now())
    if requeued:
        logger.warning("The worker of job %s died; the job is queued again.", job.pk)
        wake_for(queue_of(job.lane))
    return requeued


def _give_up(job: Job) -> int:
    return (
        Job.objects.silent()
        .filter(pk=job.pk, claim=job.claim)
        .update(
            state=Job.State.FAILED,
            finished_at=timezone.now(),
            error=(
                f"The worker stopped {job.tries} times while doing this. "
                "One of the texts may be too long for it. Try again, or tell the administrator."
            ),
        )
    )


@contextmanager
def heart_beating(claim: Claim) -> Iterator[None]:
    """Beat from a thread while the block works, since parsing can take longer than the lease."""
    ended = threading.Event()

    def beat() -> None:
        leave_signals_to_main_thread()
        while not ended.wait(settings.JOB_LEASE_SECONDS / 3):
            try:
                claim.beat()
            except ClaimLostError:
                logger.warning("Job %s was taken by another worker.", claim.job_pk)
                return
            except Error:
                logger.warning("Job %s: the database does not take its sign of life.", claim.job_pk)
            finally:
                connection.close()  # the database may be away, or busy, now and back the next time

    thread = threading.Thread(target=beat, daemon=True, name=f"heart of job {claim.job_pk}")
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()

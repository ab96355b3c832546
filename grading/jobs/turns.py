"""Whose turn it is: quick jobs first, then courses and people in rotation, within limits."""

import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from celery import current_app
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Min, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from grading.models import Job, ProcessPulse

QUICK_QUEUE = "quick"
SLOW_QUEUE = "slow"
WAKE_WORKER = "grading.run_next_job"

# Who started jobs in this time lets the others go first.
REMEMBERED = timedelta(minutes=10)
COURSE = Coalesce("assignment__course_id", "course_id")
_CLAIM_LOCK = 0x70797265  # any number that nothing else in the database locks


def queue_of(lane: str) -> str:
    """Name the broker's queue through which workers are woken for jobs of a lane."""
    return QUICK_QUEUE if lane == Job.Lane.QUICK else SLOW_QUEUE


def wake_worker(queue: str) -> None:
    """Ask a worker to do the job whose turn it is. The message does not say which."""
    current_app.send_task(WAKE_WORKER, [queue], queue=queue)


def claim_next(queue: str, token: uuid.UUID) -> Job | None:
    """Claim the job whose turn it is; None if none waits or may start now.

    A worker woken through the slow queue does quick jobs as well, and before all others.
    """
    lanes = [lane for lane in Job.Lane if queue in {SLOW_QUEUE, queue_of(lane)}]
    for lane in lanes:
        for pk, course_pk in _turns(lane):
            if _claim(pk, course_pk, lane, token):
                return Job.objects.get(pk=pk)
    return None


def _turns(lane: str) -> Iterator[tuple[int, int]]:
    """Yield the oldest waiting job of each person in each course, as (job, course), fairest first.

    First comes the course that has started the fewest jobs of this lane lately, then the person.
    """
    jobs = Job.objects.annotate(course_pk=COURSE).filter(lane=lane).order_by()
    recent = Q(state=Job.State.RUNNING) | Q(started_at__gte=timezone.now() - REMEMBERED)
    by_course: Counter[int] = Counter()
    by_person: Counter[tuple[int, int | None]] = Counter()
    started = jobs.filter(recent).values_list("course_pk", "requested_by").annotate(Count("pk"))
    for course_pk, person_pk, count in started:
        by_course[course_pk] += count
        by_person[course_pk, person_pk] += count
    waiting = jobs.filter(state=Job.State.QUEUED)
    for _, _, pk, course_pk in sorted(
        (by_course[course_pk], by_person[course_pk, person_pk], pk, course_pk)
        for course_pk, person_pk, pk in waiting.values_list("course_pk", "requested_by").annotate(
            Min("pk")
        )
    ):
        yield pk, course_pk


@transaction.atomic
def _claim(pk: int, course_pk: int, lane: str, token: uuid.UUID) -> bool:
    if lane != Job.Lane.QUICK:
        _one_claim_at_a_time()
        if not _may_start_slow_job(course_pk):
            return False
    return Job.objects.claim(pk, token)


def _may_start_slow_job(course_pk: int) -> bool:
    """Keep one worker process free for quick jobs, and no course above its limit."""
    running = Job.objects.slow().filter(state=Job.State.RUNNING).annotate(course_pk=COURSE)
    processes = ProcessPulse.objects.alive().filter(kind=ProcessPulse.Kind.WORKER).count()
    return (
        running.count() < max(1, processes - 1)
        and running.filter(course_pk=course_pk).count() < settings.JOBS_PER_COURSE
    )


def _one_claim_at_a_time() -> None:
    """Count and claim with nobody in between. SQLite's transactions wait for each other anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_CLAIM_LOCK])

"""Inside a process of the product: reach the points of a job, and fail there as the plan says.

The plan is a file that the test writes (``planning.py``), and every process reads at each point.
A tiny engine stands in for the language models, so that what starts again is soon at work.
"""

import json
import os
import signal
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import celery
from celery.signals import beat_embedded_init, beat_init, worker_init, worker_process_init
from django.core.signals import request_started
from django.utils import timezone

FOLDER = Path(os.environ["FAULTS_DIR"])

_real_now, _real_time, _real_celery_now = timezone.now, time.time, celery.Celery.now


def prepare() -> None:
    """Set the clock at once; the rest when Django is ready, in every kind of process."""
    timezone.now = lambda: _real_now() + _clock_offset()
    time.time = lambda: _real_time() + _clock_offset().total_seconds()
    celery.Celery.now = lambda app: _real_celery_now(app) + _clock_offset()
    for started in (worker_init, worker_process_init, beat_init, beat_embedded_init):
        started.connect(_install, weak=False)
    request_started.connect(_install, weak=False)


def _clock_offset() -> timedelta:
    try:
        return timedelta(seconds=float((FOLDER / "clock").read_text()))
    except (FileNotFoundError, ValueError):
        return timedelta(0)


def _plan() -> list[dict[str, Any]]:
    try:
        plan: list[dict[str, Any]] = json.loads((FOLDER / "plan.json").read_text())
    except FileNotFoundError:
        return []
    return plan


def reached(point: str, kind: str = "", tries: int = 0) -> None:
    for step in _plan():
        wanted = step["point"], step.get("kind", kind), step.get("tries", tries)
        if wanted == (point, kind, tries):
            _fail(step["fault"])


def _fail(fault: str) -> None:
    if fault == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif fault == "wait":
        (FOLDER / "waiting").touch()
        while not (FOLDER / "go").exists():
            time.sleep(0.05)
    else:
        raise AssertionError(f"No such fault: {fault}")


def _install(**_: object) -> None:
    """Put the points around what a job does. Once: what a process installs, its children have."""
    from grading.jobs import claims, runner, turns  # noqa: PLC0415  (Django is ready only now)
    from grading.models import Job  # noqa: PLC0415
    from grading.scoring import engine  # noqa: PLC0415
    from tests.fakes import fake_engine  # noqa: PLC0415

    if hasattr(runner, "has_points"):
        return
    runner.has_points = True  # type: ignore[attr-defined]
    if tries := os.environ.get("FAULTS_MOST_TRIES"):
        claims.MOST_TRIES = runner.MOST_TRIES = int(tries)  # type: ignore[attr-defined]
    tiny = fake_engine()
    engine._loaded = lambda *_: tiny  # type: ignore[assignment]
    work, progress, finish = runner._work, claims.Claim.progress, claims.Claim.finish
    wake_worker = turns.wake_worker

    def at(point: str, claim: claims.Claim) -> None:
        job = Job.objects.filter(pk=claim.job_pk).only("kind", "tries").get()
        reached(point, job.kind, job.tries)

    def work_with_points(job: Job, claim: claims.Claim) -> None:
        reached("claimed", job.kind, job.tries)
        work(job, claim)
        reached("ended", job.kind, job.tries)

    def progress_with_point(claim: claims.Claim, *args: Any) -> None:
        progress(claim, *args)
        at("working", claim)

    def finish_with_point(claim: claims.Claim) -> None:
        finish(claim)
        at("ending", claim)

    def wake_with_point(queue: str) -> None:
        reached("committed")
        wake_worker(queue)

    runner._work = work_with_points
    for name, method in {"progress": progress_with_point, "finish": finish_with_point}.items():
        setattr(claims.Claim, name, method)
    claims.wake_worker = wake_with_point  # type: ignore[attr-defined]

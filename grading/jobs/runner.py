"""What a worker does with a job: claim it, do the work of its kind, end it well or in words."""

import logging
import pkgutil
import uuid
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from django.db import connection

import grading
from grading.caller import Caller, called_by
from grading.jobs.claims import Claim, ClaimLostError, heart_beating, wake_for
from grading.jobs.turns import SLOW_QUEUE, claim_next
from grading.models import Job
from grading.models.jobs import MOST_TRIES
from grading.outages import outage_of
from grading.pyramid.errors import PyramidError

logger = logging.getLogger(__name__)

Handler = Callable[[Job, Claim], None]
_registered: dict[str, Handler] = {}


def register(kind: Job.Kind, handler: Handler) -> None:
    """Let this function do the jobs of a kind. Each topic does so in its own ``jobs.py``."""
    _registered[kind] = handler


@cache
def handlers() -> dict[str, Handler]:
    """What does the jobs of each kind, from every topic's ``jobs.py``; only workers import them."""
    for topic in pkgutil.iter_modules(grading.__path__):
        name = f"grading.{topic.name}.jobs"
        if topic.ispkg and find_spec(name):
            import_module(name)
    return _registered


def job_run_next(*, queue: str) -> bool:
    """Do the job whose turn it is; False if there was nothing to do."""
    token = uuid.uuid4()
    job = claim_next(queue, token)
    if job is None:
        return False
    try:
        _run(Claim(job.pk, token))
    finally:
        _pass_on(queue)
    return True


def job_run(*, job_pk: int) -> bool:
    """Do this job, even if another is next; False if it is not waiting."""
    claim = Claim(job_pk, uuid.uuid4())
    if not Job.objects.claim(job_pk, claim.token):
        return False
    _run(claim)
    return True


def _pass_on(queue: str) -> None:
    """Wake a worker for slow jobs that limits, or a quick job, held back."""
    if queue == SLOW_QUEUE and Job.objects.slow().filter(state=Job.State.QUEUED).exists():
        wake_for(queue)


def _run(claim: Claim) -> None:
    about = ("assignment", "submission__student", "course", "file", "requested_by")
    job = Job.objects.select_related(*about).get(pk=claim.job_pk)
    caller = Caller(user_pk=job.requested_by_id, job_pk=job.pk)
    try:
        with called_by(caller), heart_beating(claim):
            _work(job, claim)
    except ClaimLostError:
        logger.warning("Job %s: another worker has it, or it is gone; nothing was saved.", job.pk)


def _work(job: Job, claim: Claim) -> None:
    """Do it, or end the job with a sentence on why not; ClaimLostError if it is not ours now."""
    try:
        handlers()[job.kind](job, claim)
    except ClaimLostError:
        raise
    except PyramidError as error:
        claim.fail(str(error))
    except Exception as error:
        reference = claim.token.hex[:8]
        logger.exception("Job %s failed (%s)", job.pk, reference)
        if outage := outage_of(error):
            _stop_for(outage, job, claim)
            return
        claim.fail(
            "Something went wrong on our side. Try again; if it happens again, give the "
            f"administrator this code: {reference}."
        )


def _stop_for(outage: str, job: Job, claim: Claim) -> None:
    """Leave the job to the sweeper, which starts it again; after some tries end it."""
    connection.close()  # it may be the connection that broke
    if job.tries >= MOST_TRIES:
        claim.fail(f"{outage} Try again later, or tell the administrator.")

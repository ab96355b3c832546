"""What a worker does with a job: claim it, do the work of its kind, end it well or in words."""

import logging
import uuid
from collections.abc import Callable

from grading.caller import Caller, called_by
from grading.jobs.claims import Claim, ClaimLostError, heart_beating, wake_for
from grading.jobs.turns import SLOW_QUEUE, claim_next
from grading.models import Job
from grading.pyramid.errors import PyramidError

logger = logging.getLogger(__name__)

Handler = Callable[[Job, Claim], None]
HANDLERS: dict[str, Handler] = {}


def register(kind: Job.Kind, handler: Handler) -> None:
    """Let this function do the jobs of a kind. Each topic does so in its own ``jobs.py``."""
    HANDLERS[kind] = handler


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
        HANDLERS[job.kind](job, claim)
    except ClaimLostError:
        raise
    except PyramidError as error:
        claim.fail(str(error))
    except Exception:
        reference = claim.token.hex[:8]
        logger.exception("Job %s failed (%s)", job.pk, reference)
        claim.fail(
            "Something went wrong on our side. Try again; if it happens again, give the "
            f"administrator this code: {reference}."
        )

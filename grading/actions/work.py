"""What a worker does with a job: claim it, do the work of its kind, end it well or in words."""

import logging
import uuid
from collections.abc import Callable

from grading.actions.analyses import draft_analyse
from grading.actions.course_export import course_export
from grading.actions.course_import import course_import
from grading.actions.effects import effect_foretell
from grading.actions.imports import imports_read
from grading.actions.jobs import Claim, ClaimLostError, heart_beating
from grading.actions.learning import calibrate
from grading.actions.new_ideas import new_ideas_find
from grading.actions.pyramids import pyramid_build
from grading.actions.scores import submissions_score
from grading.actions.signs import signs_find
from grading.models import Job
from grading.pyramid.errors import PyramidError

logger = logging.getLogger(__name__)

WORK: dict[str, Callable[[Job, Claim], None]] = {
    Job.Kind.BUILD_PYRAMID: pyramid_build,
    Job.Kind.SCORE_SUBMISSIONS: submissions_score,
    Job.Kind.ANALYSE_DRAFT: draft_analyse,
    Job.Kind.FORETELL_EFFECT: effect_foretell,
    Job.Kind.EXPORT_COURSE: course_export,
    Job.Kind.IMPORT_COURSE: course_import,
    Job.Kind.FIND_SIGNS: signs_find,
    Job.Kind.FIND_NEW_IDEAS: new_ideas_find,
    Job.Kind.READ_IMPORT: imports_read,
    Job.Kind.CALIBRATE: calibrate,
}


def job_run(*, job_pk: int) -> bool:
    """Do the job if nobody else does; False if there was nothing to do."""
    claim = Claim(job_pk, uuid.uuid4())
    if not Job.objects.claim(job_pk, claim.token):
        return False
    about = ("assignment", "submission__student", "course", "file", "requested_by")
    job = Job.objects.select_related(*about).get(pk=job_pk)
    try:
        with heart_beating(claim):
            _work(job, claim)
    except ClaimLostError:
        logger.warning("Job %s: another worker has it, or it is gone; nothing was saved.", job_pk)
    return True


def _work(job: Job, claim: Claim) -> None:
    """Do it, or end the job with a sentence on why not; ClaimLostError if it is not ours now."""
    try:
        WORK[job.kind](job, claim)
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

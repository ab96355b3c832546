"""What an operator does with jobs of any course."""

from django.db import transaction

from grading.jobs.claims import job_cancel, job_retry
from grading.models import AuditKind, Job, record


@transaction.atomic
def operator_retry(*, job: Job) -> bool:
    """Put a failed job back into the queue; False if it is no longer failed."""
    if not job_retry(job=job):
        return False
    _record(AuditKind.JOB_RETRIED, f"Tried job {job.pk} ({job.kind}) again.", job)
    return True


@transaction.atomic
def operator_cancel(*, job: Job) -> bool:
    """End a waiting or running job; False if it has ended by now."""
    if not job_cancel(job=job):
        return False
    _record(AuditKind.JOB_CANCELLED, f"Cancelled job {job.pk} ({job.kind}).", job)
    return True


def _record(kind: AuditKind, sentence: str, job: Job) -> None:
    record(
        kind,
        sentence,
        course=job.course,
        assignment=job.assignment if job.assignment_id is not None else None,
    )

"""Scoring submissions with the newest pyramid of their assignment."""

from django.db import transaction

from grading.actions.jobs import Claim, job_start
from grading.conversion import pyramid_from_row, score_fields, submission_to_text
from grading.engine import load_engine
from grading.models import Assignment, Job, Score, StoredPyramid, Submission, User
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import score_summaries


def submissions_start_scoring(
    *, assignment: Assignment, requested_by: User | None, submission: Submission | None = None
) -> Job | None:
    """Ask a worker for scores; None while there is nothing to score, or nothing to score with."""
    if StoredPyramid.objects.newest_of(assignment) is None or not assignment.submissions.exists():
        return None
    return job_start(
        kind=Job.Kind.SCORE_SUBMISSIONS,
        assignment=assignment,
        requested_by=requested_by,
        submission=submission,
    )


def submissions_score(job: Job, claim: Claim) -> None:
    """Score what has no score yet by this pyramid and configuration; each is kept as it is made."""
    row = StoredPyramid.objects.newest_of(job.assignment)
    if row is None:
        raise InputError("There is no pyramid yet to score with. Build it first.")
    claim.progress("Loading the language model", 0, 0)
    engine = load_engine()
    waiting = _without_score(job, row, engine.signature)
    reports = score_summaries(
        pyramid_from_row(row),
        [submission_to_text(submission) for submission in waiting],
        engine,
        progress=claim.progress,
    )
    for submission, report in zip(waiting, reports, strict=True):
        with transaction.atomic():
            claim.beat()
            Score.objects.get_or_create(
                submission=submission,
                pyramid=row,
                signature=report.signature,
                defaults=score_fields(report),
            )
    claim.finish()


def _without_score(job: Job, row: StoredPyramid, signature: str) -> list[Submission]:
    submissions = job.assignment.submissions.select_related("student")
    if job.submission is not None:
        submissions = submissions.filter(pk=job.submission.pk)
    scored = Score.objects.filter(pyramid=row, signature=signature)
    return list(submissions.exclude(pk__in=scored.values("submission")).order_by("pk"))

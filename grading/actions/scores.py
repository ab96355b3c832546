"""Scoring submissions with the newest pyramid of their assignment."""

import logging

from django.db import transaction

from grading.actions.corrections import Carrier, corrections_of, score_correct
from grading.actions.jobs import Claim, job_start
from grading.actions.readings import READ_TOGETHER, submissions_report
from grading.actions.signs import signs_refresh
from grading.conversion import pyramid_from_row, score_fields
from grading.engine import load_engine
from grading.models import Assignment, Job, Score, StoredPyramid, Submission, User
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import Engine, prepare_scorer
from grading.pyramid.structures import ScoreReport

logger = logging.getLogger(__name__)


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
    failed = _score_all(waiting, row, engine, claim)
    if job.submission is not None and _is_scored_otherwise(row, engine.signature):
        # The method has changed since: a class is compared by one measure only.
        submissions_start_scoring(assignment=job.assignment, requested_by=None)
    _refresh_signs(job)
    if failed:
        raise InputError(_sentence_about(failed, len(waiting)))
    claim.finish()


def _score_all(
    waiting: list[Submission], row: StoredPyramid, engine: Engine, claim: Claim
) -> list[Submission]:
    """Score in batches; those that cannot be scored are returned."""
    failed: list[Submission] = []
    scorer = prepare_scorer(pyramid_from_row(row), engine)
    carrier = Carrier.to_version(row)
    for start in range(0, len(waiting), READ_TOGETHER):
        claim.progress("Scoring the summaries", start, len(waiting))
        batch = waiting[start : start + READ_TOGETHER]
        reports = submissions_report(submissions=batch, scorer=scorer, engine=engine)
        for submission, report in zip(batch, reports, strict=True):
            if report is None:
                failed.append(submission)
            else:
                _keep(submission, report, carrier, row, claim)
    return failed


@transaction.atomic
def _keep(
    submission: Submission, report: ScoreReport, carrier: Carrier, row: StoredPyramid, claim: Claim
) -> None:
    """The program's score, and where people had corrected it the one with their corrections."""
    claim.beat()
    if not Submission.objects.select_for_update().filter(pk=submission.pk).exists():
        return  # deleted in the meantime
    machine, is_new = Score.objects.get_or_create(
        submission=submission,
        pyramid=row,
        signature=report.signature,
        revision=0,
        defaults=score_fields(report),
    )
    if is_new and (rows := corrections_of([submission]).get(submission.pk)):
        score_correct(machine=machine, carrier=carrier, rows=rows)


def _refresh_signs(job: Job) -> None:
    """Scores stand without them, and a grader can ask for them again."""
    try:
        anew = None if job.submission is None else [job.submission.pk]
        signs_refresh(assignment=job.assignment, anew=anew)
    except Exception:
        logger.exception("Nothing was found out about the signs of assignment %s", job.assignment)


def _sentence_about(failed: list[Submission], waiting: int) -> str:
    """Without names: it is kept, and names may be hidden tomorrow. The queue says who they are."""
    if waiting == 1:
        return "This summary could not be scored. Tell your teacher; nothing of it is lost."
    return (
        f"{len(failed)} of {waiting} summaries could not be scored; all others are. Under "
        "Submissions they stand as failed. The administrator's log says why."
    )


def _is_scored_otherwise(row: StoredPyramid, signature: str) -> bool:
    """Has somebody scores by this pyramid, but only by another method or version?"""
    scores = Score.objects.filter(pyramid=row)
    same = scores.filter(signature=signature)
    return scores.exclude(submission__in=same.values("submission")).exists()


def _without_score(job: Job, row: StoredPyramid, signature: str) -> list[Submission]:
    submissions = job.assignment.submissions.select_related("student")
    if job.submission is not None:
        submissions = submissions.filter(pk=job.submission.pk)
    scored = Score.objects.filter(pyramid=row, signature=signature)
    return list(submissions.exclude(pk__in=scored.values("submission")).order_by("pk"))

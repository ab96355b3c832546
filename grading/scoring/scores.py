"""Scoring submissions, and the experts' summaries, with the newest pyramid of their assignment."""

import logging

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from grading.jobs.claims import Claim, ClaimLostError, job_start
from grading.models import Assignment, ExpertScores, Job, Score, StoredPyramid, Submission, User
from grading.outages import DATABASE_OUTAGES
from grading.pyramid.analysis.quality import ExpertScore, expert_scores
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import ScoreReport
from grading.scoring.conversion import pyramid_from_row, score_fields
from grading.scoring.corrections import Carrier, corrections_of, score_correct
from grading.scoring.engine import engine_for_assignment, load_engine
from grading.scoring.flags import flags_refresh
from grading.scoring.pyramid_readings import kept_scorer
from grading.scoring.readings import submissions_in_batches, submissions_report
from grading.scoring.second_opinions import opinions_start

# What the experts of a version score: found by the worker that scores the class with it.

logger = logging.getLogger(__name__)


def experts_are_missing(version: StoredPyramid) -> bool:
    """Can the experts of the version be compared, and has nobody done it yet? Loads no model."""
    is_comparable = len(version.document.get("references", ())) > 1
    return is_comparable and not ExpertScores.objects.filter(pyramid=version).exists()


def experts_score(*, version: StoredPyramid, engine: Engine, claim: Claim) -> None:
    """Score each reference by the pyramid of the others, once for each way of scoring.

    Students' scores do not wait for it, nor fail with it.
    """
    known = ExpertScores.objects.filter(pyramid=version, signature=engine.signature)
    if known.exists():
        return
    try:
        claim.progress("Scoring the experts' summaries", 0, 0)
        document = {
            score.reference: _numbers(score)
            for score in expert_scores(pyramid_from_row(version), engine)
        }
    except (ClaimLostError, *DATABASE_OUTAGES):
        raise
    except Exception:
        logger.exception("The experts of version %s cannot be scored", version.pk)
        return
    ExpertScores.objects.get_or_create(
        pyramid=version, signature=engine.signature, defaults={"document": document}
    )


def _numbers(expert_score: ExpertScore) -> dict[str, float]:
    report = expert_score.report
    return {
        "comprehensive": report.comprehensive,
        "quality": report.quality,
        "coverage": report.coverage,
    }


# Scoring submissions with the newest pyramid of their assignment.


def submissions_start_scoring(
    *, assignment: Assignment, requested_by: User | None, submission: Submission | None = None
) -> Job | None:
    """Ask a worker for scores; None while there is nothing to score, or nothing to score with.

    With the first scores by a version its experts are scored too.
    """
    version = StoredPyramid.objects.newest_of(assignment)
    if version is None:
        return None
    if not assignment.submissions.exists() and not experts_are_missing(version):
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
        raise InputError("There is no pyramid to score with yet. Build one first.")
    claim.progress("Loading the language model", 0, 0)
    engine = engine_for_assignment(load_engine(), job.assignment)
    submissions = job.assignment.submissions.select_related("student")
    if job.submission is not None:
        submissions = submissions.filter(pk=job.submission.pk)
    waiting = list(_scored_otherwise(submissions, row, engine.signature).order_by("pk"))
    # Score in batches; by submission why one cannot be scored.
    reasons: dict[int, str] = {}
    carrier = Carrier.to_version(row)
    pyramid = pyramid_from_row(row)
    with kept_scorer(assignment_pk=job.assignment.pk, pyramid=pyramid, engine=engine) as scorer:
        for start, batch in submissions_in_batches(submissions=waiting, engine=engine):
            claim.progress("Scoring the summaries", start, len(waiting))
            reports = submissions_report(
                submissions=batch, scorer=scorer, engine=engine, reasons=reasons
            )
            for submission, report in zip(batch, reports, strict=True):
                if report is not None:
                    _keep(submission, report, carrier, row, claim)
        experts_score(version=row, engine=engine, claim=claim)
    scored = Submission.objects.filter(scores__pyramid=row)
    if job.submission is not None and _scored_otherwise(scored, row, engine.signature).exists():
        # The method, rule or version has changed since: a class is compared by one measure only.
        submissions_start_scoring(assignment=job.assignment, requested_by=None)
    # Scores stand without them, and a grader can ask for them again.
    try:
        recheck = None if job.submission is None else [job.submission.pk]
        flags_refresh(assignment=job.assignment, recheck=recheck)
    except DATABASE_OUTAGES:
        raise
    except Exception:
        logger.exception("The flags of assignment %s could not be found", job.assignment)
    opinions_start(assignment=job.assignment, requested_by=None)
    if not reasons:
        claim.finish()
        return
    failures = [{"submission": pk, "reason": reason} for pk, reason in reasons.items()]
    claim.beat(failures=failures)
    raise InputError(_sentence_about(len(failures), len(waiting)))


@transaction.atomic
def _keep(
    submission: Submission, report: ScoreReport, carrier: Carrier, row: StoredPyramid, claim: Claim
) -> None:
    """The program's score, and where people had corrected it the one with their corrections.

    A score by this configuration may be there that is not the newest, as a threshold was set and is
    taken back: a new row makes it the newest again.
    """
    claim.beat()
    same_submission = Submission.objects.filter(pk=submission.pk)
    # Two queries: one that waits for the lock still sees the scores of before it waited.
    locked = same_submission.select_for_update().exists()
    if not (locked and _scored_otherwise(same_submission, row, report.signature).exists()):
        return  # deleted since, or scored
    # Was another rule for matches set since the job was begun? Ask with the submission locked.
    rule = "match_probability", "learnt_curve"
    now = Assignment.objects.filter(pk=submission.assignment.pk).values_list(*rule).first()
    if now != (submission.assignment.match_probability, submission.assignment.learnt_curve):
        return  # what was started with the other rule scores it
    machine, is_new = Score.objects.get_or_create(
        submission=submission,
        pyramid=row,
        signature=report.signature,
        revision=0,
        defaults=score_fields(report),
    )
    rows = corrections_of([submission]).get(submission.pk, [])
    if rows or not is_new:
        score_correct(machine=machine, carrier=carrier, rows=rows, again=not is_new)


def _sentence_about(failed: int, waiting: int) -> str:
    """Without names, which the page of the job adds as far as they may be seen."""
    if waiting == 1:
        return "This summary could not be scored. Tell your instructor. Your text is safe."
    return (
        f"{failed} of {waiting} summaries could not be scored; all others are. Under Submissions "
        "they are marked as failed. Try those again."
    )


def _scored_otherwise(
    submissions: QuerySet[Submission], row: StoredPyramid, signature: str
) -> QuerySet[Submission]:
    """Submissions whose current score by this pyramid has another signature, or is missing."""
    scores = Score.objects.filter(submission=OuterRef("pk"), pyramid=row).order_by("-pk")
    newest = Coalesce(Subquery(scores.values("signature")[:1]), Value(""))
    return submissions.annotate(newest_signature=newest).exclude(newest_signature=signature)

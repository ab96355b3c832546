"""What the experts of a version score: found by the worker that scores the class with it."""

import logging

from grading.jobs.claims import Claim, ClaimLostError
from grading.models import ExpertScores, StoredPyramid
from grading.pyramid.analysis.experts import ExpertScore, expert_scores
from grading.pyramid.pipeline import Engine
from grading.scoring.conversion import pyramid_from_row

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
    except ClaimLostError:
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

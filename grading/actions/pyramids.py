"""Building pyramids."""

from django.db import transaction
from django.db.models import Max

from grading.actions.jobs import Claim, job_start
from grading.actions.scores import submissions_start_scoring
from grading.conversion import pyramid_fields, reference_to_text
from grading.engine import load_engine
from grading.models import Assignment, Job, StoredPyramid, User
from grading.pyramid.pipeline import build_pyramid


def pyramid_start_build(*, assignment: Assignment, requested_by: User) -> Job:
    """Ask a worker to build the pyramid; while one is being built, that one is meant."""
    kind = Job.Kind.BUILD_PYRAMID
    running = assignment.jobs.filter(kind=kind).filter(pk__in=Job.objects.unfinished()).first()
    return running or job_start(kind=kind, assignment=assignment, requested_by=requested_by)


def pyramid_build(job: Job, claim: Claim) -> None:
    """Build a pyramid from the references as they are now, keep it, and score the class with it."""
    assignment = job.assignment
    references = [reference_to_text(reference) for reference in assignment.references.all()]
    claim.progress("Loading the language model", 0, 0)
    pyramid = build_pyramid(references, load_engine(), progress=claim.progress)
    with transaction.atomic():
        # Who hands in right now waits for us, or we see it: nobody falls between.
        Assignment.objects.select_for_update().get(pk=assignment.pk)
        claim.finish()
        newest = assignment.pyramids.aggregate(newest=Max("number"))["newest"] or 0
        StoredPyramid.objects.create(
            assignment=assignment,
            number=newest + 1,
            created_by=job.requested_by,
            **pyramid_fields(pyramid),
        )
        submissions_start_scoring(assignment=assignment, requested_by=job.requested_by)

"""Work in the background."""

from django.core.exceptions import PermissionDenied
from django.http import Http404

from grading.access.assignments import get_assignment_for
from grading.access.submissions import get_sight_of
from grading.models import (
    Job,
    Membership,
    User,
)


def get_job_for(user: User, job_pk: int) -> tuple[Job, Membership]:
    """A job: for the graders of its course, and for the student whose submission it is about.

    While a result is unreleased, its student finds no job about it either.
    """
    rows = Job.objects.select_related("assignment", "submission").exclude(assignment=None)
    job = rows.filter(pk=job_pk).first()
    if job is None:
        raise Http404("No such job.")
    assignment, membership = get_assignment_for(user, job.assignment.pk)
    own = job.submission is not None and job.submission.student_id == user.pk
    if not own and not membership.is_grader:
        raise PermissionDenied("Only instructors and teaching assistants can see this job.")
    job.assignment = assignment
    if job.submission is not None:
        job.submission.assignment = assignment
        if not get_sight_of(job.submission, membership).shown:
            raise Http404("No such job.")
    return job, membership

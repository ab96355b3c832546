"""Jobs: the panel that a page requests again and again while a worker is busy."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from grading import access
from grading.access.hidden_names import hide_names
from grading.jobs.claims import job_retry
from grading.models import Job, Submission
from grading.web.assignment_rules import describe_submission
from grading.web.rendering import (
    SignedInRequest,
    asks_for_parts,
    refresh_page,
    render_part,
)

PAGES_AFTER_RETRY: dict[str, str] = {
    Job.Kind.READ_IMPORT: "submission_import",
    Job.Kind.CALIBRATE: "calibration",
    Job.Kind.SECOND_OPINIONS: "class_opinions",
}


@require_safe
def job(request: SignedInRequest, pk: int) -> HttpResponse:
    """The panel; once the job is done, the whole page that shows it is loaded again."""
    job, membership = access.get_job_for(request.user, pk)
    is_part = asks_for_parts(request)
    context = {
        "job": job,
        "assignment": job.assignment,
        "membership": membership,
        "failed": [] if is_part else _failed_submissions(job),
    }
    panel = render_part(
        request, "grading/progress/_job.html", "grading/progress/detail.html", context
    )
    if not job.is_done:
        return panel
    if is_part and job.scores_a_class:
        messages.success(request, "Every submission is scored.")
    elif is_part and job.submission and membership.is_student:
        # The message that confirmed the submission disappears when the page is loaded again.
        messages.success(request, describe_submission(job.submission, request.user.zone))
    return refresh_page(request, panel)


@require_POST
def job_try_again(request: SignedInRequest, pk: int) -> HttpResponse:
    job, _ = access.get_job_for(request.user, pk)
    if not job_retry(job=job):
        messages.info(request, "Somebody has already started it again.")
    if job.submission_id is not None:
        return redirect("submission", job.submission_id)
    return redirect(PAGES_AFTER_RETRY.get(job.kind, "assignment"), job.assignment_id)


def _failed_submissions(job: Job) -> list[tuple[Submission, str]]:
    """What could not be scored and why, by student; under pseudonyms where names are hidden."""
    reasons = {row["submission"]: row["reason"] for row in job.failures}
    if not reasons:
        return []
    submissions = list(Submission.objects.filter(pk__in=reasons).select_related("student"))
    hide_names(job.assignment, submissions)
    submissions.sort(key=lambda submission: submission.student.sort_key)
    return [(submission, reasons[submission.pk]) for submission in submissions]

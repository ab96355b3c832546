"""Jobs: the panel that a page asks for again and again while work is going on."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from grading import access
from grading.access.hidden_names import hide_names
from grading.jobs.claims import job_retry
from grading.models import Job, Submission
from grading.submissions.page import told_handed_in
from grading.web.rendering import (
    SignedInRequest,
    asks_for_parts,
    refresh_page,
    render_part,
)


@require_safe
def job(request: SignedInRequest, pk: int) -> HttpResponse:
    """The panel; once the job is done, the whole page that shows it is loaded again."""
    job, membership = access.get_job_for(request.user, pk)
    context = {
        "job": job,
        "assignment": job.assignment,
        "membership": membership,
        "failed": [] if asks_for_parts(request) else _failed(job),
    }
    panel = render_part(
        request, "grading/progress/_job.html", "grading/progress/detail.html", context
    )
    if not job.is_done:
        return panel
    if asks_for_parts(request) and job.scores_a_class:
        messages.success(request, "Everyone who has handed in is scored.")
    elif asks_for_parts(request) and job.submission and membership.is_student:
        # What confirmed the handing in is gone with the page that is loaded again.
        messages.success(request, told_handed_in(job.submission, request.user.zone))
    return refresh_page(request, panel)


@require_POST
def job_try_again(request: SignedInRequest, pk: int) -> HttpResponse:
    job, _ = access.get_job_for(request.user, pk)
    if not job_retry(job=job):
        messages.info(request, "Somebody has started it again already.")
    if job.submission_id is not None:
        return redirect("submission", job.submission_id)
    return redirect(_PAGES.get(job.kind, "assignment"), job.assignment_id)


_PAGES: dict[str, str] = {
    Job.Kind.READ_IMPORT: "submission_import",
    Job.Kind.CALIBRATE: "calibration",
}


def _failed(job: Job) -> list[tuple[Submission, str]]:
    """What could not be scored and why, by student, under pseudonyms where names are hidden."""
    reasons = {row["submission"]: row["reason"] for row in job.failures}
    if not reasons:
        return []
    found = list(Submission.objects.filter(pk__in=reasons).select_related("student"))
    hide_names(job.assignment, found)
    found.sort(key=lambda submission: submission.student.sort_key)
    return [(submission, reasons[submission.pk]) for submission in found]

"""The operator's page: is everything there, what waits, who works, what failed."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from grading import access
from grading.models import ProcessPulse
from grading.operations.actions import operator_cancel, operator_retry
from grading.operations.queries import (
    durations,
    failed_jobs,
    jobs_waiting,
    unfinished_jobs,
)
from grading.operations.readiness import messages_waiting, readiness
from grading.web.rendering import SignedInRequest, render_page

UNFINISHED_SHOWN = 100
FAILED_A_PAGE = 25


@require_safe
def operations(request: SignedInRequest) -> HttpResponse:
    access.get_operator(request.user)
    unfinished = unfinished_jobs()
    context = {
        "checks": readiness(),
        "messages_waiting": messages_waiting(),
        "waiting": jobs_waiting(),
        "durations": durations(),
        "workers": ProcessPulse.objects.alive().filter(kind=ProcessPulse.Kind.WORKER),
        "unfinished": unfinished[:UNFINISHED_SHOWN],
        "unfinished_count": unfinished.count(),
        "page": Paginator(failed_jobs(), FAILED_A_PAGE).get_page(request.GET.get("page")),
        "now": timezone.now(),
    }
    return render_page(request, "grading/operations/detail.html", context)


@require_POST
def job_retry(request: SignedInRequest, pk: int) -> HttpResponse:
    if operator_retry(job=access.get_operated_job(request.user, pk)):
        messages.success(request, f"Job {pk} waits for a worker again.")
    else:
        messages.info(request, f"Job {pk} is no longer failed.")
    return redirect("operations")


@require_POST
def job_cancel(request: SignedInRequest, pk: int) -> HttpResponse:
    if operator_cancel(job=access.get_operated_job(request.user, pk)):
        messages.success(request, f"Job {pk} cancelled. Its worker saves nothing more.")
    else:
        messages.info(request, f"Job {pk} ended before you cancelled it.")
    return redirect("operations")

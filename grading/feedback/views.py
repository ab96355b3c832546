"""Submissions: what came of them, and what their students see of that."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading import access
from grading.calibration.views import blind_notice
from grading.feedback.page import as_student, page_of, preview_asked
from grading.queue.page_bar import queue_bar
from grading.web.rendering import SignedInRequest, asks_for_parts, refresh_page, render_page

PAGE = "grading/feedback/detail.html"


@require_safe
def submission(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership = access.get_submission_for(request.user, pk)
    if notice := blind_notice(request, submission, membership):
        return notice
    page = page_of(submission, membership, access.get_sight_of(submission, membership))
    if asks_for_parts(request):  # a page that waits for its scores asks whether they are there
        still_waiting = HttpResponse(status=204)
        waits = page.get("class_is_scored") and not page["score"]
        return still_waiting if waits else refresh_page(request, still_waiting)
    if membership.is_grader:
        page |= queue_bar(request, submission)
    return render_page(request, PAGE, page)


@require_safe
def submission_as_student(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, grader = access.get_graded_submission_for(request.user, pk)
    preview = preview_asked(request.GET)
    page = page_of(submission, as_student(submission, grader), preview.sight(submission))
    return render_page(request, PAGE, page | {"preview": preview, "asks": False})

"""A submission with its feedback, two attempts compared, and the data of a person."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from grading import access
from grading.feedback.comparison import compare_attempts
from grading.feedback.forms import AttemptsForm
from grading.feedback.own_data import own_data_summary, own_work_of
from grading.feedback.page import Preview, SentenceChoice, submission_page
from grading.models import AuditKind, Membership, Role, Submission, record
from grading.pyramid.formats.my_work import my_work_zip
from grading.web.blind import blind_notice
from grading.web.downloads import ZIP, render_file
from grading.web.rendering import (
    SignedInRequest,
    asks_for_parts,
    refresh_page,
    render_form_page,
    render_page,
    render_part,
)

PAGE = "grading/feedback/detail.html"


@require_safe
def submission(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership = access.get_submission_for(request.user, pk)
    if notice := blind_notice(request, submission, membership):
        return notice
    sight = access.get_sight_of(submission, membership)
    context = submission_page(submission, membership, sight)
    if context["feedback"] and (not asks_for_parts(request) or "sentence" in request.GET):
        return _render_feedback(request, context)
    if asks_for_parts(request):  # a page without scores asks every few seconds whether they exist
        still_waiting = HttpResponse(status=204)
        waits = context.get("class_is_scored") and not context["score"]
        return still_waiting if waits else refresh_page(request, still_waiting)
    return render_page(request, PAGE, context)


@require_safe
def submission_as_student(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, grader = access.get_graded_submission_for(request.user, pk)
    preview = Preview.from_query(request.GET)
    # Never saved; the student may have left the course.
    student = Membership(course=grader.course, user=submission.student, role=Role.STUDENT)
    context = submission_page(submission, student, preview.sight(submission))
    context |= {"preview": preview, "asks": False}
    if context["feedback"]:
        return _render_feedback(request, context)
    return render_page(request, PAGE, context)


def _render_feedback(request: SignedInRequest, context: dict[str, Any]) -> HttpResponse:
    """The page, or for a script what was found in the chosen sentence."""
    context |= SentenceChoice.from_query(request.GET).context(context["feedback"])
    if context["chosen"]:
        return render_part(request, "grading/feedback/_chosen.html", PAGE, context)
    return render_page(request, PAGE, context)


@require_safe
def attempts_compare(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership = access.get_submission_for(request.user, pk)
    rows = Submission.objects.attempts_of(submission.assignment, submission.student)
    attempts = list(rows.order_by("attempt"))
    for attempt in attempts:
        attempt.assignment, attempt.student = submission.assignment, submission.student
    form = AttemptsForm(request.GET, attempts=attempts, this=submission)
    context = {
        "assignment": submission.assignment,
        "membership": membership,
        "submission": submission,
        "attempts": attempts,
        "form": form,
    }
    chosen = form.chosen() if len(attempts) > 1 else None
    if chosen:
        context |= compare_attempts(*chosen, attempts, membership)
    return render_form_page(request, "grading/feedback/compare_attempts.html", context)


@require_safe
def own_data(request: SignedInRequest) -> HttpResponse:
    return render_page(request, "grading/feedback/own_data.html", own_data_summary(request.user))


@require_safe
def own_data_file(request: SignedInRequest) -> HttpResponse:
    content = my_work_zip(own_work_of(request.user))
    record(AuditKind.EXPORTED, "Downloaded all of their own work.")
    return render_file(content, "my-work.zip", ZIP)

"""Submissions: handing in, and what came of it."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from grading import access
from grading.actions.summaries import submission_submit
from grading.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.forms.submissions import SubmissionForm
from grading.models import Job, Submission
from grading.views.feedback import feedback_of
from grading.views.rendering import SignedInRequest, render_form_page, render_page


@require_http_methods(["GET", "POST"])
def submit(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_submittable_assignment_for(request.user, pk)
    if request.method == "GET":  # who had to log in again in mid-way arrives here
        return redirect("assignment", pk)
    if not assignment.is_open:
        raise PermissionDenied("This assignment is closed: nothing can be handed in any more.")
    attempts = list(Submission.objects.attempts_of(assignment, request.user))
    latest = attempts[0] if attempts else None
    form = SubmissionForm(request.POST, assignment=assignment, latest=latest)
    if form.is_valid():
        submission = submission_submit(
            assignment=assignment, student=request.user, text=form.cleaned_data["text"]
        )
        messages.success(request, f"Handed in: attempt {submission.attempt}.")
        return redirect("submission", submission.pk)
    context = {
        "assignment": assignment,
        "membership": membership,
        "attempts": attempts,
        "form": form,
    }
    return render_form_page(request, "grading/assignments/student.html", context)


@require_safe
def submission(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership = access.get_submission_for(request.user, pk)
    assignment = submission.assignment
    score = access.get_score_for(submission, membership)
    context = {
        "assignment": assignment,
        "membership": membership,
        "submission": submission,
        "attempts": Submission.objects.attempts_of(assignment, submission.student),
        "score": score,
        "withheld": not access.may_see_result(submission, membership),
        "job": Job.objects.latest_scoring(submission, of_the_class=membership.is_grader)
        if score is None
        else None,
        "feedback": feedback_of(
            submission_to_text(submission), pyramid_from_row(score.pyramid), report_from_row(score)
        )
        if score
        else None,
    }
    return render_page(request, "grading/submissions/detail.html", context)

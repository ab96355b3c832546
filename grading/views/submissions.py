"""Submissions: handing in, and what came of it."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from grading import access
from grading.actions.summaries import submission_submit
from grading.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.forms import SubmissionForm
from grading.models import Job
from grading.views.feedback import feedback_of
from grading.views.rendering import SignedInRequest, render_form_page, render_page


@require_POST
def submit(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_submittable_assignment_for(request.user, pk)
    if not assignment.is_open:
        raise PermissionDenied("This assignment is closed: nothing can be handed in any more.")
    form = SubmissionForm(request.POST, assignment=assignment)
    if form.is_valid():
        submission = submission_submit(
            assignment=assignment, student=request.user, text=form.cleaned_data["text"]
        )
        messages.success(request, f"Handed in: attempt {submission.attempt}.")
        return redirect("submission", submission.pk)
    context = {
        "assignment": assignment,
        "membership": membership,
        "attempts": list(assignment.submissions.filter(student=request.user)),
        "form": form,
    }
    return render_form_page(request, "grading/assignments/student.html", context)


@require_GET
def submission(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership = access.get_submission_for(request.user, pk)
    score = access.get_score_for(submission, membership)
    context = {
        "assignment": submission.assignment,
        "membership": membership,
        "submission": submission,
        "score": score,
        "withheld": not access.may_see_result(submission, membership),
        "job": Job.objects.latest_scoring(submission) if score is None else None,
        "feedback": feedback_of(
            submission_to_text(submission), pyramid_from_row(score.pyramid), report_from_row(score)
        )
        if score
        else None,
    }
    return render_page(request, "grading/submissions/detail.html", context)

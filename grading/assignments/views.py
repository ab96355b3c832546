"""Assignments: the page that everyone starts from, and its settings."""

from copy import copy

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.assignments.actions import LateChanged, assignment_change
from grading.assignments.forms import AssignmentForm, StateForm
from grading.models import Assignment, Draft, Job, Membership, StoredPyramid
from grading.pyramid.figures import number_of
from grading.scoring.conversion import is_outdated
from grading.scoring.score_changes import MethodChange, notice_for
from grading.second_looks.views_answers import waiting_second_looks
from grading.submissions.page import StudentPage
from grading.submissions.page_rules import rules_of
from grading.web.rendering import SignedInRequest, render_form_page, render_page


@require_http_methods(["GET", "POST"])
def assignment_new(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_instructor_membership_for(request.user, pk)
    form = AssignmentForm(request.POST or None, course=membership.course)
    if form.is_valid():
        assignment = form.save()
        messages.success(request, "The assignment is made. Now add reference summaries.")
        _remark(request, form)
        return redirect("references", assignment.pk)
    context = {"form": form, "membership": membership, "course": membership.course}
    return render_form_page(request, "grading/assignments/form.html", context)


@require_http_methods(["GET", "POST"])
def assignment_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    form = AssignmentForm(request.POST or None, instance=copy(assignment), course=assignment.course)
    if form.is_valid():
        late = assignment_change(assignment=form.save(commit=False))
        messages.success(request, f"The assignment is saved.{_told_late(late)}")
        _remark(request, form)
        return redirect("assignment", pk)
    context = {"form": form, "membership": membership, "assignment": assignment}
    return render_form_page(request, "grading/assignments/settings.html", context)


def _told_late(late: LateChanged) -> str:
    """What a changed due date did to what was handed in."""
    parts = []
    if late.no_more:
        parts.append(f"{number_of(late.no_more, 'attempt')} no longer late")
    if late.now:
        parts.append(f"{number_of(late.now, 'attempt')} late now")
    return f" By its due date: {', '.join(parts)}." if parts else ""


def _remark(request: SignedInRequest, form: AssignmentForm) -> None:
    for remark in form.remarks():
        messages.warning(request, remark)


@require_POST
def assignment_state(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    form = StateForm(request.POST)
    if form.is_valid():
        assignment.state = Assignment.State(form.cleaned_data["state"])
        assignment.save(update_fields=["state"])
        messages.success(request, _STATE_SENTENCES[Assignment.State(assignment.state)])
        if assignment.is_open and StoredPyramid.objects.newest_of(assignment) is None:
            messages.warning(
                request, "Nobody is scored until a version of the pyramid is published."
            )
    else:
        messages.error(request, "An assignment is a draft, open or closed.")
    return redirect("assignment", pk)


_STATE_SENTENCES = {
    Assignment.State.DRAFT: "The assignment is a draft again: students do not see it.",
    Assignment.State.OPEN: "The assignment is open: students can hand in.",
    Assignment.State.CLOSED: "The assignment is closed: nobody can hand in any more.",
}


@require_safe
def assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_assignment_for(request.user, pk)
    if membership.is_grader:
        return render_page(
            request, "grading/assignments/overview.html", _overview(assignment, membership)
        )
    return render_page(
        request, "grading/submissions/student.html", StudentPage(assignment, membership).context()
    )


def _overview(assignment: Assignment, membership: Membership) -> dict[str, object]:
    job = Job.objects.latest_to_show(assignment)  # first: a worker may end while we look
    pyramid = StoredPyramid.objects.newest_of(assignment)
    return {
        "assignment": assignment,
        "membership": membership,
        "references": assignment.references.count(),
        "pyramid": pyramid,
        "outdated": pyramid is not None and is_outdated(pyramid, assignment),
        "draft": Draft.objects.open_of(assignment).first(),
        "looked_through": assignment.reviews.exclude(looked_at=None).count(),
        "students_submitted": assignment.submissions.latest_attempts().count(),
        "second_looks_waiting": waiting_second_looks(assignment),
        "rules": rules_of(assignment, None, membership),
        "job": job,
        "method_change": _method_change(assignment, membership, job),
    }


def _method_change(
    assignment: Assignment, membership: Membership, job: Job | None
) -> MethodChange | None:
    """For instructors, once all scores are calculated again."""
    if job is not None or not membership.is_instructor:
        return None
    return notice_for(assignment)

"""Assignments: their page, settings and state, changes of scores, and the release of results."""

from collections.abc import Sequence
from copy import copy
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.assignments.actions import (
    Released,
    assignment_change,
    submissions_release,
)
from grading.assignments.forms import (
    SETTINGS,
    NewAssignmentForm,
    ReleaseForm,
    StateForm,
    TaskForm,
)
from grading.assignments.page import overview_context, settings_context
from grading.models import (
    Assignment,
    Membership,
    StoredPyramid,
    Submission,
    SubmissionEvent,
)
from grading.pyramid.errors import InputError
from grading.pyramid.figures import number_of
from grading.scoring.lateness import LateChanged
from grading.scoring.queue_rows import queue_rows, unreviewed_of
from grading.scoring.results import StudentResult, class_results
from grading.scoring.score_changes import (
    changed_results,
    method_change_dismiss,
    method_change_of,
)
from grading.web.destinations import join_link
from grading.web.rendering import SignedInRequest, render_form_page, render_page

STUDENTS_A_PAGE = 50
SHOWN, HELD_BACK, RULE = (
    Submission.Visibility.SHOWN,
    Submission.Visibility.HELD_BACK,
    Submission.Visibility.RULE,
)
_KINDS = (
    SubmissionEvent.Kind.RELEASED,
    SubmissionEvent.Kind.HELD_BACK,
    SubmissionEvent.Kind.BY_RULE,
)


@require_http_methods(["GET", "POST"])
def assignment_new(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_instructor_membership_for(request.user, pk)
    form = NewAssignmentForm(request.POST or None, course=membership.course)
    if form.is_valid():
        assignment = form.save()
        messages.success(request, "Assignment created. Next, add the experts' summaries.")
        return redirect("references", assignment.pk)
    context = {"form": form, "membership": membership, "course": membership.course}
    return render_form_page(request, "grading/assignments/form.html", context)


@require_http_methods(["GET", "POST"])
def assignment_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """The settings; each section is a form of its own and says in ``section`` which one it is."""
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    sent = request.POST.get("section", "") if request.method == "POST" else None
    forms = {
        kind.section: kind(
            request.POST if kind.section == sent else None, instance=copy(assignment)
        )
        for kind in SETTINGS
    }
    form = forms.get(TaskForm.section if sent is None else sent)
    if form is None:
        raise InputError("This form is out of date. Reload the settings and try again.")
    if form.is_valid():
        late = assignment_change(assignment=form.instance, fields=form.changed_data)
        messages.success(request, f"{form.heading}: saved.{_late_message(late)}")
        for remark in form.remarks():
            messages.warning(request, remark)
        return redirect("assignment_edit", pk)
    context = settings_context(assignment, membership, forms) | {"form": form}
    return render_form_page(request, "grading/assignments/settings.html", context)


def _late_message(late: LateChanged) -> str:
    """Say which attempts a changed due date made late, or no longer late."""
    parts = []
    if late.no_more:
        parts.append(f"{number_of(late.no_more, 'attempt')} no longer late")
    if late.now:
        parts.append(f"{number_of(late.now, 'attempt')} late now")
    return f" By its due date: {', '.join(parts)}." if parts else ""


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
    Assignment.State.DRAFT: "The assignment is a draft again: students can't see it.",
    Assignment.State.OPEN: "The assignment is open: students can submit.",
    Assignment.State.CLOSED: "The assignment is closed: students can't submit.",
}


def assignment_overview(
    request: SignedInRequest, assignment: Assignment, membership: Membership
) -> HttpResponse:
    """The page of an assignment for graders; students get ``submissions.views.student_page``."""
    context = overview_context(assignment, membership) | {
        "join_link": join_link(request, assignment.course),
    }
    return render_page(request, "grading/assignments/overview.html", context)


# --- changes of scores ---


@require_safe
def score_changes(request: SignedInRequest, pk: int) -> HttpResponse:
    """What changed in the scores when a new version of the method calculated them."""
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    change = method_change_of(assignment)
    context = {
        "assignment": assignment,
        "membership": membership,
        "change": change,
        "rows": changed_results(assignment, change) if change else [],
    }
    return render_page(request, "grading/assignments/score_changes.html", context)


@require_POST
def score_changes_dismiss(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    method_change_dismiss(assignment=assignment, method=request.POST.get("method", ""))
    return redirect("assignment", pk)


# --- release ---


@require_http_methods(["GET", "POST"])
def release(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    attempts = ClassAttempts(assignment, class_results(assignment))
    form = ReleaseForm(
        request.POST or None,
        assignment=assignment,
        handed_in=attempts.handed_in,
        waiting=attempts.waiting,
    )
    if form.is_valid():
        visibility = form.cleaned_data["what"]
        released = submissions_release(
            assignment=assignment,
            students=form.cleaned_data["students"],
            visibility=visibility,
            author=request.user,
            only_waiting=form.only_waiting,
        )
        messages.success(request, _release_message(visibility, released))
        page = request.GET.get("page", "")
        address = reverse("release", args=[pk])
        return redirect(f"{address}?page={page}" if page.isdigit() else address)
    context = _release_context(assignment, membership, attempts, request.GET.get("page"))
    chosen = request.POST.getlist("students")
    return render_form_page(
        request, "grading/assignments/release.html", context | {"form": form, "chosen": chosen}
    )


def _release_message(visibility: Submission.Visibility, released: Released) -> str:
    if not released.attempts:
        return "Nothing changed, because this was already set."
    who = f"{number_of(released.students, 'student')} ({number_of(released.attempts, 'attempt')})"
    return {
        SHOWN: f"Released to {who}. Texts that aren't scored yet are shown when they are.",
        HELD_BACK: f"Held back from {who}: no scores and no feedback until you release them.",
        RULE: f"The assignment's rule applies again to {who}.",
    }[visibility]


class ClassAttempts:
    """What the students of the course have submitted, and whose results wait for a release."""

    def __init__(self, assignment: Assignment, results: Sequence[StudentResult]) -> None:
        self.results = [result for result in results if result.submission is not None]
        self.absent = len(results) - len(self.results)
        students = {result.student.pk for result in self.results}
        rows = assignment.submissions.order_by("attempt").values_list("student", "visibility")
        self._visibilities: dict[int, list[str]] = {}
        for student, visibility in rows:
            if student in students:
                self._visibilities.setdefault(student, []).append(visibility)
        self._wait_by_rule = {pk for pk in students if not assignment.shows_results_to(pk)}

    @property
    def handed_in(self) -> frozenset[int]:
        return frozenset(self._visibilities)

    @property
    def waiting(self) -> frozenset[int]:
        """Students with an attempt that nobody has released or held back, and no rule shows."""
        return frozenset(student for student in self._visibilities if self.waiting_of(student))

    @property
    def waiting_attempts(self) -> int:
        return sum(map(self.waiting_of, self._visibilities))

    @property
    def waiting_since(self) -> int:
        """How many students have submitted again after something of theirs was released."""
        return sum(
            SHOWN in several and RULE in several[several.index(SHOWN) :]
            for student, several in self._visibilities.items()
            if student in self._wait_by_rule
        )

    def waiting_of(self, student: int) -> int:
        return self._visibilities[student].count(RULE) if student in self._wait_by_rule else 0

    def of(self, student: int) -> int:
        return len(self._visibilities[student])


def _release_context(
    assignment: Assignment, membership: Membership, attempts: ClassAttempts, page: str | None
) -> dict[str, Any]:
    shown: Page[StudentResult] = Paginator(attempts.results, STUDENTS_A_PAGE).get_page(page)
    submissions = [result.submission.pk for result in shown if result.submission]
    events = SubmissionEvent.objects.filter(submission__in=submissions, kind__in=_KINDS)
    last_events = {
        event.submission_id: event for event in events.select_related("author").order_by("pk")
    }
    return {
        "assignment": assignment,
        "membership": membership,
        "attempts": attempts,
        "page": shown,
        "rows": [
            {
                "student": result.student,
                "result": result,
                "attempts": attempts.of(result.student.pk),
                "waiting": attempts.waiting_of(result.student.pk),
                # Who released it or held it back last, for the attempt that counts.
                "event": last_events.get(result.submission.pk) if result.submission else None,
            }
            for result in shown
        ],
        "unreviewed": unreviewed_of(queue_rows(assignment)),
        "missed_now": Submission(assignment=assignment).student_sight.missed,
    }

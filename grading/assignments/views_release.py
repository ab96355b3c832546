"""Who sees their results: what the rule says, what was said by hand, and saying it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from grading import access
from grading.assignments.actions_release import Released, submissions_release
from grading.assignments.forms_release import ReleaseForm
from grading.models import Assignment, Membership, Submission, SubmissionEvent, User
from grading.pyramid.figures import number_of
from grading.scoring.results import StudentResult, class_results
from grading.web.rendering import SignedInRequest, render_form_page

STUDENTS_A_PAGE = 50
SHOWN, HELD, RULE = (
    Submission.Visibility.SHOWN,
    Submission.Visibility.HELD,
    Submission.Visibility.RULE,
)
_KINDS = (
    SubmissionEvent.Kind.RELEASED,
    SubmissionEvent.Kind.HELD,
    SubmissionEvent.Kind.BY_RULE,
)


@require_http_methods(["GET", "POST"])
def release(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    attempts = ClassAttempts(assignment, class_results(assignment))
    form = ReleaseForm(request.POST or None, handed_in=attempts.handed_in, waiting=attempts.waiting)
    if form.is_valid():
        _release(request, assignment, form)
        page = request.GET.get("page", "")
        address = reverse("release", args=[pk])
        return redirect(f"{address}?page={page}" if page.isdigit() else address)
    context = _context(assignment, membership, attempts, request.GET.get("page"))
    chosen = request.POST.getlist("students")
    return render_form_page(
        request, "grading/assignments/release.html", context | {"form": form, "chosen": chosen}
    )


def _release(request: SignedInRequest, assignment: Assignment, form: ReleaseForm) -> None:
    what = form.cleaned_data["what"]
    released = submissions_release(
        assignment=assignment,
        students=form.cleaned_data["students"],
        visibility=what,
        author=request.user,
        only_waiting=form.only_waiting,
    )
    messages.success(request, _told(what, released))


def _told(what: Submission.Visibility, released: Released) -> str:
    if not released.attempts:
        return "Nothing changed: this was so already."
    who = f"{number_of(released.students, 'student')} ({number_of(released.attempts, 'attempt')})"
    return {
        SHOWN: f"Released to {who}. What is not scored yet is shown as soon as it is.",
        HELD: f"Held back from {who}: no scores and no feedback until they are released.",
        RULE: f"The rule of the assignment holds again for {who}.",
    }[what]


class ClassAttempts:
    """What was handed in by those who are in the course, and what of it waits."""

    def __init__(self, assignment: Assignment, results: Sequence[StudentResult]) -> None:
        self.results = [result for result in results if result.submission is not None]
        self.absent = len(results) - len(self.results)
        here = {result.student.pk for result in self.results}
        rows = assignment.submissions.order_by("attempt").values_list("student", "visibility")
        self._said: dict[int, list[str]] = {}
        for student, visibility in rows:
            if student in here:
                self._said.setdefault(student, []).append(visibility)
        self._waits_by_rule = not assignment.shows_results

    @property
    def handed_in(self) -> frozenset[int]:
        return frozenset(self._said)

    @property
    def waiting(self) -> frozenset[int]:
        """Students with an attempt that nobody has released or held back, and no rule shows."""
        return frozenset(student for student in self._said if self.waiting_of(student))

    @property
    def waiting_attempts(self) -> int:
        return sum(map(self.waiting_of, self._said))

    @property
    def waiting_since(self) -> int:
        """How many students have handed in again after something of theirs was released."""
        return sum(
            self._waits_by_rule and SHOWN in said and RULE in said[said.index(SHOWN) :]
            for said in self._said.values()
        )

    def waiting_of(self, student: int) -> int:
        return self._said[student].count(RULE) if self._waits_by_rule else 0

    def of(self, student: int) -> int:
        return len(self._said[student])


@dataclass(frozen=True, slots=True)
class StudentRow:
    """``said`` is the last word by hand about the attempt that counts, if there was any."""

    student: User
    result: StudentResult
    attempts: int
    waiting: int
    said: SubmissionEvent | None


def _context(
    assignment: Assignment, membership: Membership, attempts: ClassAttempts, page: str | None
) -> dict[str, Any]:
    shown: Page[StudentResult] = Paginator(attempts.results, STUDENTS_A_PAGE).get_page(page)
    said = _said_of(result.submission for result in shown if result.submission)
    return {
        "assignment": assignment,
        "membership": membership,
        "attempts": attempts,
        "page": shown,
        "rows": [_row(result, attempts, said) for result in shown],
        "missed_now": Submission(assignment=assignment).student_sight.missed,
    }


def _said_of(submissions: Iterable[Submission]) -> dict[int, SubmissionEvent]:
    """The last event of each about what the student sees, in one query."""
    events = SubmissionEvent.objects.filter(
        submission__in=[submission.pk for submission in submissions], kind__in=_KINDS
    )
    return {event.submission_id: event for event in events.select_related("author").order_by("pk")}


def _row(
    result: StudentResult, attempts: ClassAttempts, said: dict[int, SubmissionEvent]
) -> StudentRow:
    student = result.student
    return StudentRow(
        student=student,
        result=result,
        attempts=attempts.of(student.pk),
        waiting=attempts.waiting_of(student.pk),
        said=said.get(result.submission.pk) if result.submission else None,
    )

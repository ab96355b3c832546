"""The queue: everybody's work at an assignment, to sort, to choose from, and to begin with."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from grading import access
from grading.assignments.actions import assignment_hide_names
from grading.models import Assignment, Job, Membership, QueueView, SubmissionSigns
from grading.queue.actions import reviews_claim
from grading.queue.forms import BUILT_IN, QueueForm, SavedViewForm
from grading.queue.page_choice import Choice, choose
from grading.queue.page_links import queue_address, work_address
from grading.queue.queries import AllAttempts, QueueRow, QueueState, sections_of
from grading.scoring.flags import signs_start
from grading.web.rendering import SignedInRequest, render_page

ROWS_A_PAGE = 50
COLUMNS = (
    ("name", "Student"),
    ("state", "State"),
    ("attempt", "Attempt"),
    ("handed", "Submitted"),
    ("words", "Words"),
    ("comprehensive", "Compre\u00adhensive"),
    ("quality", "Quality"),
    ("coverage", "Coverage"),
    ("sureness", "Unsure"),
    ("flags", "Flags"),
    ("held", "Claimed by"),
)
FILTERS = ("show", "state", "flag", "doubtful", "looks", "late", "held")
NUMERIC = frozenset({"attempt", "words", "comprehensive", "quality", "coverage"})


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    query: str
    is_numeric: bool
    sorted: str  # as aria-sort says it; empty where it is not sorted by this one


@dataclass(frozen=True, slots=True)
class Listed:
    """A row with the address of the work, by the view that it is listed in."""

    row: QueueRow
    address: str

    @property
    def badge(self) -> str:
        """The look of its state."""
        return _BADGES.get(self.row.state, "scored")


_BADGES = {
    QueueState.FAILED: "failed",
    QueueState.WAITING: "waiting",
    QueueState.ABSENT: "waiting",
    QueueState.HELD: "doubtful",
    QueueState.LOOKED: "published",
    QueueState.CHANGED: "doubtful",
}


@dataclass(frozen=True, slots=True)
class View:
    """A way to look that has a name; ``pk`` where it is one's own."""

    name: str
    query: str
    is_current: bool
    pk: int | None = None


@require_safe
def queue(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    job = Job.objects.latest_to_show(assignment)  # first: a worker may end while we look
    choice = choose(assignment, QueueForm(request.GET), request.user)
    page = Paginator(choice.chosen, ROWS_A_PAGE).get_page(request.GET.get("page"))
    context = _context(assignment, membership, choice, page)
    views = _views(assignment, choice)
    return render_page(
        request,
        "grading/queue/list.html",
        context | {"job": job, "views": views, "save_form": SavedViewForm()},
    )


def _context(
    assignment: Assignment, membership: Membership, choice: Choice, page: Page[QueueRow]
) -> dict[str, Any]:
    form, rows = choice.form, choice.rows
    signs = SubmissionSigns.objects.filter(submission__assignment=assignment)
    looking = Job.objects.filter(assignment=assignment, kind=Job.Kind.FIND_SIGNS).first()
    return {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "query": form.query,
        "q": form.said("q"),
        "filters": [form[name] for name in FILTERS],
        "chosen_section": form.said("section"),
        "absent": form.show_value == AllAttempts.ABSENT,
        "sections": sections_of(rows),
        "columns": _columns(form),
        "page": page,
        "listed": [_listed(row, form.query) for row in page],
        "total": len(rows),
        "found": len(choice.chosen),
        "handed_in": sum(row.submission is not None for row in rows),
        "done": sum(row.is_done for row in rows),
        "failed": sum(row.state == QueueState.FAILED for row in rows),
        "to_do": len(choice.to_do(choice.chosen)),
        "without_signs": assignment.submissions.count() - signs.count(),
        "looking": looking if looking and not looking.is_done else None,
    }


def _columns(form: QueueForm) -> list[Column]:
    ways = {True: "descending", False: "ascending"}
    return [
        Column(
            title,
            form.sorted_by(name),
            name in NUMERIC,
            ways[form.is_descending] if name == form.sort_name else "",
        )
        for name, title in COLUMNS
    ]


def _listed(row: QueueRow, query: str) -> Listed:
    return Listed(row, work_address(row.submission.pk, query) if row.submission else "")


def _views(assignment: Assignment, choice: Choice) -> list[View]:
    now = choice.form.query
    own = QueueView.objects.filter(course=assignment.course_id, user=choice.viewer)
    return [
        *(View(name, query, query == now) for name, query in BUILT_IN),
        *(View(one.name, one.query, one.query == now, one.pk) for one in own),
    ]


@require_POST
def queue_start(request: SignedInRequest, pk: int) -> HttpResponse:
    """Claim the first of the view that nobody has in hand, and go there."""
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    form = QueueForm.of_query(request.POST.get("queue", ""))
    choice = choose(assignment, form, request.user)
    return redirect(begin_next(request, choice, choice.to_do(choice.chosen)))


def begin_next(
    request: SignedInRequest, choice: Choice, rows: list[QueueRow], done: int | None = None
) -> str:
    """The address of the first of these rows that could be claimed; else of the queue, and why."""
    assignment = choice.assignment
    for row in rows:
        student = row.student.pk
        mine = reviews_claim(assignment=assignment, students=[student], user=request.user)
        if student in mine and row.submission is not None:
            return work_address(row.submission.pk, choice.form.query, done)
    messages.info(
        request,
        "Nothing is left to begin with in this view: all of it is looked through, or others have "
        "it in hand.",
    )
    return queue_address(assignment.pk, choice.form.query)


@require_POST
def queue_signs(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    signs_start(assignment=assignment, requested_by=request.user)
    messages.success(request, "The texts are being looked at. The flags appear here by themselves.")
    return redirect("queue", pk)


@require_POST
def queue_names(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    hidden = request.POST.get("names") == "hidden"
    assignment_hide_names(assignment=assignment, hidden=hidden)
    if hidden:
        messages.success(
            request, "Names are hidden from all graders of this assignment, also from you."
        )
    else:
        messages.success(request, "Names are shown again.")
    return redirect("queue", pk)

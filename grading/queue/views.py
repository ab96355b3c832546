"""The queue: all submissions of an assignment, to filter, to sort, to claim and to review."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html, format_html_join
from django.views.decorators.http import require_POST, require_safe

from grading import access
from grading.models import Assignment, Job, Submission
from grading.pyramid.copying import RUN
from grading.pyramid.figures import number_of
from grading.pyramid.flags.likeness import shared_passages
from grading.pyramid.marked_pieces import cut_at_marks
from grading.queue.actions import (
    assignment_hide_names,
    queue_view_save,
    review_keep_alive,
    review_take_over,
    reviews_claim,
    reviews_complete,
    reviews_release,
    reviews_reopen,
)
from grading.queue.forms import LONGEST_QUERY, QueueDoForm, QueueForm, SavedViewForm
from grading.queue.page import (
    Selection,
    attempts_with_flags,
    bar_state,
    queue_table,
    queue_url,
    queue_views,
    select_rows,
    work_url,
)
from grading.scoring.flags import flags_start
from grading.scoring.queue_rows import AllAttempts, QueueRow
from grading.scoring.results import newest_scores
from grading.web.fields import whole_number
from grading.web.rendering import SignedInRequest, render_page

ROWS_A_PAGE = 50
MARKED = '<mark class="match match-band-3">{}</mark>'
FILTERS = ("show", "state", "flag", "doubtful", "looks", "late", "held")


@require_safe
def queue(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    job = Job.objects.latest_to_show(assignment)  # first: a worker may end meanwhile
    form = QueueForm(request.GET)
    selection = select_rows(assignment, form, request.user)
    page = Paginator(selection.rows, ROWS_A_PAGE).get_page(request.GET.get("page"))
    flags_job = Job.objects.filter(assignment=assignment, kind=Job.Kind.FIND_FLAGS).first()
    context = queue_table(selection, page) | {
        "assignment": assignment,
        "membership": membership,
        "job": job,
        "form": form,
        "query": form.query,
        "search": form.value("q"),
        "search_hint": "Pseudonym or words of the text"
        if assignment.names_hidden
        else "Name, login, e-mail, number or words of the text",
        "filters": [form[name] for name in FILTERS],
        "section": form.value("section"),
        "shows_absent": form.show_value == AllAttempts.ABSENT,
        "views": queue_views(assignment, selection),
        "save_form": SavedViewForm(),
        "page": page,
        "unchecked_for_flags": assignment.submissions.filter(found_flags=None).count(),
        "flags_job": flags_job if flags_job and not flags_job.is_done else None,
    }
    return render_page(request, "grading/queue/list.html", context)


@require_POST
def queue_start(request: SignedInRequest, pk: int) -> HttpResponse:
    """Claim the first submission of the view that nobody has claimed, and go there."""
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    form = QueueForm.of_query(request.POST.get("queue", ""))
    selection = select_rows(assignment, form, request.user)
    rows = selection.to_do(selection.rows)
    return redirect(_claim_first(request, assignment, selection, rows))


def _claim_first(
    request: SignedInRequest,
    assignment: Assignment,
    selection: Selection,
    rows: list[QueueRow],
    done: int | None = None,
) -> str:
    """Claim the first of these rows that is still free. Returns its address, or the queue's."""
    for row in rows:
        student = row.student.pk
        claimed = reviews_claim(assignment=assignment, students=[student], user=request.user)
        if student in claimed and row.submission is not None:
            return work_url(row.submission.pk, selection.form.query, done)
    messages.info(
        request,
        "Nothing left in this view: everything is reviewed, or claimed by others.",
    )
    return queue_url(assignment.pk, selection.form.query)


@require_POST
def queue_flags(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    flags_start(assignment=assignment, requested_by=request.user)
    messages.success(request, "The texts are being checked. The flags appear here.")
    return redirect("queue", pk)


@require_POST
def queue_names(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    hidden = request.POST.get("names") == "hidden"
    assignment_hide_names(assignment=assignment, hidden=hidden)
    message = "Names are shown again."
    if hidden:
        message = "Names are hidden from all graders of this assignment, including you."
    messages.success(request, message)
    return redirect("queue", pk)


@require_POST
def queue_do(request: SignedInRequest, pk: int) -> HttpResponse:
    """Do something with all ticked rows."""
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    students = dict(assignment.submissions.values_list("pk", "student"))
    form = QueueDoForm(request.POST, submissions=students)
    if form.is_valid():
        chosen = form.cleaned_data["submissions"]
        what, of_chosen = form.cleaned_data["what"], {students[row] for row in chosen}
        user, skipped = request.user, 0
        if what == "claim":
            claimed = reviews_claim(assignment=assignment, students=of_chosen, user=user)
            skipped = len(of_chosen) - len(claimed)
            message = f"You claimed {number_of(len(claimed), 'submission')}."
        elif what == "release":
            count = reviews_release(assignment=assignment, students=of_chosen, user=user)
            message = f"{number_of(count, 'claim')} released."
        elif what == "looked":
            reviewed = reviews_complete(assignment=assignment, submissions=chosen, user=user)
            skipped = len(chosen) - len(reviewed)
            message = f"{number_of(len(reviewed), 'submission')} marked as reviewed."
        else:
            count = reviews_reopen(assignment=assignment, submissions=chosen, user=user)
            message = f"{number_of(count, 'submission')} marked as not reviewed."
        if skipped:
            message += f" Skipped: {skipped}, claimed by others or not the attempt that counts."
        messages.success(request, message)
    else:
        messages.error(request, form.error_text)
    query = QueueForm.of_query(request.POST.get("queue", "")).query
    return redirect(queue_url(pk, query))


@require_POST
def queue_view_new(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    form = SavedViewForm(request.POST)
    query = QueueForm.of_query(request.POST.get("queue", "")).query
    if not form.is_valid():
        messages.error(request, "Not saved. Give the view a name of at most 60 characters.")
    elif len(query) > LONGEST_QUERY:
        messages.error(request, "Not saved, because the search is too long.")
    elif queue_view_save(
        course=membership.course, user=request.user, name=form.cleaned_data["name"], query=query
    ):
        messages.success(request, f"View “{form.cleaned_data['name']}” saved.")
    else:
        messages.error(request, "Not saved: you have 20 views. Delete one first.")
    return redirect(queue_url(assignment.pk, query))


@require_POST
def queue_view_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    view = access.get_own_queue_view_for(request.user, pk)
    assignment_pk = request.POST.get("assignment", "")
    view.delete()
    messages.success(request, f"View “{view.name}” deleted.")
    if assignment_pk.isdecimal():
        return redirect("queue", int(assignment_pk[:18]))
    return redirect("course", view.course_id)


# --- the bar above a submission ---


@require_POST
def review(request: SignedInRequest, pk: int) -> HttpResponse:
    """The buttons of the bar: claims, and the review."""
    submission, _ = access.get_graded_submission_for(request.user, pk)
    assignment, user = submission.assignment, request.user
    form = QueueForm.of_query(request.POST.get("queue", ""))
    what, error = request.POST.get("what", ""), ""
    if what == "alive":
        review_keep_alive(submission=submission, user=user)
        return HttpResponse(status=204)
    if what in {"looked", "looked_next"}:
        return redirect(_complete_review(request, submission, form, go_on=what == "looked_next"))
    students = [submission.student_id]
    if what == "claim":
        if not reviews_claim(assignment=assignment, students=students, user=user):
            error = "Somebody else has claimed it since."
    elif what == "release":
        reviews_release(assignment=assignment, students=students, user=user)
    elif what == "undo":
        reviews_reopen(assignment=assignment, submissions=[pk], user=user)
    elif what == "take_over":
        claimant_key = request.POST.get("claimant", "")
        if not review_take_over(submission=submission, claimant_key=claimant_key, user=user):
            error = "Not taken over, because the claim has changed."
    else:
        error = "Nothing was changed, because the action is unknown. Reload the page."
    if error:
        messages.error(request, error)
    return redirect(work_url(pk, form.query))


@require_safe
def review_state(request: SignedInRequest, pk: int) -> HttpResponse:
    """The part of the bar that a correction may change. The bar asks for it."""
    submission, _ = access.get_graded_submission_for(request.user, pk)
    score = newest_scores([submission]).get(pk)
    context = bar_state(request, submission, score, attempts_with_flags(submission))
    return render_page(request, "grading/queue/_bar_state.html", context)


def _complete_review(
    request: SignedInRequest, submission: Submission, form: QueueForm, *, go_on: bool
) -> str:
    """Mark as reviewed. Returns where to go: back, or on to the next submission of the view."""
    assignment = submission.assignment
    # The next one is looked for first: the mark moves this row to another place of the view.
    selection = select_rows(assignment, form, request.user) if go_on else None
    if not reviews_complete(assignment=assignment, submissions=[submission.pk], user=request.user):
        messages.error(
            request, "Not marked, because somebody else has claimed it or it no longer counts."
        )
        return work_url(submission.pk, form.query)
    messages.success(request, f"{submission.student} is marked as reviewed.")
    if selection is None:
        return work_url(submission.pk, form.query)
    following = whole_number(request.POST.get("following", ""))
    later = selection.to_do(selection.after(submission.pk, following))
    return _claim_first(request, assignment, selection, later, submission.pk)


# --- two texts side by side ---


@require_safe
def likeness(request: SignedInRequest, pk: int, other: int) -> HttpResponse:
    """Two submissions, with the words that both have in a row and the source has not."""
    left, right, membership = access.get_two_graded_submissions_for(request.user, pk, other)
    assignment = left.assignment
    known = [assignment.source_text, assignment.instructions]
    passages = shared_passages(left.text, right.text, known)
    sides: list[dict[str, Any]] = []
    for submission, spans in zip((left, right), passages, strict=True):
        pieces = cut_at_marks(submission.text, (((span,), span) for span in spans))
        shared = sum(len(submission.text[span.start : span.end].split()) for span in spans)
        sides.append(
            {
                "submission": submission,
                "text": format_html_join(
                    "",
                    "{}",
                    (
                        (format_html(MARKED if piece.marks else "<span>{}</span>", piece.words),)
                        for piece in pieces
                    ),
                ),
                "shared": shared,
                "share": shared / submission.words if submission.words else 0.0,
            }
        )
    context = {
        "assignment": assignment,
        "membership": membership,
        "sides": sides,
        "run": RUN,
        "is_same_student": left.student_id == right.student_id,
    }
    return render_page(request, "grading/queue/likeness.html", context)

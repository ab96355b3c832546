"""Who has whose work in hand, and what is looked through: said from the queue or from a text."""

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from grading import access
from grading.models import Assignment, Submission
from grading.pyramid.figures import number_of
from grading.queue.actions import (
    review_keep_alive,
    review_take_over,
    reviews_claim,
    reviews_look_through,
    reviews_release,
    reviews_undo_looking,
)
from grading.queue.actions_views import queue_view_save
from grading.queue.forms import LONGEST_QUERY, QueueDoForm, QueueForm, SavedViewForm
from grading.queue.page_choice import choose
from grading.queue.page_links import queue_address, work_address
from grading.queue.views import begin_next
from grading.web.rendering import SignedInRequest


@require_POST
def queue_do(request: SignedInRequest, pk: int) -> HttpResponse:
    """Something with all rows that are ticked."""
    assignment, _ = access.get_graded_assignment_for(request.user, pk)
    students = dict(assignment.submissions.values_list("pk", "student"))
    form = QueueDoForm(request.POST, submissions=students)
    if form.is_valid():
        chosen = form.cleaned_data["submissions"]
        told = _do(request, assignment, form.cleaned_data["what"], chosen, students)
        messages.success(request, told)
    else:
        messages.error(request, form.reason)
    query = QueueForm.of_query(request.POST.get("queue", "")).query
    return redirect(queue_address(pk, query))


def _do(
    request: SignedInRequest,
    assignment: Assignment,
    what: str,
    chosen: list[int],
    students: dict[int, int],
) -> str:
    user, asked = request.user, {students[one] for one in chosen}
    if what == "claim":
        mine = reviews_claim(assignment=assignment, students=asked, user=user)
        return _told("You have {} in hand.", len(mine), len(asked) - len(mine))
    if what == "release":
        given = reviews_release(assignment=assignment, students=asked, user=user)
        return _told("{} given back.", given, 0)
    if what == "looked":
        done = len(reviews_look_through(assignment=assignment, submissions=chosen, user=user))
        return _told("{} marked as looked through.", done, len(chosen) - done)
    undone = reviews_undo_looking(assignment=assignment, submissions=chosen, user=user)
    return _told("{} marked as not looked through.", undone, 0)


def _told(sentence: str, done: int, passed_over: int) -> str:
    told = sentence.format(number_of(done, "submission"))
    if not passed_over:
        return told
    return f"{told} Passed over: {passed_over}, in others' hands or not the attempt that counts."


@require_POST
def review(request: SignedInRequest, pk: int) -> HttpResponse:
    """What the buttons of the bar above a text say."""
    submission, _ = access.get_graded_submission_for(request.user, pk)
    query = QueueForm.of_query(request.POST.get("queue", "")).query
    what = request.POST.get("what", "")
    if what == "alive":
        review_keep_alive(submission=submission, user=request.user)
        return HttpResponse(status=204)
    if what in {"looked", "looked_next"}:
        return _look_through(request, submission, query, goes_on=what == "looked_next")
    _SAYS.get(what, _nothing)(request, submission)
    return redirect(work_address(pk, query))


def _look_through(
    request: SignedInRequest, submission: Submission, query: str, *, goes_on: bool
) -> HttpResponseRedirect:
    """What comes next is looked for before the mark moves the row to another place."""
    assignment, here = submission.assignment, work_address(submission.pk, query)
    choice = choose(assignment, QueueForm.of_query(query), request.user) if goes_on else None
    done = reviews_look_through(
        assignment=assignment, submissions=[submission.pk], user=request.user
    )
    if not done:
        messages.error(
            request, "Not marked: somebody else has it in hand, or it does not count any more."
        )
        return HttpResponseRedirect(here)
    messages.success(request, f"{submission.student} is looked through.")
    if choice is None:
        return HttpResponseRedirect(here)
    later = choice.to_do(choice.after(submission.pk))
    return HttpResponseRedirect(begin_next(request, choice, later, submission.pk))


def _claim(request: SignedInRequest, submission: Submission) -> None:
    student = submission.student_id
    mine = reviews_claim(assignment=submission.assignment, students=[student], user=request.user)
    if student not in mine:
        messages.error(request, "Somebody else was quicker and has it in hand.")


def _release(request: SignedInRequest, submission: Submission) -> None:
    students = [submission.student_id]
    reviews_release(assignment=submission.assignment, students=students, user=request.user)


def _take_over(request: SignedInRequest, submission: Submission) -> None:
    holder = request.POST.get("holder", "")
    taken = holder.isdecimal() and review_take_over(
        submission=submission, holder_pk=int(holder[:18]), user=request.user
    )
    if not taken:
        messages.error(request, "Not taken over: who has it in hand has changed in the meantime.")


def _undo(request: SignedInRequest, submission: Submission) -> None:
    reviews_undo_looking(
        assignment=submission.assignment, submissions=[submission.pk], user=request.user
    )


def _nothing(request: SignedInRequest, submission: Submission) -> None:
    del submission
    messages.error(request, "Nothing was done: this button is not known. Load the page again.")


_SAYS = {"claim": _claim, "release": _release, "take_over": _take_over, "undo": _undo}


@require_POST
def queue_view_new(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    form = SavedViewForm(request.POST)
    query = QueueForm.of_query(request.POST.get("queue", "")).query
    if not form.is_valid():
        messages.error(request, "Not saved. Give the view a name of at most 60 characters.")
    elif len(query) > LONGEST_QUERY:
        messages.error(request, "Not saved: what is searched for is too long to be kept.")
    elif queue_view_save(
        course=membership.course, user=request.user, name=form.cleaned_data["name"], query=query
    ):
        messages.success(request, f"The view “{form.cleaned_data['name']}” is saved.")
    else:
        messages.error(request, "Not saved: you have 20 views. Delete one first.")
    return redirect(queue_address(assignment.pk, query))


@require_POST
def queue_view_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    view = access.get_own_queue_view_for(request.user, pk)
    assignment_pk = request.POST.get("assignment", "")
    view.delete()
    messages.success(request, f"The view “{view.name}” is deleted.")
    if assignment_pk.isdecimal():
        return redirect("queue", int(assignment_pk[:18]))
    return redirect("course", view.course_id)

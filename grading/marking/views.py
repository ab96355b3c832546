"""The marking desk: looking at it, and the steps that are taken on it."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from grading import access
from grading.marking import actions
from grading.marking.actions import Marked, desk_of
from grading.marking.forms import StepForm
from grading.marking.page import Asked, asked_in, desk_page
from grading.models import MarkingStep, Membership, Submission, User
from grading.models.sight import FULL_SIGHT
from grading.pyramid.figures import hundredths
from grading.queue.page_bar import queue_bar
from grading.web.blind import blind_notice
from grading.web.rendering import (
    CONFLICT,
    UNPROCESSABLE,
    SignedInRequest,
    asks_for_parts,
    render_page,
    render_part,
)
from grading.web.word_spans import place_of

PAGE, ANSWER, IDEAS = (f"grading/marking/{name}.html" for name in ("desk", "_answer", "_ideas"))


@require_safe
def marking(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership = access.get_markable_submission_for(request.user, pk)
    if notice := blind_notice(request, submission, membership):
        return notice
    page = desk_page(submission, membership, asked_in(request.GET, submission.text))
    return render_part(request, IDEAS, PAGE, page | queue_bar(request, submission))


@require_POST
def marking_step(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership = access.get_markable_submission_for(request.user, pk)
    score = access.get_score_for(submission, FULL_SIGHT)
    if score is None:
        raise Http404("There is no score to correct yet.")
    desk = desk_of(submission, score)
    form = StepForm(request.POST, content=submission.text, desk=desk)
    valid, asked = form.is_valid(), _asked(form)
    if form.verb == "find" and valid:
        return _find(request, submission, membership, asked)
    stamp = form.cleaned_data.get("stamp", "")
    if stamp != desk.stamp:
        return _stale(request, submission, membership, asked, stamp)
    if not valid:
        page = desk_page(submission, membership, asked) | {"errors": _errors(form)}
        return render_page(request, _whole(request), page, status=UNPROCESSABLE)
    marked = _do(form, submission, request.user)
    if marked is None:
        return _stale(request, submission, membership, asked, stamp)
    return answer_step(request, submission, membership, _said(marked))


def _do(form: StepForm, submission: Submission, author: User) -> Marked | None:
    stamp = form.cleaned_data["stamp"]
    if form.step is None:
        undo_or_redo = actions.step_undo if form.verb == "undo" else actions.step_redo
        return undo_or_redo(submission=submission, author=author, stamp=stamp)
    did, corrections = form.step
    return actions.step_take(
        submission=submission, corrections=corrections, did=did, author=author, stamp=stamp
    )


def answer_step(
    request: SignedInRequest, submission: Submission, membership: Membership, said: str
) -> HttpResponse:
    """The parts that may have changed; for a browser without script the page anew."""
    if not asks_for_parts(request):
        messages.success(request, said)
        return redirect("marking", submission.pk)
    return render_page(request, ANSWER, desk_page(submission, membership, Asked()) | {"said": said})


def _find(
    request: SignedInRequest, submission: Submission, membership: Membership, asked: Asked
) -> HttpResponse:
    if asks_for_parts(request):
        return render_page(request, IDEAS, desk_page(submission, membership, asked))
    query = {"spans": place_of(asked.words)} | ({"idea": asked.idea} if asked.idea else {})
    return redirect(f"{reverse('marking', args=[submission.pk])}?{urlencode(query)}")


def _stale(
    request: SignedInRequest,
    submission: Submission,
    membership: Membership,
    asked: Asked,
    stamp: str,
) -> HttpResponse:
    """Nothing was done: the page as it is by now, with what was chosen, and what has changed."""
    page = desk_page(submission, membership, asked)
    _, _, step = stamp.partition("-")
    since = int(step) if step.isdecimal() and len(step) < 19 else 0
    steps = [one for one in page["desk"].steps.steps.values() if one.pk > since]
    return render_page(request, _whole(request), page | {"stale": steps}, status=CONFLICT)


def _whole(request: SignedInRequest) -> str:
    return ANSWER if asks_for_parts(request) else PAGE


def _asked(form: StepForm) -> Asked:
    words = form.cleaned_data.get("spans", ())
    return Asked(words=words, idea=form.cleaned_data.get("idea"))


def _errors(form: StepForm) -> list[Any]:
    return [error for errors in form.errors.values() for error in errors]


def _said(marked: Marked) -> str:
    did, about = MarkingStep.Did(marked.step.did).label, marked.step.about
    if marked.after.held:
        return f"You {did}: “{about}”. The text is held."
    before, after = (hundredths(score.comprehensive) for score in (marked.before, marked.after))
    scores = f"Comprehensive {before} → {after}"
    if marked.before.held:
        scores = f"Comprehensive {after}"
    elif before == after:
        scores = f"Comprehensive stays {after}"
    return f"You {did}: “{about}”. {scores}."

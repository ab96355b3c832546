"""Second looks: students request them, graders answer them one after the other."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.access.hidden_names import hide_names
from grading.models import Score, SecondLook, Sight, Submission
from grading.scoring.conversion import submission_to_text
from grading.scoring.second_looks import requested_spans
from grading.second_looks import actions
from grading.second_looks.forms import AskForm, DisputeForm
from grading.second_looks.page import (
    answer_page,
    figures_page,
    match_choices,
    missed_choices,
    pieces_of,
    text_html,
)
from grading.web.rendering import (
    CONFLICT,
    UNPROCESSABLE,
    SignedInRequest,
    render_form_page,
    render_page,
)
from grading.web.word_spans import spans_at

LOOKS_A_PAGE = 25
State = SecondLook.State


@require_http_methods(["GET", "POST"])
def second_look_new(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership, score = access.get_askable_submission_for(request.user, pk)
    sight = access.get_sight_of(submission, membership)
    form = _request_form(request, submission, score, sight)
    if form.is_valid():
        subject, reason = form.subject(sight.missed), form.cleaned_data["reason"]
        actions.second_look_ask(score=score, subject=subject, reason=reason)
        messages.success(request, "Request sent. The answer will appear on this page.")
        return redirect(f"{reverse('submission', args=[pk])}#second-looks")
    context = {
        "form": form,
        "submission": submission,
        "assignment": submission.assignment,
        "membership": membership,
        "disputes_match": isinstance(form, DisputeForm),
        "text": text_html(pieces_of(submission.text, form.chosen())),
    }
    return render_form_page(request, "grading/second_looks/new.html", context)


def _request_form(
    request: SignedInRequest, submission: Submission, score: Score, sight: Sight
) -> AskForm | DisputeForm:
    """About a match that is wrong, where the address or the form names one."""
    if "match" in (request.POST or request.GET):
        score.submission = submission
        return DisputeForm(
            request.POST or None,
            submission=submission,
            matches=match_choices(score, sight),
            seen=str(score.pk),
            initial={"match": request.GET.get("match", "")},
        )
    return AskForm(
        request.POST or None,
        submission=submission,
        ideas=missed_choices(score, sight),
        seen=str(score.pk),
        spans=spans_at(request.GET.get("spans", ""), submission.text),
        initial={"missed": request.GET.get("missed", "")},
    )


@require_POST
def second_look_withdraw(request: SignedInRequest, pk: int) -> HttpResponse:
    second_look, _ = access.get_own_second_look_for(request.user, pk)
    if actions.second_look_withdraw(second_look=second_look, author=request.user):
        messages.success(request, "Request withdrawn.")
    else:
        messages.info(request, "This request was already answered or withdrawn. See below.")
    return redirect(f"{reverse('submission', args=[second_look.submission_id])}#second-looks")


@require_safe
def second_looks(request: SignedInRequest, pk: int) -> HttpResponse:
    """The requests of a class: those that wait, or with ``?state=answered`` the others."""
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    answered = request.GET.get("state") == "answered"
    looks = SecondLook.objects.filter(submission__assignment=assignment)
    counts = looks.aggregate(
        asked=Count("pk"),
        waiting=Count("pk", filter=Q(state=State.OPEN)),
        counted=Count("pk", filter=Q(state=State.ACCEPTED)),
        not_counted=Count("pk", filter=Q(state=State.DECLINED)),
        withdrawn=Count("pk", filter=Q(state=State.WITHDRAWN)),
    )
    states = [State.ACCEPTED, State.DECLINED] if answered else [State.OPEN]
    order = ["-answered_at", "-pk"] if answered else ["pk"]
    rows = looks.filter(state__in=states).select_related("submission__student", "answered_by")
    page = Paginator(rows.order_by(*order), LOOKS_A_PAGE).get_page(request.GET.get("page"))
    hide_names(assignment, [look.submission for look in page])
    context = {
        "assignment": assignment,
        "membership": membership,
        "answered": answered,
        "counts": counts,
        "page": page,
        "looks": [
            (look, submission_to_text(look.submission).words_at(requested_spans(look)))
            for look in page
        ],
    }
    return render_page(request, "grading/second_looks/list.html", context)


@require_safe
def second_look(request: SignedInRequest, pk: int) -> HttpResponse:
    look, membership, score = access.get_graded_second_look_for(request.user, pk)
    _, context = answer_page(look, membership, score)
    return render_page(request, "grading/second_looks/detail.html", context)


@require_POST
def second_look_answer(request: SignedInRequest, pk: int) -> HttpResponse:
    """Save the answer and lead to the next request; 409 where another grader was first."""
    look, membership, score = access.get_answerable_second_look_for(request.user, pk)
    form, context = answer_page(look, membership, score, request.POST)
    if not form.is_valid():
        return render_page(
            request, "grading/second_looks/detail.html", context, status=UNPROCESSABLE
        )
    correction = form.correction()
    is_saved = actions.second_look_answer(
        second_look=look,
        correction=correction,
        text=form.cleaned_data["answer"],
        author=request.user,
        stamp=form.cleaned_data["stamp"],
    )
    if not is_saved:
        look, membership, score = access.get_graded_second_look_for(request.user, pk)
        _, context = answer_page(look, membership, score, unsaved=form)
        context["overtaken"] = True
        return render_page(request, "grading/second_looks/detail.html", context, status=CONFLICT)
    if look.disputes_match:
        outcome = "Match removed. The score has changed." if correction else "Match kept."
    else:
        outcome = "It counts now. The score has changed." if correction else "It doesn't count."
    messages.success(request, f"{outcome} The student sees your answer with the result.")
    assignment = look.submission.assignment
    waiting = SecondLook.objects.filter(submission__assignment=assignment).waiting().order_by("pk")
    following = waiting.filter(pk__gt=look.pk).first() or waiting.first()
    if following is None:
        return redirect("second_looks", assignment.pk)
    return redirect("second_look", following.pk)


@require_safe
def second_look_figures(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    context = {"assignment": assignment, "membership": membership, **figures_page(assignment)}
    return render_page(request, "grading/second_looks/figures.html", context)

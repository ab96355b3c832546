"""Second looks, the student's side: asking, withdrawing, and what has come of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from grading import access
from grading.feedback.page_missed import missed_ideas_of
from grading.models import (
    Missed,
    Score,
    SecondLook,
    Sight,
    Submission,
    SubmissionEvent,
)
from grading.pyramid.feedback.topics import Topics, told_hint
from grading.pyramid.structures import Scu
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.second_looks import actions
from grading.second_looks.forms import AskForm, MissedChoice
from grading.second_looks.page_text import pieces_of
from grading.web.rendering import SignedInRequest, render_form_page
from grading.web.word_spans import spans_at


@require_http_methods(["GET", "POST"])
def second_look_new(request: SignedInRequest, pk: int) -> HttpResponse:
    submission, membership, score = access.get_askable_submission_for(request.user, pk)
    sight = access.get_sight_of(submission, membership)
    form = AskForm(
        request.POST or None,
        submission=submission,
        ideas=missed_choices(score, sight),
        seen=str(score.pk),
        spans=spans_at(request.GET.get("spans", ""), submission.text),
        initial={"missed": request.GET.get("missed", "")},
    )
    if form.is_valid():
        subject, reason = form.subject(sight.missed), form.cleaned_data["reason"]
        actions.second_look_ask(score=score, subject=subject, reason=reason)
        messages.success(request, "Your request is sent. The answer will be on this page.")
        return redirect(f"{reverse('submission', args=[pk])}#second-looks")
    context = {
        "form": form,
        "submission": submission,
        "assignment": submission.assignment,
        "membership": membership,
        "pieces": pieces_of(submission.text, form.chosen()),
    }
    return render_form_page(request, "grading/second_looks/new.html", context)


@require_POST
def second_look_withdraw(request: SignedInRequest, pk: int) -> HttpResponse:
    second_look, _ = access.get_own_second_look_for(request.user, pk)
    if actions.second_look_withdraw(second_look=second_look, author=request.user):
        messages.success(request, "Your request is withdrawn.")
    else:
        messages.info(request, "This request waits for no answer any more. See below.")
    return redirect(f"{reverse('submission', args=[second_look.submission_id])}#second-looks")


def missed_choices(score: Score, sight: Sight) -> tuple[MissedChoice, ...]:
    """What can be named of what the text lacks: nothing where single ideas are not told."""
    if sight.missed < Missed.HINTS:
        return ()
    pyramid = pyramid_from_row(score.pyramid).counted()
    topics = Topics(pyramid) if sight.missed == Missed.HINTS else None
    return tuple(
        MissedChoice(number, scu.uid, scu.weight, _shown_as(scu, topics))
        for number, scu in enumerate(missed_ideas_of(pyramid, report_from_row(score)), start=1)
    )


def _shown_as(scu: Scu, topics: Topics | None) -> str:
    """The hint where there are topics, else the label."""
    if topics is None:
        return " ".join(scu.label.split())
    return told_hint(topics.words(scu))


@dataclass(frozen=True, slots=True)
class ToldLook:
    """A request and what came of it, as far as the reader may see it.

    ``idea`` is the one that was asked about; ``found`` (with its weight) the one that counts now.
    """

    look: SecondLook
    words: str
    idea: str
    found: str
    weight: int
    before: float | None
    after: float | None


def second_looks_of(submission: Submission, sight: Sight) -> tuple[ToldLook, ...]:
    """All requests for a submission, the latest first; in as many queries however many they are."""
    if not sight.shown:
        return ()
    looks = list(submission.second_looks.select_related("answered_by").order_by("-pk"))
    if not looks:
        return ()
    events, counted = _events_of(submission), _counted_ideas(submission, sight, looks)
    return tuple(_told(submission, sight, look, events, counted) for look in looks)


Events = Mapping[tuple[str, int], SubmissionEvent]


def _events_of(submission: Submission) -> Events:
    """What the log says of each request; of several answers to one, the last."""
    kinds = (SubmissionEvent.Kind.ASKED, SubmissionEvent.Kind.ANSWERED)
    events = submission.events.filter(kind__in=kinds)
    return {(event.kind, event.document["second_look"]): event for event in events}


def _counted_ideas(submission: Submission, sight: Sight, looks: list[SecondLook]) -> dict[int, Scu]:
    """By the request: the idea that it got counted, where it still counts."""
    score = access.get_score_for(submission, sight)
    if score is None or not any(look.is_accepted for look in looks):
        return {}
    ideas = {scu.uid: scu for scu in pyramid_from_row(score.pyramid).counted().scus}
    counted = actions.second_looks_counted(score=score)
    return {look: ideas[uid] for look, uid in counted.items() if uid in ideas}


def _told(
    submission: Submission,
    sight: Sight,
    look: SecondLook,
    events: Events,
    counted: Mapping[int, Scu],
) -> ToldLook:
    asked = events.get((SubmissionEvent.Kind.ASKED, look.pk))
    answered = events.get((SubmissionEvent.Kind.ANSWERED, look.pk))
    idea = counted.get(look.pk)
    # What was told at a level that told more than today's is not told again.
    level = asked.document.get("level", Missed.NOTHING) if asked else Missed.NOTHING
    may_name = look.scu is not None and sight.missed >= level
    words = submission_to_text(submission).words_at(actions.spans_asked(look))
    return ToldLook(
        look=look,
        words=words,
        idea=look.shown_as if may_name else "",
        found=" ".join(idea.label.split()) if idea else "",
        weight=idea.weight if idea else 0,
        before=answered.comprehensive("before") if answered else None,
        after=answered.comprehensive("after") if answered else None,
    )

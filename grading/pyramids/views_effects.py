"""The effect of a draft on the class: asked for, waited for, and shown before publishing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from grading import access
from grading.access.hidden_names import hide_names
from grading.models import Draft, Finding, Job, Membership, StoredPyramid, Submission
from grading.pyramid.effects import Effect, IdeaEffect, Measure, TextEffect
from grading.pyramid.figures import hundredths, with_minus
from grading.scoring.effects import FoundEffect, effect_found, effect_start
from grading.web.charts_effect import Picture, picture_of
from grading.web.rendering import SignedInRequest, asks_for_parts, render_part

SHOWN = 15  # rows of a table; the others can be opened
PART, PAGE = "grading/web/effect/_effect.html", "grading/web/effect/detail.html"


@require_http_methods(["GET", "POST"])
def draft_effect(request: SignedInRequest, pk: int) -> HttpResponse:
    if request.method == "POST":
        return _start(request, pk)
    draft, membership = access.get_draft_for(request.user, pk)
    return render_part(request, PART, PAGE, _context(draft, membership))


def _start(request: SignedInRequest, pk: int) -> HttpResponse:
    draft, membership = access.get_editable_draft_for(request.user, pk)
    if draft.is_open:
        effect_start(draft=draft, requested_by=request.user)
    elif not asks_for_parts(request):
        messages.info(request, "This draft cannot be published any more.")
    if asks_for_parts(request):
        # The focus goes to the progress where a person asked, not where the page did by itself.
        asked = {"started": "quietly" not in request.POST}
        return render_part(request, PART, PAGE, _context(draft, membership) | asked)
    return redirect("draft_effect", draft.pk)


@dataclass(frozen=True, slots=True)
class Mover:
    """A row of the table of students."""

    submission: Submission
    effect: TextEffect
    gained: list[IdeaEffect]
    lost: list[IdeaEffect]

    @property
    def direction(self) -> str:
        return "up" if self.effect.move > 0 else "down" if self.effect.move < 0 else "same"

    @property
    def move(self) -> str:
        return _signed(self.effect.move)


@dataclass(frozen=True, slots=True)
class ShownEffect:
    """An effect as the page shows it; ``outdated`` says why it may not hold any more."""

    found_at: datetime
    summary: str
    compares: bool
    left_out: int
    outdated: list[str]
    pictures: list[Picture]
    movers: list[Mover]
    ideas: tuple[IdeaEffect, ...]

    @property
    def first_movers(self) -> list[Mover]:
        return self.movers[:SHOWN]

    @property
    def other_movers(self) -> list[Mover]:
        return self.movers[SHOWN:]

    @property
    def first_ideas(self) -> tuple[IdeaEffect, ...]:
        return self.ideas[:SHOWN]

    @property
    def other_ideas(self) -> tuple[IdeaEffect, ...]:
        return self.ideas[SHOWN:]


def _context(draft: Draft, membership: Membership) -> dict[str, object]:
    job = draft.jobs.filter(kind=Job.Kind.FORETELL_EFFECT).first()
    latest = set(draft.assignment.submissions.latest_attempts().values_list("pk", flat=True))
    found = effect_found(draft=draft)
    return {
        "draft": draft,
        "assignment": draft.assignment,
        "membership": membership,
        "told": True,
        "handed_in": len(latest),
        "job": job if job and not job.is_done else None,
        "may_start": membership.is_instructor and draft.is_open,
        "ideas_at": reverse("draft", args=[draft.pk]),
        "effect": _shown(draft, latest, *found) if found and latest else None,
    }


def _shown(draft: Draft, latest: set[int], row: Finding, found: FoundEffect) -> ShownEffect:
    submissions = Submission.objects.select_related("student").defer("text")
    there = submissions.in_bulk(found.submissions)
    hide_names(draft.assignment, there.values())
    outdated = _reasons(draft, latest, row, found) if draft.is_open else []
    return shown_effect(found, there, row.created_at, outdated)


def shown_effect(
    found: FoundEffect,
    there: Mapping[int, Submission],
    found_at: datetime,
    outdated: list[str],
) -> ShownEffect:
    """``there`` is what of the submissions that it was found of has not been deleted since."""
    effect = found.effect.without(found.submissions - there.keys())
    return ShownEffect(
        found_at=found_at,
        summary=_summary(effect),
        compares=effect.before(Measure.COMPREHENSIVE) is not None,
        left_out=len(found.left_out & there.keys()),
        outdated=outdated,
        pictures=[picture_of(effect, measure) for measure in Measure],
        movers=[_mover(effect, one, there[one.text]) for one in effect.movers],
        ideas=effect.moved_ideas,
    )


def _mover(effect: Effect, one: TextEffect, submission: Submission) -> Mover:
    gained = [effect.ideas[place] for place in one.gained]
    return Mover(submission, one, gained, [effect.ideas[place] for place in one.lost])


def _reasons(draft: Draft, latest: set[int], row: Finding, found: FoundEffect) -> list[str]:
    newest = StoredPyramid.objects.newest_of(draft.assignment)
    reasons = []
    if row.revision != draft.revision:
        reasons.append("The draft has changed since.")
    if found.version != (newest.pk if newest else None):
        reasons.append("Another version has been published since.")
    if found.submissions != latest:
        reasons.append("Summaries have been handed in or deleted since.")
    return reasons


def _summary(effect: Effect) -> str:
    """What the page says first."""
    was, now = effect.before(Measure.COMPREHENSIVE), effect.after(Measure.COMPREHENSIVE)
    total = f"{len(effect.texts)} student{'' if len(effect.texts) == 1 else 's'}"
    mean_now = hundredths(now.mean)
    if was is None:
        return (
            f"Nothing was published before. The mean score of {total} would be {mean_now}, "
            f"the median {hundredths(now.median)}."
        )
    moving = effect.ups + effect.downs
    if not moving:
        return f"Nobody's score moves: the mean of {total} stays {mean_now}."
    mean_was = hundredths(was.mean)
    mean = (
        f"the mean goes from {mean_was} to {mean_now}"
        if mean_was != mean_now
        else f"the mean stays {mean_now}"
    )
    verb = "moves" if moving == 1 else "move"
    return f"{moving} of {total} {verb}: {effect.ups} up, {effect.downs} down; {mean}."


def _signed(number: float) -> str:
    return with_minus(f"{number:+.2f}") if number else f"{0:.2f}"

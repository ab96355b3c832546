"""What many students wrote and the pyramid lacks: looked for by a worker, shown with their words.

An instructor takes such an idea into a draft by an edit of the editor, where it can be undone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from grading import access
from grading.class_figures.actions import (
    new_idea_take,
    new_ideas_found,
    new_ideas_job,
    new_ideas_start,
)
from grading.class_figures.page import FOLDER, ClassPage, class_page
from grading.class_figures.page_words import percent, percent_between
from grading.drafts.log import Result
from grading.models import ClassFinding, Draft, Submission
from grading.pyramid.class_figures.new_ideas import NewIdea, NewIdeas
from grading.scoring.conversion import pyramid_from_draft, submission_to_text
from grading.scoring.results import StudentResult
from grading.web.charts_class import Bars, bars_of
from grading.web.rendering import SignedInRequest, render_page

_EXAMPLES = 3


@require_http_methods(["GET", "HEAD", "POST"])
def class_new_ideas(request: SignedInRequest, pk: int) -> HttpResponse:
    if request.method == "POST":
        assignment, _ = access.get_graded_assignment_for(request.user, pk)
        new_ideas_start(assignment=assignment, requested_by=request.user)
        return redirect("class_new_ideas", pk)
    page = class_page(request, pk, "class_new_ideas")
    job = new_ideas_job(assignment=page.assignment)  # first: a worker may end between the looks
    found = new_ideas_found(assignment=page.assignment)
    draft = _draft_of(page) if page.membership.is_instructor else None
    shown = _shown(page, *found, _labels(page, draft)) if found else None
    context = page.context(job=job, shown=shown, draft=draft)
    return render_page(request, f"{FOLDER}/new_ideas.html", context)


@require_POST
def class_new_idea_take(request: SignedInRequest, pk: int) -> HttpResponse:
    """Into a draft, and back to the list: there may be more to take."""
    draft, _ = access.get_editable_draft_for(request.user, pk)
    label = request.POST.get("label", "")
    outcome = new_idea_take(draft=draft, label=label, author=request.user)
    if outcome is None:
        messages.info(request, "Nothing was done: the draft has this idea already.")
    elif outcome.result is Result.DONE:
        messages.success(request, f"“{label}” is in draft {draft.number} now, with weight 1.")
    else:
        messages.error(request, outcome.message or "The draft has just changed. Try again.")
    address = reverse("class_new_ideas", args=[draft.assignment_id])
    return redirect(f"{address}?{request.GET.urlencode()}" if request.GET else address)


@dataclass(frozen=True, slots=True)
class Example:
    """What a student wrote."""

    result: StudentResult
    words: str


@dataclass(frozen=True, slots=True)
class ShownIdea:
    label: str
    told: int
    share: str
    between: str
    examples: list[Example]
    is_taken: bool  # into the draft that would take it, or into the newest version


@dataclass(frozen=True, slots=True)
class Shown:
    """What was found, for the part of the class that is looked at."""

    found_at: datetime
    version: int
    texts: int
    outdated: list[str]
    ideas: list[ShownIdea]
    picture: Bars


def _draft_of(page: ClassPage) -> Draft | None:
    """The newest that can be worked on, with its pyramid."""
    drafts = Draft.objects.filter(assignment=page.assignment, state=Draft.State.OPEN)
    return drafts.defer("first").first()


def _labels(page: ClassPage, draft: Draft | None) -> frozenset[str]:
    """What the draft holds or, without one, the newest version."""
    pyramid = pyramid_from_draft(draft) if draft else page.pyramid()
    return frozenset(scu.label for scu in pyramid.scus)


def _shown(page: ClassPage, row: ClassFinding, found: NewIdeas, labels: frozenset[str]) -> Shown:
    written = {one.submission.pk: one for one in page.work.results if one.submission}
    here = found.among(written)
    words = _words(here)
    ideas = [
        ShownIdea(
            label=idea.label,
            told=len(idea.told),
            share=percent(here.share(idea)),
            between=percent_between(here.interval(idea)),
            examples=[Example(written[key], words[key, idea.label]) for key in _first(idea)],
            is_taken=idea.label in labels,
        )
        for idea in here.ideas
    ]
    return Shown(
        found_at=row.created_at,
        version=row.version.number,
        texts=len(here.texts),
        outdated=list(_reasons(page, row, found)),
        ideas=ideas,
        picture=bars_of(
            (one.label, percent(here.share(one)), here.share(one), here.interval(one))
            for one in here.ideas
        ),
    )


def _first(idea: NewIdea) -> list[int]:
    return sorted(idea.told)[:_EXAMPLES]


def _words(found: NewIdeas) -> dict[tuple[int, str], str]:
    """Of the examples of each idea, in one query."""
    keys = {key for idea in found.ideas for key in _first(idea)}
    texts = Submission.objects.select_related("student").in_bulk(keys)
    return {
        (key, idea.label): submission_to_text(texts[key]).quoted(idea.told[key])
        for idea in found.ideas
        for key in _first(idea)
    }


def _reasons(page: ClassPage, row: ClassFinding, found: NewIdeas) -> Iterator[str]:
    """Why what was found may not be true any more."""
    newest = page.whole.version
    if newest is not None and newest.pk != row.version_id:
        yield f"Version {newest.number} of the pyramid has been published since."
    there = {one.submission.pk for one in page.whole.results if one.submission}
    if new := len(there - found.texts):
        came = "1 summary has" if new == 1 else f"{new} summaries have"
        yield f"{came} been handed in since."

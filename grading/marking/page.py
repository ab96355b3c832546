"""The marking desk: a text and the pyramid side by side, for graders."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from grading import access
from grading.access.hidden_names import hide_names
from grading.marking.actions import Desk, desk_of
from grading.marking.forms import StepForm
from grading.marking.page_comments import DeskComment, comments_of_desk
from grading.marking.page_ideas import FIRST_OFFERS, DeskIdea, DeskIdeas
from grading.marking.page_text import MarkedText, pieces_of_desk
from grading.models import Job, MatchCorrection, Membership, Score, StoredPyramid, Submission
from grading.models.sight import FULL_SIGHT
from grading.pyramid.formats.ducview import annotatable
from grading.pyramid.formats.pyramid_json import pyramid_from_json
from grading.pyramid.structures import Spans, Text, shared_length
from grading.scoring.conversion import submission_to_text
from grading.web.chosen_words import plain_pieces
from grading.web.timeline import TimelineEntry, timeline_of
from grading.web.word_spans import place_of, spans_at

_LONGEST_SEARCH = 200
_MOST_DIGITS = 9  # of the number of an idea


@dataclass(frozen=True, slots=True)
class Asked:
    """What the page is asked to show: chosen words, an idea that is open, and a search."""

    words: Spans = ()
    idea: int | None = None
    search: str = ""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """``before`` the last correction, and what the program says by itself."""

    name: str
    now: float
    before: float | None
    machine: float


@dataclass(frozen=True, slots=True)
class LeftOut:
    place: str
    words: str


def asked_in(query: QueryDict, content: str) -> Asked:
    idea = query.get("idea", "")
    known = idea.isdecimal() and len(idea) <= _MOST_DIGITS
    return Asked(
        words=spans_at(query.get("spans", ""), content),
        idea=int(idea) if known else None,
        search=query.get("search", "")[:_LONGEST_SEARCH].strip(),
    )


def desk_page(submission: Submission, membership: Membership, asked: Asked) -> dict[str, Any]:
    """The context of the page and of its parts, in as many queries whatever there is."""
    hide_names(submission.assignment, [submission])
    score = access.get_score_for(submission, FULL_SIGHT)
    desk = desk_of(submission, score) if score else None
    text = submission_to_text(submission)
    comments = comments_of_desk(submission, membership.user, desk.carrier if desk else None)
    context: dict[str, Any] = {
        "assignment": submission.assignment,
        "membership": membership,
        "submission": submission,
        "score": score,
        "desk": desk,
        "job": None if desk else Job.objects.latest_scoring(submission, of_the_class=True),
        "asked": asked,
        "comments": comments,
        "history": _history(submission),
        "pieces": plain_pieces(submission.text),
        "said": "",
        "typed": "",
        "typed_whole": "",
        "errors": (),
        "stale": None,
    }
    return context | _marked(desk, text, asked, comments) if desk else context


def _marked(
    desk: Desk, text: Text, asked: Asked, comments: Sequence[DeskComment]
) -> dict[str, Any]:
    ideas = DeskIdeas(desk, text)
    form = StepForm(content=text.content, spans=asked.words, desk=desk)
    places = [comment.spans for comment in comments if not comment.is_deleted]
    marked = MarkedText(text.content, desk.pyramid, desk.report, desk.left_out, asked.words, places)
    return {
        "form": form,
        "chosen_words": text.quoted(asked.words),
        "chosen_place": place_of(asked.words),
        "pieces": pieces_of_desk(marked),
        "scores": _score_lines(desk),
        "doubtful": ideas.doubtful(),
        "possible": ideas.possible(),
        "held": tuple(text.words_at((span,)) for span in desk.report.evidence.held),
        "is_held": desk.report.evidence.is_held,
        "held_reason": desk.report.evidence.held_reason,
        "held_for": desk.report.evidence.held_for,
        "left_out": tuple(LeftOut(place_of((s,)), text.words_at((s,))) for s in desk.left_out),
        "in_vain": tuple(text.words_at((span,)) for span in desk.in_vain),
        "lost": _lost(desk.lost),
        "may_write_pan": annotatable(desk.pyramid) is not None,
        **_right(desk, ideas, asked),
    }


def _right(desk: Desk, ideas: DeskIdeas, asked: Asked) -> dict[str, Any]:
    """The pane of ideas: an open one, those that words may tell, or all in bands."""
    focus = None if asked.idea is None else ideas.card(asked.idea)
    words = asked.words or _words_of(focus, ideas)
    exchanged = focus.idea.uid if focus and focus.words and not asked.words else None
    offers = ideas.offers(words, exchanged, asked.search) if words else ()
    return {
        "focus": focus,
        "after_removing": ideas.after_removing(focus.idea.uid) if focus and focus.words else None,
        "after_adding": ideas.after_adding(focus.idea.uid, asked.words)
        if focus and asked.words
        else None,
        "exchanged": exchanged,
        "offers": offers[:FIRST_OFFERS],
        "more_offers": offers[FIRST_OFFERS:],
        "has_words": bool(words),
        "is_left_out": bool(shared_length(asked.words, desk.left_out)),
        "bands": () if words else ideas.bands(asked.search),
    }


def _words_of(focus: DeskIdea | None, ideas: DeskIdeas) -> Spans:
    return spans_at(focus.place, ideas.text.content) if focus and focus.place else ()


def _score_lines(desk: Desk) -> tuple[ScoreLine, ...]:
    score, machine = desk.score, desk.machine
    earlier = (
        Score.objects.filter(
            submission=score.submission_id,
            pyramid=score.pyramid_id,
            signature=score.signature,
            revision=score.revision - 1,
        )
        .defer("document")
        .first()
    )
    names = ("comprehensive", "quality", "coverage")
    return tuple(
        ScoreLine(
            name.capitalize(),
            getattr(score, name),
            getattr(earlier, name) if earlier else None,
            getattr(machine, name),
        )
        for name in names
    )


def _lost(rows: Sequence[MatchCorrection]) -> tuple[str, ...]:
    """The ideas that were corrected and that this version does not have."""
    versions: dict[int, StoredPyramid] = {row.pyramid_id: row.pyramid for row in rows}
    labels = {
        (pk, scu.uid): " ".join(scu.label.split())
        for pk, version in versions.items()
        for scu in pyramid_from_json(version.document).scus
    }
    found = (labels.get((row.pyramid_id, row.scu or 0), "") for row in rows)
    return tuple(dict.fromkeys(label for label in found if label))


def _history(submission: Submission) -> tuple[TimelineEntry, ...]:
    """The latest first; what the student did is on the student's page."""
    entries = timeline_of(submission, FULL_SIGHT)
    return tuple(
        entry
        for entry in reversed(entries)
        if entry.who is None or entry.who.pk != submission.student_id
    )

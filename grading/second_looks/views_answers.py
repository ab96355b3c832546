"""Second looks, the graders' side: what waits in a class, and answering one."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from grading import access
from grading.access.hidden_names import hide_names
from grading.feedback.page_missed import missed_ideas_of
from grading.models import Assignment, Course, Membership, Score, SecondLook
from grading.pyramid.feedback.likely_ideas import LikelyIdea, likely_ideas, likely_sentence
from grading.pyramid.structures import Pyramid, Scu, Span, Spans
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.second_looks import actions
from grading.second_looks.actions import Prospect, spans_asked
from grading.second_looks.forms import AnswerForm
from grading.second_looks.page_text import found_marks, pieces_of, said_again
from grading.web.ideas import Idea, heaviest_of, idea_of
from grading.web.rendering import (
    CONFLICT,
    UNPROCESSABLE,
    SignedInRequest,
    render_page,
)

LOOKS_A_PAGE = 25
FIRST_IDEAS = 5  # shown without opening the rest of the list

STATES = SecondLook.State


@dataclass(frozen=True, slots=True)
class ListedLook:
    look: SecondLook
    words: str


@require_safe
def second_looks(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    answered = request.GET.get("state") == "answered"
    looks = _looks_of(assignment)
    counts = looks.aggregate(
        asked=Count("pk"),
        waiting=Count("pk", filter=Q(state=STATES.OPEN)),
        counted=Count("pk", filter=Q(state=STATES.ACCEPTED)),
        not_counted=Count("pk", filter=Q(state=STATES.DECLINED)),
        withdrawn=Count("pk", filter=Q(state=STATES.WITHDRAWN)),
    )
    states = [STATES.ACCEPTED, STATES.DECLINED] if answered else [STATES.OPEN]
    rows = looks.filter(state__in=states).select_related("submission__student", "answered_by")
    order = ["-answered_at", "-pk"] if answered else ["pk"]
    page = Paginator(rows.order_by(*order), LOOKS_A_PAGE).get_page(request.GET.get("page"))
    hide_names(assignment, [look.submission for look in page])
    context = {
        "assignment": assignment,
        "membership": membership,
        "answered": answered,
        "counts": counts,
        "page": page,
        "listed": [ListedLook(look, _words(look)) for look in page],
    }
    return render_page(request, "grading/second_looks/list.html", context)


@require_safe
def second_look(request: SignedInRequest, pk: int) -> HttpResponse:
    look, membership, score = access.get_graded_second_look_for(request.user, pk)
    _, context = _answering(look, membership, score)
    return render_page(request, "grading/second_looks/detail.html", context)


@require_POST
def second_look_answer(request: SignedInRequest, pk: int) -> HttpResponse:
    look, membership, score = access.get_answerable_second_look_for(request.user, pk)
    form, context = _answering(look, membership, score, request.POST)
    if not form.is_valid():
        return render_page(
            request, "grading/second_looks/detail.html", context, status=UNPROCESSABLE
        )
    correction = form.correction()
    is_done = actions.second_look_answer(
        second_look=look,
        correction=correction,
        text=form.cleaned_data["answer"],
        author=request.user,
        stamp=form.cleaned_data["stamp"],
    )
    if not is_done:
        return _overtaken(request, pk, form)
    said = "It counts, and the score is changed." if correction else "It does not count."
    messages.success(request, f"{said} The student sees your answer with the result.")
    return _to_next(look)


def _overtaken(request: SignedInRequest, pk: int, typed: AnswerForm) -> HttpResponse:
    """The page as it is by now, with what this grader typed."""
    look, membership, score = access.get_graded_second_look_for(request.user, pk)
    _, context = _answering(look, membership, score, typed=typed)
    context["overtaken"] = True
    return render_page(request, "grading/second_looks/detail.html", context, status=CONFLICT)


def _to_next(look: SecondLook) -> HttpResponse:
    """To the next request of the class that waits, else to the list."""
    assignment = look.submission.assignment
    waiting = _looks_of(assignment).filter(state=STATES.OPEN).order_by("pk")
    following = waiting.filter(pk__gt=look.pk).first() or waiting.first()
    if following is None:
        return redirect("second_looks", assignment.pk)
    return redirect("second_look", following.pk)


def waiting_second_looks(assignment: Assignment) -> int:
    """How many requests wait for an answer."""
    return _looks_of(assignment).filter(state=STATES.OPEN).count()


def waiting_by_assignment(course: Course) -> dict[int, int]:
    """The same for each assignment of a course that has any, in one query."""
    waiting = SecondLook.objects.filter(submission__assignment__course=course, state=STATES.OPEN)
    return dict(waiting.values_list("submission__assignment").annotate(Count("pk")))


def _looks_of(assignment: Assignment) -> QuerySet[SecondLook]:
    return SecondLook.objects.filter(submission__assignment=assignment)


def _words(look: SecondLook) -> str:
    return submission_to_text(look.submission).words_at(spans_asked(look))


@dataclass(frozen=True, slots=True)
class OfferedIdea:
    """An idea that a grader can count, and what the comprehensive score would then be."""

    idea: Idea
    shared: tuple[str, ...]
    after: float | None  # unknown where no words are known yet
    is_asked: bool


@dataclass(frozen=True, slots=True)
class Offer:
    """The ideas to choose from: ``first`` is open, ``more`` is folded away.

    ``words`` are those that would count if the grader changes nothing.
    """

    first: tuple[OfferedIdea, ...]
    more: tuple[OfferedIdea, ...]
    words: Spans
    chosen: int | None

    @property
    def scus(self) -> list[int]:
        return [one.idea.uid for one in (*self.first, *self.more)]


def _answering(
    look: SecondLook,
    membership: Membership,
    score: Score,
    data: QueryDict | None = None,
    typed: AnswerForm | None = None,
) -> tuple[AnswerForm, dict[str, object]]:
    """The form and the page around it; ``typed`` is what is kept of a form that came too late."""
    prospect = actions.second_look_prospect(second_look=look, score=score)
    content, asked = look.submission.text, spans_asked(look)
    offer = _offer(look, prospect, asked)
    form = AnswerForm(
        data,
        content=content,
        spans=(typed and typed.cleaned_data["spans"]) or offer.words,
        scus=offer.scus,
        initial={
            "scu": offer.chosen,
            "answer": typed.cleaned_data["answer"] if typed else look.answer,
        },
    )
    pyramid = pyramid_from_row(score.pyramid).counted()
    report = report_from_row(score)
    marks = found_marks(pyramid, report)
    found = [mark for _, mark in marks]
    asked_and_found = [mark for mark in found if mark.idea.uid == prospect.scu]
    context: dict[str, object] = {
        "form": form,
        "look": look,
        "submission": look.submission,
        "assignment": look.submission.assignment,
        "membership": membership,
        "score": score,
        "stamp": actions.second_look_stamp(look, score),
        "offer": offer,
        "more_open": form["scu"].value() in {str(one.idea.uid) for one in offer.more},
        "before": prospect.report.comprehensive,
        "found": found,
        "pieces": pieces_of(content, asked, marks),
        "words": _words(look),
        "said_again": said_again(report, asked, found),
        "is_gone": look.scu is not None and prospect.scu is None,
        "found_already": None if look.is_accepted else next(iter(asked_and_found), None),
    }
    return form, context


def _offer(look: SecondLook, prospect: Prospect, asked: Spans) -> Offer:
    """The idea asked about comes first; of others those with most words in common."""
    pyramid, content = prospect.pyramid, look.submission.text
    missed = missed_ideas_of(pyramid, prospect.report)
    likely = likely_ideas(pyramid, missed, _words(look) or f"{look.shown_as} {look.reason}")
    wanted = prospect.chosen.scu if prospect.chosen else prospect.scu
    named = [one for one in likely if one.scu.uid == wanted]
    rest = [one for one in likely if one.scu.uid != wanted]
    words = prospect.chosen.spans if prospect.chosen else asked
    if not words and named:
        words = _nearest(pyramid, named[0].scu, content)
    offered = [_offered(one, prospect, words) for one in (*named, *rest)]
    shown = len(named) or FIRST_IDEAS
    return Offer(
        first=tuple(offered[:shown]),
        more=tuple(offered[shown:]),
        words=words,
        chosen=wanted if named else None,  # which idea words tell is for the grader to say
    )


def _nearest(pyramid: Pyramid, scu: Scu, content: str) -> Spans:
    sentence: Span | None = likely_sentence(pyramid, scu, content)
    return (sentence,) if sentence else ()


def _offered(likely: LikelyIdea, prospect: Prospect, words: Spans) -> OfferedIdea:
    scu = likely.scu
    return OfferedIdea(
        idea=idea_of(prospect.pyramid, scu, heaviest_of(prospect.pyramid)),
        shared=likely.shared,
        after=prospect.with_told(scu.uid, words).comprehensive if words else None,
        is_asked=scu.uid == prospect.scu,
    )

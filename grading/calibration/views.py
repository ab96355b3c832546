"""Calibration: samples of a class, and annotating their texts blind."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from grading import access
from grading.calibration.actions import (
    annotation_save,
    blind_text_of,
    drawable_scores,
    round_draw,
)
from grading.calibration.forms import AnnotationForm, DrawForm
from grading.models import (
    Annotation,
    Assignment,
    CalibrationRound,
    CalibrationText,
    Job,
    Membership,
    Submission,
    User,
)
from grading.pyramid.agreement.sample_size import SIZES, expect
from grading.pyramid.structures import Text
from grading.scoring.agreement import told_in
from grading.scoring.conversion import pyramid_from_row
from grading.scoring.engine import knows_probabilities
from grading.scoring.marks import count_marks
from grading.web.ideas import Idea, heaviest_of, idea_of
from grading.web.rendering import (
    SignedInRequest,
    asks_for_parts,
    render_form_page,
    render_page,
    render_part,
)
from grading.web.word_spans import place_of

TEXT_PAGE, SAVED_PART = "grading/calibration/text.html", "grading/calibration/_saved.html"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far somebody is with a sample."""

    person: User
    done: int
    begun: int

    def is_finished(self, texts: int) -> bool:
        return self.done >= texts


@dataclass(frozen=True, slots=True)
class ListedRound:
    row: CalibrationRound
    texts: int
    mine: Progress
    others: tuple[Progress, ...]
    next_place: int | None  # that the user is not done with
    may_see: bool

    @property
    def finished(self) -> tuple[Progress, ...]:
        return tuple(one for one in self.others if one.is_finished(self.texts))


@require_http_methods(["GET", "POST"])
def calibration(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    left = len(drawable_scores(assignment))
    form = DrawForm(request.POST or None, left=left)
    if form.is_valid():
        drawn = round_draw(
            assignment=assignment, texts=form.cleaned_data["texts"], author=request.user
        )
        messages.success(request, f"Sample {drawn.number} is drawn. Begin with text 1.")
        return redirect("calibration", pk)
    context = {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "left": left,
        "rounds": listed_rounds(assignment, membership),
        "expected": [expect(texts) for texts in SIZES],
        "counts": count_marks(assignment) if membership.is_instructor else None,
        "knows_probabilities": knows_probabilities(),
        "job": _failed_job(assignment),
    }
    return render_form_page(request, "grading/calibration/list.html", context)


def _failed_job(assignment: Assignment) -> Job | None:
    newest = assignment.jobs.filter(kind=Job.Kind.CALIBRATE).first()
    return newest if newest is not None and newest.is_failed else None


def listed_rounds(assignment: Assignment, membership: Membership) -> list[ListedRound]:
    """The newest first, with who is how far: three queries, however many."""
    rows = assignment.calibration_rounds.select_related("created_by", "pyramid")
    rounds = list(rows.defer("pyramid__document"))
    texts: dict[int, list[int]] = {one.pk: [] for one in rounds}
    places = CalibrationText.objects.filter(round__in=texts).order_by("place")
    for round_pk, place in places.values_list("round", "place"):
        texts[round_pk].append(place)
    annotations: dict[int, list[Annotation]] = {one.pk: [] for one in rounds}
    of_these = Annotation.objects.filter(text__round__in=texts).select_related("annotator", "text")
    for one in of_these.order_by("annotator__name", "annotator"):
        annotations[one.text.round_id].append(one)
    return [_listed(one, texts[one.pk], annotations[one.pk], membership) for one in rounds]


def _listed(
    one: CalibrationRound,
    places: Sequence[int],
    annotations: Sequence[Annotation],
    membership: Membership,
) -> ListedRound:
    people = {annotation.annotator_id: annotation.annotator for annotation in annotations}
    progress = {
        pk: Progress(
            person,
            done=sum(row.annotator_id == pk and row.is_done for row in annotations),
            begun=sum(row.annotator_id == pk for row in annotations),
        )
        for pk, person in people.items()
    }
    me = membership.user_id
    mine = progress.pop(me, Progress(membership.user, 0, 0))
    done = {row.text.place for row in annotations if row.annotator_id == me and row.is_done}
    anybody = any(row.is_done for row in annotations)
    return ListedRound(
        row=one,
        texts=len(places),
        mine=mine,
        others=tuple(progress.values()),
        next_place=next((place for place in places if place not in done), None),
        may_see=anybody and (membership.is_instructor or mine.is_finished(len(places))),
    )


@require_http_methods(["GET", "POST"])
def calibration_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    one, membership = access.get_editable_calibration_round_for(request.user, pk)
    if request.method == "GET":
        context = {
            "assignment": one.assignment,
            "membership": membership,
            "round": one,
            "annotations": Annotation.objects.filter(text__round=one).count(),
        }
        return render_page(request, "grading/calibration/delete.html", context)
    one.delete()
    messages.success(request, f"Sample {one.number} is deleted. Its texts can be drawn again.")
    return redirect("calibration", one.assignment_id)


# --- one text, blind ---


@dataclass(frozen=True, slots=True)
class PlainPiece:
    """The whole text, as the part in which words are chosen wants it."""

    words: str
    start: int = 0
    look: str = ""
    uids: tuple[int, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class TickedIdea:
    idea: Idea
    is_told: bool
    place: str
    quoted: str


@require_http_methods(["GET", "POST"])
def calibration_text(request: SignedInRequest, pk: int, place: int) -> HttpResponse:
    text, membership = access.get_calibration_text_for(request.user, pk, place)
    page = _BlindPage(text, request.user)
    if request.method == "POST" and page.is_finished:
        messages.info(request, "You are done with this sample: what you found stays as it is.")
        return redirect("calibration", text.round.assignment_id)
    form = page.form(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return render_form_page(request, TEXT_PAGE, page.context(form, membership))
    saved = annotation_save(
        text=text, annotator=request.user, told=form.told(), is_done=form.is_done
    )
    if asks_for_parts(request):
        return render_part(request, SAVED_PART, TEXT_PAGE, {"annotation": saved})
    return _after(request, text, form)


def _places(one: CalibrationRound, user: User) -> list[tuple[int, bool]]:
    """All texts of the sample with whether the user is done with them."""
    mine = Q(annotations__annotator=user, annotations__is_done=True)
    rows = one.texts.annotate(done=Count("annotations", filter=mine))
    return [(place, bool(done)) for place, done in rows.values_list("place", "done")]


def _after(request: SignedInRequest, text: CalibrationText, form: AnnotationForm) -> HttpResponse:
    """To the next text that is not done, once this one is."""
    if not form.is_done:
        return redirect("calibration_text", text.round_id, text.place)
    left = [place for place, is_done in _places(text.round, request.user) if not is_done]
    if not left:
        messages.success(request, "You are done with all texts. This is how far you agree.")
        return redirect("calibration_result", text.round_id)
    following = next((place for place in left if place > text.place), left[0])
    return redirect("calibration_text", text.round_id, following)


class _BlindPage:
    """A text with the ideas of the pyramid, and what the reader has found in it until now."""

    def __init__(self, text: CalibrationText, reader: User) -> None:
        self.text = text
        self.places = _places(text.round, reader)
        self.annotation = Annotation.objects.filter(text=text, annotator=reader).first()
        self.told = told_in(self.annotation) if self.annotation else {}
        self.pyramid = pyramid_from_row(text.round.pyramid).counted()

    @property
    def open_places(self) -> list[int]:
        return [place for place, is_done in self.places if not is_done]

    @property
    def is_finished(self) -> bool:
        return not self.open_places

    def form(self, data: QueryDict | None) -> AnnotationForm:
        uids = [scu.uid for scu in self.pyramid.scus]
        return AnnotationForm(data, content=self.text.submission.text, uids=uids, told=self.told)

    def context(self, form: AnnotationForm, membership: Membership) -> dict[str, object]:
        return {
            "assignment": self.text.round.assignment,
            "membership": membership,
            "text": self.text,
            "round": self.text.round,
            "form": form,
            "annotation": self.annotation,
            "pieces": [PlainPiece(self.text.submission.text)],
            "chosen_words": "",
            "ideas": list(self._ideas()),
            "places": self.places,
            "done": len(self.places) - len(self.open_places),
            "is_finished": self.is_finished,
            "is_last": self.open_places == [self.text.place],
        }

    def _ideas(self) -> Iterator[TickedIdea]:
        content, heaviest = Text("", self.text.submission.text), heaviest_of(self.pyramid)
        for scu in self.pyramid.scus:
            spans = self.told.get(scu.uid, ())
            idea = idea_of(self.pyramid, scu, heaviest)
            yield TickedIdea(idea, scu.uid in self.told, place_of(spans), content.quoted(spans))


def blind_notice(
    request: SignedInRequest, submission: Submission, membership: Membership
) -> HttpResponse | None:
    """In the place of a page with the program's matches, while its reader annotates the text.

    None for everybody else, and for who wants to see it all the same.
    """
    looks_all_the_same = asks_for_parts(request) or request.GET.get("look") == "yes"
    if looks_all_the_same or not membership.is_grader:
        return None
    text = blind_text_of(submission, request.user)
    if text is None:
        return None
    context = {
        "assignment": submission.assignment,
        "membership": membership,
        "text": text,
        "address": request.path,
    }
    return render_page(request, "grading/calibration/blind.html", context)

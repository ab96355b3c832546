"""Calibration: draw samples, annotate them blind, see the agreement, and learn from marks."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.calibration import actions
from grading.calibration.forms import AnnotationForm, DrawForm, RuleForm
from grading.calibration.page import (
    ideas_csv,
    learning_context,
    listed_samples,
    result_context,
    scores_csv,
    trial_stamp,
)
from grading.calibration.queries import (
    USUAL,
    MatchRule,
    drawable_scores,
    newest_version_pk,
    places_in,
    sample_advice,
    trial_result,
)
from grading.models import Annotation, Assignment, Job, ThresholdTrial
from grading.pyramid.agreement import FEWEST, SIZES, expect
from grading.pyramid.structures import Text
from grading.scoring.conversion import pyramid_from_row
from grading.scoring.engine import knows_probabilities
from grading.scoring.marks import annotated_ideas, count_marks, sample_of
from grading.web.chosen_words import plain_pieces
from grading.web.downloads import CSV, render_file
from grading.web.ideas import Ideas
from grading.web.rendering import (
    SignedInRequest,
    asks_for_parts,
    render_form_page,
    render_page,
    render_part,
)
from grading.web.word_spans import span_ref

TEXT_PAGE, SAVED_PART = "grading/calibration/text.html", "grading/calibration/_saved.html"
LEARNING_PAGE = "grading/calibration/learning.html"
TRIAL_PART = "grading/calibration/_trial.html"


@require_http_methods(["GET", "POST"])
def calibration(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    left = len(drawable_scores(assignment))
    form = DrawForm(request.POST or None, left=left)
    if form.is_valid():
        sample = actions.round_draw(
            assignment=assignment, texts=form.cleaned_data["texts"], author=request.user
        )
        messages.success(request, f"Sample {sample.number} drawn. Start with text 1.")
        return redirect("calibration", pk)
    newest_job = assignment.jobs.filter(kind=Job.Kind.CALIBRATE).first()
    context = {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "left": left,
        "fewest": FEWEST,
        "samples": listed_samples(assignment, membership),
        "sizes": [expect(texts) for texts in SIZES],
        "counts": count_marks(assignment) if membership.is_instructor else None,
        "knows_probabilities": knows_probabilities(),
        "job": newest_job if newest_job is not None and newest_job.is_failed else None,
    }
    return render_form_page(request, "grading/calibration/list.html", context)


@require_http_methods(["GET", "POST"])
def calibration_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    sample, membership = access.get_editable_calibration_round_for(request.user, pk)
    if request.method == "GET":
        context = {
            "assignment": sample.assignment,
            "membership": membership,
            "round": sample,
            "annotations": Annotation.objects.filter(text__round=sample).count(),
        }
        return render_page(request, "grading/calibration/delete.html", context)
    sample.delete()
    messages.success(request, f"Sample {sample.number} deleted. Its texts can be drawn again.")
    return redirect("calibration", sample.assignment_id)


@require_http_methods(["GET", "POST"])
def calibration_text(request: SignedInRequest, pk: int, place: int) -> HttpResponse:
    """A text with the ideas of the pyramid, and what the reader has ticked in it so far."""
    text, membership = access.get_calibration_text_for(request.user, pk, place)
    sample, content = text.round, Text("", text.submission.text)
    places = places_in(sample, request.user)
    left = [number for number, is_done in places if not is_done]
    if request.method == "POST" and not left:
        messages.info(request, "You've finished this sample. Your annotations are final.")
        return redirect("calibration", sample.assignment_id)
    annotation = Annotation.objects.filter(text=text, annotator=request.user).first()
    ticked = annotated_ideas(annotation) if annotation else {}
    is_empty = annotation is not None and annotation.is_done and not ticked  # and meant to be
    pyramid = pyramid_from_row(sample.pyramid).counted()
    form = AnnotationForm(
        request.POST if request.method == "POST" else None,
        content=content.content,
        uids=[scu.uid for scu in pyramid.scus],
        ticked=ticked,
    )
    if form.is_valid():
        is_asked = form.needs_confirmation and not is_empty
        saved = actions.annotation_save(
            text=text,
            annotator=request.user,
            ideas=form.ideas(),
            is_done=form.is_done and not is_asked,
        )
        if asks_for_parts(request):
            return render_part(request, SAVED_PART, TEXT_PAGE, {"annotation": saved})
        if not saved.is_done:
            return redirect(f"{request.path}?no_idea=ask" if is_asked else request.path)
        left = [number for number in left if number != place]
        if not left:
            messages.success(request, "All texts done. Here is the result.")
            return redirect("calibration_result", pk)
        following = next((number for number in left if number > place), left[0])
        return redirect("calibration_text", pk, following)
    shown = Ideas(pyramid)
    context = {
        "assignment": sample.assignment,
        "membership": membership,
        "text": text,
        "round": sample,
        "form": form,
        "annotation": annotation,
        # The whole text in one piece, as the part for choosing words wants it.
        "pieces": plain_pieces(content.content),
        "chosen_words": "",
        "ideas": [
            {
                "idea": shown.of(scu),
                "is_ticked": scu.uid in ticked,
                "spans": span_ref(ticked.get(scu.uid, ())),
                "quoted": content.quoted(ticked.get(scu.uid, ())),
            }
            for scu in pyramid.scus
        ],
        "places": places,
        "done": len(places) - len(left),
        "is_finished": not left,
        "is_last": left == [place],
        "asks_no_idea": "no_idea" in request.GET and not ticked and not is_empty,
    }
    return render_form_page(request, TEXT_PAGE, context)


@require_safe
def calibration_result(request: SignedInRequest, pk: int) -> HttpResponse:
    sample, membership = access.get_calibration_result_for(request.user, pk)
    context = result_context(sample, request.user) | {"membership": membership}
    return render_page(request, "grading/calibration/result.html", context)


@require_safe
def calibration_file(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    row, _ = access.get_calibration_result_for(request.user, pk)
    sample = sample_of(row)
    content = ideas_csv(sample) if kind == "ideas" else scores_csv(sample)
    title = slugify(row.assignment.title) or "assignment"
    name = f"calibration-{row.number}-{kind}-{title}-{row.assignment_id}.csv"
    return render_file(content, name, CSV)


# --- learning from marks ---


@require_http_methods(["GET", "POST"])
def learning(request: SignedInRequest, pk: int) -> HttpResponse:
    """What marks there are, what learning from them would do, and what was set before."""
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    counts = count_marks(assignment)
    sources = set() if counts.is_empty else {RuleForm.MARKS}
    if counts.blind:
        sources.add(RuleForm.SAMPLES)
    form = RuleForm(request.POST or None, sources=sources, usual=USUAL)
    if form.is_valid():
        actions.rule_try(
            assignment=assignment,
            source=form.source,
            match_probability=form.match_probability,
            requested_by=request.user,
        )
        return redirect(f"{request.path}#trial")
    context = learning_context(assignment, membership) | {"form": form, "counts": counts}
    if request.htmx:
        return render_part(request, TRIAL_PART, LEARNING_PAGE, context)
    context["advice"] = sample_advice(assignment)
    return render_form_page(request, LEARNING_PAGE, context)


@require_POST
def learning_set(request: SignedInRequest, pk: int) -> HttpResponse:
    """Set the rule whose effect was shown, or leave things as they are."""
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    if "not_now" in request.POST:
        actions.trial_dismiss(assignment=assignment)
        messages.info(request, "Nothing was changed.")
        return redirect("calibration_learning", pk)
    trial = ThresholdTrial.objects.filter(assignment=assignment).first()
    if trial is None or not _is_shown(assignment, trial, request.POST.get("trial", "")):
        messages.warning(request, "Nothing was changed. Show the effect on the class first.")
        return redirect("calibration_learning", pk)
    rule = MatchRule.of(trial)
    if actions.rule_set(assignment=assignment, rule=rule, author=request.user) is not None:
        messages.success(request, "Applied. The class is being scored again.")
    return redirect("calibration_learning", pk)


def _is_shown(assignment: Assignment, trial: ThresholdTrial, stamp: str) -> bool:
    """Did the page show the effect of just this rule, against what is in use now?"""
    result = trial_result(trial)
    return (
        result is not None
        and stamp == trial_stamp(trial)
        and result.before == MatchRule.of(assignment)
        and result.effect.version == newest_version_pk(assignment)
    )


@require_POST
def learning_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    change = assignment.threshold_changes.first()
    undone = None
    if change is not None and request.POST.get("change") == str(change.pk):
        undone = actions.rule_undo(change=change, author=request.user)
    if undone is None:
        messages.warning(
            request, "Nothing was changed, because the rule has changed. Check it again."
        )
    else:
        messages.success(request, "Undone. The class is being scored again.")
    return redirect("calibration_learning", pk)

"""The threshold of an assignment: what samples suggest, what it would do, and setting it."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from grading import access
from grading.actions import thresholds as actions
from grading.actions.agreement import samples_of
from grading.actions.thresholds import USUAL, FoundTrial, trial_found
from grading.engine import knows_probabilities
from grading.forms.calibration import SetThresholdForm, ThresholdForm
from grading.models import (
    Assignment,
    Job,
    Membership,
    StoredPyramid,
    Submission,
    ThresholdTrial,
)
from grading.models.hidden_names import hide_names
from grading.pyramid.agreement.cuts import CutAdvice, advise
from grading.views.effects import ShownEffect, shown_effect
from grading.views.rendering import SignedInRequest, render_form_page, render_part

PAGE, PART = "grading/calibration/threshold.html", "grading/calibration/_trial.html"


@dataclass(frozen=True, slots=True)
class Advice:
    """What the samples of the newest version that has any say of the threshold in use."""

    found: CutAdvice
    is_read: bool  # has a worker looked at all texts?
    version: int
    is_newest: bool


def advice_on(assignment: Assignment) -> Advice | None:
    """None where there is no sample, or the method knows no probabilities."""
    samples = samples_of(assignment) if knows_probabilities() else []
    if not samples:
        return None
    newest = StoredPyramid.objects.filter(assignment=assignment).order_by("-number")
    version = samples[0].round.pyramid
    now = assignment.match_probability
    return Advice(
        found=advise(
            [text for sample in samples for text in sample.judged()],
            USUAL if now is None else now,
        ),
        is_read=all(
            text.row.probabilities is not None for sample in samples for text in sample.annotated
        ),
        version=version.number,
        is_newest=newest.values_list("pk", flat=True).first() == version.pk,
    )


@require_http_methods(["GET", "POST"])
def threshold(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    advice = advice_on(assignment)
    suggested = advice.found.suggested if advice else None
    form = ThresholdForm(request.POST or None, suggested=suggested, usual=USUAL)
    if form.is_valid():
        actions.threshold_try(
            assignment=assignment,
            match_probability=form.threshold(),
            requested_by=request.user,
        )
        return redirect(f"{request.path}#trial")
    context = _context(assignment, membership) | {"form": form, "advice": advice}
    if request.htmx:
        return render_part(request, PART, PAGE, context)
    return render_form_page(request, PAGE, context)


@require_POST
def threshold_set(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    form = SetThresholdForm(request.POST)
    trial = ThresholdTrial.objects.filter(assignment=assignment).first()
    if not form.is_valid() or trial is None or not _is_shown(assignment, trial, form.threshold()):
        messages.warning(
            request, "Nothing was changed: look at the effect of this threshold first."
        )
        return redirect("calibration_threshold", pk)
    change = actions.threshold_set(
        assignment=assignment, match_probability=form.threshold(), author=request.user
    )
    if change is not None:
        messages.success(request, "It is set. The class is scored by it now.")
    return redirect("calibration_threshold", pk)


def _is_shown(assignment: Assignment, trial: ThresholdTrial, wanted: float | None) -> bool:
    """Was the effect of just this worked out, against what holds now?"""
    found = trial_found(trial)
    return (
        found is not None
        and trial.match_probability == wanted
        and found.before == assignment.match_probability
        and found.found.version == _newest_version(assignment)
    )


def _newest_version(assignment: Assignment) -> int | None:
    version = StoredPyramid.objects.filter(assignment=assignment).order_by("-number").only("pk")
    return next((one.pk for one in version[:1]), None)


def _context(assignment: Assignment, membership: Membership) -> dict[str, object]:
    job = assignment.jobs.filter(kind=Job.Kind.CALIBRATE).first()
    trial = ThresholdTrial.objects.filter(assignment=assignment).first()
    found = trial_found(trial) if trial else None
    now, version = assignment.match_probability, _newest_version(assignment)
    return {
        "assignment": assignment,
        "membership": membership,
        "now": USUAL if now is None else now,
        "usual": USUAL,
        "is_usual": now is None,
        "knows_probabilities": knows_probabilities(),
        "ideas_at": reverse("version", args=[version]) if version else "",
        "handed_in": assignment.submissions.exists(),
        "job": job if job is not None and not job.is_done else None,
        "scoring": _scoring(assignment),
        "trial": trial,
        "effect": _effect(assignment, trial, found) if trial and found else None,
        "changes": assignment.threshold_changes.select_related("author"),
    }


def _scoring(assignment: Assignment) -> Job | None:
    """The class is being scored by what was set."""
    of_class = Job.objects.unfinished().filter(submission=None)
    return of_class.filter(assignment=assignment, kind=Job.Kind.SCORE_SUBMISSIONS).first()


def _effect(assignment: Assignment, trial: ThresholdTrial, found: FoundTrial) -> ShownEffect:
    submissions = Submission.objects.select_related("student").defer("text")
    there = submissions.in_bulk(found.found.submissions)
    hide_names(assignment, [one.student for one in there.values()])
    return shown_effect(found.found, there, trial.created_at, _reasons(assignment, found))


def _reasons(assignment: Assignment, found: FoundTrial) -> list[str]:
    reasons = []
    if found.before != assignment.match_probability:
        reasons.append("Another threshold has been set since.")
    if found.found.version != _newest_version(assignment):
        reasons.append("Another version has been published since.")
    latest = assignment.submissions.latest_attempts().values_list("pk", flat=True)
    if set(latest) != found.found.submissions:
        reasons.append("Summaries have been handed in or deleted since.")
    return reasons

"""Learning from people's marks: what there is, what it would do, setting it, and undoing that."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from grading import access
from grading.access.hidden_names import hide_names
from grading.calibration import actions_learning as actions
from grading.calibration.actions_learning import USUAL, FoundTrial, MatchRule, trial_found
from grading.calibration.forms import RuleForm
from grading.models import (
    Assignment,
    Job,
    Membership,
    StoredPyramid,
    Submission,
    ThresholdChange,
    ThresholdTrial,
)
from grading.pyramid.agreement.curves import CurveAdvice, advise_curve
from grading.pyramid.effects import Effect
from grading.pyramid.figures import with_minus
from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramids.views_effects import ShownEffect, shown_effect
from grading.scoring.agreement import samples_of
from grading.scoring.conversion import pyramid_from_row
from grading.scoring.engine import knows_probabilities
from grading.scoring.marks import MarkCounts, count_marks
from grading.web.ideas import Idea, heaviest_of, idea_of
from grading.web.rendering import SignedInRequest, render_form_page, render_part

PAGE, PART = "grading/calibration/learning.html", "grading/calibration/_trial.html"
MOVED_MOST = 5  # ideas shown for each direction
_LEAST_MOVE = 0.05  # of a probability; what moves less is not worth a line


@dataclass(frozen=True, slots=True)
class Advice:
    """What the samples of the newest version that has any say about learning from them."""

    found: CurveAdvice
    is_read: bool  # has a worker looked at all texts?
    version: int
    is_newest: bool


@dataclass(frozen=True, slots=True)
class MovedIdea:
    """An idea that people find more, or less, often than the program does.

    ``percent`` is from which of the program's own probabilities it counts.
    """

    idea: Idea
    percent: int


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A line of the history."""

    row: ThresholdChange
    before: MatchRule
    after: MatchRule


@dataclass(frozen=True, slots=True)
class ShownTrial:
    """The rule that was tried, with its effect on the class."""

    row: ThresholdTrial
    rule: MatchRule
    stamp: str
    advice: CurveAdvice | None
    effect: ShownEffect
    mean_change: str
    gained: int
    lost: int
    more_often: Sequence[MovedIdea]
    less_often: Sequence[MovedIdea]
    is_in_use: bool


def advice_on(assignment: Assignment) -> Advice | None:
    """None where there is no sample, or the method knows no probabilities."""
    samples = samples_of(assignment) if knows_probabilities() else []
    if not samples:
        return None
    newest = StoredPyramid.objects.filter(assignment=assignment).order_by("-number")
    version = samples[0].round.pyramid
    usual = LearntCurve(cut=MatchRule(assignment.match_probability).cut)
    return Advice(
        found=advise_curve([text for sample in samples for text in sample.labelled()], usual),
        is_read=all(
            text.row.probabilities is not None for sample in samples for text in sample.annotated
        ),
        version=version.number,
        is_newest=newest.values_list("pk", flat=True).first() == version.pk,
    )


@require_http_methods(["GET", "POST"])
def learning(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    counts = count_marks(assignment)
    form = RuleForm(request.POST or None, sources=_sources(counts), usual=USUAL)
    if form.is_valid():
        actions.rule_try(
            assignment=assignment,
            source=form.source,
            match_probability=form.match_probability,
            requested_by=request.user,
        )
        return redirect(f"{request.path}#trial")
    context = _context(assignment, membership) | {"form": form, "counts": counts}
    if request.htmx:
        return render_part(request, PART, PAGE, context)
    return render_form_page(request, PAGE, context | {"advice": advice_on(assignment)})


def _sources(counts: MarkCounts) -> frozenset[str]:
    sources = set() if counts.is_empty else {RuleForm.MARKS}
    return frozenset(sources | {RuleForm.SAMPLES} if counts.blind else sources)


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
        messages.warning(request, "Nothing was changed: look at the effect on the class first.")
        return redirect("calibration_learning", pk)
    rule = MatchRule.of(trial)
    if actions.rule_set(assignment=assignment, rule=rule, author=request.user) is not None:
        messages.success(request, "Set. The class is being scored again.")
    return redirect("calibration_learning", pk)


@require_POST
def learning_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, _ = access.get_editable_assignment_for(request.user, pk)
    change = assignment.threshold_changes.first()
    undone = None
    if change is not None and request.POST.get("change") == str(change.pk):
        undone = actions.rule_undo(change=change, author=request.user)
    if undone is None:
        messages.warning(request, "Nothing was changed: something else has been set since.")
    else:
        messages.success(request, "Undone. The class is being scored again.")
    return redirect("calibration_learning", pk)


def _is_shown(assignment: Assignment, trial: ThresholdTrial, stamp: str) -> bool:
    """Was the effect of just this worked out, against what holds now?"""
    found = trial_found(trial)
    return (
        found is not None
        and stamp == _stamp(trial)
        and found.before == MatchRule.of(assignment)
        and found.found.version == _newest_version(assignment)
    )


def _stamp(trial: ThresholdTrial) -> str:
    return trial.created_at.isoformat()


def _newest_version(assignment: Assignment) -> int | None:
    version = StoredPyramid.objects.filter(assignment=assignment).order_by("-number").only("pk")
    return next((one.pk for one in version[:1]), None)


def _context(assignment: Assignment, membership: Membership) -> dict[str, object]:
    job = assignment.jobs.filter(kind=Job.Kind.CALIBRATE).first()
    trial = ThresholdTrial.objects.filter(assignment=assignment).first()
    found = trial_found(trial) if trial else None
    version = _newest_version(assignment)
    return {
        "assignment": assignment,
        "membership": membership,
        "rule": MatchRule.of(assignment),
        "usual": USUAL,
        "knows_probabilities": knows_probabilities(),
        "ideas_at": reverse("version", args=[version]) if version else "",
        "handed_in": assignment.submissions.exists(),
        "job": job if job is not None and not job.is_done else None,
        "scoring": _scoring(assignment),
        "trial": _shown_trial(assignment, trial, found) if trial and found else None,
        "changes": [
            ShownChange(row, MatchRule.before(row), MatchRule.after(row))
            for row in assignment.threshold_changes.select_related("author")
        ],
    }


def _scoring(assignment: Assignment) -> Job | None:
    """The class is being scored by what was set."""
    of_class = Job.objects.unfinished().filter(submission=None)
    return of_class.filter(assignment=assignment, kind=Job.Kind.SCORE_SUBMISSIONS).first()


# --- what was tried ---


def _shown_trial(assignment: Assignment, trial: ThresholdTrial, found: FoundTrial) -> ShownTrial:
    submissions = Submission.objects.select_related("student").defer("text")
    there = submissions.in_bulk(found.found.submissions)
    hide_names(assignment, there.values())
    outdated = _reasons(assignment, found)
    effect = found.found.effect
    more_often, less_often = _moved_ideas(found)
    return ShownTrial(
        row=trial,
        rule=MatchRule.of(trial),
        stamp=_stamp(trial),
        advice=found.advice,
        effect=shown_effect(found.found, there, trial.created_at, outdated),
        mean_change=_mean_change(effect),
        gained=sum(len(one.gained) for one in effect.texts),
        lost=sum(len(one.lost) for one in effect.texts),
        more_often=more_often,
        less_often=less_often,
        is_in_use=MatchRule.of(trial) == MatchRule.of(assignment),
    )


def _mean_change(effect: Effect) -> str:
    """Of the comprehensive score, with its sign; empty where there is nothing to compare."""
    moves = [
        one.after.comprehensive - one.before.comprehensive for one in effect.texts if one.before
    ]
    return with_minus(f"{sum(moves) / len(moves):+.2f}") if moves else ""


def _moved_ideas(found: FoundTrial) -> tuple[list[MovedIdea], list[MovedIdea]]:
    """Ideas that count more readily than by the program's own rule, and less, the most first."""
    version = StoredPyramid.objects.filter(pk=found.found.version or 0).first()
    if found.advice is None or version is None:
        return [], []
    pyramid, curve = pyramid_from_row(version), found.advice.curve
    heaviest = heaviest_of(pyramid)
    ideas = {scu.uid: idea_of(pyramid, scu, heaviest) for scu in pyramid.counted().scus}
    cuts = {uid: curve.base_cut(uid) for uid, _ in curve.idea_shifts if uid in ideas}
    lowest_first = sorted(cuts, key=lambda uid: (cuts[uid], uid))
    more = [uid for uid in lowest_first if cuts[uid] <= USUAL - _LEAST_MOVE]
    less = [uid for uid in reversed(lowest_first) if cuts[uid] >= USUAL + _LEAST_MOVE]
    more_often, less_often = (
        [MovedIdea(ideas[uid], round(100 * cuts[uid])) for uid in uids[:MOVED_MOST]]
        for uids in (more, less)
    )
    return more_often, less_often


def _reasons(assignment: Assignment, found: FoundTrial) -> list[str]:
    reasons = []
    if found.before != MatchRule.of(assignment):
        reasons.append("Something else has been set since.")
    if found.found.version != _newest_version(assignment):
        reasons.append("Another version has been published since.")
    latest = assignment.submissions.latest_attempts().values_list("pk", flat=True)
    if set(latest) != found.found.submissions:
        reasons.append("Summaries have been submitted or deleted since.")
    return reasons

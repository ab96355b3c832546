"""The rule by which matches count in an assignment: learnt from people's marks, or set manually.

A rule is tried first: a worker learns the curve, says what it is worth on texts that did not teach
it, and what it would do to the class. Nothing changes until an instructor sets it, and each change
can be undone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from grading.calibration.actions import samples_look_at
from grading.jobs.claims import Claim, job_start
from grading.models import (
    Assignment,
    Job,
    StoredPyramid,
    ThresholdChange,
    ThresholdTrial,
    User,
)
from grading.pyramid.agreement.curves import CurveAdvice, LabelledText, advise_curve
from grading.pyramid.effects import effect_of, pair_ideas
from grading.pyramid.errors import InputError
from grading.pyramid.formats.curve_advice_json import advice_from_json, advice_to_json
from grading.pyramid.formats.effect_json import EFFECT_FORMAT, effect_from_json, effect_to_json
from grading.pyramid.formats.learnt_curve_json import curve_from_json, curve_to_json
from grading.pyramid.learning import Label
from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramid.pipeline import Engine, prepare_probabilities
from grading.pyramid.structures import Pyramid
from grading.scoring.conversion import pyramid_from_row
from grading.scoring.corrections import Carrier
from grading.scoring.effects import ClassWork, FoundEffect, latest_attempts_of
from grading.scoring.engine import load_engine, tuned, with_curve, with_threshold
from grading.scoring.learnt_curves import Learnt, learnt_carried
from grading.scoring.marks import MarkedText, marked_texts
from grading.scoring.readings import FETCHED_TOGETHER, readings_get_possible
from grading.scoring.scores import submissions_start_scoring

USUAL = LearntCurve().cut  # the program's own: from where on a match counts


@dataclass(frozen=True, slots=True)
class MatchRule:
    """At most one of the two; neither is the program's own rule."""

    match_probability: float | None = None
    learnt_curve: Learnt | None = None

    @classmethod
    def of(cls, row: Assignment | ThresholdTrial) -> "MatchRule":
        return cls(row.match_probability, row.learnt_curve)

    @classmethod
    def before(cls, change: ThresholdChange) -> "MatchRule":
        return cls(change.before, change.learnt_before)

    @classmethod
    def after(cls, change: ThresholdChange) -> "MatchRule":
        return cls(change.after, change.learnt_after)

    @property
    def cut(self) -> float:
        """From which probability on a match counts."""
        if self.learnt_curve is not None:
            return curve_from_json(self.learnt_curve).cut
        return USUAL if self.match_probability is None else self.match_probability

    def tuned(self, engine: Engine) -> Engine:
        if self.learnt_curve is not None:
            return with_curve(engine, curve_from_json(self.learnt_curve))
        return with_threshold(engine, self.match_probability)


@dataclass(frozen=True, slots=True)
class FoundTrial:
    """What the rule would do in the place of the one ``before``, and why it is believed to."""

    found: FoundEffect
    before: MatchRule
    advice: CurveAdvice | None  # None where nothing was learnt


@transaction.atomic
def rule_try(
    *,
    assignment: Assignment,
    source: str = "",
    match_probability: float | None = None,
    requested_by: User,
) -> Job:
    """Ask a worker what a rule would do to the class. Nothing is changed by it.

    With a source it is learnt from what people have marked there.
    """
    ThresholdTrial.objects.update_or_create(
        assignment=assignment,
        defaults={
            "source": source,
            "match_probability": match_probability,
            "learnt_curve": None,
            "document": None,
            "created_at": timezone.now(),
        },
    )
    return job_start(kind=Job.Kind.CALIBRATE, assignment=assignment, requested_by=requested_by)


def calibrate(job: Job, claim: Claim) -> None:
    """Look at samples that were drawn, and try a rule where one is to be tried."""
    claim.progress("Loading the language model", 0, 0)
    samples_look_at(job.assignment, claim)
    trial = ThresholdTrial.objects.filter(assignment=job.assignment, document__isnull=True).first()
    if trial is not None:
        _foretell(job.assignment, trial, claim)
    with transaction.atomic():
        claim.finish()
        if trial is not None:
            same = ThresholdTrial.objects.filter(pk=trial.pk, created_at=trial.created_at)
            same.update(document=trial.document, learnt_curve=trial.learnt_curve)


def _foretell(assignment: Assignment, trial: ThresholdTrial, claim: Claim) -> None:
    version = StoredPyramid.objects.newest_of(assignment)
    if version is None:
        raise InputError("There is no pyramid yet to score with. Build it first.")
    engine, submissions = load_engine(), latest_attempts_of(assignment)
    pyramid, carrier = pyramid_from_row(version), Carrier.to_version(version)
    advice = None
    if trial.source:
        only_blind = trial.source == ThresholdTrial.Source.SAMPLES
        marked = marked_texts(assignment, version, only_blind=only_blind)
        advice = _learn(assignment, pyramid, marked, engine, claim)
        kept = {"version": version.number, "texts": len(marked), "labels": advice.labels}
        trial.learnt_curve = kept | curve_to_json(advice.curve)
    now = ClassWork(tuned(engine, assignment), claim)
    then = ClassWork(MatchRule.of(trial).tuned(engine), claim)
    before = now.reports_now(version, pyramid, submissions)
    after = then.reports(pyramid, carrier, submissions)
    counted = pyramid.counted()
    effect = effect_of(before, after, pair_ideas(counted, counted, same_numbers=True))
    trial.document = {
        "format": EFFECT_FORMAT,
        "version": version.pk,
        "before": assignment.match_probability,
        "learnt_before": assignment.learnt_curve,
        "submissions": sorted(one.pk for one in submissions),
        "effect": effect_to_json(effect),
        "advice": advice_to_json(advice) if advice else None,
    }


def _learn(
    assignment: Assignment,
    pyramid: Pyramid,
    marked: Sequence[MarkedText],
    engine: Engine,
    claim: Claim,
) -> CurveAdvice:
    """What the marks teach, compared with the rule that nothing was learnt for."""
    if not marked:
        raise InputError("There is nothing to learn from yet: nobody has marked a text.")
    texts = _labelled(pyramid, marked, engine, claim)
    usual = LearntCurve(cut=MatchRule(assignment.match_probability).cut)
    return advise_curve(list(texts), usual)


def _labelled(
    pyramid: Pyramid, marked: Sequence[MarkedText], engine: Engine, claim: Claim
) -> Iterator[LabelledText]:
    """With how probable the program called each idea; texts that cannot be read are left out."""
    probabilities = prepare_probabilities(pyramid, engine)
    for start in range(0, len(marked), FETCHED_TOGETHER):
        claim.progress("Learning from the marks", start, len(marked))
        batch = marked[start : start + FETCHED_TOGETHER]
        readings = readings_get_possible(
            submissions=[text.submission for text in batch], engine=engine
        )
        for text in batch:
            if text.submission.pk in readings:
                known = probabilities(readings[text.submission.pk])
                labels = (
                    Label(
                        mark.idea,
                        known.get(mark.idea, 0.0),
                        mark.is_expressed,
                        text.submission.pk,
                        mark.weight,
                    )
                    for mark in text.marks
                )
                yield LabelledText(tuple(labels), text.is_whole)


def trial_found(trial: ThresholdTrial) -> FoundTrial | None:
    """None while a worker is at it, or where an earlier version of the program found it out."""
    told = trial.document
    if told is None or told["format"] != EFFECT_FORMAT or "advice" not in told:
        return None
    effect, submissions = effect_from_json(told["effect"]), frozenset(told["submissions"])
    return FoundTrial(
        FoundEffect(effect, told["version"], submissions),
        MatchRule(told["before"], told["learnt_before"]),
        advice_from_json(told["advice"]) if told["advice"] else None,
    )


@transaction.atomic
def rule_set(*, assignment: Assignment, rule: MatchRule, author: User) -> ThresholdChange | None:
    """Score the class by this rule from now on; None, and nothing is done, where it is so.

    Texts are not read again, and corrections stay.
    """
    locked = Assignment.objects.select_for_update().get(pk=assignment.pk)
    before = MatchRule.of(locked)
    if before == rule:
        return None
    change = ThresholdChange.objects.create(
        assignment=locked,
        before=before.match_probability,
        after=rule.match_probability,
        learnt_before=before.learnt_curve,
        learnt_after=rule.learnt_curve,
        author=author,
    )
    locked.match_probability, locked.learnt_curve = rule.match_probability, rule.learnt_curve
    locked.save(update_fields=["match_probability", "learnt_curve"])
    ThresholdTrial.objects.filter(assignment=locked).delete()
    submissions_start_scoring(assignment=locked, requested_by=author)
    return change


@transaction.atomic
def rule_undo(*, change: ThresholdChange, author: User) -> ThresholdChange | None:
    """Back to the rule before this change, which must be the newest: else None.

    A learnt curve comes back for the ideas of the newest version.
    """
    assignment = Assignment.objects.select_for_update().get(pk=change.assignment_id)
    newest = assignment.threshold_changes.first()
    version = StoredPyramid.objects.newest_of(assignment)
    if newest != change or version is None:
        return None
    rule = MatchRule.before(change)
    if rule.learnt_curve is not None:
        rule = MatchRule(None, learnt_carried(rule.learnt_curve, version))
    return rule_set(assignment=assignment, rule=rule, author=author)


def trial_dismiss(*, assignment: Assignment) -> None:
    """Forget the rule that was tried; nothing else changes."""
    ThresholdTrial.objects.filter(assignment=assignment).delete()

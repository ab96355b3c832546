"""Thresholds: from which probability on a match counts in an assignment; tried first, then set."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from grading.actions.calibration import samples_look_at
from grading.actions.corrections import Carrier
from grading.actions.effects import ClassWork, FoundEffect, latest_attempts_of
from grading.actions.jobs import Claim, job_start
from grading.actions.scores import submissions_start_scoring
from grading.conversion import pyramid_from_row
from grading.engine import load_engine, tuned, with_threshold
from grading.models import (
    Assignment,
    Job,
    StoredPyramid,
    ThresholdChange,
    ThresholdTrial,
    User,
)
from grading.pyramid.effects import effect_of, pair_ideas
from grading.pyramid.errors import InputError
from grading.pyramid.formats.effect_json import EFFECT_FORMAT, effect_from_json, effect_to_json

USUAL = 0.5  # the program's own: matchers/classroom.py


@dataclass(frozen=True, slots=True)
class FoundTrial:
    """What setting the threshold would do in the place of the one ``before``."""

    found: FoundEffect
    before: float | None


@transaction.atomic
def threshold_try(
    *, assignment: Assignment, match_probability: float | None, requested_by: User
) -> Job:
    """Ask a worker what this threshold would do to the class. Nothing is changed by it."""
    ThresholdTrial.objects.update_or_create(
        assignment=assignment,
        defaults={
            "match_probability": match_probability,
            "document": None,
            "created_at": timezone.now(),
        },
    )
    return job_start(kind=Job.Kind.CALIBRATE, assignment=assignment, requested_by=requested_by)


def calibrate(job: Job, claim: Claim) -> None:
    """Look at samples that were drawn, and try a threshold where one is to be tried."""
    claim.progress("Loading the language model", 0, 0)
    samples_look_at(job.assignment, claim)
    trial = ThresholdTrial.objects.filter(assignment=job.assignment, document__isnull=True).first()
    document = _foretell(job.assignment, trial, claim) if trial else None
    with transaction.atomic():
        claim.finish()
        if trial is not None:
            same = ThresholdTrial.objects.filter(pk=trial.pk, created_at=trial.created_at)
            same.update(document=document)


def _foretell(assignment: Assignment, trial: ThresholdTrial, claim: Claim) -> dict[str, object]:
    version = StoredPyramid.objects.newest_of(assignment)
    if version is None:
        raise InputError("There is no pyramid yet to score with. Build it first.")
    engine, submissions = load_engine(), latest_attempts_of(assignment)
    pyramid, carrier = pyramid_from_row(version), Carrier.to_version(version)
    now = ClassWork(tuned(engine, assignment), claim)
    then = ClassWork(with_threshold(engine, trial.match_probability), claim)
    before = now.reports_now(version, pyramid, submissions)
    after = then.reports(pyramid, carrier, submissions)
    counted = pyramid.counted()
    effect = effect_of(before, after, pair_ideas(counted, counted, same_numbers=True))
    return {
        "format": EFFECT_FORMAT,
        "version": version.pk,
        "before": assignment.match_probability,
        "submissions": sorted(one.pk for one in submissions),
        "effect": effect_to_json(effect),
    }


def trial_found(trial: ThresholdTrial) -> FoundTrial | None:
    """None while a worker is at it, or where an earlier version of the program found it out."""
    told = trial.document
    if told is None or told["format"] != EFFECT_FORMAT:
        return None
    effect, submissions = effect_from_json(told["effect"]), frozenset(told["submissions"])
    return FoundTrial(FoundEffect(effect, told["version"], submissions), told["before"])


@transaction.atomic
def threshold_set(
    *, assignment: Assignment, match_probability: float | None, author: User
) -> ThresholdChange | None:
    """Score the class by this threshold from now on; None, and nothing is done, where it is so.

    Texts are not read again, and corrections by hand stay.
    """
    locked = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if locked.match_probability == match_probability:
        return None
    change = ThresholdChange.objects.create(
        assignment=locked,
        before=locked.match_probability,
        after=match_probability,
        author=author,
    )
    locked.match_probability = match_probability
    locked.save(update_fields=["match_probability"])
    ThresholdTrial.objects.filter(assignment=locked).delete()
    submissions_start_scoring(assignment=locked, requested_by=author)
    return change

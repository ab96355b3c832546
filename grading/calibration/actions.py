"""Draw samples, keep annotations, and choose the rule by which matches count.

A rule is learnt from people's marks or set manually, and tried first: a worker learns the curve,
measures it on texts that did not teach it, and predicts its effect on the class. Nothing changes
until an instructor applies it, and each change can be undone.
"""

import random
from collections.abc import Iterator, Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from grading.calibration.queries import MatchRule, drawable_scores, usual_curve
from grading.jobs.claims import Claim, job_start
from grading.models import (
    Annotation,
    Assignment,
    AuditKind,
    CalibrationRound,
    CalibrationText,
    Job,
    StoredPyramid,
    ThresholdChange,
    ThresholdTrial,
    User,
    record,
)
from grading.pyramid.agreement import LabelledText, advise_curve
from grading.pyramid.effects import effect_of, pair_ideas
from grading.pyramid.errors import InputError
from grading.pyramid.formats.findings_json import EFFECT_FORMAT, advice_to_json, effect_to_json
from grading.pyramid.formats.learnt_curve_json import curve_to_json
from grading.pyramid.formats.pyramid_json import spans_to_json
from grading.pyramid.learning import Label
from grading.pyramid.pipeline import Engine, prepare_probabilities
from grading.pyramid.structures import Pyramid, Spans
from grading.scoring.conversion import pyramid_from_row
from grading.scoring.corrections import Carrier
from grading.scoring.effects import ClassScorer, latest_attempts_of
from grading.scoring.engine import engine_for_assignment, load_engine
from grading.scoring.learnt_curves import learnt_carried
from grading.scoring.marks import MarkedText, marked_texts
from grading.scoring.readings import FETCHED_TOGETHER, readings_get, readings_get_possible
from grading.scoring.scores import submissions_start_scoring

MOST_SEEDS = 1_000_000


@transaction.atomic
def round_draw(*, assignment: Assignment, texts: int, author: User) -> CalibrationRound:
    """Draw a sample at random and have a worker read it. InputError where it is too large."""
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    scores = drawable_scores(assignment)
    if texts > len(scores):
        raise InputError(f"Only {len(scores)} texts are left.")
    seed = random.SystemRandom().randrange(MOST_SEEDS)
    # Kept with the round, so that a draw can be repeated and checked.
    chance = random.Random(seed)  # noqa: S311
    drawn = chance.sample([score.submission_id for score in scores], texts)
    last = assignment.calibration_rounds.order_by("number").last()
    sample = CalibrationRound.objects.create(
        assignment=assignment,
        number=last.number + 1 if last else 1,
        pyramid=scores[0].pyramid,
        signature=scores[0].signature,
        match_probability=assignment.match_probability,
        seed=seed,
        drawn_from=len(scores),
        created_by=author,
    )
    CalibrationText.objects.bulk_create(
        CalibrationText(round=sample, submission_id=pk, place=place)
        for place, pk in enumerate(drawn, start=1)
    )
    job_start(kind=Job.Kind.CALIBRATE, assignment=assignment, requested_by=author)
    return sample


@transaction.atomic
def annotation_save(
    *, text: CalibrationText, annotator: User, ideas: Mapping[int, Spans], is_done: bool
) -> Annotation:
    """Keep which ideas a grader sees in the text, in place of what was kept before."""
    document = {str(uid): spans_to_json(spans) for uid, spans in sorted(ideas.items())}
    annotation, _ = Annotation.objects.update_or_create(
        text=text,
        annotator=annotator,
        defaults={"ideas": document, "is_done": is_done, "saved_at": timezone.now()},
    )
    return annotation


@transaction.atomic
def rule_try(
    *,
    assignment: Assignment,
    source: str = "",
    match_probability: float | None = None,
    requested_by: User,
) -> Job:
    """Ask a worker what a rule would do to the class; nothing else changes.

    With a source (``ThresholdTrial.Source``) the rule is learnt from people's marks.
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


@transaction.atomic
def rule_set(*, assignment: Assignment, rule: MatchRule, author: User) -> ThresholdChange | None:
    """Make this the rule, and score the class by it. None where it is the rule already.

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
    sentence = "Changed the match threshold or the learnt curve."
    record(AuditKind.THRESHOLD_CHANGED, sentence, assignment=locked, actor=author)
    locked.match_probability, locked.learnt_curve = rule.match_probability, rule.learnt_curve
    locked.save(update_fields=["match_probability", "learnt_curve"])
    ThresholdTrial.objects.filter(assignment=locked).delete()
    submissions_start_scoring(assignment=locked, requested_by=author)
    return change


@transaction.atomic
def rule_undo(*, change: ThresholdChange, author: User) -> ThresholdChange | None:
    """Go back to the rule before this change. None where it is not the newest change.

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


# --- what a worker does ---


def calibrate(job: Job, claim: Claim) -> None:
    """Read the samples that were drawn, and try a rule where one waits to be tried."""
    claim.progress("Loading the language model", 0, 0)
    engine = load_engine()
    if engine.method.knows_probabilities:
        for sample in job.assignment.calibration_rounds.select_related("pyramid").order_by("pk"):
            _read_sample(sample, engine, claim)
    trial = ThresholdTrial.objects.filter(assignment=job.assignment, document__isnull=True).first()
    if trial is not None:
        _predict_effect(job.assignment, trial, engine, claim)
    with transaction.atomic():
        claim.finish()
        if trial is not None:
            # Another rule may have been sent to be tried meanwhile.
            same = ThresholdTrial.objects.filter(pk=trial.pk, created_at=trial.created_at)
            same.update(document=trial.document, learnt_curve=trial.learnt_curve)


def _read_sample(sample: CalibrationRound, engine: Engine, claim: Claim) -> None:
    """Keep how probable each idea is in the texts that no worker has read yet."""
    unread = sample.texts.filter(probabilities__isnull=True)
    texts = list(unread.select_related("submission__student"))
    if not texts:
        return
    claim.progress("Reading the sample", 0, len(texts))
    probabilities = prepare_probabilities(pyramid_from_row(sample.pyramid), engine)
    readings = readings_get(submissions=[text.submission for text in texts], engine=engine)
    for text, reading in zip(texts, readings, strict=True):
        text.probabilities = {str(uid): value for uid, value in probabilities(reading).items()}
    with transaction.atomic():
        claim.beat()
        CalibrationText.objects.bulk_update(texts, ["probabilities"])


def _predict_effect(
    assignment: Assignment, trial: ThresholdTrial, engine: Engine, claim: Claim
) -> None:
    """Fill the trial with the rule, where it is to be learnt, and its effect; nothing is saved."""
    version = StoredPyramid.objects.newest_of(assignment)
    if version is None:
        raise InputError("There is no pyramid yet. Build one first.")
    submissions = latest_attempts_of(assignment)
    pyramid, carrier = pyramid_from_row(version), Carrier.to_version(version)
    advice = None
    if trial.source:
        only_blind = trial.source == ThresholdTrial.Source.SAMPLES
        marked = marked_texts(assignment, version, only_blind=only_blind)
        if not marked:
            raise InputError("There is nothing to learn from yet.")
        texts = list(_labelled(pyramid, marked, engine, claim))
        advice = advise_curve(texts, usual_curve(assignment))
        origin = {"version": version.number, "texts": len(marked), "labels": advice.labels}
        trial.learnt_curve = origin | curve_to_json(advice.curve)
    now = ClassScorer(engine_for_assignment(engine, assignment), claim)
    then = ClassScorer(MatchRule.of(trial).apply_to(engine), claim)
    before = now.scored_now(version, pyramid, submissions)
    after = then.scored(pyramid, carrier, submissions)
    counted = pyramid.counted()
    effect = effect_of(before, after, pair_ideas(counted, counted, same_numbers=True))
    trial.document = {
        "format": EFFECT_FORMAT,
        "version": version.pk,
        "before": assignment.match_probability,
        "learnt_before": assignment.learnt_curve,
        "submissions": sorted(submission.pk for submission in submissions),
        "effect": effect_to_json(effect),
        "advice": advice_to_json(advice) if advice else None,
    }


def _labelled(
    pyramid: Pyramid, marked: Sequence[MarkedText], engine: Engine, claim: Claim
) -> Iterator[LabelledText]:
    """Pair people's marks with the program's probabilities; unreadable texts are left out."""
    probabilities = prepare_probabilities(pyramid, engine)
    for start in range(0, len(marked), FETCHED_TOGETHER):
        claim.progress("Learning from the corrections", start, len(marked))
        batch = marked[start : start + FETCHED_TOGETHER]
        submissions = [text.submission for text in batch]
        readings = readings_get_possible(submissions=submissions, engine=engine)
        for text in batch:
            pk = text.submission.pk
            if pk in readings:
                known = probabilities(readings[pk])
                labels = (
                    Label(mark.idea, known.get(mark.idea, 0.0), mark.is_expressed, pk, mark.weight)
                    for mark in text.marks
                )
                yield LabelledText(tuple(labels), text.is_whole)

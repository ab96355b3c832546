"""Calibration: drawing a sample, keeping what graders find in it, and what the program thinks."""

import random
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from grading.jobs.claims import Claim, job_start
from grading.models import (
    Annotation,
    Assignment,
    CalibrationRound,
    CalibrationText,
    Job,
    Score,
    StoredPyramid,
    Submission,
    User,
)
from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import spans_to_json
from grading.pyramid.pipeline import Engine, prepare_probabilities
from grading.pyramid.structures import Spans
from grading.scoring.conversion import pyramid_from_row
from grading.scoring.engine import load_engine
from grading.scoring.readings import readings_get
from grading.scoring.results import newest_scores

MOST_SEEDS = 1_000_000


def drawable_scores(assignment: Assignment) -> list[Score]:
    """Of the final texts that count and were never drawn, the scores by the newest version.

    While a class is scored anew, those that are scored as the last one was.
    """
    finals = assignment.submissions.of_the_class().latest_attempts().filter(is_final=True)
    fresh = finals.exclude(calibration_texts__round__assignment=assignment).only("assignment")
    version = StoredPyramid.objects.newest_of(assignment)
    held = [one for one in newest_scores(fresh).values() if one.pyramid == version]
    newest = max(held, key=lambda one: one.pk, default=None)
    return sorted(
        (one for one in held if newest and one.signature == newest.signature),
        key=lambda one: one.submission_id,
    )


@transaction.atomic
def round_draw(*, assignment: Assignment, texts: int, author: User) -> CalibrationRound:
    """Draw a sample at random, and have a worker look at it. InputError where it is too large."""
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    scores = drawable_scores(assignment)
    if texts > len(scores):
        raise InputError(f"Only {len(scores)} texts are left to draw from.")
    seed = random.SystemRandom().randrange(MOST_SEEDS)
    drawn = random.Random(seed).sample([one.submission_id for one in scores], texts)  # noqa: S311
    last = assignment.calibration_rounds.order_by("number").last()
    found = CalibrationRound.objects.create(
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
        CalibrationText(round=found, submission_id=pk, place=place)
        for place, pk in enumerate(drawn, start=1)
    )
    job_start(kind=Job.Kind.CALIBRATE, assignment=assignment, requested_by=author)
    return found


@transaction.atomic
def annotation_save(
    *, text: CalibrationText, annotator: User, told: Mapping[int, Spans], is_done: bool
) -> Annotation:
    """Keep what a grader has found until now, in the place of what was kept before."""
    ideas = {str(uid): spans_to_json(spans) for uid, spans in sorted(told.items())}
    kept, _ = Annotation.objects.update_or_create(
        text=text,
        annotator=annotator,
        defaults={"ideas": ideas, "is_done": is_done, "saved_at": timezone.now()},
    )
    return kept


def samples_look_at(assignment: Assignment, claim: Claim) -> None:
    """How probable each idea is in the texts of samples, for those that nobody has looked at."""
    engine = load_engine()
    if not engine.method.knows_probabilities:
        return
    for one in assignment.calibration_rounds.select_related("pyramid").order_by("pk"):
        waiting = one.texts.filter(probabilities__isnull=True).select_related("submission__student")
        _look_at(one, list(waiting), engine, claim)


def _look_at(
    one: CalibrationRound, texts: Sequence[CalibrationText], engine: Engine, claim: Claim
) -> None:
    if not texts:
        return
    claim.progress("Looking at the sample", 0, len(texts))
    probabilities = prepare_probabilities(pyramid_from_row(one.pyramid), engine)
    readings = readings_get(submissions=[text.submission for text in texts], engine=engine)
    for text, reading in zip(texts, readings, strict=True):
        text.probabilities = {str(uid): value for uid, value in probabilities(reading).items()}
    with transaction.atomic():
        claim.beat()
        CalibrationText.objects.bulk_update(texts, ["probabilities"])


def blind_text_of(submission: Submission, user: User) -> CalibrationText | None:
    """The text of a sample that the user is in the middle of, while this one is not done."""
    texts = CalibrationText.objects.filter(
        submission=submission, round__texts__annotations__annotator=user
    ).exclude(annotations__annotator=user, annotations__is_done=True)
    return texts.select_related("round").first()

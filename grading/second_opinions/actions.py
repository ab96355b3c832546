"""Choose which methods give second opinions, and have a worker calculate them."""

import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from grading.jobs.claims import Claim, job_start
from grading.models import (
    Assignment,
    Job,
    OpinionSetting,
    SecondOpinion,
    StoredContentModel,
    StoredPyramid,
    Submission,
    User,
)
from grading.pyramid.content import ContentModel, ContentScore, ContentScorer, Need
from grading.pyramid.content_pipeline import (
    ContentEngine,
    build_content_model,
    make_content_engine,
    parsed_again,
    prepare_content_scorer,
)
from grading.pyramid.errors import InputError
from grading.pyramid.figures import number_of
from grading.pyramid.formats.content_json import model_from_json, model_to_json
from grading.pyramid.formats.opinion_json import opinion_to_json
from grading.pyramid.method_words import title_of
from grading.pyramid.pipeline import Engine
from grading.pyramid.registry import CONTENT_METHODS
from grading.pyramid.structures import SegmentedText, Text
from grading.scoring.conversion import pyramid_from_row, reference_to_text
from grading.scoring.engine import load_engine
from grading.scoring.readings import READ_TOGETHER, readings_get_possible
from grading.scoring.second_opinions import chosen_methods, opinion_setting_of, opinions_start

logger = logging.getLogger(__name__)


@transaction.atomic
def opinion_setting_change(
    *, assignment: Assignment, methods: Sequence[str], least_difference: float, author: User
) -> Job | None:
    """Set which methods give second opinions; those of other methods are deleted.

    Returns the job that calculates them, None where no method is chosen.
    """
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    OpinionSetting.objects.update_or_create(
        assignment=assignment,
        defaults={"methods": list(methods), "least_difference": least_difference},
    )
    for method in CONTENT_METHODS:
        if method not in methods:
            _forget(assignment, method)
    return opinions_start(assignment=assignment, requested_by=author)


def _forget(assignment: Assignment, method: str) -> None:
    SecondOpinion.objects.filter(submission__assignment=assignment, method=method).delete()
    StoredContentModel.objects.filter(assignment=assignment, method=method).delete()


# --- what a worker does ---


def outdated_opinions_renew() -> list[Job]:
    """Start calculating where opinions are by another version of their method.

    Loads the methods that are in use. What is archived stays as it is.
    """
    rows = StoredContentModel.objects.filter(
        assignment__leaves_at=None,
        assignment__archived_at=None,
        assignment__course__archived_at=None,
    ).select_related("assignment")
    outdated = {
        row.assignment_id: row.assignment
        for row in rows.defer("document").order_by("assignment")
        if row.method in CONTENT_METHODS
        and row.signature != _content_engine(row.method, load_engine()).signature
    }
    jobs = [
        opinions_start(assignment=assignment, requested_by=None) for assignment in outdated.values()
    ]
    return [job for job in jobs if job is not None]


def opinions_calculate(job: Job, claim: Claim) -> None:
    """Bring the opinions of all chosen methods up to date; each is kept as it is made.

    Scoring goes first: between two batches the job steps back behind whatever else is waiting.
    """
    assignment = job.assignment
    claim.progress("Loading the language model", 0, 0)
    engine = load_engine()
    problems = []
    for method in chosen_methods(opinion_setting_of(assignment)):
        try:
            row = _model_of(assignment, method, engine, claim)
        except InputError as error:
            _forget(assignment, method)
            problems.append(f"{title_of(method)}: {error}")
            continue
        if row is None:
            continue
        # Submissions with no opinion by this model; the latest first, as they may be waited for.
        kept_opinions = SecondOpinion.objects.filter(
            method=row.method, signature=row.opinion_signature
        )
        submissions = row.assignment.submissions.select_related("student")
        waiting = list(
            submissions.exclude(pk__in=kept_opinions.values("submission")).order_by("-pk")
        )
        scorer = _Scorer(row, engine)
        for start in range(0, len(waiting), READ_TOGETHER):
            claim.progress(f"Calculating {title_of(method)}", start, len(waiting))
            scorer.keep_opinions(waiting[start : start + READ_TOGETHER], claim)
            queued = Job.objects.filter(state=Job.State.QUEUED)
            if queued.exclude(kind=Job.Kind.SECOND_OPINIONS).exists():
                _step_back(job, claim)
                return
        if scorer.failed:
            texts = number_of(scorer.failed, "text")
            problems.append(f"{title_of(method)}: {texts} could not be read.")
    if problems:
        raise InputError(" ".join(problems))
    claim.finish()


@transaction.atomic
def _step_back(job: Job, claim: Claim) -> None:
    claim.finish()
    job_start(
        kind=Job.Kind.SECOND_OPINIONS, assignment=job.assignment, requested_by=job.requested_by
    )


@cache
def _loaded(method: str) -> ContentEngine:
    return make_content_engine(method, parser=load_engine().parser)


def _content_engine(method: str, engine: Engine) -> ContentEngine:
    """With the usual options and the parser of the main method; loaded once per process."""
    return replace(_loaded(method), parser=engine.parser)


def _model_of(
    assignment: Assignment, method: str, main: Engine, claim: Claim
) -> StoredContentModel | None:
    """The model of content, rebuilt where its texts or the method changed since.

    None where the method needs a pyramid and none is published yet.
    """
    engine = _content_engine(method, main)
    needs = engine.method.needs
    references = [reference_to_text(reference) for reference in assignment.references.all()]
    source = assignment.source_text if Need.SOURCE in needs else ""
    version = StoredPyramid.objects.newest_of(assignment) if Need.PYRAMID in needs else None
    if version is None and Need.PYRAMID in needs:
        return None
    texts = sorted((text.name, text.content) for text in references)
    material = [texts, source, version.content_hash if version else ""]
    material_hash = sha256(json.dumps(material).encode()).hexdigest()
    stored = StoredContentModel.objects.filter(assignment=assignment, method=method).first()
    if stored and (stored.signature, stored.material_hash) == (engine.signature, material_hash):
        return stored
    claim.progress(f"Reading the expert summaries for {title_of(method)}", 0, 0)
    model = build_content_model(
        references,
        engine,
        source=Text("source", source) if source else None,
        pyramid=pyramid_from_row(version).counted() if version else None,
    )
    document = model_to_json(model)
    return _keep_model(
        StoredContentModel(
            assignment=assignment,
            method=method,
            signature=engine.signature,
            material_hash=material_hash,
            document=document,
            content_hash=sha256(json.dumps(document, sort_keys=True).encode()).hexdigest(),
        ),
        claim,
    )


@transaction.atomic
def _keep_model(row: StoredContentModel, claim: Claim) -> StoredContentModel:
    """Store it in place of the one before."""
    claim.beat()
    StoredContentModel.objects.filter(assignment=row.assignment, method=row.method).delete()
    row.save()
    return row


class _Scorer:
    """Scores submissions by one model; ``failed`` counts those that cannot be."""

    def __init__(self, row: StoredContentModel, engine: Engine) -> None:
        self.row, self.engine, self.failed = row, engine, 0
        content_engine = _content_engine(row.method, engine)
        self._headline = content_engine.method.headline
        self._model: ContentModel = model_from_json(row.document)
        self._score: ContentScorer = prepare_content_scorer(self._model, content_engine)

    def keep_opinions(self, submissions: Sequence[Submission], claim: Claim) -> None:
        readings = readings_get_possible(submissions=submissions, engine=self.engine)
        opinions = []
        for submission in submissions:
            reading = readings.get(submission.pk)
            if reading is None or (score := self._score_of(reading)) is None:
                self.failed += 1
            else:
                opinions.append(
                    SecondOpinion(
                        submission=submission,
                        method=self.row.method,
                        signature=self.row.opinion_signature,
                        score=score.value(self._headline) or 0.0,
                        document=opinion_to_json(self._model, score),
                        created_at=timezone.now(),
                    )
                )
        _keep_opinions(self.row, opinions, claim)

    def _score_of(self, reading: SegmentedText) -> ContentScore | None:
        parsed = parsed_again(reading)
        try:
            return self._score(parsed)
        except Exception:
            logger.exception("%s failed for “%s”", self.row.method, reading.text.name)
            return None


@transaction.atomic
def _keep_opinions(
    row: StoredContentModel, opinions: Sequence[SecondOpinion], claim: Claim
) -> None:
    """Replace earlier ones; store none of texts deleted since, or of a model replaced since."""
    claim.beat()
    if not StoredContentModel.objects.select_for_update().filter(pk=row.pk).exists():
        return
    pks = [opinion.submission_id for opinion in opinions]
    submissions = Submission.objects.select_for_update().filter(pk__in=pks).order_by("pk")
    present = set(submissions.values_list("pk", flat=True))
    SecondOpinion.objects.bulk_create(
        [opinion for opinion in opinions if opinion.submission_id in present],
        update_conflicts=True,
        unique_fields=["submission", "method"],
        update_fields=["signature", "score", "document", "created_at"],
    )

"""Readings of submissions: kept in the database, so that no worker reads a text twice."""

import logging
from collections.abc import Iterator, Mapping, Sequence

from django.db import transaction

from grading.models import StoredFacts, StoredReading, Submission
from grading.outages import DATABASE_OUTAGES
from grading.pyramid import pipeline
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import Engine, Scorer
from grading.pyramid.structures import ScoreReport, SegmentedText
from grading.scoring.conversion import submission_to_text

logger = logging.getLogger(__name__)

READ_TOGETHER = 16  # texts parsed at once: enough to be fast, few enough to tell of progress
FETCHED_TOGETHER = 64  # readings: the engine remembers more than that
MOST_STUDENTS = 80  # a sample of a larger class is this large: enough to see what many say


def readings_get(*, submissions: Sequence[Submission], engine: Engine) -> list[SegmentedText]:
    """How the engine reads these texts, in their order; what nobody has read yet is read and kept.

    Kept facts about them come with them. At most FETCHED_TOGETHER at a time: the vectors
    of so many are then in the engine's memory.
    """
    rows = StoredReading.objects.filter(
        submission__in=[submission.pk for submission in submissions], maker=engine.reader
    )
    by_submission = {row.submission_id: row for row in rows}
    known = {}
    for submission in submissions:
        row = by_submission.get(submission.pk)
        if row is not None and (text := _taken(submission, row, engine)) is not None:
            known[submission.pk] = text
    missing = [submission for submission in submissions if submission.pk not in known]
    pipeline.read_ahead([submission_to_text(submission) for submission in missing], engine)
    for start in range(0, len(missing), READ_TOGETHER):
        batch = missing[start : start + READ_TOGETHER]
        texts = pipeline.read_summaries(
            [submission_to_text(submission) for submission in batch], engine
        )
        read = dict(zip([submission.pk for submission in batch], texts, strict=True))
        _keep({pk: pipeline.keep_reading(text, engine) for pk, text in read.items()}, engine)
        known |= read
    _take_facts(known, engine)
    return [known[submission.pk] for submission in submissions]


def submissions_in_batches(
    *, submissions: Sequence[Submission], engine: Engine
) -> Iterator[tuple[int, Sequence[Submission]]]:
    """READ_TOGETHER submissions at a time, and how many came before them.

    Words of READ_AHEAD texts are read together before their first batch.
    """
    for start in range(0, len(submissions), READ_TOGETHER):
        if start % pipeline.READ_AHEAD == 0:
            _read_ahead(submissions[start : start + pipeline.READ_AHEAD], engine)
        yield start, submissions[start : start + READ_TOGETHER]


def _read_ahead(submissions: Sequence[Submission], engine: Engine) -> None:
    """Read what nobody has read yet. A text that cannot be read fails when it is scored."""
    rows = StoredReading.objects.filter(
        submission__in=[submission.pk for submission in submissions], maker=engine.reader
    )
    known = set(rows.values_list("submission", flat=True))
    texts = [submission_to_text(each) for each in submissions if each.pk not in known]
    try:
        pipeline.read_ahead(texts, engine)
    except Exception:
        logger.exception("Texts cannot be read together; they are read in smaller batches")


def readings_get_possible(
    *, submissions: Sequence[Submission], engine: Engine
) -> dict[int, SegmentedText]:
    """The same by submission, of those that can be read: one that cannot keeps nobody else away."""
    try:
        texts = readings_get(submissions=submissions, engine=engine)
        return dict(zip([submission.pk for submission in submissions], texts, strict=True))
    except DATABASE_OUTAGES:
        raise
    except Exception:
        logger.exception(
            "Submissions %s cannot be read", [submission.pk for submission in submissions]
        )
        if len(submissions) == 1:
            return {}
    readings: dict[int, SegmentedText] = {}
    for submission in submissions:
        readings |= readings_get_possible(submissions=[submission], engine=engine)
    return readings


def submissions_report(
    *,
    submissions: Sequence[Submission],
    scorer: Scorer,
    engine: Engine,
    reasons: dict[int, str] | None = None,
) -> list[ScoreReport | None]:
    """A report for each; None for one that cannot be scored, which keeps nobody else from it.

    ``reasons`` gets, by submission, why there is none.
    """
    try:
        texts = readings_get(submissions=submissions, engine=engine)
        reports: list[ScoreReport | None] = [scorer(text) for text in texts]
    except DATABASE_OUTAGES:
        raise
    except Exception as error:
        logger.exception(
            "Scoring failed for submissions %s", [submission.pk for submission in submissions]
        )
        if len(submissions) == 1:
            if reasons is not None:
                reasons[submissions[0].pk] = _reason(error)
            return [None]
    else:
        # Keep what was found out while scoring: new references, say, were compared with.
        memory = engine.similarity.memory
        news = {
            submission.pk: pipeline.keep_reading(text, engine)
            for submission, text in zip(submissions, texts, strict=True)
            if memory and memory.has_news_of(text.text.content)
        }
        if news:
            _keep(news, engine)
        facts = {
            submission.pk: pipeline.keep_text_facts(text, engine)
            for submission, text in zip(submissions, texts, strict=True)
            if pipeline.has_new_facts(text, engine)
        }
        if facts:
            _keep_facts(facts, engine)
        return reports
    return [
        report
        for submission in submissions
        for report in submissions_report(
            submissions=[submission], scorer=scorer, engine=engine, reasons=reasons
        )
    ]


def _reason(error: Exception) -> str:
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, MemoryError):
        return "The text needs too much memory."
    return "Something went wrong on our side. The administrator's log has the reason."


def _taken(submission: Submission, row: StoredReading, engine: Engine) -> SegmentedText | None:
    """None where the row is damaged: the text is then read again."""
    kept = pipeline.KeptReading(row.segments, bytes(row.vectors))
    try:
        return pipeline.take_reading(submission_to_text(submission), kept, engine)
    except InputError:
        logger.warning(
            "The reading of submission %s is damaged; the text is read again.", submission.pk
        )
        return None


def _take_facts(texts: Mapping[int, SegmentedText], engine: Engine) -> None:
    """Take the kept facts of texts of which this process has none; damaged ones are found again."""
    unknown = [pk for pk, text in texts.items() if not engine.facts_about(text).known()]
    if not unknown:
        return
    rows = StoredFacts.objects.filter(submission__in=unknown, maker=engine.judge)
    for pk, document in rows.values_list("submission", "document"):
        try:
            pipeline.take_text_facts(texts[pk], bytes(document), engine)
        except InputError:
            logger.warning("The facts about submission %s are damaged; they are found again.", pk)


@transaction.atomic
def _keep_facts(facts: Mapping[int, bytes], engine: Engine) -> None:
    """Replace whatever was kept; nothing for submissions deleted since."""
    submissions = Submission.objects.select_for_update().filter(pk__in=facts).order_by("pk")
    StoredFacts.objects.bulk_create(
        [
            StoredFacts(submission_id=pk, maker=engine.judge, document=facts[pk])
            for pk in submissions.values_list("pk", flat=True)
        ],
        update_conflicts=True,
        unique_fields=["submission"],
        update_fields=["maker", "document"],
    )


@transaction.atomic
def _keep(readings: Mapping[int, pipeline.KeptReading], engine: Engine) -> None:
    """Replace whatever was kept; nothing for submissions deleted since."""
    submissions = Submission.objects.select_for_update().filter(pk__in=readings).order_by("pk")
    present = list(submissions.values_list("pk", flat=True))
    StoredReading.objects.filter(submission__in=present).delete()
    StoredReading.objects.bulk_create(
        StoredReading(
            submission_id=pk,
            maker=engine.reader,
            segments=readings[pk].segments,
            vectors=readings[pk].vectors,
        )
        for pk in present
    )

"""Scoring a class: one bad text, or one that is deleted, keeps nobody else from a score."""

from collections.abc import Sequence

import pytest

from grading.jobs.runner import job_run
from grading.models import Assignment, Job, Score, StoredReading, Submission
from grading.pyramid import pipeline
from grading.pyramid.pipeline import Engine, read_summaries
from grading.pyramid.structures import SegmentedText, Text
from grading.pyramids.actions import pyramid_start_build
from grading.scoring.readings import readings_get
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast

POISON = "poison"


def scoring_job(cast: Cast, assignment: Assignment, *texts: str) -> Job:
    """The job of the class that a build has started."""
    for text in texts:
        submission_submit(assignment=assignment, student=cast.student, text=text)
    build = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    assert job_run(job_pk=build.pk)
    return Job.objects.get(kind=Job.Kind.SCORE_SUBMISSIONS)


@pytest.fixture
def poisonable(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if one text broke the engine, together with all that are read at the same time."""

    def breaking(texts: Sequence[Text], engine: Engine) -> list[SegmentedText]:
        if any(POISON in text.content for text in texts):
            raise MemoryError
        return read_summaries(texts, engine)

    monkeypatch.setattr(pipeline, "read_summaries", breaking)


def test_one_bad_text_spoils_nobody_elses_score(
    cast: Cast, assignment: Assignment, engine: Engine, poisonable: None
) -> None:
    job = scoring_job(cast, assignment, SUMMARY, POISON, f"{SUMMARY} And more.")

    assert job_run(job_pk=job.pk)

    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "1 of 3 summaries could not be scored; all others are." in job.error
    poisoned = Submission.objects.get(text=POISON)
    reason = "The text needs too much memory."
    assert job.failures == [{"submission": poisoned.pk, "reason": reason}]
    assert set(Score.objects.values_list("submission__attempt", flat=True)) == {1, 3}


def test_words_of_new_texts_are_read_ahead_and_a_failure_keeps_nobody_from_a_score(
    cast: Cast, assignment: Assignment, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = scoring_job(cast, assignment, SUMMARY, f"{SUMMARY} And more.")
    known, new = Submission.objects.order_by("pk")
    readings_get(submissions=[known], engine=engine)
    together: list[list[str]] = []

    def breaking(texts: Sequence[Text], engine: Engine) -> None:
        contents = [text.content for text in texts]
        if new.text in contents:
            together.append(contents)
            if len(together) == 1:
                raise MemoryError

    monkeypatch.setattr(pipeline, "read_ahead", breaking)

    assert job_run(job_pk=job.pk)

    assert together == [[new.text]] * 3
    assert Score.objects.count() == 2


def test_a_submission_that_is_deleted_in_mid_job_is_passed_over(
    cast: Cast, assignment: Assignment, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = scoring_job(cast, assignment, SUMMARY, f"{SUMMARY} And more.")

    def deleting(texts: Sequence[Text], engine: Engine) -> list[SegmentedText]:
        Submission.objects.filter(attempt=1).delete()
        return read_summaries(texts, engine)

    monkeypatch.setattr(pipeline, "read_summaries", deleting)

    assert job_run(job_pk=job.pk)

    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert Score.objects.get().submission.attempt == 2
    assert StoredReading.objects.get().submission.attempt == 2


def test_after_a_change_of_method_the_whole_class_is_scored_anew(
    cast: Cast, assignment: Assignment, engine: Engine
) -> None:
    job = scoring_job(cast, assignment, SUMMARY)
    assert job_run(job_pk=job.pk)
    Score.objects.update(signature="pyreval-1-00000000")
    second = submission_submit(
        assignment=assignment, student=cast.other_student, text=f"{SUMMARY} And more."
    )

    waiting = Job.objects.filter(state=Job.State.QUEUED, kind=Job.Kind.SCORE_SUBMISSIONS)
    assert job_run(job_pk=waiting.get(submission=second).pk)
    assert job_run(job_pk=waiting.get(submission=None).pk)

    now = Score.objects.filter(signature=engine.signature)
    assert {score.submission.student for score in now} == {cast.student, cast.other_student}
    assert Score.objects.count() == 3  # what was shown before is kept
    assert not waiting.exists()

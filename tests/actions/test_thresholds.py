"""A threshold is tried before it is set, scores the class, and can be taken back."""

from typing import Any

import pytest

from grading.actions.readings import submissions_report
from grading.actions.scores import submissions_start_scoring
from grading.actions.summaries import submission_submit
from grading.actions.thresholds import threshold_set, threshold_try, trial_found
from grading.actions.work import job_run
from grading.models import (
    Assignment,
    Score,
    StoredReading,
    Submission,
    ThresholdChange,
    ThresholdTrial,
)
from grading.models.results import newest_scores
from grading.pyramid.structures import ScoreReport
from tests.actions.test_corrections import count, newest, scored, work
from tests.conftest import SUMMARY, Cast

__all__ = ["scored"]

LOW = 0.1


@pytest.fixture
def other(cast: Cast, assignment: Assignment, scored: Score) -> Submission:
    """A text that tells ideas badly: a low threshold finds more in it."""
    text = "Cities store heat in their walls and old trees. Nights are hot for people in towns."
    other = submission_submit(assignment=assignment, student=cast.other_student, text=text)
    work()
    return other


def holding(assignment: Assignment) -> dict[int, Score]:
    return newest_scores(assignment.submissions.all())


def test_trying_changes_nothing_and_tells_who_moves(
    cast: Cast, assignment: Assignment, other: Submission
) -> None:
    before = list(Score.objects.values_list("pk", flat=True))

    threshold_try(assignment=assignment, match_probability=LOW, requested_by=cast.instructor)
    trial = ThresholdTrial.objects.get()
    assert trial_found(trial) is None
    work()

    trial.refresh_from_db()
    found = trial_found(trial)
    assert found is not None
    assert found.before is None
    effect = next(one for one in found.found.effect.texts if one.text == other.pk)
    assert effect.gained
    assert not effect.lost
    assert list(Score.objects.values_list("pk", flat=True)) == before
    assignment.refresh_from_db()
    assert assignment.match_probability is None


def test_setting_it_scores_the_class_with_another_signature_and_reads_nobody_again(
    cast: Cast, assignment: Assignment, other: Submission
) -> None:
    before = holding(assignment)
    readings = set(StoredReading.objects.values_list("pk", "created_at"))
    threshold_try(assignment=assignment, match_probability=LOW, requested_by=cast.instructor)
    work()
    found = trial_found(ThresholdTrial.objects.get())

    change = threshold_set(assignment=assignment, match_probability=LOW, author=cast.instructor)
    work()

    assert change is not None
    assert (change.before, change.after) == (None, LOW)
    after = holding(assignment)
    assert {score.signature for score in after.values()}.isdisjoint(
        score.signature for score in before.values()
    )
    assert after[other.pk].raw > before[other.pk].raw
    assert found is not None
    foretold = {one.text: one.after.comprehensive for one in found.found.effect.texts}
    assert foretold[other.pk] == pytest.approx(after[other.pk].comprehensive, abs=0.005)
    assert set(StoredReading.objects.values_list("pk", "created_at")) == readings
    assert not ThresholdTrial.objects.exists()


def test_taking_it_back_makes_the_earlier_scores_hold_again(
    cast: Cast, assignment: Assignment, other: Submission
) -> None:
    before = {pk: score.comprehensive for pk, score in holding(assignment).items()}
    threshold_set(assignment=assignment, match_probability=LOW, author=cast.instructor)
    work()
    assert holding(assignment)[other.pk].comprehensive != before[other.pk]

    threshold_set(assignment=assignment, match_probability=None, author=cast.instructor)
    work()

    after = holding(assignment)
    assert {pk: score.comprehensive for pk, score in after.items()} == before
    assert not any(score.is_corrected for score in after.values())
    kept = Score.objects.count()
    threshold_set(assignment=assignment, match_probability=None, author=cast.instructor)
    work()
    assert Score.objects.count() == kept
    assert [(one.before, one.after) for one in ThresholdChange.objects.all()] == [
        (LOW, None),
        (None, LOW),
    ]


def test_corrections_by_hand_outlast_it_both_ways(
    cast: Cast, assignment: Assignment, scored: Score
) -> None:
    threshold_set(assignment=assignment, match_probability=LOW, author=cast.instructor)
    work()
    low = newest(scored.submission)
    threshold_set(assignment=assignment, match_probability=0.6, author=cast.instructor)
    work()
    corrected = count(cast, newest(scored.submission))
    assert corrected.is_corrected
    assert corrected.signature != low.signature

    for match_probability in (LOW, None):
        threshold_set(
            assignment=assignment, match_probability=match_probability, author=cast.instructor
        )
        work()
        assert newest(scored.submission).corrections == 1


def test_what_is_handed_in_later_is_scored_by_it(
    cast: Cast, assignment: Assignment, scored: Score
) -> None:
    threshold_set(assignment=assignment, match_probability=LOW, author=cast.instructor)
    work()

    submission_submit(assignment=assignment, student=cast.student, text=f"{SUMMARY} Indeed so.")
    work()

    assert len({score.signature for score in holding(assignment).values()}) == 1


def test_a_job_that_began_before_scores_nobody_by_the_earlier_threshold_again(
    cast: Cast, assignment: Assignment, other: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {score.signature for score in holding(assignment).values()}
    Score.objects.all().delete()
    started = submissions_start_scoring(assignment=assignment, requested_by=None)
    assert started is not None
    scoring = "grading.actions.scores.submissions_report"

    def meanwhile(**what: Any) -> list[ScoreReport | None]:
        """The threshold is set, and another worker scores the class by it."""
        monkeypatch.setattr(scoring, submissions_report)
        threshold_set(assignment=assignment, match_probability=LOW, author=cast.instructor)
        work()
        return submissions_report(**what)

    monkeypatch.setattr(scoring, meanwhile)
    assert job_run(job_pk=started.pk)

    started.refresh_from_db()
    assert started.is_done, started.error
    assert before.isdisjoint(score.signature for score in holding(assignment).values())

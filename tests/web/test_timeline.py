"""What happened to a submission: all of it for graders, what they may see for students."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from grading.models import Missed, Score, Sight, Submission, SubmissionEvent
from grading.models.sight import FULL_SIGHT
from grading.pyramid.corrections import Correction, Verdict
from grading.scoring.conversion import report_from_row
from grading.scoring.corrections import match_correct
from grading.second_looks.actions import (
    second_look_withdraw,
)
from grading.web.timeline import TimelineEntry, timeline_of
from tests.conftest import Cast
from tests.scoring.test_corrections import missed, newest, scored
from tests.second_looks.test_actions import answer, ask, told_correction

__all__ = ["scored"]


def sight(level: Missed = Missed.NOTHING, *, shown: bool = True) -> Sight:
    return Sight(shown=shown, missed=level)


@pytest.fixture
def eventful(cast: Cast, scored: Score) -> Score:
    """Released, asked about twice, answered, changed, corrected, and one request withdrawn."""
    submission = scored.submission
    SubmissionEvent.objects.create(
        submission=submission, kind=SubmissionEvent.Kind.RELEASED, author=cast.instructor
    )
    first, second = ask(scored), ask(scored, "Another")
    answer(first, cast.ta, told_correction(scored))
    first.refresh_from_db()
    answer(first, cast.instructor, None)
    second_look_withdraw(second_look=second, author=cast.student)
    result = report_from_row(scored).evidence.matches[0].scu_uid
    match_correct(
        score=newest(submission), correction=Correction(result, Verdict.REMOVED), author=cast.ta
    )
    return scored


def sentences(entries: tuple[TimelineEntry, ...]) -> list[str]:
    return [f"{entry.who.name if entry.who else '-'} {entry.what}" for entry in entries]


def test_a_student_sees_who_corrected_what_and_when(cast: Cast, eventful: Score) -> None:
    entries = timeline_of(eventful.submission, sight())

    zoe = cast.student.name
    assert sentences(entries) == [
        f"{zoe} submitted the summary",
        "- The program scored it with version 1 of the pyramid",
        f"{zoe} requested a second look",
        f"{zoe} requested a second look",
        "Tomasz Okoye answered a request for a second look: it counts",
        "Ines Duarte changed the answer to a request for a second look: it does not count",
        f"{zoe} withdrew a request for a second look",
        "Tomasz Okoye removed an idea that had counted",
    ]
    assert [entry.when for entry in entries] == sorted(entry.when for entry in entries)


def test_scores_before_and_after_are_told(eventful: Score) -> None:
    entries = timeline_of(eventful.submission, sight())

    numbers = [(entry.before, entry.after) for entry in entries]
    own, counted = eventful.comprehensive, entries[4].after
    assert numbers[1] == (None, own)
    assert numbers[4:6] == [(own, counted), (counted, own)]
    assert numbers[7][0] == own


def test_graders_see_what_was_released_and_the_ideas(eventful: Score) -> None:
    entries = timeline_of(eventful.submission, FULL_SIGHT)

    assert "Ines Duarte released the result" in sentences(entries)
    assert entries[-1].detail


@pytest.mark.parametrize(("level", "is_named"), [(Missed.HINTS, False), (Missed.LABELS, True)])
def test_ideas_are_named_to_those_who_may_read_of_missed_ones(
    eventful: Score, level: Missed, *, is_named: bool
) -> None:
    assert bool(timeline_of(eventful.submission, sight(level))[-1].detail) is is_named


def test_while_the_result_is_unreleased_only_the_handing_in_is_told(
    cast: Cast, eventful: Score
) -> None:
    submission = Submission.objects.select_related("student").get()
    with CaptureQueriesContext(connection) as queries:
        entries = timeline_of(submission, sight(shown=False))

    assert sentences(entries) == [f"{cast.student.name} submitted the summary"]
    assert not queries.captured_queries


def test_it_takes_two_queries_however_much_happened(cast: Cast, eventful: Score) -> None:
    submission = Submission.objects.select_related("student").get()
    with CaptureQueriesContext(connection) as queries:
        timeline_of(submission, FULL_SIGHT)

    assert len(queries) == 2


def test_somebody_who_is_gone_is_somebody(cast: Cast, scored: Score) -> None:
    look = ask(scored)
    answer(look, cast.ta, told_correction(scored))
    cast.ta.delete()

    entries = timeline_of(scored.submission, sight())

    assert sentences(entries)[-1] == ("- Somebody answered a request for a second look: it counts")
    assert missed(newest(scored.submission)) != missed(scored)

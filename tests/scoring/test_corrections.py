"""Corrections by hand: each makes a new score, and none is lost when the class is scored anew."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from grading.drafts.log import draft_create
from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    Draft,
    Job,
    MatchCorrection,
    Score,
    StoredPyramid,
    Submission,
    SubmissionEvent,
)
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Pyramid, Span
from grading.pyramids.actions import draft_from_version, draft_publish, pyramid_start_build
from grading.pyramids.queries import correction_warnings
from grading.scoring.conversion import pyramid_from_row, report_from_row
from grading.scoring.corrections import Carrier, match_correct
from grading.scoring.effects import effect_start, latest_effect
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast


def work() -> None:
    while job := Job.objects.filter(state=Job.State.QUEUED).last():
        assert job_run(job_pk=job.pk)


@pytest.fixture
def scored(cast: Cast, assignment: Assignment, engine: Engine) -> Score:
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    work()
    return Score.objects.select_related("pyramid", "submission").get()


def missed(score: Score) -> int:
    """The number of the heaviest idea that was not found."""
    uids = {match.scu_uid for match in report_from_row(score).evidence.matches}
    return next(scu.uid for scu in pyramid_from_row(score.pyramid).scus if scu.uid not in uids)


def count(cast: Cast, score: Score) -> Score:
    """A TA counts the missed idea in the bicycle sentence."""
    spans = (Span(SUMMARY.index("My uncle"), len(SUMMARY)),)
    correction = Correction(missed(score), Verdict.MATCHED, spans)
    return match_correct(score=score, correction=correction, author=cast.ta)


def newest(submission: Submission) -> Score:
    return submission.scores.order_by("-pyramid__number", "-pk")[0]


def publish(draft: Draft, cast: Cast) -> StoredPyramid:
    publication = draft_publish(
        draft=draft, revision=draft.revision, note="", author=cast.instructor, even_if_same=True
    )
    assert publication.version
    return publication.version


def test_a_correction_makes_a_new_score_and_leaves_the_programs_own(
    cast: Cast, scored: Score
) -> None:
    after = count(cast, scored)

    assert after.revision == 1
    assert after.raw > scored.raw
    assert Score.objects.get(revision=0).document == scored.document
    event = SubmissionEvent.objects.get()
    assert (event.kind, event.author) == (SubmissionEvent.Kind.CORRECTED, cast.ta)
    assert event.document["before"]["coverage"] == scored.coverage
    assert event.document["after"]["coverage"] == after.coverage


def test_corrections_add_up(cast: Cast, scored: Score) -> None:
    first = count(cast, scored)
    uid = report_from_row(scored).evidence.matches[0].scu_uid

    second = match_correct(score=first, correction=Correction(uid, Verdict.REMOVED), author=cast.ta)

    assert second.revision == 2
    assert {match.scu_uid for match in report_from_row(second).evidence.matches} == {
        match.scu_uid for match in report_from_row(first).evidence.matches
    } - {uid}


def test_an_idea_that_is_not_there_is_refused(cast: Cast, scored: Score) -> None:
    with pytest.raises(InputError, match="not in the pyramid"):
        match_correct(score=scored, correction=Correction(999, Verdict.REMOVED), author=cast.ta)
    assert not MatchCorrection.objects.exists()


def test_corrections_are_carried_to_a_version_that_is_made_of_this_one(
    cast: Cast, scored: Score
) -> None:
    count(cast, scored)
    publish(draft_from_version(version=scored.pyramid, author=cast.instructor), cast)
    work()

    now = newest(scored.submission)

    assert (now.pyramid.number, now.revision) == (2, 1)
    assert any(match.by_hand for match in report_from_row(now).evidence.matches)


def test_corrections_are_carried_to_a_version_built_anew_by_the_words_of_the_idea(
    cast: Cast, scored: Score
) -> None:
    count(cast, scored)
    pyramid_start_build(assignment=scored.pyramid.assignment, requested_by=cast.instructor)
    work()
    publish(Draft.objects.filter(state=Draft.State.OPEN).get(), cast)
    work()

    assert newest(scored.submission).revision == 1


def test_a_correction_of_an_idea_that_is_gone_waits_for_its_return(
    cast: Cast, scored: Score
) -> None:
    count(cast, scored)
    pyramid = pyramid_from_row(scored.pyramid)
    gone = missed(scored)
    without = Pyramid(pyramid.references, tuple(s for s in pyramid.scus if s.uid != gone))
    draft = draft_create(
        assignment=scored.pyramid.assignment,
        pyramid=without,
        origin=Draft.Origin.VERSION,
        origin_note="",
        author=cast.instructor,
        based_on=scored.pyramid,
    )
    rows = list(MatchCorrection.objects.select_related("pyramid"))
    assert Carrier.to_draft(draft, without).lost(rows) == rows
    label = pyramid.scu(gone).label.removesuffix(".")
    assert f"1 correction is about an idea that this draft does not have: “{label}”" in "".join(
        correction_warnings(draft, without)
    )
    publish(draft, cast)
    work()
    assert newest(scored.submission).revision == 0

    publish(draft_from_version(version=scored.pyramid, author=cast.instructor), cast)
    work()

    assert newest(scored.submission).revision == 1


def test_warnings_take_as_many_queries_for_any_class(
    cast: Cast, assignment: Assignment, scored: Score
) -> None:
    count(cast, scored)
    draft = draft_from_version(version=scored.pyramid, author=cast.instructor)

    def asked() -> int:
        """The pyramid has none of the ideas that the corrections are about."""
        with CaptureQueriesContext(connection) as queries:
            assert correction_warnings(draft, Pyramid((), ()))
        return len(queries)

    before = asked()
    Submission.objects.bulk_create(
        Submission(assignment=assignment, student=cast.other_student, attempt=number, words=2)
        for number in range(1, 9)
    )
    MatchCorrection.objects.bulk_create(
        MatchCorrection(
            submission=submission,
            pyramid=scored.pyramid,
            scu_uid=scu.uid,
            verdict="told",
            author=cast.ta,
        )
        for submission in Submission.objects.filter(student=cast.other_student)
        for scu in pyramid_from_row(scored.pyramid).scus
    )
    assert asked() == before


def test_an_effect_is_foretold_with_corrections(cast: Cast, scored: Score) -> None:
    count(cast, scored)
    draft = draft_from_version(version=scored.pyramid, author=cast.instructor)
    assert correction_warnings(draft, pyramid_from_row(scored.pyramid)) == []
    effect_start(draft=draft, requested_by=cast.instructor)
    work()

    result = latest_effect(draft=draft)

    assert result
    assert not result[1].effect.movers

"""Flags are found by a worker, and kept."""

import pytest

from grading.assignments.actions import assignment_change
from grading.jobs.runner import job_run
from grading.models import Assignment, Job, SubmissionFlags, User
from grading.pyramid.flags.text_flags import FlagKind, TextFlags, flags_from_json
from grading.pyramid.pipeline import Engine
from grading.pyramids.actions import pyramid_start_build
from grading.scoring.flags import flags_refresh
from grading.submissions.actions import submission_submit
from tests.conftest import Cast

OWN = (
    "In my street there is a bakery that sells the best bread of the whole town, and every "
    "morning its warm smell comes through the window of my room before the clock rings at six."
)


def submit(assignment: Assignment, student: User, text: str) -> int:
    return submission_submit(assignment=assignment, student=student, text=text).pk


def run_all() -> None:
    while job := Job.objects.filter(state=Job.State.QUEUED).first():
        assert job_run(job_pk=job.pk)


def flags_of(submission: int) -> TextFlags:
    return flags_from_json(SubmissionFlags.objects.get(submission=submission).document)


def test_a_text_that_nothing_scores_yet_is_looked_at_too(
    cast: Cast, assignment: Assignment
) -> None:
    first = submit(assignment, cast.student, OWN)
    second = submit(assignment, cast.other_student, f"{OWN} So.")
    jobs = Job.objects.filter(kind=Job.Kind.FIND_FLAGS)
    assert jobs.count() == 1  # one job looks at all that is there when it begins

    run_all()

    assert jobs.get().is_done
    assert [near_text.text for near_text in flags_of(first).near] == [second]
    assert FlagKind.LIKE_ANOTHER in [flag.kind for flag in flags_of(second).flags]


def test_both_texts_of_a_copy_are_flagged_until_one_is_deleted(
    cast: Cast, assignment: Assignment
) -> None:
    first = submit(assignment, cast.student, OWN)
    flags_refresh(assignment=assignment)
    assert flags_of(first) == TextFlags()
    second = submit(assignment, cast.other_student, OWN)

    flags_refresh(assignment=assignment, recheck=[second])
    assert flags_of(first).near[0].text == second

    assignment.submissions.filter(pk=second).delete()
    flags_refresh(assignment=assignment, recheck=[])
    assert flags_of(first) == TextFlags()


def test_what_is_in_the_source_is_no_likeness(cast: Cast, assignment: Assignment) -> None:
    assignment.source_text = OWN
    assignment.save()
    first = submit(assignment, cast.student, OWN)
    submit(assignment, cast.other_student, OWN)

    flags_refresh(assignment=assignment)

    assert flags_of(first).near == ()


def test_a_source_that_comes_later_is_compared_with(cast: Cast, assignment: Assignment) -> None:
    submit(assignment, cast.student, OWN)
    submit(assignment, cast.other_student, OWN)
    run_all()
    changed = Assignment.objects.get(pk=assignment.pk)
    changed.source_text = OWN

    assignment_change(assignment=changed, fields=["source_text"])
    run_all()

    assert set(assignment.submissions.values_list("copied", flat=True)) == {1.0}
    assert {tuple(row.document["near"]) for row in SubmissionFlags.objects.all()} == {()}


def test_scoring_finds_flags_and_works_without_them(
    cast: Cast, assignment: Assignment, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    run_all()
    first = submit(assignment, cast.student, OWN)
    run_all()
    assert flags_of(first) == TextFlags()

    def breaking(**_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("grading.scoring.scores.flags_refresh", breaking)
    second = submit(assignment, cast.other_student, OWN)
    run_all()
    assert not Job.objects.filter(state=Job.State.FAILED).exists()
    assert assignment.submissions.get(pk=second).scores.exists()
    assert not SubmissionFlags.objects.filter(submission=second).exists()


def test_only_what_changed_is_written(cast: Cast, assignment: Assignment) -> None:
    submit(assignment, cast.student, OWN)
    flags_refresh(assignment=assignment)
    before = SubmissionFlags.objects.get().found_at

    flags_refresh(assignment=assignment)

    assert SubmissionFlags.objects.get().found_at == before

"""Signs are found by a worker, and kept."""

import pytest

from grading.assignments.actions import assignment_change
from grading.jobs.runner import job_run
from grading.models import Assignment, Job, SubmissionSigns, User
from grading.pyramid.pipeline import Engine
from grading.pyramid.signs.flags import FlagKind, Signs, signs_from_json
from grading.pyramids.actions import pyramid_start_build
from grading.scoring.flags import signs_refresh
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


def signs_of(submission: int) -> Signs:
    return signs_from_json(SubmissionSigns.objects.get(submission=submission).document)


def test_a_text_that_nothing_scores_yet_is_looked_at_too(
    cast: Cast, assignment: Assignment
) -> None:
    first = submit(assignment, cast.student, OWN)
    second = submit(assignment, cast.other_student, f"{OWN} So.")
    jobs = Job.objects.filter(kind=Job.Kind.FIND_SIGNS)
    assert jobs.count() == 1  # one job looks at all that is there when it begins

    run_all()

    assert jobs.get().is_done
    assert [near_text.text for near_text in signs_of(first).near] == [second]
    assert FlagKind.LIKE_ANOTHER in [flag.kind for flag in signs_of(second).flags]


def test_a_copy_is_told_of_both_and_forgotten_with_it(cast: Cast, assignment: Assignment) -> None:
    first = submit(assignment, cast.student, OWN)
    signs_refresh(assignment=assignment)
    assert signs_of(first) == Signs()
    second = submit(assignment, cast.other_student, OWN)

    signs_refresh(assignment=assignment, anew=[second])
    assert signs_of(first).near[0].text == second

    assignment.submissions.filter(pk=second).delete()
    signs_refresh(assignment=assignment, anew=[])
    assert signs_of(first) == Signs()


def test_what_is_in_the_source_is_no_likeness(cast: Cast, assignment: Assignment) -> None:
    assignment.source_text = OWN
    assignment.save()
    first = submit(assignment, cast.student, OWN)
    submit(assignment, cast.other_student, OWN)

    signs_refresh(assignment=assignment)

    assert signs_of(first).near == ()


def test_a_source_that_comes_later_is_compared_with(cast: Cast, assignment: Assignment) -> None:
    submit(assignment, cast.student, OWN)
    submit(assignment, cast.other_student, OWN)
    run_all()
    changed = Assignment.objects.get(pk=assignment.pk)
    changed.source_text = OWN

    assignment_change(assignment=changed, fields=["source_text"])
    run_all()

    assert set(assignment.submissions.values_list("copied", flat=True)) == {1.0}
    assert {tuple(row.document["near"]) for row in SubmissionSigns.objects.all()} == {()}


def test_scoring_looks_for_signs_and_stands_without_them(
    cast: Cast, assignment: Assignment, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    run_all()
    first = submit(assignment, cast.student, OWN)
    run_all()
    assert signs_of(first) == Signs()

    def breaking(**_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("grading.scoring.scores.signs_refresh", breaking)
    second = submit(assignment, cast.other_student, OWN)
    run_all()
    assert not Job.objects.filter(state=Job.State.FAILED).exists()
    assert assignment.submissions.get(pk=second).scores.exists()
    assert not SubmissionSigns.objects.filter(submission=second).exists()


def test_only_what_changed_is_written(cast: Cast, assignment: Assignment) -> None:
    submit(assignment, cast.student, OWN)
    signs_refresh(assignment=assignment)
    before = SubmissionSigns.objects.get().found_at

    signs_refresh(assignment=assignment)

    assert SubmissionSigns.objects.get().found_at == before

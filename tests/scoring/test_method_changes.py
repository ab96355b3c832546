"""After an upgrade scores are calculated again, old ones stay, and instructors are told once."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from grading.jobs.runner import job_run
from grading.models import Assignment, ExpertScores, Job, Score, User
from grading.pyramid.pipeline import Engine
from grading.pyramids.actions import pyramid_start_build
from grading.scoring.score_changes import method_change_of, outdated_scores_renew
from grading.submissions.actions import submission_submit
from grading.tasks import renew_scores
from tests.conftest import SUMMARY, Cast

ClientOf = Callable[[User | None], Client]
OLD = "classroom-1-00000000"


def work() -> None:
    while job := Job.objects.filter(state=Job.State.QUEUED).order_by("pk").first():
        assert job_run(job_pk=job.pk)


@pytest.fixture
def upgraded(
    cast: Cast, assignment: Assignment, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> Assignment:
    """Two students were scored by an earlier version of the method, one of them much higher."""
    monkeypatch.setattr(settings, "PYREVAL_METHOD", engine.method.name)
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    for student in (cast.student, cast.other_student):
        submission_submit(assignment=assignment, student=student, text=SUMMARY)
    work()
    Score.objects.update(signature=OLD)
    mine = Score.objects.get(submission__student=cast.student)
    Score.objects.filter(pk=mine.pk).update(comprehensive=mine.comprehensive + 0.2)
    return assignment


def overview(client: Client, assignment: Assignment) -> str:
    return " ".join(client.get(reverse("assignment", args=[assignment.pk])).text.split())


def test_outdated_scores_are_renewed_and_the_old_ones_stay(
    upgraded: Assignment, engine: Engine
) -> None:
    assert [job.assignment for job in outdated_scores_renew()] == [upgraded]
    work()

    assert Score.objects.filter(signature=OLD).count() == 2
    assert Score.objects.filter(signature=engine.signature).count() == 2
    assert outdated_scores_renew() == []


def test_a_worker_that_starts_asks_for_it(upgraded: Assignment) -> None:
    renew_scores()

    assert Job.objects.filter(state=Job.State.QUEUED, submission=None).count() == 1


def test_what_is_archived_stays_as_it_is(upgraded: Assignment) -> None:
    upgraded.archived_at = upgraded.created_at
    upgraded.save()

    assert outdated_scores_renew() == []


def test_experts_that_were_never_scored_are(upgraded: Assignment, engine: Engine) -> None:
    Score.objects.update(signature=engine.signature)
    assert outdated_scores_renew() == []

    ExpertScores.objects.all().delete()

    assert len(outdated_scores_renew()) == 1


def test_instructors_are_told_once_what_changed_and_for_whom(
    cast: Cast, upgraded: Assignment, client_of: ClientOf
) -> None:
    instructor = client_of(cast.instructor)
    outdated_scores_renew()
    notice = "1 of 2 students\u2019 scores changed by more than 0.05."
    assert notice not in overview(instructor, upgraded)  # while a worker is at it
    work()

    assert notice in overview(instructor, upgraded)
    assert notice not in overview(client_of(cast.ta), upgraded)
    page = instructor.get(reverse("score_changes", args=[upgraded.pk])).text
    assert page.index(cast.student.name) < page.index(cast.other_student.name)

    change = method_change_of(upgraded)
    assert change is not None
    assert change.before == "classroom-1"
    dismissed = reverse("score_changes_dismiss", args=[upgraded.pk])
    for other in ("", "classroom-1", "\0", "9" * 5000):
        assert instructor.post(dismissed, {"method": other}).status_code == 302
        upgraded.refresh_from_db()
        assert upgraded.dismissed_method == ""
    instructor.post(dismissed, {"method": change.after})
    assert notice not in overview(instructor, upgraded)


def test_a_threshold_is_no_new_version(upgraded: Assignment, engine: Engine) -> None:
    Score.objects.update(signature=f"{engine.signature[:-8]}11111111")

    assert outdated_scores_renew() == []
    assert method_change_of(upgraded) is None

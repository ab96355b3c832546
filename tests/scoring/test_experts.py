"""The experts of a version are scored by the worker that scores with it."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from grading.grades.queries import expert_scale, first_rule
from grading.jobs.runner import job_run
from grading.models import Assignment, ExpertScores, Job, Score, StoredPyramid, User
from grading.pyramid.grade_rules import DEFAULT_RULE, Linear
from grading.pyramid.pipeline import Engine
from grading.pyramid.scores import ExpertScale
from grading.pyramids.actions import pyramid_start_build
from grading.scoring import scores
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.grade_scene import keep_rule

ClientOf = Callable[[User | None], Client]


def work() -> None:
    while job := Job.objects.filter(state=Job.State.QUEUED).order_by("pk").first():
        assert job_run(job_pk=job.pk)


@pytest.fixture
def published(cast: Cast, assignment: Assignment, engine: Engine) -> Assignment:
    """Nobody has submitted anything yet."""
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    work()
    return assignment


def test_experts_are_scored_once_a_version_is_published(
    published: Assignment, engine: Engine
) -> None:
    expert_scores = ExpertScores.objects.get()

    assert expert_scores.pyramid == StoredPyramid.objects.get()
    assert expert_scores.signature == engine.signature
    assert set(expert_scores.document) == set(published.references.values_list("name", flat=True))
    assert expert_scores.scale is not None
    assert (
        0
        <= expert_scores.scale.lowest
        <= expert_scores.scale.mean
        <= expert_scores.scale.highest
        <= 1
    )


def test_they_are_scored_once(cast: Cast, published: Assignment) -> None:
    submission_submit(assignment=published, student=cast.student, text=SUMMARY)
    work()

    assert ExpertScores.objects.count() == 1
    assert Score.objects.count() == 1


def test_students_are_scored_even_where_the_experts_cannot_be(
    cast: Cast, assignment: Assignment, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(scores, "expert_scores", fail)
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    work()

    assert Score.objects.count() == 1
    assert not ExpertScores.objects.exists()
    assert not Job.objects.filter(state=Job.State.FAILED).exists()


def test_a_new_rule_begins_with_their_mean(
    cast: Cast, published: Assignment, client_of: ClientOf
) -> None:
    ExpertScores.objects.update(document={"A": {"comprehensive": 0.7}, "B": {"comprehensive": 0.8}})
    scale = expert_scale(published)
    assert scale == ExpertScale(0.75, 0.7, 0.8)
    assert first_rule(scale).scale == Linear(ceiling=Decimal("0.75"))

    client, address = client_of(cast.instructor), reverse("grade_rule", args=[published.pk])
    assert client.get(address).context["form"]["ceiling"].value() == "0.75"
    text = " ".join(client.get(address).text.split())
    assert "Experts score 0.75 (0.70 to 0.80) here." in text

    keep_rule(published, DEFAULT_RULE)  # a rule that somebody has made stays as it is
    assert client.get(address).context["form"]["ceiling"].value() == "1"


@pytest.mark.parametrize("mean", [None, 0.0, 1.0, 0.999])
def test_without_a_usable_mean_all_points_begin_at_one(mean: float | None) -> None:
    scale = None if mean is None else ExpertScale(mean, mean, mean)

    assert first_rule(scale) == DEFAULT_RULE


def test_a_student_reads_what_experts_score(
    cast: Cast, published: Assignment, client_of: ClientOf
) -> None:
    ExpertScores.objects.update(document={"A": {"comprehensive": 0.7}, "B": {"comprehensive": 0.8}})
    submission = submission_submit(assignment=published, student=cast.student, text=SUMMARY)
    work()
    address = reverse("submission", args=[submission.pk])
    said = "Experts score 0.75 (0.70 to 0.80) here."

    assert said in " ".join(client_of(cast.student).get(address).text.split())
    ExpertScores.objects.update(signature="another")  # not measured as this score is
    assert said not in " ".join(client_of(cast.student).get(address).text.split())

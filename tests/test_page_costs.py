"""The ten pages that are used most: how many queries they may take, and how many parses."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.models import Job, Membership, Role, Score, Submission, SubmissionFlags, User
from tests.query_count import record_parses
from tests.scenes import Scene

ClientOf = Callable[[User | None], Client]


@dataclass(frozen=True)
class Page:
    name: str
    who: str
    queries: int
    parses: int
    about: str = "assignment"


# Three queries are for second opinions, which the scene's assignment asks for.
PAGES = (
    Page("marking", "ta", 15, 1, "submission"),
    Page("queue", "ta", 19, 0),
    Page("submission", "student", 12, 1, "submission"),
    Page("submission", "ta", 20, 1, "submission"),
    Page("gradebook", "instructor", 22, 0),
    Page("assignment", "instructor", 15, 1),
    Page("draft", "instructor", 7, 1, "draft"),
    Page("class_figures", "instructor", 11, 1),
    Page("home", "instructor", 4, 0, ""),
    Page("assignment", "student", 10, 0),
)


@pytest.fixture(scope="module")
def shared_scene(shared_scene: Scene) -> Scene:
    """With twelve more students who submitted the same text and have the same score."""
    submission = Submission.objects.get(pk=str(shared_scene.kwargs["submission"]["pk"]))
    score = Score.objects.filter(submission=submission).latest("pk")
    for number in range(12):
        student = User.objects.create_user(f"student-{number}", name=f"Student {number}")
        Membership.objects.create(course=shared_scene.cast.course, user=student, role=Role.STUDENT)
        submission.pk = score.pk = None
        submission.student = student
        submission.save()
        score.submission = submission
        score.save()
        SubmissionFlags.objects.create(submission=submission, document={"flags": [], "near": []})
    Job.objects.filter(finished_at=None).delete()
    return shared_scene


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.name}-{page.who}")
def test_a_page_costs_no_more(
    page: Page, scene: Scene, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = reverse(page.name, kwargs=scene.kwargs[page.about])
    client = client_of(scene.user(page.who))
    client.get(url)  # the first visit of a day keeps the time of it
    parses = record_parses(monkeypatch)

    with CaptureQueriesContext(connection) as queries:
        answer = client.get(url)

    assert answer.status_code == 200
    assert len(queries) <= page.queries, [query["sql"] for query in queries]
    assert len(parses) <= page.parses

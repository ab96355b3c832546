"""The class and its CSV."""

import csv
import io
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.actions.pyramids import pyramid_start_build
from grading.actions.summaries import submission_submit
from grading.actions.work import job_run
from grading.models import Assignment, Job, Membership, User
from grading.pyramid.pipeline import Engine
from tests.conftest import SUMMARY, Cast

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def scored(cast: Cast, assignment: Assignment, engine: Engine) -> Assignment:
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    while job := Job.objects.filter(state=Job.State.QUEUED).last():
        assert job_run(job_pk=job.pk)
    return assignment


def rows(client: Client, assignment: Assignment) -> list[dict[str, str]]:
    response = client.get(reverse("gradebook_file", args=[assignment.pk]))
    assert response.content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


def test_the_file_has_every_student_and_no_zero_for_what_is_not_there(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    first, second = rows(client_of(cast.ta), scored)

    assert (first["name"], first["state"], first["attempt"]) == ("Zoë Brânză", "scored", "1")
    assert 0 < float(first["quality"]) <= 1
    assert first["signature"].startswith("classroom-")
    assert (second["name"], second["state"]) == ("عمر حداد", "not handed in")
    assert {second[key] for key in ("raw", "quality", "coverage", "comprehensive")} == {""}


def test_a_name_cannot_be_a_formula(cast: Cast, scored: Assignment, client_of: ClientOf) -> None:
    User.objects.filter(pk=cast.student.pk).update(name='=HYPERLINK("http://x")')

    assert rows(client_of(cast.ta), scored)[0]["name"] == '\'=HYPERLINK("http://x")'


def test_queries_do_not_grow_with_the_class(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    address = reverse("gradebook", args=[scored.pk])

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            client.get(address)
        return len(captured)

    queries()
    few = queries()
    for number in range(30):
        student = User.objects.create_user(f"s{number}", name=f"Student {number}")
        Membership.objects.create(course=cast.course, user=student, role="student")
        submission_submit(assignment=scored, student=student, text=SUMMARY)
    Job.objects.filter(state=Job.State.QUEUED).delete()

    assert queries() == few

"""Assignments: their settings and states."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, User
from tests.conftest import Cast

ClientOf = Callable[[User | None], Client]

TOLD = {
    "title": "Summary 1",
    "min_words": "80",
    "max_words": "250",
    "due_at": "2026-07-01T18:00",
    "accepts_late": "on",
    "max_drafts": "0",
    "max_attempts": "",
    "copying": "warn",
    "copying_percent": "50",
    "release": "at_once",
    "missed_before": "1",
    "missed_after": "3",
    "second_looks": "on",
}


def test_a_due_date_is_a_wall_clock_time_of_the_course(cast: Cast, client_of: ClientOf) -> None:
    cast.course.time_zone = "Europe/Madrid"
    cast.course.save()
    User.objects.filter(pk=cast.instructor.pk).update(time_zone="America/New_York")
    client = client_of(cast.instructor)

    client.post(reverse("assignment_new", args=[cast.course.pk]), TOLD)

    made = Assignment.objects.get(title="Summary 1")
    assert made.due_at == datetime(2026, 7, 1, 16, 0, tzinfo=UTC)
    assert 'value="2026-07-01T18:00"' in client.get(reverse("assignment_edit", args=[made.pk])).text
    client.post(reverse("assignment_edit", args=[made.pk]), TOLD)
    made.refresh_from_db()
    assert made.due_at == datetime(2026, 7, 1, 16, 0, tzinfo=UTC)


def test_the_shortest_cannot_be_longer_than_the_longest(cast: Cast, client_of: ClientOf) -> None:
    address = reverse("assignment_new", args=[cast.course.pk])

    response = client_of(cast.instructor).post(address, TOLD | {"min_words": "300"})

    assert response.status_code == 422
    assert "The shortest cannot be longer" in response.text
    assert 'value="300"' in response.text


@pytest.mark.parametrize("year", ["0001", "1999", "9999"])
def test_a_due_date_out_of_this_world_is_refused(
    cast: Cast, client_of: ClientOf, year: str
) -> None:
    address = reverse("assignment_new", args=[cast.course.pk])

    response = client_of(cast.instructor).post(address, TOLD | {"due_at": f"{year}-01-01T00:00"})

    assert response.status_code == 422
    assert not Assignment.objects.exists()


def test_an_unknown_state_is_refused(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    address = reverse("assignment_state", args=[assignment.pk])

    client_of(cast.instructor).post(address, {"state": "nonsense"})

    assignment.refresh_from_db()
    assert assignment.is_open

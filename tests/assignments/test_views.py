"""Assignments: their settings and states."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.models import Assignment, Course, StoredPyramid, User
from grading.scoring.conversion import pyramid_fields
from tests.conftest import Cast
from tests.feedback_scene import made
from tests.pages import flat

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


def overview(client: Client, assignment: Assignment, **rules: object) -> str:
    Assignment.objects.filter(pk=assignment.pk).update(**rules)
    return flat(client.get(reverse("assignment", args=[assignment.pk])).text)


@pytest.mark.parametrize(
    ("days", "accepts_late", "said"),
    [
        (None, True, "Students can submit."),
        (1, True, "Students can submit until it is closed; after the due date as late."),
        (1, False, "Students can submit until the due date."),
        (-1, True, "Students can submit until it is closed; after the due date as late."),
        (-1, False, "Nobody can submit any more: the due date has passed."),
    ],
)
def test_the_overview_says_who_can_hand_in(
    cast: Cast,
    assignment: Assignment,
    client_of: ClientOf,
    days: int | None,
    *,
    accepts_late: bool,
    said: str,
) -> None:
    due = None if days is None else timezone.now() + timedelta(days=days)

    text = overview(client_of(cast.ta), assignment, due_at=due, accepts_late=accepts_late)

    assert f'<p class="item-meta">{said}</p>' in text


def test_graders_see_the_rules_that_students_see(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    text = overview(client_of(cast.ta), assignment, max_drafts=2, release="by_hand")

    assert "The rules, as students see them" in text
    assert "First up to 2 drafts for feedback" in text
    assert "When your teacher releases them." in text
    assert "You are told how many of each weight" in text


def test_graders_see_a_due_date_on_both_clocks(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    User.objects.update(time_zone="America/New_York")
    Course.objects.update(time_zone="Europe/Madrid")
    due = datetime(2026, 7, 1, 16, 0, tzinfo=UTC)
    both = (
        "Due 1 July 2026, 12:00 (America/New_York), "
        "which is 1 July 2026, 18:00 (Europe/Madrid) on the clocks of the course"
    )

    assert both in overview(client_of(cast.ta), assignment, due_at=due)
    Course.objects.update(time_zone="America/Toronto")
    assert "on the clocks of the course" not in overview(client_of(cast.ta), assignment)


@pytest.mark.parametrize("state", ["open", "closed"])
def test_who_opens_it_without_a_version_is_told_that_nobody_is_scored(
    cast: Cast, assignment: Assignment, client_of: ClientOf, state: str
) -> None:
    client, address = client_of(cast.instructor), reverse("assignment_state", args=[assignment.pk])
    told = "Nobody is scored until a version of the pyramid is published."

    assert (told in client.post(address, {"state": state}, follow=True).text) is (state == "open")

    scored = made(3)
    StoredPyramid.objects.create(assignment=assignment, number=1, **pyramid_fields(scored.pyramid))
    assert told not in client.post(address, {"state": "open"}, follow=True).text

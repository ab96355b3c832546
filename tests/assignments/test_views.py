"""Assignments: their settings and states."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.assignments.actions import assignment_change
from grading.models import Assignment, Course, StoredPyramid, User
from grading.scoring.conversion import pyramid_fields
from tests.conftest import Cast
from tests.feedback_scene import made
from tests.pages import flat

ClientOf = Callable[[User | None], Client]

SUBMITTING = {
    "section": "submitting",
    "min_words": "80",
    "max_words": "250",
    "due_at": "2026-07-01T18:00",
    "accepts_late": "on",
    "max_drafts": "0",
    "max_attempts": "",
}


def test_a_new_assignment_leads_to_its_references(cast: Cast, client_of: ClientOf) -> None:
    address = reverse("assignment_new", args=[cast.course.pk])

    response = client_of(cast.instructor).post(
        address, {"title": "Summary 1", "source_text": "Cities are hotter."}
    )

    made = Assignment.objects.get(title="Summary 1")
    assert made.source_text == "Cities are hotter."
    assert response["Location"] == reverse("references", args=[made.pk])


def test_a_due_date_is_a_wall_clock_time_of_the_course(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    cast.course.time_zone = "Europe/Madrid"
    cast.course.save()
    User.objects.filter(pk=cast.instructor.pk).update(time_zone="America/New_York")
    client, address = client_of(cast.instructor), reverse("assignment_edit", args=[assignment.pk])

    client.post(address, SUBMITTING)

    assignment.refresh_from_db()
    assert assignment.due_at == datetime(2026, 7, 1, 16, 0, tzinfo=UTC)
    assert 'value="2026-07-01T18:00"' in client.get(address).text
    client.post(address, SUBMITTING)
    assignment.refresh_from_db()
    assert assignment.due_at == datetime(2026, 7, 1, 16, 0, tzinfo=UTC)


def test_each_section_is_saved_by_itself(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client, address = client_of(cast.instructor), reverse("assignment_edit", args=[assignment.pk])

    saved = client.post(
        address, {"section": "copying", "copying": "block", "copying_percent": "40"}, follow=True
    )

    changed = Assignment.objects.get(pk=assignment.pk)
    assert (changed.copying, changed.copying_percent) == ("block", 40)
    assert (changed.title, changed.max_words) == (assignment.title, assignment.max_words)
    assert "Copying from the source: saved." in saved.text


def test_two_sections_saved_at_once_do_not_undo_each_other(assignment: Assignment) -> None:
    first, second = (Assignment.objects.get(pk=assignment.pk) for _ in range(2))
    first.title, second.copying_percent = "New title", 40

    assignment_change(assignment=first, fields=["title"])
    assignment_change(assignment=second, fields=["copying_percent"])

    assignment.refresh_from_db()
    assert (assignment.title, assignment.copying_percent) == ("New title", 40)


def test_only_the_section_with_an_error_is_open(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    address = reverse("assignment_edit", args=[assignment.pk])

    response = client_of(cast.instructor).post(address, SUBMITTING | {"min_words": "300"})

    page = flat(response.text)
    assert response.status_code == 422
    assert "The minimum can&#x27;t be more than the maximum." in page
    assert 'value="300"' in page
    assert page.count('<details class="settings-section" open>') == 1


def test_a_form_without_a_section_changes_nothing(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    address = reverse("assignment_edit", args=[assignment.pk])

    response = client_of(cast.instructor).post(address, {"title": "From an old page"})

    assert response.status_code == 422
    assert "Reload the settings" in response.text
    assert not Assignment.objects.filter(title="From an old page").exists()


@pytest.mark.parametrize("year", ["0001", "1999", "9999"])
def test_a_due_date_out_of_this_world_is_refused(
    cast: Cast, assignment: Assignment, client_of: ClientOf, year: str
) -> None:
    address = reverse("assignment_edit", args=[assignment.pk])

    response = client_of(cast.instructor).post(
        address, SUBMITTING | {"due_at": f"{year}-01-01T00:00"}
    )

    assert response.status_code == 422
    assignment.refresh_from_db()
    assert assignment.due_at is None


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
        (
            1,
            True,
            "Students can submit until you close it. After the due date, submissions are late.",
        ),
        (1, False, "Students can submit until the due date."),
        (
            -1,
            True,
            "Students can submit until you close it. After the due date, submissions are late.",
        ),
        (-1, False, "Students can&#x27;t submit: the due date has passed."),
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

    assert f"<p>{said} 2 students joined.</p>" in text


def test_graders_see_the_rules_that_students_see(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    text = overview(client_of(cast.ta), assignment, max_drafts=2, release="by_hand")

    assert "The rules, as students see them" in text
    assert "First up to 2 drafts for feedback" in text
    assert "When your instructor releases them." in text
    assert "You see how many there are" in text


def test_graders_see_a_due_date_on_both_clocks(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    User.objects.update(time_zone="America/New_York")
    Course.objects.update(time_zone="Europe/Madrid")
    due = datetime(2026, 7, 1, 16, 0, tzinfo=UTC)
    both = (
        "Due 1 July 2026, 12:00 (America/New_York), "
        "which is 1 July 2026, 18:00 (Europe/Madrid) in the course&#x27;s time zone"
    )

    assert both in overview(client_of(cast.ta), assignment, due_at=due)
    Course.objects.update(time_zone="America/Toronto")
    assert "in the course&#x27;s time zone" not in overview(client_of(cast.ta), assignment)


@pytest.mark.parametrize("state", ["open", "closed"])
def test_who_opens_it_without_a_version_is_told_that_nobody_is_scored(
    cast: Cast, assignment: Assignment, client_of: ClientOf, state: str
) -> None:
    client, address = client_of(cast.instructor), reverse("assignment_state", args=[assignment.pk])
    notice = "Nobody is scored until a version of the pyramid is published."

    assert (notice in client.post(address, {"state": state}, follow=True).text) is (state == "open")

    scored = made(3)
    StoredPyramid.objects.create(assignment=assignment, number=1, **pyramid_fields(scored.pyramid))
    assert notice not in client.post(address, {"state": "open"}, follow=True).text

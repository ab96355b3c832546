"""The settings of an assignment."""

from datetime import UTC

import pytest
from django.utils import timezone

from grading.assignments.forms import AssignmentForm
from grading.models import Assignment, Course

pytestmark = pytest.mark.django_db

TOLD = {
    "title": "Summary 1",
    "min_words": "80",
    "max_words": "250",
    "accepts_late": "on",
    "max_drafts": "0",
    "copying": "warn",
    "copying_percent": "50",
    "release": "at_once",
    "missed_before": "1",
    "missed_after": "3",
}


def form(**told: str) -> AssignmentForm:
    return AssignmentForm(TOLD | told, course=Course())


def test_every_field_stands_in_one_group() -> None:
    shown = [field.name for _, fields in form().groups() for field in fields]

    assert sorted(shown) == sorted(AssignmentForm.Meta.fields)


def test_a_new_assignment_begins_with_the_models_defaults() -> None:
    empty = AssignmentForm(course=Course())

    assert empty["release"].value() == Assignment.Release.AT_ONCE
    assert empty["copying_percent"].value() == 50


@pytest.mark.parametrize("name", ["copying", "release", "missed_before", "missed_after"])
def test_a_form_from_before_says_what_it_lacks(name: str) -> None:
    old = AssignmentForm({key: told for key, told in TOLD.items() if key != name}, course=Course())

    assert old.errors[name] == ["Choose one of these."]


@pytest.mark.parametrize(
    ("typed", "due_at"),
    [
        ("2026-10-25T02:30", "2026-10-25T06:30:00+00:00"),  # twice in Madrid, once in New York
        ("2026-03-29T02:30", "2026-03-29T06:30:00+00:00"),
        ("2026-03-08T02:30", ""),
        ("2026-11-01T01:30", ""),
    ],
)
def test_a_time_is_one_of_the_courses_clocks(typed: str, due_at: str) -> None:
    with timezone.override("Europe/Madrid"):
        settings = AssignmentForm(
            TOLD | {"due_at": typed}, course=Course(time_zone="America/New_York")
        )
        assert settings.is_valid() is bool(due_at)

    if due_at:
        assert settings.cleaned_data["due_at"].astimezone(UTC).isoformat() == due_at
    else:
        assert "clocks are changed at this time in America/New_York" in settings.errors["due_at"][0]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"release": "after_due"}, "from when you close the assignment"),
        ({"release": "by_hand", "max_drafts": "2"}, "when you release it"),
        ({"missed_before": "3", "missed_after": "1"}, "told less of missing ideas"),
    ],
)
def test_what_may_surprise_is_told(told: dict[str, str], said: str) -> None:
    settings = form(**told)

    assert settings.is_valid(), settings.errors
    assert said in " ".join(settings.remarks())


def test_nothing_is_told_of_usual_settings() -> None:
    usual = form(max_drafts="2")

    assert usual.is_valid()
    assert usual.remarks() == []

"""A new assignment, and the sections of its settings."""

from datetime import UTC
from typing import Any

import pytest
from django.utils import timezone

from grading.assignments.forms import (
    SETTINGS,
    CopyingForm,
    NewAssignmentForm,
    ResultsForm,
    SettingsForm,
    SubmittingForm,
    TaskForm,
)
from grading.models import Assignment, Course

pytestmark = pytest.mark.django_db

SUBMITTING = {"min_words": "80", "max_words": "250", "accepts_late": "on", "max_drafts": "0"}
RESULTS = {"release": "at_once", "missed_before": "1", "missed_after": "3"}


def submitting(
    assignment: Assignment | None = None, course: Course | None = None, **fields: str
) -> SubmittingForm:
    instance = assignment or Assignment(course=course or Course(), title="Summary 1")
    return SubmittingForm(SUBMITTING | fields, instance=instance)


def results(assignment: Assignment | None = None, **fields: str) -> ResultsForm:
    instance = assignment or Assignment(course=Course(), title="Summary 1")
    return ResultsForm(RESULTS | fields, instance=instance)


def test_a_new_assignment_asks_for_a_title_and_the_source() -> None:
    form = NewAssignmentForm(course=Course())

    assert [field.name for field in form] == ["title", "source_text"]
    assert [field.name for field in form if field.field.required] == ["title"]


def test_a_new_assignment_is_released_by_a_person_and_has_three_finals(course: Course) -> None:
    form = NewAssignmentForm({"title": "Summary 1"}, course=course)

    assert form.is_valid()
    assignment = form.save()
    assert assignment.release == Assignment.Release.BY_HAND
    assert assignment.max_attempts == 3
    assert not assignment.shows_results


@pytest.fixture
def course(db: None) -> Course:
    return Course.objects.create(name="History")


def test_every_setting_is_in_one_section() -> None:
    names = [name for kind in SETTINGS for name in kind._meta.fields or ()]
    editable = {field.name for field in Assignment._meta.fields if field.editable}

    assert len(names) == len(set(names))
    # The course never changes; state and hidden names have their own buttons elsewhere.
    assert set(names) == editable - {"id", "course", "state", "names_hidden"}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (CopyingForm, "copying"),
        (ResultsForm, "release"),
        (ResultsForm, "missed_before"),
        (ResultsForm, "missed_after"),
    ],
)
def test_a_form_from_before_says_what_it_lacks(kind: type[SettingsForm], name: str) -> None:
    old = kind({}, instance=Assignment(course=Course()))

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
        form = submitting(course=Course(time_zone="America/New_York"), due_at=typed)
        assert form.is_valid() is bool(due_at)

    if due_at:
        assert form.cleaned_data["due_at"].astimezone(UTC).isoformat() == due_at
    else:
        assert "clocks change at this time in America/New_York" in form.errors["due_at"][0]


@pytest.mark.parametrize(
    ("form", "remark"),
    [
        (lambda: results(release="after_due"), "when you close the assignment"),
        (lambda: results(Assignment(course=Course(), title="A", max_drafts=2), release="by_hand"),
         "until you release it"),
        (lambda: submitting(max_drafts="2"), "until you release it"),
        (lambda: results(missed_before="3", missed_after="1"), "less about missing ideas"),
    ],
)  # fmt: skip
def test_remarks_on_what_may_surprise(form: object, remark: str) -> None:
    assert callable(form)
    settings = form()

    assert settings.is_valid(), settings.errors
    assert remark in " ".join(settings.remarks())


def test_no_remarks_on_usual_settings() -> None:
    usual = submitting(Assignment(course=Course(), title="A", release="at_once"), max_drafts="2")

    assert usual.is_valid()
    assert usual.remarks() == []


def test_a_source_text_has_a_limit_that_an_older_one_may_pass(
    settings: Any, course: Course
) -> None:
    settings.SOURCE_TEXT_CHARACTERS = 10
    long = {"title": "A", "source_text": "eleven char"}

    new = NewAssignmentForm(long, course=course)
    kept = TaskForm(long, instance=Assignment(course=course, source_text="eleven char"))

    assert "has 11 characters; at most 10 can be used. Paste only" in new.errors["source_text"][0]
    assert kept.is_valid()
    changed = TaskForm(long, instance=Assignment(course=course, source_text="twelve chars"))
    assert not changed.is_valid()

"""The rules in a student's words."""

from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import pytest
from django.utils import timezone

from grading.models import Assignment, Course, Membership, User
from grading.scoring.allowances import Allowance
from grading.web.assignment_rules import Rules, format_duration, rules_of

NOW = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


def rules_shown(
    allowance: Allowance | None = None, reader: str = "UTC", course: str = "UTC", **fields: object
) -> Rules:
    assignment = Assignment(course=Course(time_zone=course), state=Assignment.State.OPEN, **fields)
    membership = Membership(course=assignment.course, user=User(time_zone=reader))
    with patch.object(timezone, "now", return_value=NOW):
        return rules_of(assignment, allowance or Allowance(0, 1), membership)


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(days=12, hours=5), "12 days"),
        (timedelta(days=2, hours=1), "2 days and 1 hour"),
        (timedelta(days=1), "1 day"),
        (timedelta(hours=5, minutes=12), "5 hours and 12 minutes"),
        (timedelta(minutes=1, seconds=59), "1 minute"),
        (timedelta(seconds=59), "less than a minute"),
    ],
)
def test_durations_are_written_as_people_say_them(span: timedelta, words: str) -> None:
    assert format_duration(span) == words


def test_due_on_the_clocks_of_the_reader_and_of_the_course() -> None:
    rules = rules_shown(
        reader="America/New_York", course="Europe/Madrid", due_at=NOW + timedelta(hours=4)
    )

    assert rules.due == "1 July 2026, 12:00 (America/New_York)"
    assert rules.left == "4 hours left"
    assert rules.elsewhere == "1 July 2026, 18:00 (Europe/Madrid), in the course's time zone"
    assert rules.late == "After that you can still submit; it is marked as late."


def test_clocks_that_show_the_same_are_told_once() -> None:
    assert rules_shown(reader="Europe/Berlin", course="Europe/Madrid", due_at=NOW).elsewhere == ""
    assert (
        rules_shown().due
        == rules_shown().left
        == rules_shown().elsewhere
        == rules_shown().late
        == ""
    )


def test_after_the_due_date() -> None:
    rules = rules_shown(due_at=NOW - timedelta(days=1), accepts_late=False)

    assert rules.left == "1 day ago"
    assert rules.late == "After that you can't submit."


@pytest.mark.parametrize(
    ("drafts", "finals", "attempts", "counts"),
    [
        (0, None, "You can submit as often as you like.", "Your newest attempt."),
        (0, 1, "You can submit once.", "The summary that you submit."),
        (0, 3, "You can submit 3 times.", "Your newest attempt."),
        (
            2,
            1,
            "First up to 2 drafts for feedback, then one final submission.",
            "Your newest final submission or, until then",
        ),
        (
            1,
            3,
            "First up to 1 draft for feedback, then 3 final submissions.",
            "Your newest final submission or, until then",
        ),
        (
            1,
            None,
            "then as many final submissions as you like.",
            "Your newest final submission or, until then",
        ),
    ],
)
def test_attempts(drafts: int, finals: int | None, attempts: str, counts: str) -> None:
    rules = rules_shown(max_drafts=drafts, max_attempts=finals)

    assert attempts in rules.attempts
    assert rules.counts.startswith(counts)


@pytest.mark.parametrize(
    ("allowance", "drafts", "finals", "left"),
    [
        (Allowance(2, 1), 2, 1, "2 drafts and 1 final submission left."),
        (Allowance(0, 1, drafts_in=2), 2, 1, "No drafts and 1 final submission left."),
        (Allowance(0, 2, 1, finals_in=1), 2, 3, "2 final submissions left."),
        (Allowance(0, 3), 0, 3, "3 attempts left."),
        (Allowance(0, 50), 0, None, ""),
        (Allowance(0, 0, reason="Over."), 2, 1, ""),
    ],
)
def test_what_is_left(allowance: Allowance, drafts: int, finals: int | None, left: str) -> None:
    assert rules_shown(allowance, max_drafts=drafts, max_attempts=finals).left_of_attempts == left


def test_copying_is_told_where_it_is_measured() -> None:
    assert (
        rules_shown().copying
        == rules_shown(source_text="x", copying=Assignment.Copying.ALLOW).copying
        == ""
    )
    assert "you are warned" in rules_shown(source_text="x").copying
    assert "is refused" in rules_shown(source_text="x", copying=Assignment.Copying.BLOCK).copying


@pytest.mark.parametrize(
    ("release", "due", "said"),
    [
        (Assignment.Release.AT_ONCE, None, "As soon as your summary is scored"),
        (Assignment.Release.AFTER_DUE, NOW, "After the due date."),
        (Assignment.Release.AFTER_DUE, None, "When the assignment is closed."),
        (Assignment.Release.BY_HAND, NOW, "When your instructor releases them."),
    ],
)
def test_when_results_are_shown(release: str, due: datetime | None, said: str) -> None:
    assert rules_shown(release=release, due_at=due).results.startswith(said)


@pytest.mark.parametrize(
    ("before", "after", "due", "said"),
    [
        (1, 3, NOW, "how many there are; after the due date, the ideas themselves."),
        (0, 2, None, "nothing; once the assignment is closed, key words of each."),
        (4, 4, NOW, "the ideas themselves, and how an expert says them."),
    ],
)
def test_what_is_told_of_missing_ideas(
    before: int, after: int, due: datetime | None, said: str
) -> None:
    rules = rules_shown(missed_before=before, missed_after=after, due_at=due)

    assert rules.missing == f"You see {said}"


def test_late_drafts_are_told_no_more_and_the_rules_say_so() -> None:
    rules = rules_shown(missed_before=0, missed_after=3, due_at=NOW, max_drafts=1)
    assert "after the due date (for a draft, once the assignment is closed), the" in rules.missing

    rules = rules_shown(
        missed_before=0, missed_after=3, due_at=NOW, max_drafts=1, accepts_late=False
    )
    assert "after the due date, the ideas" in rules.missing


def test_who_hands_in_nothing_has_nothing_left() -> None:
    course = Course(time_zone="UTC")
    assignment = Assignment(course=course, max_attempts=3)

    rules = rules_of(assignment, None, Membership(course=course, user=User(time_zone="UTC")))

    assert rules.left_of_attempts == ""
    assert rules.attempts == "You can submit 3 times."

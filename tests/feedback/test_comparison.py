"""Two attempts compared: numbers, ideas and words, and nothing of what is unreleased."""

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.jobs.runner import job_run
from grading.models import Assignment, Job, Score, StoredPyramid, Submission, User
from grading.pyramid.pipeline import Engine
from grading.pyramids.actions import draft_from_version, draft_publish, pyramid_start_build
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.feedback_scene import in_one_line
from tests.pages import flat

ClientOf = Callable[[User | None], Client]
SECOND = (
    "Cities are hotter than the country. Trees cool the streets.\n\n"
    "My aunt has a green bicycle and rides it every day. <b>"
)


def work() -> None:
    while job := Job.objects.filter(state=Job.State.QUEUED).last():
        assert job_run(job_pk=job.pk)


@pytest.fixture
def attempts(cast: Cast, assignment: Assignment, engine: Engine) -> tuple[Submission, Submission]:
    """A draft and a final of the student, both scored."""
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    Assignment.objects.update(max_drafts=1)
    first = submission_submit(
        assignment=assignment, student=cast.student, text=SUMMARY, is_final=False
    )
    second = submission_submit(assignment=assignment, student=cast.student, text=SECOND)
    work()
    return first, second


def page(client: Client, submission: Submission, query: str = "") -> str:
    return in_one_line(client.get(reverse("attempts_compare", args=[submission.pk]) + query).text)


def test_ideas_and_words_gained_and_lost(
    cast: Cast, attempts: tuple[Submission, Submission], client_of: ClientOf
) -> None:
    text = page(client_of(cast.student), attempts[1])

    assert "Gained: 1" in text
    assert "Lost: 1" in text
    assert "Kept: 1" in text
    assert "[removed: </span>uncle" in text
    assert "[added: </span>aunt" in text
    assert "&lt;b&gt;" in text
    assert "draft</span>" in text


@pytest.mark.parametrize("query", ["?with=1", "?with=2&to=1", "?to=2&with=1"])
def test_the_earlier_attempt_comes_first_however_it_is_asked(
    cast: Cast, attempts: tuple[Submission, Submission], client_of: ClientOf, query: str
) -> None:
    assert "Matched in attempt 2, not in attempt 1" in page(
        client_of(cast.student), attempts[1], query
    )


def test_from_the_first_attempt_the_next_is_compared(
    cast: Cast, attempts: tuple[Submission, Submission], client_of: ClientOf
) -> None:
    assert "Matched in attempt 2, not in attempt 1" in page(client_of(cast.student), attempts[0])


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("?with=9", "There is no attempt “9”"),
        ("?with=x%00", "There is no attempt"),
        ("?with=2&to=2", "These are the same attempt"),
    ],
)
def test_attempts_that_are_not_there_are_said_so(
    cast: Cast,
    attempts: tuple[Submission, Submission],
    client_of: ClientOf,
    query: str,
    sentence: str,
) -> None:
    address = reverse("attempts_compare", args=[attempts[1].pk])

    response = client_of(cast.student).get(address + query)

    assert response.status_code == 422
    assert sentence in response.text


def test_a_single_attempt_has_nothing_beside_it(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    only = submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)

    assert "Nothing to compare yet" in page(client_of(cast.student), only)


def test_the_change_is_that_of_the_numbers_as_shown(
    cast: Cast, attempts: tuple[Submission, Submission], client_of: ClientOf
) -> None:
    attempts[0].scores.update(quality=0.134, coverage=0.5, comprehensive=0.9)
    attempts[1].scores.update(quality=0.216, coverage=0.5, comprehensive=0.25)

    text = page(client_of(cast.student), attempts[1])

    assert '<span class="delta delta-up">+0.09</span>' in text
    assert '<span class="delta delta-same">no change</span>' in text
    assert '<span class="delta delta-down">\u22120.65</span>' in text
    assert "attempt 1: 0.13, attempt 2: 0.22" in text


@pytest.mark.parametrize("hidden", [0, 1])
def test_an_unreleased_attempt_shows_no_score_and_no_idea(
    cast: Cast,
    attempts: tuple[Submission, Submission],
    client_of: ClientOf,
    hidden: int,
) -> None:
    Submission.objects.filter(pk=attempts[hidden].pk).update(
        visibility=Submission.Visibility.HELD_BACK
    )
    client = client_of(cast.student)

    text = page(client, attempts[1])
    attempts[hidden].scores.all().delete()

    assert f">attempt {attempts[hidden].attempt}</a> are hidden until released" in text
    assert "Gained" not in text
    assert "delta" not in text
    assert '<svg class="picture"' not in text
    assert "[removed: </span>uncle" in text
    assert page(client, attempts[1]).partition("<main")[2] == text.partition("<main")[2]
    assert "Not scored yet" in page(client_of(cast.ta), attempts[1])


def test_no_scores_are_asked_for_where_nothing_is_shown(
    cast: Cast, attempts: tuple[Submission, Submission], client_of: ClientOf
) -> None:
    Assignment.objects.update(release=Assignment.Release.BY_HAND)
    client = client_of(cast.student)

    with CaptureQueriesContext(connection) as captured:
        page(client, attempts[1])

    assert not [query for query in captured.captured_queries if "grading_score" in query["sql"]]


def test_ideas_are_compared_by_a_version_that_scored_both(
    cast: Cast, attempts: tuple[Submission, Submission], client_of: ClientOf
) -> None:
    draft = draft_from_version(version=StoredPyramid.objects.get(), author=cast.instructor)
    draft_publish(draft=draft, revision=0, note="", author=cast.instructor, even_if_same=True)
    work()
    Score.objects.filter(submission=attempts[0], pyramid__number=2).delete()

    text = page(client_of(cast.student), attempts[1])

    assert "t be compared: the pyramid or the program changed between the attempts." in text
    assert "This compares earlier scores" in text
    assert "Gained: 1" in text
    assert "delta" not in text

    Score.objects.filter(submission=attempts[1], pyramid__number=1).delete()
    text = page(client_of(cast.student), attempts[1])
    assert "The attempts were scored with different ideas, so gains and losses can" in text


def test_attempts_of_others_are_not_mixed_in(
    cast: Cast, attempts: tuple[Submission, Submission], client_of: ClientOf
) -> None:
    other = submission_submit(
        assignment=attempts[0].assignment, student=cast.other_student, text=SUMMARY
    )

    assert "Nothing to compare yet" in page(client_of(cast.other_student), other)
    assert (
        client_of(cast.other_student)
        .get(reverse("attempts_compare", args=[attempts[1].pk]))
        .status_code
        == 403
    )


def test_charts_have_two_decimals_and_paper_has_the_name_and_no_form(
    cast: Cast, attempts: tuple[Submission, Submission], client_of: ClientOf
) -> None:
    text = flat(page(client_of(cast.student), attempts[1]))

    chart = text.split("<figure>")[1]
    assert re.findall(r'text-anchor="end">\s*([^<]+?)\s*<', chart) == ["1.00", "0.00"]
    assert f'<p class="print-only"><bdi>{cast.student.name}</bdi>: attempts 1 and 2</p>' in flat(
        text
    )
    assert '<form class="inline-form no-print"' in text

"""Handing in, and what a student sees of it and when."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.jobs.runner import job_run
from grading.models import Assignment, Job, Score, Submission, User
from grading.pyramid.pipeline import Engine
from grading.pyramids.actions import pyramid_start_build
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

ClientOf = Callable[[User | None], Client]


def hand_in(client: Client, assignment: Assignment, text: str = SUMMARY) -> "Answer":
    return client.post(reverse("submit", args=[assignment.pk]), {"text": text})


def work() -> None:
    """What a worker would do now."""
    while job := Job.objects.filter(state=Job.State.QUEUED).last():
        assert job_run(job_pk=job.pk)


def page(client: Client, submission: Submission) -> str:
    return client.get(reverse("submission", args=[submission.pk])).text


@pytest.fixture
def built(cast: Cast, assignment: Assignment, engine: Engine) -> Assignment:
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    work()
    return assignment


def test_a_summary_is_scored_and_shown_with_its_matches(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.student)
    hand_in(client, built)
    submission = Submission.objects.get()
    assert "Waiting, usually" in page(client, submission)

    work()

    seen = page(client, submission)
    assert '<mark class="match match-band-5"' in seen
    assert seen.count('class="score-number"') == 3
    assert "How this was calculated" in seen


def test_what_confirms_the_handing_in_is_still_there_when_the_page_finishes_by_itself(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.student)
    hand_in(client, built)
    submission = Submission.objects.get()
    assert "Submitted: attempt 1," in page(client, submission)
    work()

    job = Job.objects.get(submission=submission)
    asked = client.get(reverse("job", args=[job.pk]), headers={"HX-Request": "true"})

    assert asked.headers["HX-Refresh"] == "true"
    seen = page(client, submission)
    assert "Submitted: attempt 1," in seen
    assert "It has been scored." in seen
    assert "Submitted: attempt 1," not in page(client, submission)


def test_before_there_is_a_pyramid_a_summary_waits_and_is_scored_later(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    client = client_of(cast.student)
    hand_in(client, assignment)
    submission = Submission.objects.get()
    assert "Not scored yet" in page(client, submission)

    pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    work()

    assert 'class="score-number"' in page(client, submission)


def test_unreleased_results_are_unreleased_everywhere(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    Assignment.objects.filter(pk=built.pk).update(release=Assignment.Release.BY_HAND)
    client = client_of(cast.student)
    hand_in(client, built)
    work()
    submission = Submission.objects.get()

    seen = page(client, submission)

    assert "Your instructor will release the results later" in seen
    assert "score-number" not in seen
    assert "<mark" not in seen
    assert 'class="score-number"' in page(client_of(cast.ta), submission)


def test_the_latest_attempt_counts_and_earlier_ones_stay(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.student)
    hand_in(client, built)
    hand_in(client, built, "Something else altogether, and not about the topic.")
    work()

    assert list(built.submissions.values_list("attempt", flat=True)) == [2, 1]
    assert built.submissions.latest_attempts().get().attempt == 2
    assert Score.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There is no text yet"),
        ("   ", "Your summary is empty."),
        ("word " * 61, "Cut 1."),
        ("x" * 1_801, "1,801 characters"),
        ("\u200b".join(["word"] * 61), "Cut 1."),
    ],
)
def test_what_cannot_be_handed_in_is_refused_and_kept(
    cast: Cast, built: Assignment, client_of: ClientOf, text: str, said: str
) -> None:
    response = hand_in(client_of(cast.student), built, text)

    assert response.status_code == 422
    assert said in response.text
    assert text.strip() in response.text
    assert not Submission.objects.exists()


def test_a_student_does_not_ask_for_the_job_of_the_class(
    cast: Cast, assignment: Assignment, engine: Engine, client_of: ClientOf
) -> None:
    hand_in(client_of(cast.student), assignment)
    build = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    assert job_run(job_pk=build.pk)
    submission = Submission.objects.get()
    address = 'hx-get="/jobs/'

    assert address not in page(client_of(cast.student), submission)
    assert address in page(client_of(cast.ta), submission)


def test_the_same_text_again_is_no_attempt(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.student)
    hand_in(client, built)

    assert "the same text as your attempt 1" in hand_in(client, built).text
    assert Submission.objects.count() == 1


def test_a_draft_becomes_the_final_as_it_is(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    Assignment.objects.update(max_drafts=2)
    client, address = client_of(cast.student), reverse("submit", args=[built.pk])

    for kind in ("draft", "draft", "final", "final"):
        client.post(address, {"text": SUMMARY, "kind": kind, "sure": "on"})

    attempts = Submission.objects.order_by("attempt")
    assert [attempt.is_final for attempt in attempts] == [False, True]


def test_the_same_text_sent_by_two_windows_at_once_is_one_attempt(
    cast: Cast, built: Assignment
) -> None:
    first = submission_submit(assignment=built, student=cast.student, text=SUMMARY)
    second = submission_submit(assignment=built, student=cast.student, text=SUMMARY)

    assert first == second
    assert first.jobs.count() == 1


def test_a_second_attempt_begins_with_the_words_of_the_first(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.student)
    hand_in(client, built)

    seen = client.get(reverse("assignment", args=[built.pk]))

    assert seen.context["form"]["text"].value() == SUMMARY


def test_who_was_logged_out_in_mid_way_is_led_back(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    response = client_of(cast.student).get(reverse("submit", args=[built.pk]))

    assert response.headers["Location"] == reverse("assignment", args=[built.pk])


def test_earlier_attempts_are_one_click_away_for_graders(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    for text in (SUMMARY, f"{SUMMARY} And more."):
        hand_in(client_of(cast.student), built, text)
    first, second = built.submissions.order_by("attempt")

    assert reverse("submission", args=[first.pk]) in page(client_of(cast.ta), second)


def test_nothing_is_handed_in_to_a_closed_assignment(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    Assignment.objects.filter(pk=built.pk).update(state=Assignment.State.CLOSED)

    response = hand_in(client_of(cast.student), built)

    assert response.status_code == 403
    assert "closed" in response.text


def test_after_the_due_date_it_is_late(cast: Cast, built: Assignment, client_of: ClientOf) -> None:
    Assignment.objects.filter(pk=built.pk).update(due_at=timezone.now() - timedelta(minutes=1))

    hand_in(client_of(cast.student), built)

    assert Submission.objects.get().late


def test_a_students_words_are_data(cast: Cast, built: Assignment, client_of: ClientOf) -> None:
    hand_in(client_of(cast.student), built, f"<script>alert(1)</script> {SUMMARY}")
    work()

    assert "<script>alert" not in page(client_of(cast.ta), Submission.objects.get())


def test_the_text_is_shown_as_it_was_written(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    text = "Cities are hotter than the country.\n\n  Dark roofs store the heat & more. 🌳"
    hand_in(client_of(cast.student), built, text)
    work()

    response = client_of(cast.student).get(
        reverse("submission", args=[Submission.objects.get().pk])
    )

    pieces = response.context["feedback"].pieces
    assert "".join(piece.words for piece in pieces) == text


def test_a_foreign_text_is_scored_and_says_so(
    cast: Cast, built: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.student)
    text = (
        "Las ciudades son más calientes que el campo que las rodea, porque los tejados oscuros "
        "guardan el calor del sol y no hay árboles que den sombra."
    )
    client.post(reverse("submit", args=[built.pk]), {"text": text, "in_english": "on"})
    work()

    seen = page(client, Submission.objects.get())

    assert "This text seems to be in Spanish." in seen
    assert seen.count('class="score-number"') == 3


def test_a_job_that_waits_long_says_so(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client, now = client_of(cast.ta), timezone.now()
    job = Job.objects.create(kind=Job.Kind.SCORE_SUBMISSIONS, assignment=assignment)
    long, short = "Still waiting. The server is busy", "Waiting, usually a few seconds"

    def panel(**changed: datetime) -> str:
        Job.objects.filter(pk=job.pk).update(**changed)
        return client.get(reverse("job", args=[job.pk])).text

    assert short in panel()
    assert long in panel(created_at=now - timedelta(seconds=31))  # though it was put in anew
    assert short in panel(started_at=now - timedelta(hours=1))  # tried again
    assert long in panel(enqueued_at=now - timedelta(seconds=31))

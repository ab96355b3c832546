"""Handing in: what is refused and why, what is said afterwards, and the list of attempts."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from grading.jobs.runner import job_run
from grading.models import Assignment, Submission
from grading.pyramid.pipeline import Engine
from grading.pyramids.actions import pyramid_start_build
from grading.scoring.allowances import REVISIONS_AN_ATTEMPT
from tests.conftest import SUMMARY, Cast
from tests.pages import flat
from tests.submissions.writing import (
    SOURCE,
    SPANISH,
    ClientOf,
    field,
    messages_of,
    page,
    post,
    rules,
)


@pytest.fixture
def client(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.student)


# --- handing in ---


def test_the_form_says_how_many_finals_are_left(client: Client, assignment: Assignment) -> None:
    def beside_the_button() -> str:
        return flat(page(client, assignment).text).partition('name="kind" value="final"')[2]

    assert "Left:" not in beside_the_button()  # no limit

    rules(assignment, max_attempts=3)
    assert "3 attempts left." in beside_the_button()
    post(client, "submit", assignment, text=SUMMARY, kind="final", revision=0)
    assert "2 attempts left." in beside_the_button()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There is no text yet"),
        ("word " * 61, "Cut 1."),
        ("Cities \x07 are hot.", "t text (U+0007)"),
        ("%$# @@@ ?? ... !!! hot", "neither letters nor digits"),
        (SPANISH, "Your summary seems to be in Spanish"),
        (SOURCE, "mostly copied: 100 % of its words"),
    ],
)
def test_what_is_refused_is_kept_in_the_field_and_at_the_server(
    client: Client, assignment: Assignment, text: str, said: str
) -> None:
    rules(assignment, source_text=SOURCE)

    answer = post(client, "submit", assignment, text=text, revision=0)

    assert answer.status_code == 422
    assert said in answer.text
    assert field(answer) == text
    assert field(page(client, assignment)) == text
    assert not Submission.objects.exists()


def test_another_language_can_be_insisted_upon(client: Client, assignment: Assignment) -> None:
    assert 'name="in_english"' not in page(client, assignment).text
    refused = post(client, "submit", assignment, text=SPANISH)
    assert 'name="in_english"' in refused.text
    assert 'name="in_own_words"' not in refused.text

    post(client, "submit", assignment, text=SPANISH, in_english="on")

    assert Submission.objects.get().text == SPANISH


def test_a_copied_text_is_warned_of_once_with_what_is_copied(
    client: Client, assignment: Assignment
) -> None:
    rules(assignment, source_text=SOURCE)
    refused = post(client, "submit", assignment, text=SOURCE)
    assert "<q>Cities are hotter than" in refused.text
    assert 'name="in_own_words"' in refused.text

    post(client, "submit", assignment, text=SOURCE, in_own_words="on")

    assert Submission.objects.get().copied == 1


def test_a_copied_text_is_refused_where_the_rule_says_so(
    client: Client, assignment: Assignment
) -> None:
    rules(assignment, source_text=SOURCE, copying=Assignment.Copying.BLOCK)

    refused = post(client, "submit", assignment, text=SOURCE, in_own_words="on")

    assert refused.status_code == 422
    assert "At 50 % or more it is refused." in refused.text
    assert 'name="in_own_words"' not in refused.text


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"copying": Assignment.Copying.ALLOW}, SOURCE),
        ({"copying_percent": 90}, f"{SUMMARY} Dark roofs store the heat of the sun."),
    ],
)
def test_below_the_share_or_where_allowed_nothing_is_said(
    client: Client, assignment: Assignment, fields: dict[str, object], text: str
) -> None:
    rules(assignment, source_text=SOURCE, **fields)

    assert post(client, "submit", assignment, text=text).status_code == 302


def test_both_doubts_are_told_at_once(client: Client, assignment: Assignment) -> None:
    rules(assignment, source_text=SPANISH)

    refused = post(client, "submit", assignment, text=SPANISH, in_english="on").text

    assert 'name="in_english"' in refused
    assert "checked" in refused
    assert 'name="in_own_words"' in refused


def test_a_draft_and_then_the_final(client: Client, assignment: Assignment) -> None:
    rules(assignment, max_drafts=1, max_attempts=1)
    assert "Submit as a draft (1 left)" in page(client, assignment).text

    post(client, "submit", assignment, text=SUMMARY, kind="draft")
    assert not Submission.objects.get().is_final
    assert "Submit as a draft" not in page(client, assignment).text

    refused = post(client, "submit", assignment, text=f"{SUMMARY} More.", kind="draft")
    assert refused.status_code == 422
    assert "You have used all your drafts" in refused.text
    assert field(page(client, assignment)) == f"{SUMMARY} More."

    post(client, "submit", assignment, text=f"{SUMMARY} More.", kind="final")
    assert Submission.objects.get(is_final=True).attempt == 2
    assert "You have submitted your one attempt." in page(client, assignment).text


def test_the_only_final_is_asked_about_while_drafts_are_left(
    client: Client, assignment: Assignment
) -> None:
    rules(assignment, max_drafts=2, max_attempts=1)

    asked = post(client, "submit", assignment, text=SUMMARY, kind="final")
    assert asked.status_code == 422
    assert "You still have 2 drafts" in asked.text
    assert "Yes, this is my final submission" in asked.text
    assert "Yes, this is my final submission" not in page(client, assignment).text
    assert field(asked) == SUMMARY

    post(client, "submit", assignment, text=SUMMARY, kind="final", sure="on")
    assert Submission.objects.get().is_final


def test_a_final_that_ends_the_drafts_is_asked_about(
    client: Client, assignment: Assignment
) -> None:
    rules(assignment, max_drafts=2)

    asked = post(client, "submit", assignment, text=SUMMARY, kind="final")

    assert asked.status_code == 422
    assert "would be a final submission" in asked.text
    assert not Submission.objects.exists()


def test_a_text_that_is_too_short_is_asked_about(client: Client, assignment: Assignment) -> None:
    asked = post(client, "submit", assignment, text="Cities are hot.")

    assert asked.status_code == 422
    assert "has 3 words; at least 5 are required" in asked.text
    assert 'name="though_short"' in asked.text

    post(client, "submit", assignment, text="Cities are hot.", though_short="on")
    assert Submission.objects.get().words == 3


def test_the_confirmation_says_what_was_handed_in_and_what_comes(
    cast: Cast, client: Client, assignment: Assignment, engine: Engine
) -> None:
    rules(assignment, max_drafts=1, due_at=timezone.now() - timedelta(hours=1))
    build = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    assert job_run(job_pk=build.pk)

    post(client, "submit", assignment, text=SUMMARY, kind="draft")

    said = messages_of(client, assignment)
    assert "Submitted: attempt 1, a draft, 22 words, on " in said
    assert "(UTC). It's late. It's being scored" in said


@pytest.mark.parametrize(
    ("release", "said"),
    [
        (
            Assignment.Release.AT_ONCE,
            "It will be scored when your instructor publishes the pyramid.",
        ),
        (Assignment.Release.BY_HAND, "Your instructor will release the results later."),
    ],
)
def test_the_confirmation_promises_no_more_than_will_come(
    client: Client, assignment: Assignment, release: str, said: str
) -> None:
    rules(assignment, release=release)

    answer = post(client, "submit", assignment, text=SUMMARY)

    assert client.get(answer["Location"]).text.count(said) == 1


def test_after_handing_in_the_field_begins_with_that_attempt(
    client: Client, assignment: Assignment
) -> None:
    post(client, "writing", assignment, text="Half", revision=0)
    post(client, "submit", assignment, text=SUMMARY, revision=1)

    seen = page(client, assignment)

    assert field(seen) == SUMMARY
    assert f'name="revision" value="{REVISIONS_AN_ATTEMPT}"' in flat(seen.text)
    assert "This is the text of your attempt 1." in seen.text


# --- the list of attempts ---


def states(client: Client, assignment: Assignment) -> list[tuple[str, bool]]:
    return [(line.state, line.counts) for line in page(client, assignment).context["attempts"]]


def test_attempts_tell_their_state_and_which_counts(
    cast: Cast, client: Client, assignment: Assignment, engine: Engine
) -> None:
    rules(assignment, max_drafts=2)
    post(client, "submit", assignment, text=SUMMARY, kind="draft")
    assert states(client, assignment) == [("Not scored yet", True)]
    build = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    assert job_run(job_pk=build.pk)
    post(client, "submit", assignment, text=f"{SUMMARY} More.", kind="final", sure="on")
    assert states(client, assignment)[0] == ("Being scored", True)

    assert job_run(job_pk=Submission.objects.get(is_final=True).jobs.get().pk)

    assert states(client, assignment)[0] == ("Scored", True)
    assert states(client, assignment)[1][1] is False
    rules(assignment, release=Assignment.Release.BY_HAND)
    assert {state for state, _ in states(client, assignment)} == {"Shown later"}


def test_what_is_shown_later_is_not_even_asked_for(client: Client, assignment: Assignment) -> None:
    rules(assignment, release=Assignment.Release.BY_HAND)
    post(client, "submit", assignment, text=SUMMARY)

    with CaptureQueriesContext(connection) as queries:
        page(client, assignment)

    asked = " ".join(query["sql"] for query in queries.captured_queries)
    assert "grading_submission" in asked
    assert "grading_score" not in asked
    assert "grading_job" not in asked


def test_other_students_see_nothing_of_it(
    cast: Cast, client: Client, assignment: Assignment, client_of: ClientOf
) -> None:
    post(client, "writing", assignment, text="My own words", revision=0)

    assert "My own words" not in page(client_of(cast.other_student), assignment).text

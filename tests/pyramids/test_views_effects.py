"""The effect on the class as a page: who may start it, what it says in each of its states."""

import uuid
from collections.abc import Callable

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from grading.drafts.log import Sender, draft_discard, draft_edit
from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    Draft,
    Finding,
    Job,
    Membership,
    Role,
    StoredPyramid,
    Submission,
    User,
)
from grading.pyramid.editing.commands import DeleteScu
from grading.pyramid.pipeline import Engine
from grading.pyramids.actions import draft_from_version, pyramid_start_build
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast

ClientOf = Callable[[User | None], Client]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def draft(cast: Cast, assignment: Assignment, engine: Engine) -> Draft:
    build = pyramid_start_build(assignment=assignment, requested_by=cast.instructor, publish=True)
    assert job_run(job_pk=build.pk)
    return draft_from_version(version=StoredPyramid.objects.get(), author=cast.instructor)


@pytest.fixture
def handed_in(cast: Cast, assignment: Assignment, draft: Draft) -> None:
    submission_submit(assignment=assignment, student=cast.student, text=SUMMARY)
    submission_submit(assignment=assignment, student=cast.other_student, text="Trees cool a lot.")


def address(draft: Draft) -> str:
    return reverse("draft_effect", args=[draft.pk])


def work_out(client: Client, draft: Draft) -> None:
    client.post(address(draft))
    for job in Job.objects.unfinished():
        assert job_run(job_pk=job.pk)


def delete_idea(cast: Cast, draft: Draft, label: str) -> None:
    draft.refresh_from_db()
    uid = next(scu["uid"] for scu in draft.document["scus"] if label in scu["label"])
    sent = Sender(cast.instructor, draft.revision, uuid.uuid4())
    draft_edit(draft=draft, command=DeleteScu(uid), sender=sent)


def test_while_nobody_has_handed_in_there_is_nothing_to_work_out(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    html = client_of(cast.instructor).get(address(draft)).text
    assert "Nobody has submitted yet" in html
    assert "Calculate" not in html


def test_from_the_button_to_the_effect_without_script(
    cast: Cast, draft: Draft, handed_in: None, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    delete_idea(cast, draft, "Dark roofs")
    assert "Calculate the effect on the class" in client.get(address(draft)).text

    response = client.post(address(draft), follow=True)
    assert response.redirect_chain == [(address(draft), 302)]
    assert "Waiting, usually" in response.text
    for job in Job.objects.unfinished():
        assert job_run(job_pk=job.pk)

    html = client.get(address(draft)).text
    assert "2 of 2 students move: 1 up, 1 down; the mean goes from" in html
    assert "Zoë Brânză" in html
    assert "no longer counts" in html
    assert "no longer matched: Dark roofs" in html
    assert '<svg class="picture"' in html
    assert "Calculate again" not in html


def test_htmx_gets_the_part_and_asks_again_while_it_is_worked_out(
    cast: Cast, draft: Draft, handed_in: None, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    started = client.post(address(draft), headers=HTMX).text
    assert " ".join(started.split()).startswith('<div class="stack" id="effect" hx-get="')
    assert 'hx-trigger="every 1s"' in started
    assert "autofocus" in started
    polled = client.get(address(draft), headers=HTMX).text
    assert "every 1s" in polled
    assert "autofocus" not in polled

    for job in Job.objects.unfinished():
        assert job_run(job_pk=job.pk)
    done = client.get(address(draft), headers=HTMX).text
    assert done.strip().startswith('<div class="stack" id="effect">')
    assert "No scores change: the mean of 2 students stays" in done
    assert "matches the same ideas as before" in done


def test_progress_is_told(cast: Cast, draft: Draft, handed_in: None, client_of: ClientOf) -> None:
    client_of(cast.instructor).post(address(draft))
    Job.objects.filter(kind=Job.Kind.PREDICT_EFFECT).update(
        state=Job.State.RUNNING,
        progress_text="Comparing",
        progress_done=64,
        progress_total=200,
        heartbeat_at=timezone.now(),
    )
    assert "Comparing: 64 of 200" in client_of(cast.ta).get(address(draft)).text


def test_a_double_click_starts_it_once(
    cast: Cast, draft: Draft, handed_in: None, client_of: ClientOf
) -> None:
    for _ in range(2):
        client_of(cast.instructor).post(address(draft))
    assert Job.objects.filter(kind=Job.Kind.PREDICT_EFFECT).count() == 1


def test_tas_may_look_and_not_start(
    cast: Cast, draft: Draft, handed_in: None, client_of: ClientOf
) -> None:
    assert "An instructor can calculate it." in client_of(cast.ta).get(address(draft)).text
    work_out(client_of(cast.instructor), draft)
    html = client_of(cast.ta).get(address(draft)).text
    assert "stays" in html
    delete_idea(cast, draft, "Dark roofs")
    html = client_of(cast.ta).get(address(draft)).text
    assert "The draft has changed." in html
    assert "<button" not in html.split('id="effect"')[1]


def test_what_has_changed_since_is_said(
    cast: Cast, draft: Draft, handed_in: None, client_of: ClientOf, assignment: Assignment
) -> None:
    client = client_of(cast.instructor)
    work_out(client, draft)
    assert "submitted or deleted." not in client.get(address(draft)).text

    delete_idea(cast, draft, "Dark roofs")
    assert "The draft has changed." in client.get(address(draft)).text
    submission_submit(assignment=assignment, student=cast.student, text=f"{SUMMARY} And more.")
    assert "submitted or deleted." in client.get(address(draft)).text
    row = StoredPyramid.objects.get()
    row.pk, row.number = None, 2
    row.save()
    html = client.get(address(draft)).text
    assert "Another version has been published." in html
    assert "Calculate again" in html

    work_out(client, draft)
    assert "submitted or deleted." not in client.get(address(draft)).text


def test_students_who_have_gone_are_not_told(
    cast: Cast, draft: Draft, handed_in: None, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    delete_idea(cast, draft, "Dark roofs")
    work_out(client, draft)
    Submission.objects.filter(student=cast.student).delete()
    html = client.get(address(draft)).text
    assert "Zoë" not in html
    assert "submitted or deleted." in html


def test_a_failure_says_why_and_offers_another_try(
    cast: Cast, draft: Draft, handed_in: None, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    client.post(address(draft))
    Job.objects.filter(kind=Job.Kind.PREDICT_EFFECT).update(
        state=Job.State.FAILED, error="The worker stopped 3 times."
    )
    html = client.get(address(draft)).text
    assert "The worker stopped 3 times." in html
    assert "Try again" in html
    work_out(client, draft)
    assert "stopped" not in client.get(address(draft)).text


def test_a_draft_that_is_discarded_is_not_worked_out(
    cast: Cast, draft: Draft, handed_in: None, client_of: ClientOf
) -> None:
    draft_discard(draft=draft)
    response = client_of(cast.instructor).post(address(draft), follow=True)
    assert "This draft can no longer be published." in response.text
    assert not Job.objects.filter(kind=Job.Kind.PREDICT_EFFECT).exists()
    client_of(cast.instructor).post(address(draft), headers=HTMX)
    assert not Job.objects.filter(kind=Job.Kind.PREDICT_EFFECT).exists()


def test_before_anything_is_published(
    cast: Cast, draft: Draft, handed_in: None, client_of: ClientOf
) -> None:
    StoredPyramid.objects.all().delete()
    client = client_of(cast.instructor)
    work_out(client, draft)
    html = client.get(address(draft)).text
    assert "Nothing was published before. The mean score of 2 students would be" in html
    assert "Students whose score changes" not in html
    assert "Students now" not in html


def _many_more(assignment: Assignment, count: int) -> None:
    for number in range(count):
        user = User.objects.create_user(f"more{number}", name=f"More {number}")
        Membership.objects.create(course=assignment.course, user=user, role=Role.STUDENT)
        submission_submit(assignment=assignment, student=user, text=SUMMARY)


def test_a_large_class_is_shown_whole_by_as_many_queries(
    cast: Cast,
    draft: Draft,
    handed_in: None,
    client_of: ClientOf,
    assignment: Assignment,
) -> None:
    client = client_of(cast.instructor)
    delete_idea(cast, draft, "Dark roofs")
    work_out(client, draft)
    with CaptureQueriesContext(connection) as few:
        client.get(address(draft))
    _many_more(assignment, 20)
    work_out(client, draft)
    with CaptureQueriesContext(connection) as many:
        html = client.get(address(draft)).text
    assert len(many) == len(few)
    assert html.count("no longer matched: Dark roofs") == 21
    assert "more students</summary>" in html


def test_what_is_missing_is_fetched_where_only_the_draft_is_known(draft: Draft) -> None:
    html = render_to_string("grading/web/effect/_effect.html", {"draft": draft})
    assert f'hx-get="{address(draft)}" hx-trigger="load"' in " ".join(html.split())


def test_labels_and_names_are_data(
    cast: Cast, draft: Draft, handed_in: None, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    User.objects.filter(pk=cast.student.pk).update(name="<script>alert(1)</script>")
    delete_idea(cast, draft, "Dark roofs")
    work_out(client, draft)
    row = Finding.objects.get()
    for idea in row.document["effect"]["ideas"]:
        idea["label"] = "<img src=x>"
    row.save()
    html = client.get(address(draft)).text
    assert "<script>alert" not in html
    assert "<img" not in html

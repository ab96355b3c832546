"""New ideas, as a page: asked for, waited for, read, and taken into a draft."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.drafts.log import draft_discard
from grading.jobs.runner import job_run
from grading.models import Assignment, Draft, Job, Membership, StoredPyramid, Submission, User
from grading.pyramid.pipeline import Engine
from grading.pyramids.actions import draft_from_version
from tests.class_scene import alike, hand_in, join, publish, pyramid_of
from tests.conftest import Cast

ClientOf = Callable[[User | None], Client]
NEW = "Paint lets walls reflect sunlight."


@pytest.fixture
def scored(assignment: Assignment, engine: Engine) -> Assignment:
    """Four students; three of them say what the pyramid lacks."""
    Membership.objects.filter(role="student").delete()
    version = publish(assignment, pyramid_of(4, 2))
    members = [*alike(3, (), "A"), *alike(1, (), "B")]
    submissions = hand_in(assignment, version, members)
    for submission, text in zip(submissions, (NEW, NEW, NEW, "Trees cool."), strict=True):
        Submission.objects.filter(pk=submission.pk).update(text=text)
    return assignment


def address(assignment: Assignment) -> str:
    return reverse("class_new_ideas", args=[assignment.pk])


def see(client: Client, assignment: Assignment, **query: str) -> str:
    return " ".join(client.get(address(assignment), query).text.split())


def look(client: Client, assignment: Assignment) -> None:
    client.post(address(assignment))
    for job in Job.objects.unfinished():
        assert job_run(job_pk=job.pk)


def test_from_the_button_to_what_students_wrote(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    assert "Not searched yet" in see(client, scored)
    assert not Job.objects.exists()

    response = client.post(address(scored), follow=True)
    assert response.redirect_chain == [(address(scored), 302)]
    assert "Looking for ideas that the pyramid lacks" in response.text
    for job in Job.objects.unfinished():
        assert job_run(job_pk=job.pk)

    page = see(client, scored)
    assert "3 of 4: 75 %" in page
    assert f'<q dir="auto">{NEW}</q>' in page
    assert "4 summaries, version 1." in page
    assert "Search again" not in page
    assert "draft" not in page.split("<h2>")[1].split("summaries")[0]  # nothing to take, for a TA
    assert "Take into" not in page


def test_of_a_section(cast: Cast, scored: Assignment, client_of: ClientOf) -> None:
    client = client_of(cast.ta)
    look(client, scored)

    assert "3 of 3: 100 %" in see(client, scored, section="in:A")
    assert "including somebody in this section." in see(client, scored, section="in:B")


def test_what_has_come_since_is_said(cast: Cast, scored: Assignment, client_of: ClientOf) -> None:
    client = client_of(cast.ta)
    look(client, scored)
    hand_in(scored, StoredPyramid.objects.get(), alike(1, ()))
    page = see(client, scored)
    assert "1 summary has been submitted since." in page
    assert "Search again" in page

    newer = publish(scored, pyramid_of(4, 1))
    hand_in(scored, newer, alike(2, ()))
    page = see(client, scored)
    reasons = (
        "Version 2 of the pyramid has been published since. 3 summaries have been submitted since."
    )
    assert reasons in " ".join(page.split())
    look(client, scored)
    assert "since." not in see(client, scored)


def test_a_student_who_is_gone_is_not_quoted(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    look(client, scored)
    Submission.objects.order_by("pk")[0].delete()

    assert "2 of 3: 67 %" in see(client, scored)


def test_an_instructor_takes_an_idea_into_a_draft(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    look(client, scored)
    version = StoredPyramid.objects.get()
    assert reverse("draft_from_version", args=[version.pk]) in see(client, scored)
    draft = draft_from_version(version=version, author=cast.instructor)

    assert f'action="{reverse("class_new_idea_take", args=[draft.pk])}"' in see(client, scored)
    for said in (
        "was added to draft 1 with weight 1.",
        "The draft has this idea already.",
    ):  # the second click
        take = reverse("class_new_idea_take", args=[draft.pk])
        response = client.post(f"{take}?section=in%3AA", {"label": NEW}, follow=True)
        assert response.redirect_chain == [(f"{address(scored)}?section=in%3AA", 302)]
        assert said in response.text

    draft.refresh_from_db()
    made = draft.document["scus"][-1]
    assert (made["label"], made["weight"], len(draft.document["scus"])) == (NEW, 1, 3)
    page = see(client, scored)
    assert "In draft 1" in page
    assert "class-ideas" not in page
    client.post(take, {"label": "What nobody found"})
    draft.refresh_from_db()
    assert len(draft.document["scus"]) == 3

    draft_discard(draft=Draft.objects.get())
    assert "Edit version 1 as a draft" in see(client, scored)


def test_a_failure_says_why_and_offers_another_try(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    client.post(address(scored))
    Job.objects.update(state=Job.State.FAILED, error="The worker stopped 3 times.")

    page = see(client, scored)
    assert "The worker stopped 3 times." in page
    look(client, scored)
    assert "3 of 4" in see(client, scored)


def test_nothing_found(cast: Cast, scored: Assignment, client_of: ClientOf) -> None:
    Submission.objects.update(text="Trees cool.")
    client = client_of(cast.ta)
    look(client, scored)

    assert "No missing idea is shared by at least three students and 15 % of the class" in see(
        client, scored
    )


def test_names_are_hidden_here_too(cast: Cast, scored: Assignment, client_of: ClientOf) -> None:
    client = client_of(cast.ta)
    join(scored, alike(1, ()))
    look(client, scored)
    User.objects.filter(submissions__isnull=False).update(name="Zoe Brand")
    assert "Zoe Brand" in see(client, scored)
    Assignment.objects.update(names_hidden=True)
    assert "Zoe Brand" not in see(client, scored)

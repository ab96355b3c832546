"""Publishing a draft, looking at a version, comparing two pyramids."""

import re
import uuid
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.drafts.doubts import doubts_keep
from grading.drafts.log import Sender, draft_edit
from grading.jobs.runner import job_run
from grading.models import Assignment, Draft, Finding, Job, StoredPyramid, User
from grading.pyramid.analysis.doubts import DoubtfulIdea
from grading.pyramid.editing import Command
from grading.pyramid.editing.commands import (
    DeleteScu,
    MergeScus,
    RemoveContributor,
    SetLabel,
    SetStanding,
)
from grading.pyramid.pipeline import Engine
from grading.pyramid.structures import Standing
from grading.pyramids.actions import draft_from_version, draft_publish, pyramid_start_build
from grading.scoring.conversion import pyramid_from_draft
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def draft(cast: Cast, assignment: Assignment, engine: Engine) -> Draft:
    job = pyramid_start_build(assignment=assignment, requested_by=cast.instructor)
    assert job_run(job_pk=job.pk)
    return Draft.objects.get()


def edit(draft: Draft, author: User, command: Command) -> None:
    draft.refresh_from_db()
    sender = Sender(author, draft.revision, uuid.uuid4())
    assert draft_edit(draft=draft, command=command, sender=sender).edit
    draft.refresh_from_db()


def publish(draft: Draft, author: User) -> StoredPyramid:
    draft.refresh_from_db()
    version = draft_publish(
        draft=draft, revision=draft.revision, note="For the class", author=author
    ).version
    assert version is not None
    return version


def labels(draft: Draft) -> dict[int, str]:
    draft.refresh_from_db()
    return {scu.uid: scu.label for scu in pyramid_from_draft(draft).scus}


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_from_the_note_to_the_version(cast: Cast, draft: Draft, client_of: ClientOf) -> None:
    submission_submit(assignment=draft.assignment, student=cast.student, text=SUMMARY)
    client = client_of(cast.instructor)
    address = reverse("draft_publish", args=[draft.pk])
    html = client.get(address).text
    assert "The 1 summary already submitted is scored again at once" in words(html)
    assert 'name="revision" value="0"' in html

    response = client.post(address, {"revision": "0", "note": "The first"}, follow=True)

    assert "Version 1 published. The class is being scored with it." in response.text
    assert "The first" in response.text
    assert Job.objects.filter(kind=Job.Kind.SCORE_SUBMISSIONS).count() == 1


def test_what_one_has_not_seen_is_not_published(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    edit(draft, cast.ta, SetLabel(1, "Words of a colleague"))
    client = client_of(cast.instructor)

    response = client.post(
        reverse("draft_publish", args=[draft.pk]), {"revision": "0", "note": "Mine"}
    )

    assert response.status_code == 409
    assert "Not published: the draft has changed" in response.text
    assert "Words of a colleague" in response.text
    assert 'name="revision" value="1"' in response.text
    assert "Mine" in response.text
    assert not StoredPyramid.objects.exists()


def test_what_might_be_overlooked_is_said_before(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    edit(draft, cast.instructor, SetStanding(1, Standing.ASIDE))

    html = client_of(cast.instructor).get(reverse("draft_publish", args=[draft.pk])).text

    assert "Check this before you publish." in html
    assert "1 idea is set aside" in html


@pytest.fixture
def doubtful(draft: Draft) -> int:
    """The number of an idea of the draft that the worker found doubtful."""
    uid = next(scu.uid for scu in pyramid_from_draft(draft).scus if scu.weight > 1)
    draft.findings.filter(kind=Finding.Kind.DOUBTS).delete()
    reason = "“Ada” and “Ben” may say different things."
    doubts_keep(draft=draft, ideas=[DoubtfulIdea(uid, 0.57, reason, "Ada")])
    return uid


def test_ideas_that_may_be_wrong_are_published_only_on_purpose(
    cast: Cast, draft: Draft, doubtful: int, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    address = reverse("draft_publish", args=[draft.pk])

    html = client.get(address).text
    shared = sum(scu.weight > 1 for scu in pyramid_from_draft(draft).scus)
    assert f"1 of {shared} shared ideas may be wrong" in words(html)
    assert "57\u202f% likely to be wrong" in words(html).replace("&#8239;", "\u202f")
    assert "“Ada” and “Ben” may say different things." in html
    assert f"{reverse('draft', args=[draft.pk])}#scu-{doubtful}" in html
    assert "Publish anyway" in words(html)

    refused = client.post(address, {"revision": "0"})
    assert refused.status_code == 409
    assert "Not published: some ideas may be wrong." in refused.text
    assert not StoredPyramid.objects.exists()

    client.post(address, {"revision": "0", "doubtful": "on"})
    assert StoredPyramid.objects.count() == 1


def test_an_idea_that_a_person_changed_is_no_longer_doubtful(
    cast: Cast, draft: Draft, doubtful: int, client_of: ClientOf
) -> None:
    name = pyramid_from_draft(draft).scu(doubtful).contributors[0].reference
    edit(draft, cast.instructor, RemoveContributor(doubtful, name))
    client = client_of(cast.instructor)

    assert "may be wrong" not in client.get(reverse("draft_publish", args=[draft.pk])).text
    assert publish(draft, cast.instructor).number == 1


def test_an_idea_that_is_set_aside_is_no_longer_doubtful(
    cast: Cast, draft: Draft, doubtful: int, client_of: ClientOf
) -> None:
    edit(draft, cast.instructor, SetStanding(doubtful, Standing.ASIDE))

    html = client_of(cast.instructor).get(reverse("draft_publish", args=[draft.pk])).text

    assert "may be wrong" not in html


def test_a_draft_without_an_idea_that_counts_cannot_be_published(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    for uid in labels(draft):
        edit(draft, cast.instructor, DeleteScu(uid))
    client = client_of(cast.instructor)
    address = reverse("draft_publish", args=[draft.pk])

    assert (
        "No idea in this draft counts. Give an idea a quote or a weight."
        in client.get(address).text
    )
    response = client.post(address, {"revision": str(draft.revision)})

    assert response.status_code == 409
    assert not StoredPyramid.objects.exists()


def test_the_same_is_published_again_only_on_purpose(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    version = publish(draft, cast.instructor)
    same = draft_from_version(version=version, author=cast.instructor)
    client = client_of(cast.instructor)
    address = reverse("draft_publish", args=[same.pk])

    assert "Nothing has changed since version 1." in client.get(address).text
    refused = client.post(address, {"revision": "0"})
    assert refused.status_code == 409
    assert "Not published: nothing has changed since version 1." in refused.text
    assert StoredPyramid.objects.count() == 1
    client.post(address, {"revision": "0", "same": "on"})
    assert StoredPyramid.objects.count() == 2


def test_a_published_draft_says_so(cast: Cast, draft: Draft, client_of: ClientOf) -> None:
    publish(draft, cast.instructor)
    client = client_of(cast.instructor)
    address = reverse("draft_publish", args=[draft.pk])

    assert "This draft is published" in client.get(address).text
    response = client.post(address, {"revision": "0"})
    assert response.status_code == 409
    assert "This draft is published already." in response.text


@pytest.mark.parametrize("data", [{"revision": "x"}, {}, {"revision": "9" * 30}])
def test_a_form_without_a_revision_publishes_nothing(
    cast: Cast, draft: Draft, client_of: ClientOf, data: dict[str, str]
) -> None:
    address = reverse("draft_publish", args=[draft.pk])

    response = client_of(cast.instructor).post(address, {**data, "note": "Some words"})

    assert response.status_code == 422
    assert not StoredPyramid.objects.exists()


def test_edit_leads_to_the_editor(cast: Cast, draft: Draft, client_of: ClientOf) -> None:
    version = publish(draft, cast.instructor)

    response = client_of(cast.instructor).post(reverse("draft_from_version", args=[version.pk]))

    assert response.headers["Location"] == reverse("draft", args=[Draft.objects.latest("pk").pk])


def test_a_new_draft_can_be_begun_in_every_way(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    address = reverse("draft_new", args=[draft.assignment_id])
    assert "Edit what is published" not in client.get(address).text
    publish(draft, cast.instructor)

    html = client.get(address).text

    for text in ("Edit version 1", "Build a draft", "From a list of statements", "From a file"):
        assert text in html
    for setting in ("EDUA-G", "EDUA-C", "The paper uses 83.", "2.5"):
        assert setting in html


def test_without_references_there_is_nothing_to_build_from(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    assignment.references.all().delete()

    html = client_of(cast.instructor).get(reverse("draft_new", args=[assignment.pk])).text

    assert "There are no references yet." in html
    assert "Build a draft" not in html


def test_while_a_draft_is_built_no_other_is_offered(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    pyramid_start_build(assignment=assignment, requested_by=cast.instructor)

    html = client_of(cast.instructor).get(reverse("draft_new", args=[assignment.pk])).text

    assert "A draft is being built." in html
    assert "Build a draft" not in html


def test_a_version_tells_what_it_is_and_who_was_scored_with_it(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    submission_submit(assignment=draft.assignment, student=cast.student, text=SUMMARY)
    version = publish(draft, cast.instructor)
    assert job_run(job_pk=Job.objects.latest("pk").pk)

    html = client_of(cast.ta).get(reverse("version", args=[version.pk])).text

    for text in (
        "Scores the class",
        "For the class",
        version.content_hash,
        cast.student.name,
        "draft 1, with its history",
        "all 3 references",
    ):
        assert text in html
    assert "<form" not in html.split("<main")[1]


def test_an_earlier_version_leads_to_the_one_that_scores(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    first = publish(draft, cast.instructor)
    second = draft_from_version(version=first, author=cast.instructor)
    edit(second, cast.instructor, SetLabel(1, "Other words"))
    newest = publish(second, cast.instructor)
    client = client_of(cast.ta)

    assert "scores the class now" in client.get(reverse("version", args=[first.pk])).text
    html = client.get(reverse("version", args=[newest.pk])).text
    assert "Compare with version 1" in html


def test_two_pyramids_side_by_side(cast: Cast, draft: Draft, client_of: ClientOf) -> None:
    first = publish(draft, cast.instructor)
    second = draft_from_version(version=first, author=cast.instructor)
    first_label, two, three = list(labels(second))[:3]
    edit(second, cast.instructor, SetLabel(first_label, f"{labels(second)[first_label]} indeed"))
    edit(second, cast.instructor, MergeScus(three, two))
    address = reverse("versions_compare", args=[draft.assignment_id])

    client = client_of(cast.ta)
    for request_data in (address, f"{address}?a=v1&b=d2"):
        html = client.get(request_data).text
        assert "<ins>indeed</ins>" in html
        assert "Draft 2 (draft)" in html
        assert "1 deleted" in words(html) or "<strong>1</strong> deleted" in html

    back = client.get(f"{address}?a=d2&b=v1").text
    assert "<del>indeed</del>" in back


def test_of_unchanged_ideas_it_is_said_which_are_not_scored(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    edit(draft, cast.instructor, SetStanding(next(iter(labels(draft))), Standing.ASIDE))
    publish(draft, cast.instructor)
    address = reverse("versions_compare", args=[draft.assignment_id])

    html = words(client_of(cast.ta).get(f"{address}?a=v1&b=d1").text)

    assert html.count("set aside: not scored") == 1


@pytest.mark.parametrize("asked", ["?a=v7&b=d1", "?a=v1", "?a=&b="])
def test_what_is_not_there_cannot_be_compared(
    cast: Cast, draft: Draft, client_of: ClientOf, asked: str
) -> None:
    publish(draft, cast.instructor)
    address = reverse("versions_compare", args=[draft.assignment_id])

    response = client_of(cast.ta).get(address + asked)

    assert response.status_code == 422
    assert "Please correct" in response.text


def test_of_one_pyramid_nothing_is_compared(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    address = reverse("versions_compare", args=[assignment.pk])

    assert "Nothing to compare yet" in client_of(cast.ta).get(address).text

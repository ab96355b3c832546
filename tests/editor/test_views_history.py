"""The history of a draft: what is told of it, earlier states, discarding and bringing back."""

import uuid
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.drafts.log import (
    Outcome,
    Sender,
    draft_create,
    draft_edit,
    draft_redo,
    draft_undo,
)
from grading.models import Assignment, Draft, User
from grading.pyramid.editing.commands import SetLabel
from grading.pyramid.structures import Pyramid, Scu
from grading.scoring.conversion import pyramid_from_draft
from tests.conftest import Cast
from tests.pages import flat

ClientOf = Callable[[User | None], Client]

PYRAMID = Pyramid((), (Scu(1, "Towns", (), given_weight=1),))


@pytest.fixture
def draft(cast: Cast, assignment: Assignment) -> Draft:
    return draft_create(
        assignment=assignment,
        pyramid=PYRAMID,
        origin=Draft.Origin.RUBRIC,
        author=cast.instructor,
    )


def sender(draft: Draft, author: User) -> Sender:
    draft.refresh_from_db()
    return Sender(author, draft.revision, uuid.uuid4())


def rename(draft: Draft, author: User, label: str) -> Outcome:
    return draft_edit(draft=draft, command=SetLabel(1, label), sender=sender(draft, author))


def test_who_did_what_and_what_was_undone(cast: Cast, draft: Draft, client_of: ClientOf) -> None:
    rename(draft, cast.instructor, "Cities")
    rename(draft, cast.ta, "Villages")
    draft_undo(draft=draft, sender=sender(draft, cast.instructor))

    html = client_of(cast.ta).get(reverse("draft_history", args=[draft.pk])).text

    timeline = html.split('class="timeline"')[1]
    entries = timeline.split("</ol>")[0].split("<li")[1:]
    assert "undid" in entries[0]
    assert "Undone" in entries[1]
    assert cast.ta.name in entries[1]
    assert "Undone" not in entries[2]
    assert "Cities" in entries[2]
    assert "created the draft." in entries[3]


def test_what_was_done_again_is_not_undone(cast: Cast, draft: Draft, client_of: ClientOf) -> None:
    rename(draft, cast.instructor, "Cities")
    draft_undo(draft=draft, sender=sender(draft, cast.instructor))
    draft_redo(draft=draft, sender=sender(draft, cast.instructor))

    html = client_of(cast.ta).get(reverse("draft_history", args=[draft.pk])).text

    assert "Undone" not in html


def test_a_long_history_has_pages(cast: Cast, draft: Draft, client_of: ClientOf) -> None:
    for number in range(51):
        rename(draft, cast.instructor, f"Towns {number}")
    client = client_of(cast.ta)
    address = reverse("draft_history", args=[draft.pk])

    first, second = client.get(address).text, client.get(f"{address}?page=2").text

    assert "Page 1 of 2" in first
    assert "created the draft." not in first
    assert "created the draft." in second


def test_an_earlier_state_is_shown_and_brought_back(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    rename(draft, cast.instructor, "Cities")
    rename(draft, cast.instructor, "Villages")
    client = client_of(cast.instructor)
    html = client.get(reverse("draft_state", args=[draft.pk, 1])).text
    shown = html.split('id="ideas-title"')[1]
    assert "Cities" in shown
    assert "Villages" not in shown
    assert "Villages" in html  # among what came after

    client.post(reverse("draft_restore", args=[draft.pk, 1]), {"revision": "2"})

    draft.refresh_from_db()
    assert pyramid_from_draft(draft).scu(1).label == "Cities"
    assert draft.revision == 3


def test_a_draft_that_has_changed_meanwhile_is_not_taken_back(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    rename(draft, cast.instructor, "Cities")
    rename(draft, cast.ta, "Villages")

    response = client_of(cast.instructor).post(
        reverse("draft_restore", args=[draft.pk, 0]), {"revision": "1"}, follow=True
    )

    assert "Somebody has edited the draft since you opened this page" in response.text
    draft.refresh_from_db()
    assert draft.revision == 2


@pytest.mark.parametrize(("revision", "expected"), [(9, "0"), (0, "x"), (0, "")])
def test_a_state_that_never_was_cannot_be_brought_back(
    cast: Cast, draft: Draft, client_of: ClientOf, revision: int, expected: str
) -> None:
    client = client_of(cast.instructor)

    address = reverse("draft_restore", args=[draft.pk, revision])

    assert client.post(address, {"revision": expected}).status_code == 404


def test_a_state_that_is_not_there_yet_is_no_page(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    address = reverse("draft_state", args=[draft.pk, 1])

    assert client_of(cast.ta).get(address).status_code == 404


def test_assistants_cannot_bring_anything_back(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    rename(draft, cast.instructor, "Cities")
    client = client_of(cast.ta)

    for address in (
        reverse("draft_history", args=[draft.pk]),
        reverse("draft_state", args=[draft.pk, 0]),
    ):
        assert "<form" not in client.get(address).text.split("<main")[1]


def test_a_draft_is_discarded_and_brought_back(
    cast: Cast, draft: Draft, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    address = reverse("draft_discard", args=[draft.pk])
    assert "You can restore it." in flat(client.get(address).text)
    assert Draft.objects.get().is_open

    assert "discarded. You can restore it." in client.post(address, follow=True).text
    assert not Draft.objects.get().is_open
    assert "no longer open" in client.post(address, follow=True).text
    history = client.get(reverse("draft_history", args=[draft.pk])).text
    assert "This draft is discarded" in history

    back = reverse("draft_bring_back", args=[draft.pk])
    assert "restored, with its whole history" in client.post(back, follow=True).text
    assert Draft.objects.get().is_open
    assert "was not discarded" in client.post(back, follow=True).text


def test_a_discarded_draft_is_not_changed(cast: Cast, draft: Draft, client_of: ClientOf) -> None:
    rename(draft, cast.instructor, "Cities")
    client = client_of(cast.instructor)
    client.post(reverse("draft_discard", args=[draft.pk]))

    response = client.post(
        reverse("draft_restore", args=[draft.pk, 0]), {"revision": "1"}, follow=True
    )

    assert "This draft is discarded: it cannot be edited." in response.text

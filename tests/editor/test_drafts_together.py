"""The editor when others edit as well, when the page is behind, and without script."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from grading.drafts.log import draft_restore
from grading.models import Assignment, Draft, User
from grading.pyramid.editing.commands import SetLabel
from grading.pyramid.editing.reference_commands import AddReference
from grading.scoring.conversion import pyramid_from_draft
from tests.conftest import Cast
from tests.drafts.drafting import Editor, begun

if TYPE_CHECKING:
    pass

from tests.editor.editing import ALWAYS, PYRAMID, changes, page, post, send, swapped

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def draft(assignment: Assignment) -> Draft:
    return begun(assignment, PYRAMID)


@pytest.fixture
def client(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.instructor)


def test_a_stale_edit_gets_what_changed_and_a_choice(
    client: Client, draft: Draft, cast: Cast
) -> None:
    Editor(draft, cast.ta).edit(SetLabel(3, "Trees"))

    response = send(client, draft, command="delete_scu", uid="3", revision="0")

    html = response.content.decode()
    assert response.status_code == 409
    assert swapped(response) == ALWAYS | {"scu-3", "editor-conflict"}
    assert "<strong>Tomasz Okoye</strong> changed the label “Trees cool” to “Trees”" in html
    assert "Save my edit anyway" in html
    assert '<input type="hidden" name="uid" value="3">' in html
    assert '<input type="hidden" name="revision" value="1">' in html
    draft.refresh_from_db()
    assert len(pyramid_from_draft(draft).scus) == 5


def test_what_one_typed_is_told_beside_what_others_did(
    client: Client, draft: Draft, cast: Cast
) -> None:
    Editor(draft, cast.ta).edit(SetLabel(3, "Trees"))

    typed = {"command": "set_label", "uid": "3", "label": "Trees <cool> the streets"}
    html = send(client, draft, revision="0", **typed).content.decode()

    assert "You typed: <q>Trees &lt;cool&gt; the streets</q>" in html


# --- what others did ---


def test_nothing_new_is_no_content(client: Client, draft: Draft) -> None:
    assert changes(client, draft, 0).status_code == 204


def test_what_others_did_comes_as_parts(client: Client, draft: Draft, cast: Cast) -> None:
    other = Editor(draft, cast.ta)
    other.edit(SetLabel(1, "Heat"))
    other.edit(SetLabel(3, "Trees"))

    response = changes(client, draft, 0)

    assert swapped(response) == ALWAYS | {"scu-1", "scu-3"}
    html = response.content.decode()
    assert "Tomasz Okoye changed the label “Trees cool” to “Trees”. (1 more before)" in html


@pytest.mark.parametrize("since", ["-1", "x", "9", ""])
def test_a_page_that_shows_no_state_of_the_draft_is_loaded_again(
    client: Client, draft: Draft, since: str
) -> None:
    assert changes(client, draft, since).headers["HX-Refresh"] == "true"


def test_a_page_far_behind_is_loaded_again(client: Client, draft: Draft, cast: Cast) -> None:
    other = Editor(draft, cast.ta)
    for number in range(41):
        other.edit(SetLabel(1, f"Heat {number}"))

    assert changes(client, draft, 0).headers["HX-Refresh"] == "true"
    assert "HX-Refresh" not in changes(client, draft, 1).headers


def test_other_references_load_the_page_again(client: Client, draft: Draft, cast: Cast) -> None:
    Editor(draft, cast.ta).edit(AddReference("Dee", "Heat is stored."))

    assert changes(client, draft, 0).headers["HX-Refresh"] == "true"


# --- without script ---


def test_without_script_the_editor_comes_again_with_a_message(client: Client, draft: Draft) -> None:
    response = post(client, draft, command="set_label", uid="1", label="Heat", revision="0")

    assert response.status_code == 302
    assert response.headers["Location"] == reverse("draft", args=[draft.pk])
    assert "Changed the label “Cities are hotter” to “Heat”." in page(client, draft)


def test_without_script_refusals_offers_and_conflicts_are_told(
    client: Client, draft: Draft, cast: Cast
) -> None:
    post(client, draft, command="set_label", uid="1", label="", revision="0")
    refused = page(client, draft)
    offer = post(
        client, draft, command="add_part", uid="1", reference="Ada", spans="0-6", revision="x"
    )
    again = post(
        client, draft, command="add_contributor", uid="1", reference="Ada", spans="22-30",
        revision="0",
    )  # fmt: skip
    Editor(draft, cast.ta).edit(SetLabel(3, "Trees"))
    conflict = post(client, draft, "draft_undo", revision="0")

    assert "An idea needs a label" in refused
    assert offer.status_code == 302
    assert (again.status_code, conflict.status_code) == (422, 409)
    assert "Join as a further part" in again.content.decode()
    assert "Save my edit anyway" in conflict.content.decode()


def test_a_restored_state_reaches_the_page(client: Client, draft: Draft, cast: Cast) -> None:
    other = Editor(draft, cast.ta)
    other.edit(SetLabel(1, "Heat"))
    draft_restore(draft=draft, revision=0, sender=other.sender())

    assert swapped(changes(client, draft, 1)) == ALWAYS | {"scu-1"}


def test_a_stale_edit_on_other_references_asks_before_the_page_is_loaded_again(
    client: Client, draft: Draft, cast: Cast
) -> None:
    Editor(draft, cast.ta).edit(AddReference("Dee", "Heat is stored."))

    response = send(client, draft, command="delete_scu", uid="3", revision="0")

    assert response.status_code == 409
    assert "HX-Refresh" not in response.headers
    assert swapped(response) == ALWAYS | {"editor-conflict"}
    assert "data-reload" in response.content.decode()


def test_an_idea_that_no_expert_has_written(client: Client, draft: Draft) -> None:
    response = send(client, draft, command="new_scu", label="Heat kills", given_weight="2")

    assert swapped(response) == ALWAYS | {"band-2"}


def test_a_stale_undo_says_what_it_would_be_about_now(
    client: Client, draft: Draft, cast: Cast
) -> None:
    send(client, draft, command="delete_scu", uid="3")
    Editor(draft, cast.ta, revision=1).edit(SetLabel(1, "Heat"))

    html = send(client, draft, "draft_undo", revision="1").content.decode()

    assert "<strong>Tomasz Okoye</strong> changed the label “Cities are hotter” to “Heat”." in html

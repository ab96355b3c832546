"""The editor: its page, its parts, and what each kind of answer brings."""

import re
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.drafts.log import draft_discard
from grading.models import Assignment, Draft, User
from grading.pyramid.editing.commands import SetLabel
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text
from grading.pyramids.actions import references_add
from tests.conftest import REFERENCES, Cast
from tests.drafts.drafting import Editor, begun

if TYPE_CHECKING:
    pass

from tests.editor.editing import ALWAYS, HTMX, PYRAMID, page, send, swapped

ClientOf = Callable[[User | None], Client]


@pytest.fixture
def draft(assignment: Assignment) -> Draft:
    return begun(assignment, PYRAMID)


@pytest.fixture
def client(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.instructor)


# --- the page ---


def test_the_page_has_every_band_and_every_idea(client: Client, draft: Draft) -> None:
    html = page(client, draft)

    for key in ("3", "2", "1", "0", "aside"):
        assert f'id="band-{key}"' in html
    assert re.search(r'id="band-3"[^>]* hidden', html)
    assert not re.search(r'id="band-2"[^>]* hidden', html)
    for uid in range(1, 6):
        assert f'id="scu-{uid}"' in html


def test_a_text_is_there_to_the_letter_and_its_pieces_know_their_places(
    client: Client, draft: Draft
) -> None:
    html = page(client, draft)

    result = re.search(r'id="text-0"[^>]*>(.*?)</div>', html, re.DOTALL)
    assert result
    pieces = re.findall(r'<span data-start="(\d+)"[^>]*>([^<]*)</span>', result[1])
    assert "".join(words for _, words in pieces) == REFERENCES[0].content
    for start, words in pieces:
        assert REFERENCES[0].content.startswith(words, int(start))
    assert 'data-start="0" class="piece match match-band-4 is-shared" data-scu="1 2"' in result[1]


def test_words_in_no_idea_are_marked_and_counted(client: Client, draft: Draft) -> None:
    html = page(client, draft)

    # Ada tells 3 words, Ben 1, Chi 2 of her ten.
    words = sum(len(text.content.split()) for text in REFERENCES)
    assert f'<strong class="numeric">{words - 6}</strong> of {words} words are in no idea' in html
    assert 'class="piece bare">than the country. Dark roofs' in html


def test_what_people_typed_is_escaped(client: Client, assignment: Assignment) -> None:
    evil = "<b>bold</b> & more"
    pyramid = Pyramid((Text(evil, evil),), (Scu(1, evil, (Contributor(evil, (Span(3, 7),)),)),))

    html = page(client, begun(assignment, pyramid))

    assert "<b>bold</b>" not in html
    assert "&lt;b&gt;" in html


def test_a_ta_looks_and_edits_nothing(cast: Cast, client_of: ClientOf, draft: Draft) -> None:
    html = page(client_of(cast.ta), draft)
    card = client_of(cast.ta).get(reverse("draft_scu", args=[draft.pk, 1])).content.decode()

    assert "Only instructors can edit this draft." in html
    assert "data-edit>" not in html + card
    assert 'draggable="true"' not in html + card
    assert "Publish" not in html


def test_a_draft_that_is_not_open_is_looked_at(client: Client, draft: Draft) -> None:
    draft_discard(draft=draft)

    assert "you can view it, but not edit it" in page(client, draft)
    assert "cannot be edited" in send(client, draft, command="delete_scu", uid="1").content.decode()


def test_new_references_are_pointed_out(
    client: Client, draft: Draft, assignment: Assignment
) -> None:
    assert "have changed since this draft was started" not in page(client, draft)

    references_add(assignment=assignment, texts=[Text("Dee", "Heat is stored in stone.")])

    assert "have changed since this draft was started" in page(client, draft)


def test_the_source_text_is_one_more_tab(
    client: Client, draft: Draft, assignment: Assignment
) -> None:
    assert 'id="tab-source"' not in page(client, draft)
    Assignment.objects.filter(pk=assignment.pk).update(source_text="A\n\nsource")

    assert 'id="tab-source"' in page(client, draft)


def test_without_texts_nothing_is_said_of_their_words(
    client: Client, assignment: Assignment
) -> None:
    draft = begun(assignment, Pyramid((), (Scu(1, "Trees cool streets", (), given_weight=2),)))

    html = page(client, draft)

    assert "There are no reference texts." in html
    assert re.search(r'id="uncovered-total" hidden', html)
    assert "in no idea yet" not in html
    answer = send(client, draft, command="set_label", uid="1", label="Trees")
    assert re.search(r'id="uncovered-total" hidden', answer.content.decode())


def test_without_reference_texts_the_source_is_shown_at_once(
    client: Client, assignment: Assignment
) -> None:
    Assignment.objects.update(source_text="All about cities.")

    html = " ".join(page(client, begun(assignment, Pyramid((), ()))).split())

    assert '<article class="text-panel is-current" id="panel-source"' in html
    assert "No ideas yet. Or write one below." in html


def test_queries_do_not_grow_with_the_pyramid(client: Client, assignment: Assignment) -> None:
    def asked(pyramid: Pyramid) -> int:
        draft = begun(assignment, pyramid)
        with CaptureQueriesContext(connection) as queries:
            page(client, draft)
        return len(queries)

    many = tuple(replace(PYRAMID.scus[0], uid=uid) for uid in range(1, 60))

    assert asked(replace(PYRAMID, scus=many)) == asked(PYRAMID)


# --- an idea ---


def test_an_idea_opens_and_closes(client: Client, draft: Draft) -> None:
    url = reverse("draft_scu", args=[draft.pk, 2])

    opened = client.get(url, headers=HTMX).content.decode()
    closed = client.get(f"{url}?closed", headers=HTMX).content.decode()

    assert opened.strip().startswith("<li")
    assert 'aria-expanded="true"' in opened
    assert "Split off the ticked experts" in opened
    assert 'aria-expanded="false"' in closed
    assert "<form" not in closed


def test_an_idea_is_a_page_without_script(client: Client, draft: Draft) -> None:
    html = client.get(reverse("draft_scu", args=[draft.pk, 1])).content.decode()

    assert "<h1>One idea of draft 1</h1>" in html
    assert 'value="move_contributor"' in html
    above = html.split('class="breadcrumbs"')[1].split("</nav>")[0]
    assert re.findall(r"<li[^>]*>(?:<a [^>]*>)?([^<]+)", above) == [
        "Courses",
        draft.assignment.course.name,
        draft.assignment.title,
        "Pyramid",
        "Draft 1",
        "One idea",
    ]


def test_words_are_asked_for_only_where_a_script_can_select_them(
    client: Client, draft: Draft
) -> None:
    html = client.get(reverse("draft_scu", args=[draft.pk, 4])).content.decode()

    assert '<span class="hint-of-script"> Select words in a text and add them.</span>' in html


def test_an_idea_that_is_gone_is_not_found(client: Client, draft: Draft) -> None:
    assert client.get(reverse("draft_scu", args=[draft.pk, 99])).status_code == 404


# --- edits ---


def test_a_label_changes_its_card_alone(client: Client, draft: Draft) -> None:
    response = send(client, draft, command="set_label", uid="1", label="Heat")

    assert response.status_code == 200
    assert swapped(response) == ALWAYS | {"scu-1"}
    html = response.content.decode()
    assert "Changed the label “Cities are hotter” to “Heat”." in html
    assert 'data-revision="1"' in html
    assert ", you changed the label" in html


def test_another_weight_changes_two_bands_and_the_texts_concerned(
    client: Client, draft: Draft
) -> None:
    response = send(client, draft, command="add_contributor", uid="1", reference="Ben", spans="0-5")

    changed = {"band-1", "band-2", "text-0", "text-count-0", "text-1", "text-count-1"}
    assert swapped(response) == ALWAYS | changed


def test_a_new_idea_is_where_the_focus_may_go(client: Client, draft: Draft) -> None:
    response = send(client, draft, command="new_scu", reference="Chi", spans="0-6")

    assert swapped(response) == ALWAYS | {"band-1", "text-2", "text-count-2"}
    assert 'data-focus="6"' in response.content.decode()


def test_a_weight_above_all_brings_all_bands(client: Client, draft: Draft) -> None:
    response = send(client, draft, command="set_weight", uid="3", given_weight="7")

    assert "bands" in swapped(response)
    assert 'id="band-7"' in response.content.decode()


def test_an_idea_that_must_count_says_what_it_weighs(client: Client, draft: Draft) -> None:
    send(client, draft, command="set_standing", uid="1", standing="must")
    send(client, draft, command="set_weight", uid="5", given_weight="3")
    assert "must count: weight 3" in page(client, draft)

    # An idea that is set aside has no say in it, until it is taken back.
    send(client, draft, command="set_weight", uid="5", given_weight="7")
    assert "must count: weight 3" in page(client, draft)
    back = send(client, draft, command="set_standing", uid="5", standing="counts")
    assert "must count: weight 7" in back.content.decode()


def test_open_cards_stay_open(client: Client, draft: Draft) -> None:
    response = send(client, draft, command="set_label", uid="1", label="Heat", open="1 2")

    assert 'id="label-1"' in response.content.decode()
    assert 'id="label-2"' not in response.content.decode()


def test_undo_and_redo_say_what_they_are_about(client: Client, draft: Draft) -> None:
    send(client, draft, command="delete_scu", uid="3")

    undone = send(client, draft, "draft_undo").content.decode()
    redone = send(client, draft, "draft_redo").content.decode()

    assert "Undid: deleted the idea “Trees cool”." in undone
    assert ", you deleted the idea “Trees cool”</span>" in undone
    assert "Redid: deleted the idea “Trees cool”." in redone


def test_undo_names_whose_edit_it_takes_back(
    client: Client, draft: Draft, assignment: Assignment, cast: Cast
) -> None:
    Editor(draft, cast.outsider).edit(SetLabel(1, "Heat"))

    assert "Olga Other changed the label" in page(client, draft)


def test_an_edit_sent_twice_is_made_once(client: Client, draft: Draft) -> None:
    fields = {"command": "new_scu", "reference": "Chi", "spans": "0-6"}
    token = str(uuid.uuid4())

    send(client, draft, **fields, token=token, revision="0")
    again = send(client, draft, **fields, token=token, revision="0")

    draft.refresh_from_db()
    assert draft.revision == 1
    assert again.status_code == 200
    assert "band-1" in swapped(again)


def test_an_edit_asks_for_a_constant_number_of_queries(
    client: Client, assignment: Assignment
) -> None:
    def asked(scus: int, before: int) -> int:
        many = tuple(replace(PYRAMID.scus[1], uid=uid) for uid in range(1, scus))
        draft = begun(assignment, replace(PYRAMID, scus=many))
        for number in range(before):
            send(client, draft, command="set_label", uid="1", label=f"Heat {number}")
        with CaptureQueriesContext(connection) as queries:
            send(client, draft, command="merge_scus", uid="1", into="2")
        return len(queries)

    assert asked(40, 6) == asked(4, 1)


# --- refusals, offers, conflicts ---


def test_a_second_contributor_is_offered_as_a_part(client: Client, draft: Draft) -> None:
    response = send(
        client, draft, command="add_contributor", uid="1", reference="Ada", spans="22-30"
    )

    html = response.content.decode()
    assert response.status_code == 422
    assert "Join as a further part" in html
    assert '<input type="hidden" name="command" value="add_part">' in html
    assert '<input type="hidden" name="spans" value="22-30">' in html


def test_what_does_not_fit_is_refused_in_words(client: Client, draft: Draft) -> None:
    response = send(client, draft, command="set_label", uid="1", label=" ")

    assert response.status_code == 422
    assert "An idea needs a label" in response.content.decode()
    assert "Join as" not in response.content.decode()


def test_what_cannot_be_read_is_refused_in_words(client: Client, draft: Draft) -> None:
    response = send(client, draft, command="explode")

    assert response.status_code == 422
    assert "Unknown edit" in response.content.decode()


def test_other_ideas_come_in_the_order_of_likeness(
    client: Client, draft: Draft, cast: Cast, client_of: ClientOf
) -> None:
    url = reverse("draft_ideas", args=[draft.pk])

    def uids(**query: str) -> list[str]:
        return re.findall(r'value="(\d+)"', client.get(url, query).content.decode())

    everything = {str(scu["uid"]) for scu in draft.document["scus"]}
    first = str(draft.document["scus"][0]["uid"])
    assert set(uids(idea=first)) == everything - {first}
    text = draft.document["references"][2]["content"]
    start = text.index("Trees") if "Trees" in text else 0
    chosen = uids(reference=draft.document["references"][2]["name"], spans=f"{start}-{start + 20}")
    assert set(chosen) == everything
    named = {str(scu["uid"]): scu["label"] for scu in draft.document["scus"]}
    assert set(text[start : start + 20].lower().split()) & set(named[chosen[0]].lower().split())
    assert uids(reference="Chi", spans="nonsense") == []
    assert client_of(cast.outsider).get(url).status_code == 404

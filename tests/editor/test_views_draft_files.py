"""Drafts begun from files, rubrics and nothing: shown first, then made."""

import re
from collections.abc import Callable
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, Draft, User
from grading.pyramid.formats.ducview import write_pyramid
from grading.pyramid.formats.pyramid_json import write_pyramid_json
from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text
from grading.scoring.conversion import pyramid_from_draft
from tests.conftest import REFERENCES, Cast

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

ADA, BEN, CHI = REFERENCES
PYRAMID = Pyramid(
    (Text("first", ADA.content), Text("Stranger", "Whales sing <b>songs</b>.")),
    (
        Scu(
            4,
            "Cities <i>are</i> hot",
            (Contributor("first", (Span(0, 10),)), Contributor("Stranger", (Span(0, 11),))),
        ),
        Scu(6, "Roofs", (Contributor("first", (Span(40, 50),)),), "why?"),
    ),
)


@pytest.fixture
def client(cast: Cast, client_of: Callable[[User | None], Client]) -> Client:
    return client_of(cast.instructor)


def upload(client: Client, assignment: Assignment, data: str, name: str = "p.pyr") -> "Answer":
    file = SimpleUploadedFile(name, data.encode())
    return client.post(reverse("draft_import", args=[assignment.pk]), {"file": file})


def page(response: "Answer") -> str:
    text = re.sub(r"<[^>]*>", " ", response.content.decode())
    return " ".join(unescape(text).split())


def make(client: Client, assignment: Assignment, shown: "Answer") -> Draft:
    proposal = re.search(r'name="proposal" value="([^"]+)"', shown.content.decode())
    assert proposal
    url = reverse("draft_make", args=[assignment.pk])
    response = client.post(url, {"proposal": unescape(proposal[1])})
    draft = Draft.objects.get()
    assert response.headers["Location"] == reverse("draft", args=[draft.pk])
    return draft


def test_a_file_is_shown_before_anything_is_made(client: Client, assignment: Assignment) -> None:
    response = upload(client, assignment, write_pyramid(PYRAMID))

    text = page(response)
    assert response.status_code == 200
    assert "Preview: " in text
    assert "The same text as your reference “ Ada ”" in text
    assert "None of your references." in text
    assert "Not in the file: “ Ben ”, “ Chi ”. The draft is created without them." in text
    assert "Cities <i>are</i> hot" in text  # its tags are text
    assert "Whales sing" in text
    assert "Comment: why?" in text
    assert not Draft.objects.exists()


def test_what_was_shown_is_what_is_made(client: Client, assignment: Assignment, cast: Cast) -> None:
    shown = upload(client, assignment, write_pyramid(PYRAMID))
    assignment.references.all().delete()  # whatever happens between

    draft = make(client, assignment, shown)

    made = pyramid_from_draft(draft)
    assert made.references == (ADA, PYRAMID.references[1])
    assert [(scu.uid, scu.label, scu.comment) for scu in made.scus] == [
        (4, "Cities <i>are</i> hot", ""),
        (6, "Roofs", "why?"),
    ]
    assert (draft.origin, draft.origin_note) == (Draft.Origin.FILE, "p.pyr")
    assert (draft.created_by, draft.next_uid) == (cast.instructor, 7)


def test_a_json_file_of_ours_is_made_without_loss(client: Client, assignment: Assignment) -> None:
    whole = Pyramid(
        REFERENCES,
        (Scu(2, "Heat", (), "comment", given_weight=7),),
        signature="classroom-1",
        notes=("a note",),
    )

    draft = make(client, assignment, upload(client, assignment, write_pyramid_json(whole)))

    assert pyramid_from_draft(draft) == whole


def test_a_list_is_found_in_the_references(client: Client, assignment: Assignment) -> None:
    rows = "SCU\t0\t2\tDark roofs store heat\nSCU\t0\t2\tdark roofs store the heat\nSCU\t1\t1\tNo."

    shown = upload(client, assignment, rows, "pyreval.tsv")

    text = page(shown)
    assert "The words of one line aren\u2019t in any reference of this assignment." in text
    assert "Line 3, idea 2: No." in text
    assert "No words of the file were found in “ Chi ”." in text
    first, second = pyramid_from_draft(make(client, assignment, shown)).scus
    assert {html.reference for html in first.contributors} == {"Ada", "Ben"}
    assert (second.weight, second.contributors) == (1, ())


def test_a_list_needs_no_references(client: Client, assignment: Assignment) -> None:
    assignment.references.all().delete()

    text = page(upload(client, assignment, "SCU\t1\t2\tHeat"))

    assert "This assignment has no references" in text


def test_a_broken_file_says_which_line(client: Client, assignment: Assignment) -> None:
    response = upload(client, assignment, write_pyramid(PYRAMID).replace('uid="6"', 'uid="six"'))

    assert response.status_code == 422
    assert re.search(r"“p.pyr”: Line \d+: the uid of a <scu>, “six”", page(response))


def test_a_proposal_that_was_tampered_with_is_refused(
    client: Client, assignment: Assignment
) -> None:
    url = reverse("draft_make", args=[assignment.pk])

    response = client.post(url, {"proposal": "nonsense"}, follow=True)

    assert "no longer valid" in page(response)
    assert not Draft.objects.exists()


def test_a_rubric_is_shown_then_made(client: Client, assignment: Assignment) -> None:
    url = reverse("draft_rubric", args=[assignment.pk])
    shown = client.post(url, {"statements": "3\tDark roofs\nTrees | 2\ntrees."})

    assert "these 3 ideas would be" in page(shown)
    assert "Lines 2 and 3 say the same" in page(shown)
    draft = make(client, assignment, shown)

    ideas = [(scu.label, scu.weight) for scu in pyramid_from_draft(draft).scus]
    assert ideas == [("Dark roofs", 3), ("Trees", 2), ("trees.", 1)]
    assert (draft.origin, draft.origin_note) == (Draft.Origin.RUBRIC, "3 statements")


def test_a_refused_rubric_keeps_what_was_typed(client: Client, assignment: Assignment) -> None:
    url = reverse("draft_rubric", args=[assignment.pk])
    response = client.post(url, {"statements": "\n\nContent:\nHeat | much"})

    assert response.status_code == 422
    assert "Line 3: “Content:” looks like a heading" in page(response)
    assert "Line 4: the weight, “much”" in page(response)
    typed = re.search(r"<textarea[^>]*>(.*?)</textarea>", response.content.decode(), re.DOTALL)
    assert typed
    assert typed[1].strip("\r\n") == "Content:\nHeat | much"


def test_a_draft_from_nothing_has_the_texts_and_no_idea(
    client: Client, assignment: Assignment
) -> None:
    response = client.post(reverse("draft_empty", args=[assignment.pk]))

    draft = Draft.objects.get()
    assert response.headers["Location"] == reverse("draft", args=[draft.pk])
    assert pyramid_from_draft(draft) == Pyramid(REFERENCES, ())
    assert draft.origin == Draft.Origin.EMPTY

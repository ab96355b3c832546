"""References: by paste, by file, and what is said of bad ones."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, User
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Text
from grading.pyramids.forms_references import ReferenceForm, ReferencesForm
from grading.submissions.actions_summaries import (
    MOST_REFERENCES,
    reference_change,
    reference_stamp,
    references_add,
)
from grading.web.texts_in_forms import LARGEST_FILE, LONGEST_TEXT
from tests.conftest import REFERENCES, Cast

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

ClientOf = Callable[[User | None], Client]


def add(
    client: Client, assignment: Assignment, *files: SimpleUploadedFile, **told: str
) -> "Answer":
    address = reverse("references", args=[assignment.pk])
    return client.post(address, {"name": "", "text": "", **told, "text_files": list(files)})


def names(assignment: Assignment) -> list[str]:
    return list(assignment.references.values_list("name", flat=True))


def test_paste_and_files_in_one_go(cast: Cast, assignment: Assignment, client_of: ClientOf) -> None:
    files = [
        SimpleUploadedFile("Zoë.txt", "\ufeffBäume kühlen.\r\nSehr.".encode()),
        SimpleUploadedFile("Ada.txt", b"A second one by Ada."),
    ]

    add(client_of(cast.instructor), assignment, *files, text="Pasted words.", name="Ona")

    assert names(assignment) == ["Ada", "Ben", "Chi", "Ona", "Zoë", "Ada 2"]
    assert assignment.references.get(name="Zoë").text == "Bäume kühlen.\nSehr."
    assert assignment.references.get(name="Zoë").words == 3


def test_a_file_that_is_no_text_is_named_and_nothing_is_added(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    files = [
        SimpleUploadedFile("good.txt", b"Good words."),
        SimpleUploadedFile("bad.txt", b"caf\x81"),
        SimpleUploadedFile("empty.txt", b"  \n"),
        SimpleUploadedFile("big.txt", b"x" * (LARGEST_FILE + 1)),
    ]

    response = add(client_of(cast.instructor), assignment, *files, text="Kept words")

    assert response.status_code == 422
    for said in (
        "“bad.txt”: Line 1: this is text in neither UTF-8",
        "“big.txt” is larger",
        "empty.txt",
    ):
        assert said in response.text
    assert "Kept words" in response.text
    assert len(names(assignment)) == 3


def test_an_old_encoding_is_read_with_a_remark(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)

    add(client, assignment, SimpleUploadedFile("Eva.txt", b"Caf\xe9s are warm."))

    assert assignment.references.get(name="Eva").text == "Cafés are warm."
    assert "“Eva.txt”: The file is not in UTF-8" in (
        client.get(reverse("references", args=[assignment.pk])).text
    )


def test_nothing_at_all_is_said_so(cast: Cast, assignment: Assignment, client_of: ClientOf) -> None:
    response = add(client_of(cast.instructor), assignment)

    assert "Paste a reference summary or choose a file." in response.text


def stamp_on(client: Client, address: str) -> str:
    """What the form sends along to say what its author saw."""
    found = re.search(r'name="stamp" value="(\w+)"', client.get(address).text)
    assert found
    return found[1]


def test_there_is_a_limit(cast: Cast, assignment: Assignment, client_of: ClientOf) -> None:
    files = [SimpleUploadedFile(f"{n}.txt", b"Word %d." % n) for n in range(MOST_REFERENCES - 2)]
    client = client_of(cast.instructor)

    assert "at most 12 references" in add(client, assignment, *files).text
    assert "characters" in add(client, assignment, text="x" * (LONGEST_TEXT + 1)).text


def test_the_same_text_twice_is_refused(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    files = [SimpleUploadedFile("Dee.txt", REFERENCES[0].content.encode())]

    response = add(client_of(cast.instructor), assignment, *files)

    assert "“Dee” is the same text as “Ada”" in response.text
    assert len(names(assignment)) == 3


def test_a_reference_is_changed_and_deleted(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    reference = assignment.references.get(name="Ada")
    client = client_of(cast.instructor)

    edit = reverse("reference_edit", args=[reference.pk])
    stamp = stamp_on(client, edit)
    assert client.post(edit, {"name": "Ben", "text": "Two", "stamp": stamp}).status_code == 422
    client.post(edit, {"name": "Eve", "text": "Two words", "stamp": stamp})
    reference.refresh_from_db()
    assert (reference.name, reference.words) == ("Eve", 2)
    client.post(reverse("reference_delete", args=[reference.pk]))
    assert names(assignment) == ["Ben", "Chi"]


def test_references_that_are_added_between_check_and_write_count(assignment: Assignment) -> None:
    """As when two people, or two clicks, add at the same time."""
    form = ReferencesForm({"name": "Dee", "text": "Dee's own words."}, assignment=assignment)
    assert form.is_valid()
    others = [Text("", f"Word {number}.") for number in range(MOST_REFERENCES - 3)]
    references_add(assignment=assignment, texts=others)

    assert form.add() is None
    assert "at most 12 references; there are 12 already" in str(form.errors)
    assert assignment.references.count() == MOST_REFERENCES


def test_the_same_reference_sent_twice_is_added_once(assignment: Assignment) -> None:
    texts = [Text("Dee", "Dee's own words.")]
    references_add(assignment=assignment, texts=texts)

    with pytest.raises(InputError, match="“Dee” is the same text as “Dee”"):
        references_add(assignment=assignment, texts=texts)


def test_of_two_who_edit_a_reference_the_later_is_shown_what_changed(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    reference = assignment.references.get(name="Ada")
    edit = reverse("reference_edit", args=[reference.pk])
    client = client_of(cast.instructor)
    stamp = stamp_on(client, edit)
    client.post(edit, {"name": "Ada", "text": "What the first wrote.", "stamp": stamp})

    late = {"name": "Ada", "text": "What the second wrote."}
    answer = client.post(edit, late | {"stamp": stamp})

    assert answer.status_code == 409
    assert "Somebody changed this reference while you were editing it." in answer.text
    assert "What the first wrote." in answer.text
    assert "What the second wrote." in answer.text
    reference.refresh_from_db()
    assert reference.text == "What the first wrote."
    assert client.post(edit, late).status_code == 409  # nothing says what its author saw

    fresh = re.search(r'name="stamp" value="(\w+)"', answer.text)
    assert fresh
    assert client.post(edit, late | {"stamp": fresh[1]}).status_code == 302
    reference.refresh_from_db()
    assert reference.text == "What the second wrote."


def test_a_name_that_was_taken_a_moment_ago_is_refused_in_the_form(
    cast: Cast, assignment: Assignment, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ben = assignment.references.get(name="Ada"), assignment.references.get(name="Ben")
    edit = reverse("reference_edit", args=[ada.pk])
    client = client_of(cast.instructor)
    stamp = stamp_on(client, edit)
    # The form's own look at the names, a moment before the other one is saved.
    monkeypatch.setattr(ReferenceForm, "clean_name", lambda form: form.cleaned_data["name"])
    reference_change(reference=ben, name="Eve", text=ben.text, stamp=reference_stamp(ben))

    answer = client.post(edit, {"name": "Eve", "text": ada.text, "stamp": stamp})

    assert answer.status_code == 422
    assert "Another reference is named “Eve” already." in answer.text
    assert names(assignment) == ["Ada", "Eve", "Chi"]

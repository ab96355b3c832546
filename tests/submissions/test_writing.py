"""Writing and handing in: nothing that was typed is lost, and every refusal says why."""

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from grading.models import Assignment, Submission, Writing
from grading.web import uploads as documents
from grading.web.texts_in_forms import LONGEST_TEXT
from tests.conftest import SUMMARY, Cast
from tests.pages import flat
from tests.pyramid.formats.made_files import CITIES, paragraph, pdf_file, word_file
from tests.submissions.writing import (
    ClientOf,
    field,
    messages_of,
    page,
    post,
    rules,
)

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer


@pytest.fixture
def client(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.student)


# --- typing ---


def test_what_is_typed_is_kept_as_it_is_typed(client: Client, assignment: Assignment) -> None:
    answer = post(client, "writing", assignment, by_script=True, text="One\r\n two ", revision=0)

    assert answer.json()["revision"] == 1
    assert answer.json()["saved"]
    assert field(page(client, assignment)) == "One\n two "
    assert not Submission.objects.exists()


def test_without_script_a_button_keeps_it(client: Client, assignment: Assignment) -> None:
    answer = post(client, "writing", assignment, text="One", revision=0)

    assert answer.headers["Location"].endswith("#submit-title")
    assert "Saved. Nothing is submitted yet." in page(client, assignment).text
    assert "Saved " in page(client, assignment).text


def test_another_window_is_told_and_not_overwritten(client: Client, assignment: Assignment) -> None:
    post(client, "writing", assignment, text="First <b>window", revision=0)

    answer = post(client, "writing", assignment, by_script=True, text="Second", revision=0)
    plain = post(client, "writing", assignment, text="Second", revision=0)

    assert (answer.status_code, plain.status_code) == (409, 409)
    assert answer.json()["text"] == "First <b>window"
    assert "First &lt;b&gt;window" in plain.text
    assert field(plain) == "Second"
    assert 'name="revision" value="0"' in flat(plain.text)
    assert 'name="seen" value="1"' in plain.text


@pytest.mark.parametrize(("choice", "goes_on"), [("keep", "Second"), ("take", "First")])
def test_one_of_the_two_goes_on_and_the_other_can_be_had_back(
    client: Client, assignment: Assignment, choice: str, goes_on: str
) -> None:
    post(client, "writing", assignment, text="First", revision=0)

    post(client, "writing", assignment, text="Second", revision=0, seen=1, choice=choice)
    assert field(page(client, assignment)) == goes_on

    post(client, "writing_bring_back", assignment, text=goes_on, revision=2)
    assert field(page(client, assignment)) == ({"First", "Second"} - {goes_on}).pop()


@pytest.mark.parametrize("name", ["submit", "writing_file", "writing_bring_back"])
def test_no_button_takes_the_place_of_another_windows_text(
    client: Client, assignment: Assignment, name: str
) -> None:
    post(client, "writing", assignment, text="First", revision=0)

    assert post(client, name, assignment, text=SUMMARY, revision=0).status_code == 409

    assert Writing.objects.get().text == "First"
    assert not Submission.objects.exists()


def test_too_much_to_be_kept_is_told(client: Client, assignment: Assignment) -> None:
    text = "x" * (LONGEST_TEXT + 1)

    answer = post(client, "writing", assignment, by_script=True, text=text, revision=0)
    plain = post(client, "writing", assignment, text=text, revision=0)

    assert answer.status_code == plain.status_code == 422
    assert "60,001 characters" in answer.json()["error"]
    assert field(plain) == text


def test_what_no_database_holds_is_left_out(client: Client, assignment: Assignment) -> None:
    post(client, "writing", assignment, text="a\0b", revision=0)

    assert Writing.objects.get().text == "ab"


def test_who_is_logged_out_hears_so_by_script(assignment: Assignment, client_of: ClientOf) -> None:
    answer = post(client_of(None), "writing", assignment, by_script=True, text="x", revision=0)

    assert answer.status_code == 401


def test_what_was_typed_stays_to_be_read_when_nothing_can_be_handed_in(
    client: Client, assignment: Assignment
) -> None:
    rules(assignment, state=Assignment.State.CLOSED)

    refused = post(client, "submit", assignment, text="Too late", revision=0)

    assert refused.status_code == 403
    assert "Your text is kept." in refused.text
    for seen in (refused.text, page(client, assignment).text):
        assert "Too late" in seen
        assert "<textarea" not in seen


def test_who_writes_on_hears_that_nothing_can_be_handed_in_any_more(
    client: Client, assignment: Assignment
) -> None:
    saved = post(client, "writing", assignment, by_script=True, text="In time", revision=0)
    rules(assignment, due_at=timezone.now() - timedelta(minutes=1), accepts_late=False)
    late = post(client, "writing", assignment, by_script=True, text="Too late", revision=1)

    assert saved.json()["next"] == "Not submitted yet."
    assert late.json()["next"].startswith("The due date has passed")
    assert Writing.objects.get().text == "Too late"


# --- files ---


def upload(
    client: Client, assignment: Assignment, name: str, data: bytes, *, to: str = "writing_file"
) -> "Answer":
    file = SimpleUploadedFile(name, data)
    return post(client, to, assignment, text="Typed before", file=file)


@pytest.mark.parametrize("to", ["writing_file", "submit"])
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", CITIES.encode()),
        ("a.docx", word_file(paragraph(CITIES))),
        ("a.pdf", pdf_file([[CITIES]])),
    ],
)
def test_the_text_of_a_file_comes_into_the_field_and_is_not_submitted(
    client: Client, assignment: Assignment, to: str, name: str, data: bytes
) -> None:
    answer = upload(client, assignment, name, data, to=to)

    assert answer.status_code == 302
    seen = page(client, assignment)
    assert field(seen) == CITIES
    assert f"The text of “{name}” is in the field: 6 words. Nothing is submitted yet." in seen.text
    assert "Restore my earlier text" in seen.text
    assert not Submission.objects.exists()

    post(client, "writing_bring_back", assignment)
    assert field(page(client, assignment)) == "Typed before"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.odt", b"PK\x03\x04", "“a.odt”: The Word file is damaged"),
        ("a.rtf", b"{\\rtf1 x}", "“a.rtf”: This is a file in rich text format"),
        ("a.pdf", pdf_file([[]], image=True), "“a.pdf”: This PDF has pictures of pages"),
        ("a.txt", b"", "“a.txt”: The file is empty."),
        ("a.exe", b"MZ", "“a.exe”: This is a file that can&#x27;t be read here"),
        ("a.txt", b"x" * 60_001, "The text of “a.txt” has 60,001 characters"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_the_text_kept(
    client: Client, assignment: Assignment, name: str, data: bytes, said: str
) -> None:
    answer = upload(client, assignment, name, data)

    assert answer.status_code == 422
    assert said in answer.text
    assert field(answer) == "Typed before"
    assert Writing.objects.get().text == "Typed before"


def test_a_file_that_is_too_large_is_not_read(
    client: Client, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "LARGEST_DOCUMENT", 3)

    assert "“a.txt” has 0.0 MB. The limit is" in upload(client, assignment, "a.txt", b"1234").text


def test_without_a_file_one_is_asked_for(client: Client, assignment: Assignment) -> None:
    answer = post(client, "writing_file", assignment, text="Typed")

    assert "Choose a file first." in answer.text
    assert field(answer) == "Typed"


def test_a_guess_at_the_encoding_is_told(client: Client, assignment: Assignment) -> None:
    upload(client, assignment, "a.txt", b"Caf\xe9s are warm.")

    assert "it was read as Western European" in messages_of(client, assignment)


@pytest.mark.parametrize("name", ["writing", "writing_file", "writing_bring_back", "submit"])
def test_where_no_text_is_sent_what_is_kept_stays(
    client: Client, assignment: Assignment, name: str
) -> None:
    post(client, "writing", assignment, text="Typed before")

    post(client, name, assignment)

    assert Writing.objects.get().text == "Typed before"

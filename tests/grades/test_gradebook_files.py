"""Taking grades away: new files, the log, and who may."""

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.models import (
    Assignment,
    GradebookExport,
    GradebookUpload,
    Membership,
    Submission,
    User,
)
from tests.conftest import Cast
from tests.feedback_scene import keep, made
from tests.pages import flat

ClientOf = Callable[[User | None], Client]
Answer = Any

CANVAS = "Student,ID,SIS Login ID,Section,Hot cities (7)\r\n    Points Possible,,,,100\r\n"


@pytest.fixture
def scored(cast: Cast, assignment: Assignment) -> Assignment:
    keep(made(2), assignment, cast.student)
    Membership.objects.filter(user=cast.student).update(
        lms_id="007", student_number="S7", lms_login="zoe.b", section="A"
    )
    return assignment


def page_of(client: Client, assignment: Assignment, **chosen: str) -> Answer:
    return client.get(reverse("gradebook_fresh", args=[assignment.pk]), chosen)


def stamp_in(answer: Answer) -> str:
    match = re.search(r'name="stamp" value="(\w*)"', flat(answer.text))
    assert match
    return match[1]


def taken(client: Client, assignment: Assignment, **chosen: str) -> Answer:
    """The file, as the page lets one take it."""
    stamp = stamp_in(page_of(client, assignment, **chosen))
    address = reverse("gradebook_fresh", args=[assignment.pk])
    return client.post(address, chosen | {"stamp": stamp}, follow=True)


def rows(answer: Answer) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_canvas_gets_a_file_of_who_has_a_grade(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    answer = taken(client_of(cast.ta), scored, kind="canvas", scope="all", title="Hot cities")

    head, points, zoe = rows(answer)
    assert head[-1] == "Hot cities"
    assert points[-1] == "100"
    assert zoe[:5] == ["Zoë Brânză", "007", "S7", "zoe.b", "A"]
    assert 0 < float(zoe[5]) <= 100
    assert re.fullmatch(
        r'attachment; filename="canvas-why-cities-are-hotter-all-\d{4}-\d\d-\d\d-\d{4}\.csv"',
        answer["Content-Disposition"],
    )


def test_the_page_names_who_is_left_out_and_why(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    text = flat(
        page_of(client_of(cast.ta), scored, kind="canvas", scope="all", title="A Final Score").text
    )

    assert "<bdi>عمر حداد</bdi>: nothing was submitted" in text
    assert "Canvas ignores columns with “Final Score”" in text


def test_only_what_is_released_is_in_a_file_of_that(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    Assignment.objects.update(release=Assignment.Release.BY_HAND)
    assert "This file would be empty" in flat(
        page_of(client, scored, kind="moodle", scope="released").text
    )
    held = rows(taken(client, scored, kind="csv", scope="released"))
    cells = dict(zip(held[0], held[1], strict=True))
    assert (cells["state"], cells["grade"], cells["quality"]) == ("not released", "", "")
    assert cells["student_number"] == "S7"

    Submission.objects.update(visibility="shown")
    answer = taken(client, scored, kind="moodle", scope="released")
    assert rows(answer)[0] == ["Full name", "ID number", "Username", "Email address", scored.title]
    assert "-released-" in answer["Content-Disposition"]


def test_what_was_given_out_is_logged_and_comes_again_byte_for_byte(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    first = taken(client_of(cast.ta), scored, kind="csv", scope="all")
    export = GradebookExport.objects.get()
    Submission.objects.all().delete()

    again = client_of(cast.instructor).get(reverse("gradebook_exported_file", args=[export.pk]))

    assert again.content == first.content
    assert (export.author, export.students, export.left_out) == (cast.ta, 1, 1)
    text = flat(client_of(cast.instructor).get(reverse("gradebook_export", args=[scored.pk])).text)
    assert export.file_name in text
    assert export.sha256[:12] in text
    assert "Tomasz Okoye" in text


def test_grades_that_changed_after_they_were_shown_are_shown_again(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)
    chosen = {"kind": "csv", "scope": "all"}
    stamp = stamp_in(page_of(client, scored, **chosen))
    keep(made(4), scored, cast.student)

    answer = client.post(reverse("gradebook_fresh", args=[scored.pk]), chosen | {"stamp": stamp})

    assert answer.status_code == 409
    assert "Nothing was downloaded" in flat(answer.text)
    assert not GradebookExport.objects.exists()


def test_hidden_names_go_nowhere(cast: Cast, scored: Assignment, client_of: ClientOf) -> None:
    client = client_of(cast.instructor)
    taken(client, scored, kind="csv", scope="all")
    Assignment.objects.update(names_hidden=True)

    for name, pk in (
        ("gradebook_export", scored.pk),
        ("gradebook_fresh", scored.pk),
        ("gradebook_file", scored.pk),
        ("gradebook_exported_file", GradebookExport.objects.get().pk),
    ):
        answer = client.get(reverse(name, args=[pk]))
        assert answer.status_code == 403
        assert "An instructor can show the names again" in flat(answer.text)
    gradebook = flat(client.get(reverse("gradebook", args=[scored.pk])).text)
    assert reverse("gradebook_export", args=[scored.pk]) not in gradebook


def test_the_old_address_leads_to_the_file_with_everything(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    answer = client_of(cast.ta).get(reverse("gradebook_file", args=[scored.pk]), follow=True)

    assert "Spreadsheet with everything" in flat(answer.text)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"Name;Points\nZoe;1\n", "Line 1 has 2 columns, cut at semicolons"),
        (b"Student,ID,Section,Notes\nZoe,,,\n", "“Notes”: it has no number of a Canvas assignment"),
        (b"Student,ID,Section,Essay (1)\n", "it has no row with a student."),
        (b"PK\x03\x04", "a Word, Excel or zip file"),
    ],
)
def test_a_wrong_file_is_described_and_what_was_expected_is_said(
    cast: Cast, scored: Assignment, client_of: ClientOf, data: bytes, said: str
) -> None:
    sent = {"file": SimpleUploadedFile("marks.csv", data), "scope": "all"}

    answer = client_of(cast.ta).post(reverse("gradebook_export", args=[scored.pk]), sent)

    assert answer.status_code == 422
    assert said in flat(answer.text)
    assert "“marks.csv”" in flat(answer.text)
    is_unknown = "Line 1" in said or "Word" in said
    assert ("Brightspace: OrgDefinedId" in flat(answer.text)) is is_unknown
    assert not GradebookUpload.objects.exists()


def test_queries_do_not_grow_with_the_class(
    cast: Cast, scored: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.ta)

    def queries() -> list[int]:
        counted = []
        for name, kind in (("export", ""), ("fresh", "csv"), ("fresh", "canvas")):
            with CaptureQueriesContext(connection) as captured:
                address = reverse(f"gradebook_{name}", args=[scored.pk])
                client.get(address, {"kind": kind, "scope": "released"} if kind else {})
            counted.append(len(captured))
        return counted

    queries()
    few = queries()
    for number in range(20):
        student = User.objects.create_user(f"s{number}", name=f"Student {number}")
        Membership.objects.create(course=cast.course, user=student, role="student", lms_id=number)
        keep(made(2), scored, student)

    assert queries() == few

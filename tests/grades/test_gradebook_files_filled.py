"""Filling the file of a learning platform: seen first, then taken."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from grading import tasks
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
from tests.grades.test_gradebook_files import ClientOf, stamp_in
from tests.pages import flat

HEAD = b"Student,ID,SIS Login ID,Section,Why cities are hotter (7),Essay (8)\r\n"
POINTS = b"    Points Possible,,,,100,100\r\n"
ZOE, OTHER = b'"Br\xc3\xa2nz\xc4\x83, Zo\xc3\xab",007,zoe.b,A,', b'"Doe, Jo",9,jdoe,A,1,2\r\n'
CANVAS = HEAD + POINTS + ZOE + b",8\r\n" + OTHER

Answer = Any


@pytest.fixture
def scored(cast: Cast, assignment: Assignment) -> Assignment:
    keep(made(2), assignment, cast.student)
    Membership.objects.filter(user=cast.student).update(lms_id="007")
    return assignment


@pytest.fixture
def ta(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


def uploaded(client: Client, assignment: Assignment, data: bytes, scope: str = "all") -> Answer:
    """The page that shows what would be filled in."""
    sent = {"file": SimpleUploadedFile("Grades of Zoë.csv", data), "scope": scope}
    return client.post(reverse("gradebook_export", args=[assignment.pk]), sent, follow=True)


def chosen(client: Client, page: Answer, **choices: str) -> Answer:
    sent = {"column": "4", "scope": "all", "stamp": stamp_in(page)} | choices
    return client.post(page.request["PATH_INFO"], sent, follow="download" not in choices)


def download(client: Client, page: Answer, **choices: str) -> bytes:
    answer = chosen(client, page, download="1", **choices)
    assert answer.status_code == 302
    return bytes(client.get(answer["Location"]).content)


def test_the_file_comes_back_with_one_cell_filled(ta: Client, scored: Assignment) -> None:
    page = uploaded(ta, scored, CANVAS)
    assert "Empty cells to fill</dt><dd>1<" in flat(page.text)
    assert "Line 4: <bdi>Doe, Jo</bdi>" in flat(page.text)
    assert "عمر حداد" in flat(page.text)

    data = download(ta, page)

    grade = data[len(HEAD + POINTS + ZOE) :].split(b",")[0]
    assert data == HEAD + POINTS + ZOE + grade + b",8\r\n" + OTHER
    assert 0 < float(grade) <= 100
    export = GradebookExport.objects.get()
    assert (export.students, export.left_out, export.platform) == (1, 1, "canvas")
    assert re.fullmatch(r"Grades of Zoë-all-[\d-]{15}\.csv", export.file_name)
    assert bytes(export.data) == data


def test_another_value_is_shown_before_it_is_replaced(ta: Client, scored: Assignment) -> None:
    page = uploaded(ta, scored, CANVAS.replace(ZOE, ZOE + b"12.50"))

    assert "Values that would be overwritten" in flat(page.text)
    assert "<bdi>12.50</bdi>" in flat(page.text)


OLD_GRADE = CANVAS.replace(ZOE, ZOE + b"19")


def offered(page: Answer) -> str:
    """The cells that have a box on the page."""
    match = re.search(r'name="offered"\s+value="([^"]*)"', page.text)
    assert match
    return match[1]


def test_a_row_can_be_unticked_and_the_download_needs_no_second_look(
    ta: Client, scored: Assignment
) -> None:
    page = uploaded(ta, scored, OLD_GRADE)
    text = flat(page.text)
    assert re.search(r"would overwrite <bdi>19</bdi> with <strong><bdi>[\d.]+</bdi>", text)
    assert 'name="fill" value="2-4" form="fill-choices" checked' in text

    assert download(ta, page, offered=offered(page)) == OLD_GRADE

    export = GradebookExport.objects.get()
    assert (export.students, export.left_out, export.unticked) == (0, 2, [3])
    log = flat(ta.get(reverse("gradebook_export", args=[scored.pk])).text)
    assert "not ticked: line 3<" in log
    text = flat(ta.get(page.request["PATH_INFO"]).text)
    assert "Not ticked, so unchanged</dt><dd>1<" in text
    assert 'name="fill" value="2-4" form="fill-choices">' in text


def test_a_ticked_row_is_filled(ta: Client, scored: Assignment) -> None:
    page = uploaded(ta, scored, OLD_GRADE)

    data = download(ta, page, offered=offered(page), fill="2-4")

    assert ZOE + b"19" not in data
    assert GradebookExport.objects.get().unticked == []


def test_an_excused_cell_is_left_alone_until_it_is_ticked(ta: Client, scored: Assignment) -> None:
    excused = CANVAS.replace(ZOE, ZOE + b"EX")
    page = uploaded(ta, scored, excused)
    text = flat(page.text)
    assert "Excused in the file, but graded here" in text
    assert "changed unless you tick the row." in text
    assert 'name="fill" value="2-4" form="fill-choices">' in text

    assert download(ta, page) == excused
    assert download(ta, page, offered=offered(page)) == excused

    assert ZOE + b"EX" not in download(ta, page, offered=offered(page), fill="2-4")


def test_ticks_belong_to_their_column(ta: Client, scored: Assignment) -> None:
    page = uploaded(ta, scored, OLD_GRADE)
    page = chosen(ta, page, offered=offered(page), column="5")  # nothing ticked

    text = flat(page.text)

    assert 'name="fill" value="2-5" form="fill-choices" checked' in text
    assert "would overwrite <bdi>8</bdi>" in text


def test_many_lines_that_are_not_ticked_are_counted() -> None:
    named = GradebookExport(unticked=list(range(2, 14))).unticked_lines

    assert named == "lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more"


def test_cells_that_make_no_sense_do_no_harm(ta: Client, scored: Assignment) -> None:
    page = uploaded(ta, scored, OLD_GRADE)

    for cells in ("x", "2-4-5 -", "99999-99999", "1" * 60):
        assert ZOE + b"19" not in download(ta, page, offered=cells)


def test_the_column_is_asked_for_where_it_is_not_clear(ta: Client, scored: Assignment) -> None:
    page = uploaded(ta, scored, CANVAS.replace(b"Why cities are hotter", b"Homework"))
    assert "Which column?" in flat(page.text)
    assert "Download the filled file" not in flat(page.text)

    page = chosen(ta, page, column="5")

    assert "Why cities" in flat(page.text)
    assert "Values that would be overwritten" in flat(page.text)
    assert b",jdoe,A,1,2" in download(ta, page, column="5")


def test_other_points_are_scaled_only_when_a_person_says_so(ta: Client, scored: Assignment) -> None:
    page = uploaded(ta, scored, CANVAS.replace(b"Possible,,,,100", b"Possible,,,,10"))
    assert "is out of 10 points, and the grades here are out of 100." in flat(page.text)
    assert "Download the filled file" not in flat(page.text)
    assert chosen(ta, page, download="1").status_code == 409

    page = chosen(ta, page, scale="on")

    assert "is out of 10 points" not in flat(page.text)
    cell = download(ta, page, scale="on").split(ZOE)[1].split(b",")[0]
    assert 0 < float(cell) <= 10


def test_choices_that_nobody_has_seen_filled_are_shown_first(
    ta: Client, scored: Assignment
) -> None:
    page = uploaded(ta, scored, CANVAS)

    answer = chosen(ta, page, download="1", column="5")

    assert answer.status_code == 409
    assert "Nothing was downloaded" in answer.text
    assert b"007,zoe.b,A,," in download(ta, answer, column="5")


def test_grades_that_changed_meanwhile_are_shown_first(
    cast: Cast, ta: Client, scored: Assignment
) -> None:
    page = uploaded(ta, scored, CANVAS)
    Submission.objects.all().delete()
    keep(made(4), scored, cast.student)

    assert chosen(ta, page, download="1").status_code == 409
    assert not GradebookExport.objects.exists()


def test_a_name_alone_is_asked_about(cast: Cast, ta: Client, scored: Assignment) -> None:
    Membership.objects.update(lms_id="")
    page = uploaded(ta, scored, CANVAS)
    value = f"3-{cast.student.pk}"
    assert "1 row has only a matching name" in flat(page.text)
    assert f'<input type="checkbox" name="names" value="{value}">' in flat(page.text)
    assert "Download the filled file" not in flat(page.text)

    page = chosen(ta, page, names=value)

    assert f'value="{value}" checked' in flat(page.text)
    assert ZOE + b"," not in download(ta, page, names=value)
    assert ZOE + b",8" in CANVAS
    for nobody in ("3-999999", "x", "-", "1-" + "9" * 60):
        assert chosen(ta, page, names=nobody).status_code == 200


def test_all_names_are_taken_at_once_when_one_says_so(
    cast: Cast, ta: Client, scored: Assignment
) -> None:
    Membership.objects.update(lms_id="")
    for number in range(6):
        student = User.objects.create_user(f"s{number}", name=f"Ann {'abcdef'[number]}")
        Membership.objects.create(course=cast.course, user=student, role="student")
        keep(made(2), scored, student)
    rows = b"".join(f"Ann {letter},,,,,\r\n".encode() for letter in "abcdef")
    page = uploaded(ta, scored, CANVAS + rows)
    assert "checked all 7" in flat(page.text)

    page = chosen(ta, page, all_names="on")

    assert "Empty cells to fill</dt><dd>7<" in flat(page.text)


def test_released_only_leaves_the_other_cells(ta: Client, scored: Assignment) -> None:
    Assignment.objects.update(release=Assignment.Release.BY_HAND)

    page = uploaded(ta, scored, CANVAS, scope="released")

    assert "not released to the student yet" in flat(page.text)
    assert "No cell would change" in flat(page.text)


def test_comments_are_filled_in_only_when_asked_for(
    cast: Cast, ta: Client, scored: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = "grading.grades.gradebook_files.comments_to_students"
    view = "grading.grades.views.comments_to_students"
    for place in (module, view):
        monkeypatch.setattr(place, lambda _: {cast.student.pk: "Who says so?"})
    data = (
        b"Identifier,Full name,Email address,Grade,Maximum grade,Last modified (grade),"
        b"Feedback comments\nParticipant 5,Z,zoe@example.org,,100.00,-,\n"
    )
    page = uploaded(ta, scored, data)
    assert "Fill in the comments" in flat(page.text)
    assert b"Who says" not in download(ta, page, column="3")

    page = chosen(ta, page, column="3", comments="on")

    assert download(ta, page, column="3", comments="on").endswith(b",<p>Who says so?</p>\n")

    Assignment.objects.update(release=Assignment.Release.BY_HAND)
    page = chosen(ta, page, column="3", comments="on", scope="released")
    assert "No cell would change" in flat(page.text)


def test_what_is_worth_a_look_is_told(
    cast: Cast, ta: Client, scored: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.filter(pk=cast.student.pk).update(name="Somebody Else")
    for module in ("gradebook_files", "views"):
        monkeypatch.setattr(f"grading.grades.{module}.points_possible", lambda _: Decimal(1))
    posting = b",,,,Manual Posting,\r\n"
    points = POINTS.replace(b"100,100", b"1,1")

    page = uploaded(ta, scored, HEAD + posting + points + ZOE + b",8\r\n" + OTHER)
    text = flat(page.text)

    assert "1 row has a different name or id" in text
    assert "here: <bdi>Somebody Else</bdi>" in text
    assert "1 grade is above the points" in text
    assert "only after you post them" in text


def test_uploads_go_after_a_day(ta: Client, scored: Assignment) -> None:
    page = uploaded(ta, scored, CANVAS)
    tasks.clear_what_is_due()
    assert GradebookUpload.objects.count() == 1
    GradebookUpload.objects.update(created_at=timezone.now() - timedelta(hours=25))

    tasks.clear_what_is_due()

    assert ta.get(page.request["PATH_INFO"]).status_code == 404


def test_queries_do_not_grow_with_the_file(cast: Cast, ta: Client, scored: Assignment) -> None:
    page = uploaded(ta, scored, CANVAS)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            ta.get(page.request["PATH_INFO"])
        return len(captured)

    queries()
    few = queries()
    rows = b""
    for number in range(20):
        student = User.objects.create_user(f"s{number}", name=f"Student {number}")
        Membership.objects.create(course=cast.course, user=student, role="student", lms_id=number)
        keep(made(2), scored, student)
        rows += f"S{number},{number},,,,\r\n".encode()
    GradebookUpload.objects.update(data=CANVAS + rows)

    assert queries() == few

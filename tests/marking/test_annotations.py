"""Annotations as files of DUCView: out, looked at, and taken over as what was shown."""

import io
import re
import zipfile
from collections.abc import Callable
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.access.hidden_names import pseudonym
from grading.marking.annotations import annotations_write
from grading.models import Assignment, MarkingStep, Score, StoredPyramid, Submission, User
from grading.pyramid.formats.ducview import (
    Annotation,
    Expression,
    annotatable,
    annotation_of,
    write_annotation,
)
from grading.pyramid.structures import Contributor, Span, Text
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.marking.test_views import do, matched
from tests.pages import flat
from tests.scoring.test_corrections import missed, newest, scored, work

__all__ = ["scored"]

ClientOf = Callable[[User | None], Client]
BICYCLE = (Span(SUMMARY.index("My uncle"), len(SUMMARY)),)


@pytest.fixture
def ta(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


def annotated(score: Score, *, content: str = SUMMARY) -> bytes:
    """The missed idea is told by the bicycle, and no other."""
    pyramid = annotatable(pyramid_from_row(score.pyramid))
    assert pyramid
    expression = Expression(missed(score), (Contributor("", BICYCLE),))
    return write_annotation(Annotation(pyramid, Text("", content), (expression,))).encode()


def upload(client: Client, score: Score, data: bytes, name: str) -> HttpResponse:
    address = reverse("annotations", args=[score.submission.assignment_id])
    return client.post(address, {"file": SimpleUploadedFile(name, data)})  # type: ignore[return-value]


def proposed(answer: HttpResponse) -> str:
    match = re.search(r'name="proposed" value="([^"]+)"', answer.content.decode())
    assert match, answer.content.decode()
    return match[1]


def take(client: Client, score: Score, value: str) -> HttpResponse:
    address = reverse("annotations_take", args=[score.submission.assignment_id])
    return client.post(address, {"proposed": value}, follow=True)  # type: ignore[return-value]


def packed(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"class/{name}.pan", data)
        archive.writestr("__MACOSX/class/._zoe-1.pan", b"junk")
    return out.getvalue()


def test_one_and_all_are_written(ta: Client, scored: Score) -> None:
    response = ta.get(reverse("annotation_file", args=[scored.submission_id]))
    assert response.headers["Content-Disposition"] == 'attachment; filename="zoe-1.pan"'

    everyone = ta.get(reverse("annotations_file", args=[scored.submission.assignment_id]))

    with zipfile.ZipFile(io.BytesIO(everyone.content)) as archive:
        assert archive.namelist() == ["zoe-1.pan"]
        assert archive.read("zoe-1.pan") == response.content


def test_what_was_written_changes_nothing(ta: Client, scored: Score) -> None:
    everyone = ta.get(reverse("annotations_file", args=[scored.submission.assignment_id]))

    page = upload(ta, scored, everyone.content, "all.zip").content.decode()

    assert "No changes" in page
    assert "zoe-1.pan" in page


def test_what_would_change_is_shown_and_then_done(ta: Client, scored: Score) -> None:
    answer = upload(ta, scored, annotated(scored), "zoe-1.pan")
    page = answer.content.decode()
    assert page.count("<strong>Added:</strong>") == 1
    assert page.count("<strong>Removed:</strong>") == len(report_from_row(scored).evidence.matches)
    assert not MarkingStep.objects.exists()
    foretold = re.findall(r"<strong>(\d\.\d\d)</strong>\s*</span>\s*</h3>", page)

    desk = take(ta, scored, proposed(answer)).content.decode()

    after = newest(scored.submission)
    assert [f"{after.comprehensive:.2f}"] == foretold
    assert {match.scu_uid for match in report_from_row(after).evidence.matches} == {missed(scored)}
    assert "Imported for 1 text." in desk
    assert "took over a file of annotations" in desk
    do(ta, scored.submission, "undo")
    assert newest(scored.submission).document == scored.document


def test_a_file_for_one_text_may_have_any_name(ta: Client, scored: Score) -> None:
    address = reverse("annotation_upload", args=[scored.submission_id])
    file = SimpleUploadedFile("mine.pan", annotated(scored))

    answer = ta.post(address, {"file": file})

    take(ta, scored, proposed(answer))  # type: ignore[arg-type]
    assert MarkingStep.objects.get().did == "file"


def test_what_cannot_be_taken_is_refused_file_by_file(ta: Client, scored: Score) -> None:
    other = annotated(scored, content=SUMMARY.replace("green", "grey "))
    data = packed(**{"zoe-1": other, "nobody-1": annotated(scored), "omar-1": b"<x/>"})

    page = flat(upload(ta, scored, data, "all.zip").content.decode())

    assert "the file has “grey bicycle" in page
    assert page.count("No submission of this assignment has this name.") == 2
    assert "Import it" not in page


@pytest.mark.parametrize(
    ("data", "told_why"),
    [
        (b"PK\x03\x04 broken", "The zip is damaged, or locked with a password."),
        (packed(), "The zip has no .pan file."),
        (b"", "The file is empty."),
    ],
)
def test_a_broken_archive_is_refused(ta: Client, scored: Score, data: bytes, told_why: str) -> None:
    answer = upload(ta, scored, data, "all.zip")

    assert answer.status_code == 422
    assert told_why in answer.content.decode()


def test_what_has_changed_since_it_was_shown_is_not_taken(ta: Client, scored: Score) -> None:
    value = proposed(upload(ta, scored, annotated(scored), "zoe-1.pan"))
    do(ta, scored.submission, f"remove {matched(scored)}")

    page = take(ta, scored, value).content.decode()

    assert "Not imported, because it has changed since: zoe-1" in page
    assert MarkingStep.objects.count() == 1


def test_nothing_is_taken_that_was_not_shown(ta: Client, scored: Score) -> None:
    page = take(ta, scored, "made-up:value").content.decode()

    assert "The preview has expired. Choose the file again." in page
    assert not MarkingStep.objects.exists()


def test_names_are_hidden_in_names_of_files(ta: Client, cast: Cast, scored: Score) -> None:
    Assignment.objects.update(names_hidden=True)
    assignment = Assignment.objects.get()
    hidden = pseudonym(assignment, cast.student).replace(" ", "-")

    everyone = ta.get(reverse("annotations_file", args=[assignment.pk]))

    with zipfile.ZipFile(io.BytesIO(everyone.content)) as archive:
        assert archive.namelist() == [f"{hidden}-1.pan"]
    page = flat(upload(ta, scored, annotated(scored), f"{hidden}-1.pan").content.decode())
    assert "Zoë" not in page
    assert "Import it" in page


def test_the_number_of_queries_does_not_grow(
    ta: Client, cast: Cast, assignment: Assignment, scored: Score
) -> None:
    def asked() -> tuple[int, int]:
        with CaptureQueriesContext(connection) as out:
            everyone = ta.get(reverse("annotations_file", args=[assignment.pk]))
        with CaptureQueriesContext(connection) as back:
            upload(ta, scored, everyone.content, "all.zip")
        return len(out), len(back)

    do(ta, scored.submission, f"remove {matched(scored)}")
    before = asked()
    submission_submit(assignment=assignment, student=cast.other_student, text=SUMMARY)
    work()

    assert asked() == before


def test_marked_words_and_what_is_said_again_are_written(scored: Score) -> None:
    submission = Submission.objects.get()
    pyramid = annotatable(pyramid_from_row(StoredPyramid.objects.get()))
    assert pyramid
    expected = annotation_of(pyramid, submission_to_text(submission), report_from_row(scored))

    assert annotations_write([submission]) == {submission.pk: write_annotation(expected)}


def test_a_login_in_any_script_gives_a_file_name_that_browsers_read(
    ta: Client, cast: Cast, scored: Score
) -> None:
    User.objects.filter(pk=cast.student.pk).update(username="зоя")

    answer = ta.get(reverse("annotation_file", args=[scored.submission_id]))

    name = quote("зоя-1.pan")
    assert answer.headers["Content-Disposition"] == f"attachment; filename*=utf-8''{name}"

"""What a program could try that no page lets it do."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    AuditKind,
    AuditRecord,
    ImportUpload,
    Job,
    Membership,
    Submission,
    WorkImport,
)
from tests.api.api_table import ROWS, ApiRow
from tests.api.scene import ROOT, ApiClient, ApiOf, make_token, names_of
from tests.conftest import log_in
from tests.scenes import Scene

WRITES = [row for row in ROWS if row.method != "get"]
# About people of the course, whom nobody can find in the assignment by it.
OF_THE_COURSE = (
    "/courses/{course}/people",
    "/courses/{course}/removed-people",
    "/courses/{course}/roster",
)


def _json(response: HttpResponse) -> Any:
    return json.loads(response.content)


def _zip(name: str, size: int) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(name, "w") as entry,
    ):
        for _ in range(size // 1_000_000):
            entry.write(b" " * 1_000_000)
    return out.getvalue()


@pytest.mark.parametrize("row", WRITES, ids=lambda row: row.name)
def test_answers_to_writes_tell_no_hidden_name(row: ApiRow, api: ApiClient, scene: Scene) -> None:
    Assignment.objects.filter(pk=scene.assignment.pk).update(names_hidden=True)
    student = scene.cast.student
    Membership.objects.filter(user=student).update(student_number="S-4711")

    response = api.ask_row(row, names_of(scene))

    if row.path.startswith(OF_THE_COURSE):
        return
    content = response.content.decode()
    for secret in (student.name, student.username, student.email, "S-4711"):
        assert json.dumps(secret).strip('"') not in content


def test_a_rule_is_previewed_under_pseudonyms(api: ApiClient, scene: Scene) -> None:
    Assignment.objects.filter(pk=scene.assignment.pk).update(names_hidden=True)
    [row] = [row for row in ROWS if row.path.endswith("grade-rule/preview")]

    changes = _json(api.ask_row(row, names_of(scene)))["changes"]

    assert [change["student"]["name"][:8] for change in changes] == ["Student "]


@pytest.mark.parametrize("row", WRITES, ids=lambda row: row.name)
def test_a_session_alone_writes_nothing(row: ApiRow, scene: Scene) -> None:
    """Whatever a page of somebody else lets the browser send along: a form, files, cookies."""
    browser = Client(enforce_csrf_checks=True)
    log_in(browser, scene.cast.instructor)
    path = ROOT + row.path.format(**names_of(scene))

    as_form = getattr(browser, row.method)(path, {"a": "b"} if row.method == "post" else "")
    as_text = browser.generic(row.method.upper(), path, "{}", content_type="text/plain")

    assert (as_form.status_code, as_text.status_code) == (401, 401)
    assert not as_form.cookies


def test_a_token_in_the_address_or_a_cookie_is_none(scene: Scene) -> None:
    token = make_token(scene.cast.instructor, scene.cast.course)
    browser = Client()
    browser.cookies["Authorization"] = f"Bearer {token}"

    assert browser.get(f"{ROOT}/courses?token={token}").status_code == 401


def test_a_cookie_changes_nothing_for_a_token(scene: Scene, api_of: ApiOf) -> None:
    """The TA's token in the instructor's browser is the TA's."""
    browser = Client()
    log_in(browser, scene.cast.instructor)
    token = make_token(scene.cast.ta, scene.cast.course)
    path = f"{ROOT}/assignments/{scene.assignment.pk}/state"

    response = browser.put(
        path,
        {"state": "closed"},
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )

    assert response.status_code == 403


@pytest.mark.parametrize(
    ("name", "make"),  # made when the test runs: every process of a run collects this file
    [
        ("essays.zip", lambda: _zip("zoe.txt", 300_000_000)),
        ("zoe.docx", lambda: _zip("word/document.xml", 300_000_000)),
        ("essays.zip", lambda: _zip("zoe.txt", 1_000_000)[:500]),
    ],
    ids=["a text of 300 MB", "a document of 300 MB", "cut off"],
)
def test_a_zip_bomb_harms_nobody(
    name: str, make: Callable[[], bytes], api: ApiClient, scene: Scene
) -> None:
    """It is read by the job of the page, with the limits of the page."""
    content = make()
    path = f"/assignments/{scene.assignment.pk}/imports"
    sent = api.send_files(path, ("files", name, content))
    assert sent.status_code == 202
    assert Job.objects.get(pk=_json(sent)["job"]).kind == Job.Kind.READ_IMPORT

    assert job_run(job_pk=_json(sent)["job"])

    shown = api.read(f"/imports/{_json(sent)['id']}")
    states = {row["state"] for row in shown["rows"]}
    assert shown["state"] == "failed" or states == {"unreadable"}
    assert shown["error"] or all(row["error"] for row in shown["rows"])
    assert not ImportUpload.objects.filter(work_import=shown["id"]).exists()


@pytest.mark.parametrize("path", ["/builds", "/references", "/release", "/reviews"])
def test_files_where_none_are_taken(path: str, api: ApiClient, scene: Scene) -> None:
    address = f"/assignments/{scene.assignment.pk}{path}"
    for headers in ({}, {"Idempotency-Key": "k"}):
        response = api.send_files(address, ("files", "a.txt", "x" * 3_000_000), headers=headers)
        assert response.status_code == 413
        assert response["Content-Type"] == "application/problem+json"


def test_a_form_that_is_cut_off(scene: Scene) -> None:
    token = make_token(scene.cast.instructor, scene.cast.course)
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "k"}
    path = f"{ROOT}/assignments/{scene.assignment.pk}/imports"

    for kind in ("multipart/form-data", "multipart/form-data; boundary=x"):
        for body in (b"", b"--x\r\nContent-Disposition: form-data; name=", b"\0" * 100):
            response = Client(raise_request_exception=False).generic(
                "POST", path, body, content_type=kind, headers=headers
            )
            assert 400 <= response.status_code < 500, (kind, body)
    assert WorkImport.objects.count() == 1


@pytest.mark.parametrize("number", ["9" * 5_000, "-1", "1e9", "٣", ""])
def test_numbers_of_files_that_are_none(number: str, api: ApiClient, scene: Scene) -> None:
    path = f"/imports/{WorkImport.objects.get().pk}"
    stamp = {"If-Match": api.get(path)["ETag"]}

    response = api.put(f"{path}/choices", {"given": {number: None}}, stamp)

    assert response.status_code == 422


def test_a_file_is_not_given_to_somebody_of_another_course(api: ApiClient, scene: Scene) -> None:
    path = f"/imports/{WorkImport.objects.get().pk}"
    read = api.get(path)
    number = str(_json(read)["rows"][0]["number"])

    response = api.put(
        f"{path}/choices",
        {"given": {number: "f" * 32}},
        {"If-Match": read["ETag"]},
    )

    assert response.status_code == 422
    assert Submission.objects.filter(student=scene.cast.outsider).count() == 0


def test_a_repeated_deletion_is_one(api: ApiClient, scene: Scene) -> None:
    path, key = f"/assignments/{scene.assignment.pk}/deletion", {"Idempotency-Key": "d"}
    body = {"name": scene.assignment.title}

    first, again = api.post(path, body, key), api.post(path, body, key)
    other = api.post(path, body | {"name": "Another"}, key)

    assert (first.status_code, again.status_code, other.status_code) == (201, 201, 409)
    assert first.content == again.content


def test_the_audit_log_names_the_owner_of_the_token(api: ApiClient, scene: Scene) -> None:
    member = scene.cast.course.memberships.get(user=scene.cast.student)

    api.ask("patch", f"/courses/{scene.cast.course.pk}/people/{member.pk}", {"role": "ta"})

    row = AuditRecord.objects.get(kind=AuditKind.ROLE_CHANGED)
    assert (row.actor, row.address) == (scene.cast.instructor.pk, "127.0.0.1")


def test_a_token_cannot_create_courses(api: ApiClient, scene: Scene) -> None:
    """Not by a copy either: it stays in its course, though its owner teaches another one."""
    user = scene.cast.instructor
    type(user).objects.filter(pk=user.pk).update(may_create_courses=True)
    scene.cast.other_course.memberships.create(user=user, role="instructor")

    copied = api.post(f"/assignments/{scene.assignment.pk}/copy", {})

    assert _json(copied)["course"] == scene.cast.course.pk
    assert api.post("/courses", {"name": "New"}).status_code == 405
    assert api.post(reverse("course_import"), {}).status_code == 404


def test_cursors_and_limits_of_new_lists(api: ApiClient, scene: Scene) -> None:
    for path in (
        f"/assignments/{scene.assignment.pk}/imports",
        f"/courses/{scene.cast.course.pk}/saved-comments",
    ):
        for query in ("limit=201", "limit=0", "limit=-1", "after=" + "x" * 101):
            assert api.get(f"{path}?{query}").status_code == 422, (path, query)
        assert api.get(f"{path}?after=YWZ0ZXIgeA").status_code == 400


def test_requests_are_counted_for_files_too(
    scene: Scene, api_of: ApiOf, settings: LazySettings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"api": "1/m/key"}
    api = api_of(scene.cast.ta)
    path = f"/assignments/{scene.assignment.pk}/imports"

    got = [api.send_files(path, ("files", "a.txt", "Heat.")).status_code for _ in range(2)]

    assert got == [202, 429]

"""Erased means gone: no table, file, log line or backup has a word of the student's texts left.

The student's words reach each place by its own road; then the data is deleted for good, and every
column of every table is searched, packed values unpacked.
"""

import base64
import io
import json
import logging
import os
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading.accounts.actions import sessions_forget
from grading.api.actions import token_create
from grading.bulk_import.actions import import_start
from grading.feedback.own_data import own_work_of
from grading.housekeeping.deletions import clear_away, student_delete
from grading.jobs.runner import job_run
from grading.models import (
    Assignment,
    AuditKind,
    ClassFinding,
    Comment,
    Deletion,
    Draft,
    Finding,
    Job,
    LtiContext,
    SecondLook,
    Submission,
    SubmissionFlags,
    User,
    WorkImport,
    Writing,
    record,
)
from grading.pyramid.formats.bulk_files import Upload
from grading.pyramid.pipeline import Engine
from tests.conftest import SUMMARY, Cast
from tests.housekeeping.course_scene import exported, fill
from tests.scenes import make_scene

MARK = "zanzibarquarkling"  # nobody else would write it
ROOT = Path(__file__).resolve().parents[2]


def _unpacked(value: Any) -> Iterator[bytes]:
    """The value as bytes, and whatever is packed into it."""
    if isinstance(value, memoryview):
        value = bytes(value)
    data = value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
    yield data
    for unpack in (zlib.decompress, base64.b64decode, _parts_of_zip):
        try:
            inside = unpack(data)
        except Exception:  # noqa: BLE001, S112  (it is not packed in this way)
            continue
        if inside and inside != data:
            yield inside


def _parts_of_zip(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


def places_of(mark: str) -> list[str]:
    """Each column in which it is found, of whatever table, ours or not."""
    wanted, result = mark.encode(), set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for name, value in zip(names, row, strict=True):
                    if any(wanted in data.lower() for data in _unpacked(value)):
                        result.add(f"{table}.{name}")
    return sorted(result)


def _send_everywhere(
    cast: Cast, assignment: Assignment, client_of: Callable[[User | None], Client]
) -> None:
    """The mark, by every road that a student's words can take."""
    student, grader = client_of(cast.student), client_of(cast.ta)
    text = f"{SUMMARY} The {MARK} is hotter than the country, and the {MARK} stores the heat."
    Assignment.objects.filter(pk=assignment.pk).update(max_attempts=9, max_drafts=0)
    student.post(reverse("submit", args=[assignment.pk]), {"text": text, "though_short": "on"})
    submission = Submission.objects.get(text__contains=MARK)
    for job in Job.objects.filter(assignment=assignment, state=Job.State.QUEUED).order_by("pk"):
        job_run(job_pk=job.pk)
    # Unfinished, once from a file, and replaced by another window's.
    student.post(reverse("writing", args=[assignment.pk]), {"text": f"Not done: {MARK}"})
    upload = SimpleUploadedFile("x.txt", f"{MARK} of a file.".encode())
    student.post(reverse("writing_file", args=[assignment.pk]), {"file": upload})
    assert MARK in Writing.objects.get(student=cast.student).text
    # What is written about it: a comment that quotes it, a second look, its answer, a reason.
    grader.post(
        reverse("comment_new", args=[submission.pk]), {"comment": MARK, "audience": "student"}
    )
    student.post(
        reverse("second_look_new", args=[submission.pk]), {"sentence": "4", "reason": f"{MARK}!"}
    )
    assert Comment.objects.filter(text=MARK).exists()
    assert SecondLook.objects.filter(reason__contains=MARK).exists()
    # Sent in by a grader and by a program, which may be told of it again for a day.
    started = import_start(
        assignment=assignment, uploads=[Upload("zoe.txt", text.encode())], name="1", author=cast.ta
    )
    assert started.reading is not None
    job_run(job_pk=started.reading.pk)
    assert MARK in str(WorkImport.objects.get(pk=started.pk).document)
    waiting = import_start(
        assignment=assignment, uploads=[Upload("zoe.txt", text.encode())], name="1", author=cast.ta
    )
    assert waiting.uploads.exists()
    _by_the_api(cast, assignment, f"{text} And once more.")
    # Files and findings with the work of many.
    exported(assignment.course, cast.instructor)
    Finding.objects.create(
        draft=Draft.objects.earliest("pk"), kind="effect", revision=0, document={"words": MARK}
    )
    ClassFinding.objects.create(
        assignment=assignment, version=assignment.pyramids.get(), document={"words": [MARK]}
    )
    SubmissionFlags.objects.filter(submission=submission).update(document={"like": MARK})
    Job.objects.filter(submission=submission).update(
        state=Job.State.FAILED, error=MARK, failures=[{"submission": 1, "reason": MARK}]
    )
    link = LtiContext.objects.get(course=assignment.course).links.get()
    enrolment = link.context.enrolments.create(
        person=link.context.deployment.platform.people.create(subject=MARK, user=cast.student),
        role="student",
    )
    link.grades.create(enrolment=enrolment, wanted={"comment": MARK}, sent={"comment": MARK})
    record(AuditKind.EXPORTED, "Downloaded an export of the course.", course=assignment.course)
    # What the student keeps is made when it is asked for, and kept nowhere.
    assert MARK in str(own_work_of(cast.student))


def _by_the_api(cast: Cast, assignment: Assignment, text: str) -> None:
    _, token = token_create(
        user=cast.instructor, course=assignment.course, name="Import", can_write=True, days=30
    )
    answer = Client().post(
        f"/api/v1/assignments/{assignment.pk}/submissions",
        json.dumps({"submissions": [{"login": cast.student.username, "text": text}]}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}", "Idempotency-Key": "erase-me"},
    )
    assert answer.status_code < 300, answer.content


def test_no_table_and_no_log_has_a_word_of_it(
    cast: Cast,
    assignment: Assignment,
    engine: Engine,
    client_of: Callable[[User | None], Client],
    caplog: pytest.LogCaptureFixture,
) -> None:
    del engine
    caplog.set_level(logging.DEBUG)
    course = fill(make_scene(cast, assignment))
    _send_everywhere(cast, assignment, client_of)
    before = places_of(MARK)
    assert len(before) > 15, before

    deletion = student_delete(course=course, student=cast.student, asked_by=cast.instructor)
    # Who asked can still bring it back: it is in one place, packed.
    assert places_of(MARK) == ["grading_deletion.kept", "grading_ltiperson.subject"]
    Deletion.objects.filter(pk=deletion.pk).update(leaves_at=timezone.now() - timedelta(seconds=1))
    clear_away()
    # The account itself is the student's own, or the administrator's to delete.
    assert places_of(MARK) == ["grading_ltiperson.subject"]
    User.objects.filter(pk=cast.student.pk).delete()

    assert places_of(MARK) == []
    assert MARK not in caplog.text


def test_sessions_that_ended_are_forgotten(cast: Cast) -> None:
    def session(days: int) -> str:
        store = SessionStore()
        store["kept"] = "x"
        store.set_expiry(days * 24 * 3600)
        store.save()
        UserSession.objects.create(
            user=cast.student, session_key=store.session_key, ip="192.0.2.1", user_agent="x"
        )
        return str(store.session_key)

    old, new = session(-1), session(1)

    sessions_forget()

    assert set(Session.objects.values_list("session_key", flat=True)) == {new}
    assert set(UserSession.objects.values_list("session_key", flat=True)) == {new}
    assert old != new


# A whole site in a folder of its own: real files, a real log, real backups.
SITE = f"""
import datetime, json, os, sys
import django
from django.conf import settings
settings.STORAGES["staticfiles"]["BACKEND"] = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
)
django.setup()
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
call_command("migrate", verbosity=0)
from grading.models import Assignment, Course, Deletion, Membership, Submission, User
from grading.housekeeping.deletions import clear_away, student_delete
course = Course.objects.create(name="Bees")
teacher, student = (User.objects.create_user(name, name=name) for name in ("ines", "zoe"))
Membership.objects.create(course=course, user=teacher, role="instructor")
Membership.objects.create(course=course, user=student, role="student")
rules = {{"max_words": 999, "max_attempts": 9}}
assignment = Assignment.objects.create(course=course, title="Bees", state="open", **rules)
client = Client()
client.force_login(student, backend="django.contrib.auth.backends.ModelBackend")
address = f"/assignments/{{assignment.pk}}/submit/"
for number in range(9):
    text = {" ".join([MARK] * 300)!r} + f" The bees dance {{number}}."
    answer = client.post(address, {{"text": text, "though_short": "on", "in_english": "on"}})
assert Submission.objects.filter(text__contains={MARK!r}).count() == 9
client.get("/no/such/page/{MARK[:4]}")
print("WRITTEN", flush=True)
sys.stdin.readline()
deletion = student_delete(course=course, student=student, asked_by=teacher)
Deletion.objects.update(leaves_at=timezone.now() - datetime.timedelta(seconds=1))
assert clear_away() == 1
call_command("backup", os.environ["DATA_DIR"] + "/backups")
print("ERASED", flush=True)
sys.stdin.readline()
"""


def _files_with(mark: str, folder: Path) -> list[str]:
    wanted = mark.encode()
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and wanted in path.read_bytes()
    ]


def test_no_file_log_or_backup_has_a_word_of_it(tmp_path: Path) -> None:
    """While the site runs: no file is written anew because it ends."""
    data = tmp_path / "data"
    data.mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(data),
        "SECRET_KEY": "x" * 60,
        "LOCAL_HTTP": "true",
        "LOG_FORMAT": "json",
        "LOG_LEVEL": "DEBUG",
        "ALLOWED_HOSTS": "testserver",
        "DJANGO_SETTINGS_MODULE": "pyreval_site.settings",
        "PYTHONPATH": str(ROOT),
    }
    with (tmp_path / "log").open("wb") as log:
        site = subprocess.Popen(
            [sys.executable, "-c", SITE],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        assert site.stdin is not None
        assert site.stdout is not None
        try:
            assert site.stdout.readline() == b"WRITTEN\n", (tmp_path / "log").read_text()[-3000:]
            written = _files_with(MARK, data)
            site.stdin.write(b"\n")
            site.stdin.flush()
            lines = iter(site.stdout.readline, b"")
            assert b"ERASED\n" in lines, (tmp_path / "log").read_text()[-3000:]
            left = _files_with(MARK, data)
        finally:
            site.stdin.close()
            site.wait(30)
            site.stdout.close()

    assert any(name.startswith("classroom.sqlite3") for name in written)
    assert left == []
    assert MARK.encode() not in (tmp_path / "log").read_bytes()
    [backup] = (data / "backups").glob("*.tar")
    with tarfile.open(backup) as archive:
        parts = [archive.extractfile(name) for name in archive.getnames()]
        assert all(MARK.encode() not in part.read() for part in parts if part is not None)

"""`manage.py serve`, which is one command on SQLite: all of it is killed, or its disk is full."""

import os
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.urls import reverse
from pytest_django.plugin import DjangoDbBlocker

from grading.management.serving import port_is_free
from grading.models import Assignment, Job, Membership, Role, Score, Submission, User
from grading.pyramids.actions import draft_publish
from tests.conftest import SUMMARY, make_assignment, make_cast
from tests.drafts.drafting import begun
from tests.faults.browsers import Browser
from tests.faults.planning import Faults
from tests.faults.servers import free_port
from tests.workers import wait_until

pytestmark = pytest.mark.workers

LEASE = 4
STUDENTS = 8
FILLER = "filler"


@pytest.fixture(scope="module")
def made_database(
    django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A course with students and a published pyramid. Django is on a copy of it in each test."""
    file = tmp_path_factory.mktemp("made") / "classroom.sqlite3"
    before = connection.settings_dict["NAME"]
    with django_db_blocker.unblock():
        connection.close()
        connection.settings_dict["NAME"] = file
        try:
            call_command("migrate", verbosity=0, interactive=False)
            cast = make_cast()
            for number in range(STUDENTS):
                student = User.objects.create_user(f"student-{number}", name="A student")
                Membership.objects.create(course=cast.course, user=student, role=Role.STUDENT)
            assignment = make_assignment(cast)
            draft_publish(
                draft=begun(assignment),
                revision=0,
                note="",
                author=cast.instructor,
                even_if_doubtful=True,
            )
            Job.objects.all().delete()
            connection.close()
            yield file
        finally:
            connection.close()
            connection.settings_dict["NAME"] = before


@dataclass
class Served:
    data: Path
    faults: Faults
    running: ExitStack
    port: int = field(default_factory=free_port)

    def start(self) -> "subprocess.Popen[bytes]":
        environment = self.faults.environment(
            LEASE,
            DATA_DIR=str(self.data),
            DATABASE_URL="",
            CELERY_BROKER_URL="",
            WEB_PROCESSES="1",
            TMPDIR=str(self.data),
            PYTHONUNBUFFERED="1",
        )
        command = ["manage.py", "serve", "--port", str(self.port), "--worker-processes", "1"]
        process = self.faults.started("serve", command, environment)
        self.running.callback(kill_family, process)
        starts = self.log.count("Ready: ")
        wait_until(lambda: self.log.count("Ready: ") > starts, "it serves")
        return process

    @property
    def log(self) -> str:
        return (self.faults.folder / "serve.log").read_text()

    def browsers(self) -> list[Browser]:
        students = User.objects.filter(username__startswith="student-").order_by("pk")
        return [Browser(student, self.port) for student in students]

    def submit(self, browser: Browser) -> int:
        path = reverse("submit", args=[Assignment.objects.get().pk])
        return browser.post(path, text=SUMMARY, kind="final").status

    def wait_for_scores(self, count: int) -> None:
        wait_until(lambda: not Job.objects.unfinished().exists(), "all jobs end")
        assert Submission.objects.count() == Score.objects.count() == count
        assert Score.objects.values("submission").distinct().count() == count


def family(process: "subprocess.Popen[bytes]") -> list[int]:
    """It and its children, each of which leads a process group."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)],  # noqa: S607
        check=False,
        capture_output=True,
        text=True,
    ).stdout
    return [process.pid, *map(int, listed.split())]


def kill_family(process: "subprocess.Popen[bytes]") -> None:
    for group in family(process):
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
    process.wait()


@contextmanager
def served_in(data: Path, faults: Faults, made_database: Path) -> Iterator[Served]:
    file = data / "classroom.sqlite3"
    shutil.copy(made_database, file)
    connection.close()
    connection.settings_dict["NAME"] = file
    with ExitStack() as running:
        yield Served(data, faults, running)
    connection.close()


def test_everything_is_killed_at_once_and_then_only_the_command(
    made_database: Path, faults: Faults, tmp_path: Path
) -> None:
    with served_in(tmp_path, faults, made_database) as served:
        faults.plan({"fault": "wait", "point": "working", "tries": 1})
        process = served.start()
        browsers = served.browsers()
        assert {served.submit(browser) for browser in browsers} == {302}
        kill_family(process)
        faults.plan()

        with closing(sqlite3.connect(tmp_path / "classroom.sqlite3")) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert Submission.objects.count() == STUDENTS
        process = served.start()
        served.wait_for_scores(STUDENTS)

        process.kill()  # its children cannot be told: the kernel does it
        process.wait()
        wait_until(lambda: port_is_free("127.0.0.1", served.port), "the web server ends", 30)


def test_what_is_saved_is_on_the_disk_before_anybody_is_told(
    made_database: Path, faults: Faults, tmp_path: Path
) -> None:
    """A power cut takes back nothing that was answered. (FULL is 2.)"""
    with served_in(tmp_path, faults, made_database), connection.cursor() as cursor:
        assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=48m,mode=0700", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this account may not mount a file system")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607


def fill(disk: Path) -> None:
    with suppress(OSError), (disk / FILLER).open("wb", buffering=0) as filler:
        while filler.write(bytes(4096)):
            pass


def test_the_disk_is_full_on_submission(
    made_database: Path, faults: Faults, small_disk: Path
) -> None:
    with served_in(small_disk, faults, made_database) as served:
        served.start()
        first, second, *_ = served.browsers()
        assert served.submit(first) == 302
        served.wait_for_scores(1)
        with connection.cursor() as cursor:  # or the log of SQLite has room left in its file
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        fill(small_disk)

        path = reverse("submit", args=[Assignment.objects.get().pk])
        refused = second.post(path, text=SUMMARY, kind="final")
        assert refused.status == 503
        assert "disk is full" in refused.body
        assert Submission.objects.count() == 1

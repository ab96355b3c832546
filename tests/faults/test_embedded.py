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
from grading.models import (
    Assignment,
    Course,
    CourseFile,
    Job,
    Membership,
    ProcessPulse,
    Reference,
    Role,
    Score,
    Submission,
    User,
    WorkImport,
)
from grading.pyramids.actions import draft_publish
from tests.conftest import SUMMARY, make_assignment, make_cast
from tests.drafts.drafting import begun
from tests.faults.browsers import Browser
from tests.faults.planning import Faults
from tests.faults.servers import free_port
from tests.housekeeping.course_scene import content_of, exported
from tests.workers import wait_until

pytestmark = pytest.mark.workers

LEASE = 4
STUDENTS = 8
FILLER = "filler"
SESSION_IS_NOTED = 61  # seconds, after which the next page notes that the session is in use


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

    def start(self, **more: str) -> "subprocess.Popen[bytes]":
        environment = self.faults.environment(
            LEASE,
            DATA_DIR=str(self.data),
            DATABASE_URL="",
            CELERY_BROKER_URL="",
            WEB_PROCESSES="1",
            TMPDIR=str(self.data),
            PYTHONUNBUFFERED="1",
            **more,
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

    def instructor(self) -> Browser:
        return Browser(User.objects.get(username="ines"), self.port)

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


def test_a_worker_process_that_hangs_is_replaced(
    made_database: Path, faults: Faults, tmp_path: Path
) -> None:
    """It has no job, and the sweeper goes on calling it."""
    with served_in(tmp_path, faults, made_database) as served:
        served.start()
        first, second, *_ = served.browsers()
        assert served.submit(first) == 302
        served.wait_for_scores(1)
        pulse = ProcessPulse.objects.filter(kind=ProcessPulse.Kind.WORKER).latest("seen_at")
        os.kill(int(pulse.name.rpartition("/")[2]), signal.SIGSTOP)

        assert served.submit(second) == 302
        served.wait_for_scores(2)
        assert "The worker does nothing" in served.log


def test_what_is_saved_is_on_the_disk_before_anybody_is_told(
    made_database: Path, faults: Faults, tmp_path: Path
) -> None:
    """A power cut takes back nothing that was answered. (FULL is 2.)"""
    with served_in(tmp_path, faults, made_database), connection.cursor() as cursor:
        assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_task_that_never_ends_is_killed_three_times(
    made_database: Path, faults: Faults, tmp_path: Path
) -> None:
    """Its heart beats on: only the time limit ends it. Then the student reads why."""
    with served_in(tmp_path, faults, made_database) as served:
        faults.plan({"fault": "wait", "point": "working"})
        served.start(FAULTS_TIME_LIMIT="2")
        browser = served.browsers()[0]
        assert served.submit(browser) == 302
        job = Job.objects.get(submission__isnull=False)
        # Another job, which scores the experts and perhaps this text, goes the same way.
        wait_until(lambda: not Job.objects.unfinished().exists(), "both are given up")

        assert Job.objects.get(pk=job.pk).is_failed
        assert served.log.count("Hard time limit (2s) exceeded") >= 3
        page = browser.get(reverse("submission", args=[job.submission_id])).body
        assert "The worker stopped 3 times while doing this." in page
        assert Job.objects.get(pk=job.pk).tries == 3
        assert (Submission.objects.count(), Score.objects.count()) == (1, 0)

        faults.plan()
        assert browser.post(reverse("job_try_again", args=[job.pk])).status == 302
        served.wait_for_scores(1)


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


@contextmanager
def full(disk: Path) -> Iterator[None]:
    with connection.cursor() as cursor:  # or the log of SQLite has room left in its file
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with suppress(OSError), (disk / FILLER).open("wb", buffering=0) as filler:
        while filler.write(bytes(4096)):
            pass
    yield
    (disk / FILLER).unlink()


def test_the_disk_is_full_on_submission(
    made_database: Path, faults: Faults, small_disk: Path
) -> None:
    with served_in(small_disk, faults, made_database) as served:
        served.start()
        first, second, *_ = served.browsers()
        assert served.submit(first) == 302
        served.wait_for_scores(1)
        with full(small_disk):
            path = reverse("submit", args=[Assignment.objects.get().pk])
            refused = second.post(path, text=SUMMARY, kind="final")
            assert refused.status == 503
            assert "disk is full" in refused.body
            assert Submission.objects.count() == 1

            faults.set_clock(SESSION_IS_NOTED)  # which cannot be saved now
            assert first.get(reverse("home")).status == 200


def test_the_disk_is_full_on_upload(made_database: Path, faults: Faults, small_disk: Path) -> None:
    """Small files are in memory until the database takes them, large ones on the disk at once."""
    with served_in(small_disk, faults, made_database) as served:
        instructor = served.instructor()
        course_file = content_of(exported(Course.objects.get(code="CDEFGH2"), instructor.user))
        CourseFile.objects.all().delete()
        assignment = Assignment.objects.get().pk
        references, imports, course = (
            reverse("references", args=[assignment]),
            reverse("submission_import", args=[assignment]),
            reverse("course_import"),
        )
        small: list[tuple[str, str, str, bytes]] = [
            (references, "text_files", "Expert.txt", SUMMARY.encode()),
            (imports, "chosen", "Zo\u00eb Br\u00e2nz\u0103.txt", SUMMARY.encode()),
            (course, "file", "course.zip", course_file),
        ]
        large = [(path, field, name, bytes(3_000_000)) for path, field, name, _ in small]
        kept = Reference.objects.count()
        served.start()
        with full(small_disk):
            for upload in [*small, *large]:
                refused = instructor.upload(*upload)
                assert (refused.status, upload[2]) == (503, upload[2])
                assert "disk is full" in refused.body
        assert Reference.objects.count() == kept
        assert not WorkImport.objects.exists()
        assert not CourseFile.objects.exists()

        for upload in small:
            assert (instructor.upload(*upload).status, upload[2]) == (302, upload[2])
        assert Reference.objects.count() == kept + 1
        assert CourseFile.objects.count() == 1
        wait_until(lambda: WorkImport.objects.get().is_ready, "the file is read")


def test_the_disk_is_full_in_mid_job(made_database: Path, faults: Faults, small_disk: Path) -> None:
    """It ends well by itself when there is room again; until then pages can be read."""
    with served_in(small_disk, faults, made_database) as served:
        faults.plan({"fault": "wait", "point": "working", "tries": 1})
        served.start()
        browser = served.browsers()[0]
        assert served.submit(browser) == 302
        wait_until(lambda: faults.is_waiting, "the job has begun")
        submission = reverse("submission", args=[Submission.objects.get().pk])
        with full(small_disk):
            faults.go()
            wait_until(lambda: " failed (" in served.log, "the job finds the disk full")
            assert browser.get(submission).status == 200
            assert not Score.objects.exists()

        served.wait_for_scores(1)
        assert not Job.objects.filter(state=Job.State.FAILED).exists()

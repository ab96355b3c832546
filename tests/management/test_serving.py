"""One foreground command serves the app with its worker, watches both, and ends both."""

import os
import signal
import socket
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from pytest_django.live_server_helper import LiveServer

from grading.jobs.claims import job_start
from grading.jobs.pulse import sweeper_beat
from grading.management.serving import WorkWatch, answers, port_is_free
from grading.models import Assignment, Job
from tests.sites import Site, serving
from tests.workers import wait_until


def processes_of(site: Site, what: str) -> list[int]:
    """Of the children of the serving command, those whose command line has these words."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(site.server.pid)],  # noqa: S607
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if what in line]


def living(groups: list[int]) -> list[str]:
    """What still runs in these process groups, orphans included; the dead may wait for burial."""
    listed = subprocess.run(
        ["ps", "-ww", "-e", "-o", "pgid=,stat=,args="],  # noqa: S607
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()]
    return [row[-1] for row in rows if int(row[0]) in groups and not row[1].startswith("Z")]


@pytest.mark.models
@pytest.mark.workers
def test_serve_from_greeting_to_ctrl_c(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        port = int(site.url.rsplit(":", 1)[1])
        assert "student2" in site.log.read_text()
        with urlopen(f"{site.url}/accounts/login/") as page:  # noqa: S310
            assert b"Log in" in page.read()
            assert "default-src 'none'" in page.headers["Content-Security-Policy"]

        (worker,) = processes_of(site, "celery")
        subprocess.run(["kill", "-9", str(worker)], check=True)  # noqa: S607
        wait_until(lambda: "The worker died" in site.log.read_text(), "the death is noticed")
        wait_until(lambda: bool(processes_of(site, "celery")), "another worker starts")
        groups = [worker, *processes_of(site, "celery"), *processes_of(site, "gunicorn")]

    wait_until(lambda: not living(groups), "the killed are gone", seconds=5)
    assert site.server.returncode == 0
    assert port_is_free("127.0.0.1", port)
    assert not answers(f"{site.url}/healthz")


@pytest.mark.models
@pytest.mark.workers
def test_a_worker_that_lives_and_does_nothing_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a process of its pool was killed while it held the pool's lock."""
    monkeypatch.setenv("JOB_LEASE_SECONDS", "3")
    with serving(tmp_path) as site:
        (worker,) = processes_of(site, "celery")
        os.killpg(worker, signal.SIGSTOP)  # the demonstration course waits to be scored

        wait_until(lambda: "does nothing" in site.log.read_text(), "the idleness is noticed")
        wait_until(lambda: processes_of(site, "celery") not in ([], [worker]), "another starts")
        wait_until(lambda: not living([worker]), "the first is gone", seconds=5)
        wait_until(lambda: _is_all_done(tmp_path), "the other does what waits")


def _is_all_done(folder: Path) -> bool:
    with closing(sqlite3.connect(folder / "classroom.sqlite3")) as database:
        states = database.execute("select kind, state from grading_job").fetchall()
    return ("score_submissions", "done") in states and {state for _, state in states} == {"done"}


def test_our_own_address_is_asked_for_without_a_proxy(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)

    assert answers(f"{live_server.url}/healthz")


def test_a_port_that_is_taken_is_said_so() -> None:
    with socket.socket() as somebody_else:
        somebody_else.bind(("127.0.0.1", 0))
        somebody_else.listen()
        port = somebody_else.getsockname()[1]

        with pytest.raises(CommandError, match=f"Port {port} is taken"):
            call_command("serve", port=port)


@pytest.mark.django_db(transaction=True)
def test_a_pool_that_the_sweeper_calls_in_vain_does_no_work(
    assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("grading.management.serving.time.monotonic", lambda: now)
    sweeper_beat()
    watch = WorkWatch()
    first, second = (
        job_start(kind=kind, assignment=assignment, requested_by=None)
        for kind in (Job.Kind.FIND_FLAGS, Job.Kind.BUILD_PYRAMID)
    )
    assert watch()
    now += 1000
    assert Job.objects.claim(first.pk, uuid4())
    assert watch()  # somebody has begun a job since
    now += 1000
    assert watch()  # and is at it

    Job.objects.filter(pk=first.pk).update(state=Job.State.DONE)
    now += 50
    assert watch()
    now += 50
    assert not watch()  # two leases long nobody has begun another

    Job.objects.filter(pk=second.pk).update(state=Job.State.DONE)
    assert watch()  # nothing waits

"""Web server and worker as one foreground command: started, watched, restarted, ended together."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from django.conf import settings
from django.db import DatabaseError, connection

from grading.jobs.claims import jobs_neglected
from grading.jobs.pulse import sweeper_is_late
from grading.models import Job

SECONDS_TO_START = 60
SECONDS_TO_END = 10
SECONDS_TO_BEGIN_WORK = 20.0  # of a worker on a busy machine; one that begins is not a deaf one
SECONDS_BETWEEN_LOOKS = 0.3
SECONDS_BETWEEN_STARTS = 2.0
SECONDS_BETWEEN_QUESTIONS = 5.0  # whether a part does its work
_PR_SET_PDEATHSIG = 1  # of Linux's prctl


def _works() -> bool:
    return True


def _end_with_parent() -> None:
    """Let the kernel ask this process to end when its parent is killed, where the kernel is Linux.

    Else it would serve on with nobody to watch over it, and keep the port.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass(slots=True)
class Served:
    """A process that is started again when it dies, or lives and no longer does its work."""

    name: str
    command: list[str]
    works: Callable[[], bool] = _works
    patience: float = SECONDS_BETWEEN_STARTS  # until a new process is asked whether it works
    process: subprocess.Popen[bytes] | None = None
    started: float = field(default=0.0)
    asked_at: float = field(default=0.0)

    def start(self) -> None:
        # A session of its own: Ctrl-C reaches us only, and we end the children in order.
        self.process = subprocess.Popen(
            self.command,
            start_new_session=True,
            preexec_fn=_end_with_parent,  # noqa: PLW1509  (there are no threads here)
        )
        self.started = time.monotonic()

    @property
    def has_died(self) -> bool:
        return self.process is None or self.process.poll() is not None

    @property
    def has_stopped_working(self) -> bool:
        """It is asked now and then, and only once it has had the time to begin."""
        now = time.monotonic()
        if now < max(self.started + self.patience, self.asked_at + SECONDS_BETWEEN_QUESTIONS):
            return False
        self.asked_at = now
        return not self.works()

    def ask_to_end(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def end(self) -> None:
        """Wait for a good end, then end whatever is left, orphaned children among it."""
        if self.process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(SECONDS_TO_END)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def web_server(address: str, port: int) -> Served:
    return Served(
        "web server",
        [
            sys.executable, "-m", "gunicorn",
            "--config", "python:pyreval_site.web_server", "--bind", f"{address}:{port}",
        ],
    )  # fmt: skip


@dataclass(slots=True)
class WorkWatch:
    """Asked now and then: is work done? A pool can be deaf while the sweeper calls it and calls."""

    last_start: datetime | None = None  # of a job
    since: float = field(default_factory=time.monotonic)  # nobody is at work, and none has begun

    def __call__(self) -> bool:
        try:
            return not (jobs_neglected() or sweeper_is_late() or self._has_stood_still())
        except DatabaseError:
            return True  # which is not the workers' fault
        finally:
            connection.close()  # the next question may be asked of a database that was away

    def _has_stood_still(self) -> bool:
        last_start = Job.objects.last_start()
        if last_start != self.last_start or not Job.objects.stands_still():
            self.last_start, self.since = last_start, time.monotonic()
        return time.monotonic() - self.since > 2 * settings.JOB_LEASE_SECONDS


def worker(processes: int) -> Served:
    """A process of its pool that is killed can leave the others deaf, and so can its clock be."""
    return Served(
        "worker",
        [
            # In a container everybody is root; celery need not say so at each start.
            sys.executable, "-W", "ignore:You're running the worker",
            "-m", "celery", "--quiet", "-A", "pyreval_site", "worker", "--beat",
            "--concurrency", str(processes), "--loglevel", "WARNING",
            "--without-gossip", "--without-mingle", "--without-heartbeat",
        ],
        works=WorkWatch(),
        patience=max(SECONDS_TO_BEGIN_WORK, 2 * settings.JOB_LEASE_SECONDS),
    )  # fmt: skip


def port_is_free(address: str, port: int) -> bool:
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((address, port))
        except OSError:
            return False
    return True


_DIRECTLY = build_opener(ProxyHandler({}))  # our own address is no proxy's business


def answers(url: str) -> bool:
    try:
        with _DIRECTLY.open(url, timeout=2) as response:
            return bool(response.status == 200)
    except (URLError, OSError):
        return False


def serve(
    parts: list[Served], url: str, ready: Callable[[], None], say: Callable[[str], None]
) -> None:
    """Run the parts until somebody ends us; ``ready`` is called once the first page answers."""
    for stop_signal in (
        signal.SIGINT,
        signal.SIGTERM,
    ):  # a shell's background job ignores the first
        signal.signal(stop_signal, signal.default_int_handler)
    try:
        for part in parts:
            part.start()
        deadline = time.monotonic() + SECONDS_TO_START
        while not answers(url):
            dead = [part.name for part in parts if part.has_died]
            if dead or time.monotonic() > deadline:
                raise RuntimeError(f"The {dead[0] if dead else 'web server'} did not start.")
            time.sleep(SECONDS_BETWEEN_LOOKS / 2)
        ready()
        while True:
            _restart_the_dead(parts, say)
            time.sleep(SECONDS_BETWEEN_LOOKS)
    except KeyboardInterrupt:
        say("Ending; one moment.")
    finally:
        for part in parts:
            part.ask_to_end()
        for part in parts:
            part.end()


def _restart_the_dead(parts: list[Served], say: Callable[[str], None]) -> None:
    for part in parts:
        if part.has_died:
            if time.monotonic() - part.started > SECONDS_BETWEEN_STARTS:
                _start_again(part, f"The {part.name} died", say)
        elif part.has_stopped_working:
            part.ask_to_end()
            _start_again(part, f"The {part.name} does nothing, or its clock has stopped", say)


def _start_again(part: Served, why: str, say: Callable[[str], None]) -> None:
    say(f"{why}; starting it again.")
    part.end()
    part.start()

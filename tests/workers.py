"""A real Celery worker in a process of its own, on the test database and a real broker."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

LEASE_SECONDS = 2
SECONDS_TO_WAIT = 180  # the machine may be busy with other things


def database_url() -> str:
    """Of the test database itself, which another process cannot guess."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    host, port = database["HOST"] or "127.0.0.1", database["PORT"] or 5432
    return f"postgres://{database['USER']}:{database['PASSWORD']}@{host}:{port}/{database['NAME']}"


def broker_url() -> str:
    """Name the broker of this pytest process alone; an empty one is the embedded broker.

    Two processes of pytest have a database each. Were their workers on one broker, each would take
    the other's messages: the worker that sweeps is busy when it sends a job again, so the other,
    which waits, always gets it, and no job ever starts.
    """
    url = os.environ.get("TEST_BROKER_URL", "")
    process = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    if not url.startswith("redis://"):
        return url
    server, _, database = url.rpartition("/")
    return f"{server}/{int(database) - int(process)}"


def worker_environment(data_dir: Path, lease_seconds: int = LEASE_SECONDS) -> dict[str, str]:
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "pyreval_site.settings",
        "DATA_DIR": str(data_dir),
        "SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": database_url(),
        "CELERY_BROKER_URL": broker_url(),
        "JOB_LEASE_SECONDS": str(lease_seconds),
        "OMP_NUM_THREADS": "1",
    }


def start_worker(
    data_dir: Path, *, processes: int = 1, lease_seconds: int = LEASE_SECONDS
) -> subprocess.Popen[bytes]:
    """A worker with its sweeper, in a process group that can be killed as a whole."""
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "pyreval_site", "worker"]
    command += ["--beat", "--concurrency", str(processes)]
    command += ["--loglevel", "WARNING", "--without-mingle"]
    environment = worker_environment(data_dir, lease_seconds)
    return subprocess.Popen(command, env=environment, start_new_session=True, cwd=settings.BASE_DIR)


def kill(worker: subprocess.Popen[bytes]) -> None:
    """kill -9 to the worker and all its children, as a power cut would."""
    os.killpg(worker.pid, 9)
    worker.wait()


@contextmanager
def running_worker(
    data_dir: Path, *, processes: int = 1, lease_seconds: int = LEASE_SECONDS
) -> Iterator[subprocess.Popen[bytes]]:
    worker = start_worker(data_dir, processes=processes, lease_seconds=lease_seconds)
    try:
        yield worker
    finally:
        if worker.poll() is None:
            kill(worker)


def wait_until(what: Callable[[], bool], why: str, seconds: float = SECONDS_TO_WAIT) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        if time.monotonic() > deadline:
            raise AssertionError(f"Waited {seconds} s in vain: {why}")
        time.sleep(0.05)

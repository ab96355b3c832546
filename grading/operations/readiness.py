"""Can this installation do its work? Asked by monitoring, and shown to administrators."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from kombu.exceptions import ChannelError, KombuError

from grading.models import Job, ProcessPulse

SECONDS_FOR_THE_BROKER = 2.0


@dataclass(frozen=True, slots=True)
class Check:
    """``problem`` is empty where all is well."""

    name: str
    problem: str = ""

    @property
    def is_ok(self) -> bool:
        return not self.problem


def readiness() -> list[Check]:
    """All checks. Without the database, those that ask it are left out: it says why."""
    checks = [
        Check("disk", _disk_problem()),
        Check("broker", "It does not answer." if messages_waiting() is None else ""),
    ]
    try:
        of_the_database = [Check(name, problem()) for name, problem in _OF_THE_DATABASE]
    except DatabaseError:
        return [Check("database", "It does not answer."), *checks]
    return [Check("database"), *of_the_database, *checks]


def messages_waiting() -> dict[str, int] | None:
    """How many messages each queue of the broker holds; None while the broker is away."""
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(
                max_retries=1, interval_start=0, timeout=SECONDS_FOR_THE_BROKER
            )
            return {name: _length(broker.default_channel, name) for name in current_app.amqp.queues}
    except (KombuError, OSError):
        return None


def _length(channel: object, queue: str) -> int:
    try:
        declared = channel.queue_declare(queue=queue, passive=True)  # type: ignore[attr-defined]
    except ChannelError:  # no worker has asked for it yet
        return 0
    return int(declared.message_count)


def _disk_problem() -> str:
    try:
        free = shutil.disk_usage(settings.DATA_DIR).free // 1_000_000
    except FileNotFoundError:
        return "There is no data directory."
    least = settings.LEAST_FREE_DISK_MB
    return f"{free} MB are free, less than {least} MB." if free < least else ""


def _migrations_problem() -> str:
    missing = _known_migrations() - set(MigrationRecorder(connection).applied_migrations())
    return f"{len(missing)} migrations are not applied." if missing else ""


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    """Read from the code once: they do not change while it runs."""
    loader = MigrationLoader(None)
    replaced = {name for row in loader.disk_migrations.values() for name in row.replaces}
    return frozenset(set(loader.disk_migrations) - replaced)


def _worker_problem() -> str:
    alive = ProcessPulse.objects.alive().filter(kind=ProcessPulse.Kind.WORKER)
    return "" if alive.exists() else "No worker was seen within a minute."


def _sweeper_problem() -> str:
    alive = ProcessPulse.objects.alive().filter(kind=ProcessPulse.Kind.SWEEPER)
    return "" if alive.exists() else "It did not run within a minute. Is celery beat running?"


def _jobs_problem() -> str:
    return "Jobs are waiting, but no worker takes them." if Job.objects.is_neglected() else ""


_OF_THE_DATABASE: tuple[tuple[str, Callable[[], str]], ...] = (
    ("migrations", _migrations_problem),
    ("worker", _worker_problem),
    ("sweeper", _sweeper_problem),
    ("jobs", _jobs_problem),
)

"""Celery's beat, which sweeps by itself, so that sweeping never waits for a worker or a broker."""

from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any

from celery.beat import ScheduleEntry, Scheduler
from celery.schedules import schedule
from django.db import connection

SWEEP_JOBS = "grading.sweep_jobs"
_STARTED_AT = datetime.now(UTC) - timedelta(seconds=monotonic())


def steady_now() -> datetime:
    """The time by a clock that nobody sets: set back an hour, the other would stop beat for one."""
    return _STARTED_AT + timedelta(seconds=monotonic())


class SteadyEntry(ScheduleEntry):
    """A task that is due by the steady clock."""

    def __init__(self, **fields: Any) -> None:
        if not isinstance(fields["schedule"], schedule):
            fields["schedule"] = schedule(fields["schedule"], nowfun=steady_now)
        super().__init__(**fields)


class Clock(Scheduler):
    Entry = SteadyEntry
    # Beat's own connection waits for a broker for as long as that is away. Without it a task takes
    # one from the pool, which gives up soon.
    producer = None

    def apply_async(self, entry: ScheduleEntry, *args: Any, **options: Any) -> Any:
        """Send a task that is due to the workers, or sweep here and now."""
        if entry.task != SWEEP_JOBS:
            return super().apply_async(entry, *args, **options)
        try:
            return self.app.tasks[SWEEP_JOBS]()
        finally:
            connection.close()  # the database may be away the next time

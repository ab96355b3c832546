"""Celery's beat goes by a clock that nobody sets."""

from datetime import datetime, timedelta

import pytest

from pyreval_site import clock
from pyreval_site.celery import app


def test_an_entry_is_due_by_the_steady_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.steady_now()
    beat = clock.Clock(app, lazy=True)
    beat.add(name="sweep", task=clock.SWEEP_JOBS, schedule=15.0, last_run_at=now)
    entry = beat.schedule["sweep"]

    def set_back(_: object) -> datetime:
        return now - timedelta(hours=1)

    monkeypatch.setattr(type(app), "now", set_back)
    assert not entry.is_due().is_due
    monkeypatch.setattr(entry.schedule, "nowfun", lambda: now + timedelta(seconds=16))
    assert entry.is_due().is_due
    assert next(entry).schedule.nowfun is entry.schedule.nowfun


def test_beat_waits_for_no_broker() -> None:
    assert clock.Clock(app, lazy=True).producer is None

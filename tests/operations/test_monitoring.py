"""What machines ask: is it alive, is it ready, what do its figures say; and who may ask."""

import errno
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.db import connection
from django.test import Client, override_settings
from django.utils import timezone
from kombu.exceptions import OperationalError
from prometheus_client import values

from grading.jobs.pulse import sweeper_beat
from grading.models import Assignment, Job, ProcessPulse, User
from grading.operations.metrics import REQUESTS
from grading.tasks import sweep_jobs
from tests.conftest import Cast

SECURE = {"SECURE_SSL_REDIRECT": True, "ALLOWED_HOSTS": ["classroom.example.org"]}


def test_probes_answer_over_plain_http_and_under_an_address(db: None) -> None:
    with override_settings(**SECURE):
        client = Client(headers={"Host": "10.1.2.3:8000"})

        assert client.get("/healthz").content == b"ok"
        assert client.get("/metrics").status_code == 200
        assert client.get("/readyz").status_code == 503  # without a worker
        assert client.get("/").status_code == 400


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_probes_are_there_for_allowed_networks_only(
    path: str, db: None, client_of: Callable[[User | None], Client]
) -> None:
    client = client_of(None)

    assert client.get(path, REMOTE_ADDR="203.0.113.9").status_code in {302, 404}
    assert client.get(path, REMOTE_ADDR="").status_code in {302, 404}
    assert client.get(path, REMOTE_ADDR="::ffff:127.0.0.1").status_code in {200, 503}


def test_behind_a_proxy_the_client_counts_and_not_the_proxy(db: None) -> None:
    forwarded = {"X-Forwarded-For": "127.0.0.1, 203.0.113.9"}

    with override_settings(TRUSTED_PROXIES=1):
        assert Client().get("/healthz", headers=forwarded).status_code in {302, 404}


def test_the_process_is_healthy_without_a_database(client: Client) -> None:
    """No fixture of a database: pytest-django fails every query."""
    assert client.get("/healthz").status_code == 200


@pytest.fixture
def all_is_well(db: None) -> None:
    ProcessPulse.objects.beat(ProcessPulse.Kind.WORKER, "host/1", memory=5)
    sweeper_beat()


def _problems(client: Client) -> set[str]:
    answer = client.get("/readyz")
    problems = {name for name, said in answer.json()["checks"].items() if said != "ok"}
    assert answer.status_code == (503 if problems else 200)
    assert answer.json()["ready"] is not bool(problems)
    return problems


def test_ready_when_everything_is_there(all_is_well: None, client: Client) -> None:
    assert _problems(client) == set()


def test_a_silent_worker_and_a_silent_sweeper_are_noticed(
    all_is_well: None, client: Client
) -> None:
    old = timezone.now() - timedelta(seconds=61)
    ProcessPulse.objects.filter(kind=ProcessPulse.Kind.WORKER).update(seen_at=old)
    assert _problems(client) == {"worker"}

    ProcessPulse.objects.update(seen_at=old)
    assert _problems(client) == {"worker", "sweeper"}


def test_the_sweeper_beats_when_it_runs(db: None) -> None:
    old = timezone.now() - timedelta(hours=2)
    ProcessPulse.objects.create(kind="worker", name="gone/1", started_at=old, seen_at=old)

    sweep_jobs()

    assert [row.kind for row in ProcessPulse.objects.all()] == [ProcessPulse.Kind.SWEEPER]


def test_a_missing_migration_is_noticed(all_is_well: None, client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE name = '0026_operations'")

    assert _problems(client) == {"migrations"}


def test_a_full_disk_is_noticed(all_is_well: None, client: Client) -> None:
    with override_settings(LEAST_FREE_DISK_MB=10**9):
        assert _problems(client) == {"disk"}
    with override_settings(DATA_DIR=Path("/no/such/folder")):
        assert _problems(client) == {"disk"}


def test_a_broker_that_is_away_is_noticed(
    all_is_well: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise OperationalError

    monkeypatch.setattr(current_app, "connection_for_write", away)

    assert _problems(client) == {"broker"}


def test_a_database_that_is_away_is_said_so(
    all_is_well: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grading.operations.readiness.connection", _Away())
    monkeypatch.setattr("grading.models.ProcessPulse.objects.alive", _Away.fail)

    assert _problems(client) == {"database"}


class _Away:
    """A connection that does not come about."""

    def __getattr__(self, name: str) -> object:
        from django.db import OperationalError as DatabaseAwayError  # noqa: PLC0415

        raise DatabaseAwayError(name)

    @staticmethod
    def fail() -> None:
        _Away().cursor  # noqa: B018


def test_jobs_that_nobody_does_are_noticed(
    all_is_well: None, assignment: Assignment, client: Client
) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    Job.objects.create(kind=Job.Kind.BUILD_PYRAMID, assignment=assignment, enqueued_at=long_ago)

    assert _problems(client) == {"jobs"}


# --- figures ---


def _figures(client: Client) -> dict[str, float]:
    text = client.get("/metrics").content.decode()
    rows = re.findall(r"^(pyreval_\S+(?:\{.*\})?) (\S+)$", text, re.MULTILINE)
    return {name: float(value) for name, value in rows}


def test_requests_are_counted_by_view_and_not_by_path(
    cast: Cast, client_of: Callable[[User | None], Client]
) -> None:
    client = client_of(cast.instructor)
    name = 'pyreval_requests_total{method="GET",status="200",view="course"}'
    before = _figures(client).get(name, 0)

    client.get(f"/courses/{cast.course.pk}/")
    client.get(f"/courses/{cast.course.pk}/")

    figures = _figures(client)
    assert figures[name] == before + 2
    assert figures['pyreval_request_seconds_count{view="course"}'] >= 2
    memory = [value for key, value in figures.items() if key.startswith("pyreval_web_memory")]
    assert memory
    assert min(memory) > 10_000_000


def test_jobs_and_workers_have_figures(
    all_is_well: None, assignment: Assignment, client: Client
) -> None:
    now = timezone.now()
    scoring = Job.Kind.SCORE_SUBMISSIONS
    for waited, worked in ((1, 10), (3, 20)):
        Job.objects.create(
            kind=scoring,
            assignment=assignment,
            state=Job.State.DONE,
            enqueued_at=now - timedelta(seconds=60),
            started_at=now - timedelta(seconds=60 - waited),
            finished_at=now - timedelta(seconds=60 - waited - worked),
        )
    Job.objects.create(
        kind=scoring,
        assignment=assignment,
        state=Job.State.DONE,
        started_at=now - timedelta(hours=3),
        finished_at=now - timedelta(hours=2),
    )
    Job.objects.create(kind=scoring, assignment=assignment, created_at=now - timedelta(seconds=90))
    Job.objects.create(kind=scoring, assignment=assignment, state=Job.State.FAILED)

    figures = _figures(client)

    by_state = {
        state: figures[f'pyreval_jobs{{kind="score_submissions",state="{state}"}}']
        for state in ("queued", "failed", "done")
    }
    assert by_state == {"queued": 1, "failed": 1, "done": 2}
    assert figures['pyreval_oldest_waiting_seconds{kind="score_submissions"}'] >= 90
    of_kind = 'kind="score_submissions",quantile='
    assert figures[f'pyreval_job_waiting_seconds{{{of_kind}"1.0"}}'] == 3
    assert figures[f'pyreval_job_seconds{{{of_kind}"0.5"}}'] == 20
    assert figures['pyreval_worker_memory_bytes{process="host/1"}'] == 5
    assert figures['pyreval_ready{check="worker"}'] == 1
    assert figures['pyreval_queue_messages{queue="slow"}'] >= 0


def test_figures_come_without_a_database(client: Client, db: None) -> None:
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr("grading.operations.readiness.connection", _Away())
    monkeypatch.setattr("grading.operations.metrics.jobs_by_state", _Away.fail)

    figures = _figures(client)

    monkeypatch.undo()
    assert figures['pyreval_ready{check="database"}'] == 0


def test_counts_have_their_room_on_the_disk_before_they_are_written(tmp_path: Path) -> None:
    """A hole in the file would end the web process on a full disk."""
    file = tmp_path / "counter_1.db"
    files_of_counts: Any = vars(values)["MmapedDict"]  # as prometheus_client makes them

    counts = files_of_counts(str(file))

    assert file.stat().st_blocks * 512 >= file.stat().st_size >= 1 << 20
    counts.write_value("key", 2.0, 1.0)
    assert counts.read_value("key") == (2.0, 1.0)


def test_a_page_that_cannot_be_counted_is_answered(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(type(REQUESTS), "labels", full)

    assert client.get("/accounts/login/").status_code == 200

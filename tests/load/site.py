"""The site under load: a database and a broker of its own, and all processes of docs/deploy.md."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import psycopg
from kombu.connection import Connection
from psycopg import sql

from tests.deployed import (
    ROOT,
    environment_of_site,
    free_ports,
    nginx_command,
    running,
    unit_command,
)

OUT = ROOT / ".run" / "load"
FILLED = OUT / "filled.json"
SERVER = os.environ.get("TEST_DATABASE_URL") or "postgres://postgres@127.0.0.1:5432/postgres"
# A virtual host that nothing else uses.
RABBITMQ = os.environ.get("RABBITMQ_URL") or "amqp://guest:guest@127.0.0.1:5672/load"
QUEUES = ("quick", "slow")
SECONDS_TO_START = 90
_ERROR = re.compile(r'"level": "(ERROR|CRITICAL)"|Traceback|\[(error|crit|alert|emerg)\]')
_NOT_READY_YET = '"message": "Service Unavailable: /readyz"}'


@dataclass(frozen=True)
class Site:
    """Where it answers, its processes by role, and the folder with its logs."""

    https: int
    processes: dict[str, int]
    database_url: str
    broker_port: int
    folder: Path
    environment: dict[str, str]

    def do(self, command: list[str]) -> None:
        """Run Python with the settings of the site."""
        _do(command, self.environment)


def filled_database(*, students: int, tas: int) -> None:
    """Make the database of which each run gets a copy."""
    _create("filled")
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        environment = _environment(Path(folder), _database_url("filled"), "memory://")
        _do(["manage.py", "migrate", "-v0"], environment)
        _do(["-m", "tests.load.fill", str(FILLED), str(students), str(tas)], environment)


@contextmanager
def running_site(name: str, *, broker: str, workers: int) -> Iterator[Site]:
    """Start everything, on a copy of the filled database; with so many processes of workers.

    One worker is that of the slow queue, which does quick jobs too. Others are half and half.
    """
    slow = workers - workers // 2
    database = name.replace("-", "_")
    _create(database, template="filled")
    with ExitStack() as started:
        started.callback(_drop, database)
        folder = Path(started.enter_context(tempfile.TemporaryDirectory(prefix="pyreval-load-")))
        broker_port, web, plain, https = free_ports(4)
        processes = {}
        data = folder / "data"
        data.mkdir(mode=0o700)
        broker_url = RABBITMQ
        if broker == "redis":
            broker_url = f"redis://127.0.0.1:{broker_port}/0"
            command = [str(shutil.which("redis-server")), "--port", str(broker_port)]
            command += ["--bind", "127.0.0.1", "--dir", str(folder), "--appendonly", "yes"]
            log = folder / "redis.log"
            processes["redis"] = started.enter_context(running(command, {}, log)).pid
        else:
            broker_port = urlsplit(RABBITMQ).port or 5672
            _forget_messages()
            started.callback(_forget_messages)
        database_url = _database_url(database)
        environment = _environment(data, database_url, broker_url)
        _do(["manage.py", "collectstatic", "--noinput", "-v0"], environment)
        worker = "classroom-worker@.service"
        for role, command in (
            ("web", unit_command("classroom-web.service", port=web)),
            ("slow worker", unit_command(worker, "slow", processes=slow)),
            ("quick worker", unit_command(worker, "quick", processes=workers // 2)),
            ("beat", unit_command("classroom-beat.service")),
            ("nginx", nginx_command(folder, data, web, plain, https)),
        ):
            if role == "quick worker" and workers == 1:
                continue
            log = folder / f"{role.replace(' ', '-')}.log"
            processes[role] = started.enter_context(running(command, environment, log)).pid
        site = Site(https, processes, database_url, broker_port, folder, environment)
        _wait_until_ready(web, site)
        yield site


def errors_in_logs(folder: Path) -> list[str]:
    """Lines of errors in the logs of the product and of nginx."""
    return [
        f"{log.name}: {line}"
        for log in folder.glob("*.log")
        for line in log.read_text(errors="replace").splitlines()
        if _ERROR.search(line) and not line.endswith(_NOT_READY_YET)
    ]


def _create(name: str, template: str = "") -> None:
    _drop(name)
    copied = _named(template) if template else sql.Identifier("template1")
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(_named(name), copied))


def _drop(name: str) -> None:
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(_named(name)))


def _named(name: str) -> sql.Identifier:
    return sql.Identifier(urlsplit(_database_url(name)).path.strip("/"))


def _database_url(name: str) -> str:
    return f"{SERVER}_{name}"


def _environment(data: Path, database_url: str, broker_url: str) -> dict[str, str]:
    return environment_of_site(
        data,
        DATABASE_URL=database_url,
        CELERY_BROKER_URL=broker_url,
        SECRET_KEY="the-same-for-filling-and-running-" + 20 * "x",
        EMAIL_HOST="",  # no mails: they would wait for a server that is not there
    )


def _do(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, *command],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr)


def _forget_messages() -> None:
    connection = Connection(RABBITMQ)  # type: ignore[no-untyped-call]
    with connection, connection.channel() as channel:  # type: ignore[no-untyped-call]
        for queue in QUEUES:
            channel.queue_delete(queue)


def _wait_until_ready(web: int, site: Site) -> None:
    opener = build_opener(ProxyHandler({}))
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        with suppress(URLError, OSError):
            opener.open(f"http://127.0.0.1:{web}/readyz", timeout=5)
            return
        time.sleep(0.2)
    logs = "\n".join(log.read_text() for log in site.folder.glob("*.log"))
    raise SystemExit(f"The site was not ready within {SECONDS_TO_START} s.\n{logs}")

"""A PostgreSQL and a Redis of our own, that a test may kill, restart or fill."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from django.core.management import call_command
from django.db import connection

REDIS = shutil.which("redis-server")
_PROGRAMS = [Path("/usr/local/bin"), *Path("/usr/lib/postgresql").glob("*/bin")]
POSTGRES = next((folder for folder in _PROGRAMS if (folder / "initdb").exists()), None)
# PostgreSQL does not run as root.
_AS_OTHER = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@dataclass
class OwnRedis:
    """It keeps nothing on the disk: what it holds is lost when it ends."""

    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command = [str(REDIS), "--port", str(self.port), "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen([*command, "--bind", "127.0.0.1", "--loglevel", "warning"])
        while not self._answers():
            time.sleep(0.02)

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as asked:
            asked.sendall(b"PING\r\n")
            return asked.recv(10).startswith(b"+PONG")
        return False

    def kill(self) -> None:
        self._signal(signal.SIGKILL)
        assert self.process is not None
        self.process.wait()

    def hang(self) -> None:
        """Connections stay open, and nothing answers."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)


@dataclass
class OwnPostgres:
    folder: Path
    port: int = field(default_factory=free_port)

    def create(self) -> None:
        options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale", "C", "--no-sync"]
        self._run(["initdb", "-D", str(self.folder / "cluster"), *options])
        self._control("start")

    def restart(self) -> None:
        """As after a power cut: all are thrown out, and what is not committed is gone."""
        self._control("restart")

    def stop(self) -> None:
        self._control("stop")

    def _control(self, what: str) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
        command = ["pg_ctl", "-D", str(self.folder / "cluster"), "-l", str(self.folder / "log")]
        self._run([*command, "-m", "immediate", "-w", "-o", options, what])

    def _run(self, command: Sequence[str]) -> None:
        program = [*_AS_OTHER, str((POSTGRES or Path()) / command[0]), *command[1:]]
        subprocess.run(program, check=True, stdout=subprocess.DEVNULL, cwd="/")


@contextmanager
def own_redis() -> Iterator[OwnRedis]:
    server = OwnRedis()
    server.start()
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def own_postgres() -> Iterator[OwnPostgres]:
    """With all tables. Until the block ends this process has its database there, too."""
    folder = Path(tempfile.mkdtemp(prefix="pyreval-postgres-"))
    if _AS_OTHER:
        shutil.chown(folder, "postgres")
    server = OwnPostgres(folder)
    server.create()
    before = dict(connection.settings_dict)
    connection.close()
    ours = {"HOST": "127.0.0.1", "PORT": server.port, "USER": "postgres", "NAME": "postgres"}
    connection.settings_dict.update(ours)
    try:
        call_command("migrate", verbosity=0, interactive=False)
        yield server
    finally:
        connection.close()
        connection.settings_dict.update(before)
        server.stop()
        shutil.rmtree(folder)

"""Reads memory, processor time and connections of running processes from /proc."""

import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
_ESTABLISHED = "01"


@dataclass
class Sample:
    """At one moment: megabytes and processor seconds by role, connections, and what waits."""

    at: float
    memory: dict[str, float]
    processor: dict[str, float]
    database: int  # connections
    broker: int
    waiting: int  # jobs


@dataclass
class Watch:
    """Processes by role, each with all its children."""

    processes: Mapping[str, int]
    database_url: str
    broker_port: int
    seconds: float
    samples: list[Sample] = field(default_factory=list)
    _backends: dict[int, float] = field(default_factory=dict)

    @contextmanager
    def watching(self) -> Iterator[None]:
        ended = threading.Event()

        def watch() -> None:
            with psycopg.connect(self.database_url, autocommit=True) as database:
                while True:
                    self.samples.append(self._sample(database))
                    if ended.wait(self.seconds):
                        break
                self.samples.append(self._sample(database))

        thread = threading.Thread(target=watch)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _sample(self, database: "psycopg.Connection[tuple[int]]") -> Sample:
        families = _families(self.processes)
        pids = [pid for family in families.values() for pid in family]
        backends = database.execute(
            "SELECT pid FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()
        waiting = database.execute(
            "SELECT count(*) FROM grading_job WHERE state = 'queued'"
        ).fetchone()
        for (pid,) in backends:  # of one that has ended the last figure counts
            self._backends[pid] = _processor(pid)
        return Sample(
            at=time.time(),
            memory={role: sum(map(_memory, family)) for role, family in families.items()},
            processor={
                role: sum(map(_processor, family)) + _processor_of_ended(self.processes[role])
                for role, family in families.items()
            }
            | {"database": sum(self._backends.values()), "the whole machine": _busy()},
            database=len(backends),
            broker=_connections(pids, self.broker_port),
            waiting=waiting[0] if waiting else 0,
        )


def _stat(pid: int) -> list[str]:
    """The fields after the name, which may hold spaces; none of a process that has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return []


def _families(roots: Mapping[str, int]) -> dict[str, list[int]]:
    parents = {
        int(path.name): int(stat[1])
        for path in Path("/proc").iterdir()
        if path.name.isdigit() and (stat := _stat(int(path.name)))
    }
    families = {}
    for role, root in roots.items():
        family = [root]
        for member in family:  # grows while it is read
            family += [pid for pid, parent in parents.items() if parent == member]
        families[role] = family
    return families


def _memory(pid: int) -> float:
    """What is in the machine's memory, shared parts counted in full, in megabytes."""
    stat = _stat(pid)
    return int(stat[21]) * _PAGE / 1e6 if stat else 0


def _processor(pid: int) -> float:
    stat = _stat(pid)
    return (int(stat[11]) + int(stat[12])) / _TICKS if stat else 0


def _processor_of_ended(pid: int) -> float:
    """Of children that have ended."""
    stat = _stat(pid)
    return (int(stat[13]) + int(stat[14])) / _TICKS if stat else 0


def _busy() -> float:
    """Of all cores: everything but idle and waiting for disks."""
    user, nice, system, _idle, _disk, *rest = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    )
    return (user + nice + system + sum(rest)) / _TICKS


def _connections(pids: list[int], port: int) -> int:
    """Open connections of these processes to a port."""
    sockets = set()
    for file in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(file).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == _ESTABLISHED and int(fields[2].rpartition(":")[2], 16) == port:
                sockets.add(f"socket:[{fields[9]}]")
    count = 0
    for pid in pids:
        with suppress(OSError):
            for descriptor in Path(f"/proc/{pid}/fd").iterdir():
                with suppress(OSError):
                    count += str(descriptor.readlink()) in sockets
    return count

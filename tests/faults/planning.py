"""From a test: processes of the product that fail as planned, and the clock that they go by."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.sites import ROOT
from tests.workers import worker_environment

Step = Mapping[str, object]
WORKER = ["-m", "celery", "--quiet", "-A", "pyreval_site", "worker", "--loglevel", "WARNING"]
WORKER += ["--without-mingle", "--without-gossip", "--without-heartbeat"]
BEAT = ["-m", "celery", "--quiet", "-A", "pyreval_site", "beat", "--loglevel", "WARNING"]
BEAT += ["--pidfile="]


@dataclass(frozen=True)
class Faults:
    """What is to fail in the processes that a test starts, in a folder of its own."""

    folder: Path

    def plan(self, *steps: Step) -> None:
        """Each step has a fault and a point; perhaps the kind of the job, and which try of it."""
        for mark in ("go", "waiting"):
            (self.folder / mark).unlink(missing_ok=True)
        written = self.folder / "plan.part"
        written.write_text(json.dumps(steps))
        written.replace(self.folder / "plan.json")

    def set_clock(self, seconds: float) -> None:
        written = self.folder / "clock.part"
        written.write_text(str(seconds))
        written.replace(self.folder / "clock")

    @property
    def is_waiting(self) -> bool:
        return (self.folder / "waiting").exists()

    def go(self) -> None:
        (self.folder / "go").touch()

    def environment(self, lease_seconds: int, **more: str) -> dict[str, str]:
        return worker_environment(self.folder, lease_seconds) | {
            "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
            "FAULTS_DIR": str(self.folder),
            "LOCAL_HTTP": "true",
            "JOBS_PER_COURSE": "50",
            **more,
        }

    def started(
        self, name: str, command: list[str], environment: Mapping[str, str]
    ) -> "subprocess.Popen[bytes]":
        """In a process group of its own; what it says is in a log in the folder."""
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *command],
                env=dict(environment),
                cwd=ROOT,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @contextmanager
    def running(
        self, name: str, command: list[str], environment: Mapping[str, str]
    ) -> Iterator["subprocess.Popen[bytes]"]:
        process = self.started(name, command, environment)
        try:
            yield process
        finally:
            kill_group(process)


def kill_group(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, 9)
    process.wait()

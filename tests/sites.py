"""Serving the product as `make run` does, in a folder of its own."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grading.pyramid.registry import DEFAULT_METHOD
from tests.workers import wait_until

ROOT = Path(__file__).resolve().parents[1]

# As root in a closed network: no sandbox, and nothing that calls home.
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass(frozen=True)
class Site:
    url: str
    password: str
    server: "subprocess.Popen[str]"
    log: Path


@contextmanager
def serving(folder: Path) -> Iterator[Site]:
    """Until the block ends: web server and worker, with the demonstration course."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "pyreval_site.settings",
        "DATA_DIR": str(folder),
        "SECRET_KEY": "only-for-browser-tests-" + "0123456789" * 5,
        "LOCAL_HTTP": "true",
        "DATABASE_URL": "",
        "CELERY_BROKER_URL": "",
        "PYREVAL_METHOD": DEFAULT_METHOD,  # as people get it, not as the other tests have it
        "PYTHONUNBUFFERED": "1",
        "EMAIL_VERIFICATION": "optional",  # people of browser tests have no mailbox
    }
    environment.pop("SITE_URL", None)  # links in mails lead to where it serves
    log = folder / "serve.log"
    # Of its own choice two that start in the same moment would take the same one.
    port = str(_free_port())
    command = [sys.executable, "manage.py", "serve", "--demonstration", "--port", port]
    command += ["--worker-processes", "1"]
    with log.open("w") as out:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, text=True)
    try:
        yield _greeting(server, log)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _greeting(server: "subprocess.Popen[str]", log: Path) -> Site:
    """What the command prints is what a person has to go by, so the tests go by it too."""
    wait_until(lambda: "Ctrl-C" in log.read_text() or server.poll() is not None, "the greeting")
    said = log.read_text()
    url = re.search(r"Ready: (http\S+)/", said)
    password = re.search(r"^\s+instructor\s+(\S+)", said, re.MULTILINE)
    assert url, said
    assert password, said
    return Site(url[1], password[1], server, log)

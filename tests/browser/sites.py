"""Serving the product for a browser: the same command as `make run`, in a folder of its own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

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
    }
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--demonstration", "--worker-processes", "1"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield _greeting(server)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)


def _greeting(server: "subprocess.Popen[str]") -> Site:
    """What the command prints is what a person has to go by, so the tests go by it too."""
    assert server.stdout is not None
    url = password = ""
    for line in server.stdout:
        if found := re.search(r"Ready: (http\S+)", line):
            url = found[1]
        if found := re.match(r"\s+instructor\s+(\S+)", line):
            password = found[1]
        if "Ctrl-C" in line:
            return Site(url.rstrip("/"), password)
    raise AssertionError("The server ended before it was ready.")

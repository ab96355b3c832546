"""A measurement in a process of its own, on a fresh database, as the product's settings have it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


def lines_of(module: str) -> list[str]:
    """What the module prints when it is run."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", module],
            cwd=_ROOT,
            env=os.environ
            | {
                "DJANGO_SETTINGS_MODULE": "tests.settings",
                "TEST_DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
            },
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout.splitlines()

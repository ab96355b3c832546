"""How much memory a process takes that builds a pyramid and scores: one process for each method.

``python -m tests.bench.memory classroom`` is such a process; it tells its peak in megabytes.
"""

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.bench.statistics import over_rounds
from tests.bench.table import Reach, Row, Table

_STATUS = Path("/proc/self/status")
_ROOT = Path(__file__).resolve().parents[2]
_SUMMARIES = 100
_WORDS = 150
_WITHOUT_MINILM = 700


def table(names: Sequence[str]) -> Table:
    rows = [
        Row(
            name,
            "peak of a process with Django and Celery, MB",
            over_rounds([_peak_of_another(name)]),
            None if name == "classroom" else Reach(_WITHOUT_MINILM, most=True),
            0,
        )
        for name in names
    ]
    return Table(
        "Memory of a worker",
        f"Builds the pyramid of the references, then scores {_SUMMARIES} texts of {_WORDS} words.",
        tuple(rows),
        ("", ""),
    )


def peak() -> float:
    """Megabytes. Not ``ru_maxrss`` where it can be helped: that starts from the parent's peak."""
    if _STATUS.exists():
        lines = _STATUS.read_text().splitlines()
        line = next(line for line in lines if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _peak_of_another(name: str) -> float:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.memory", name],
        cwd=_ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return float(done.stdout.split()[-1])


def _main(name: str) -> None:
    import django  # noqa: PLC0415 - only the process that is measured has it

    django.setup()
    from grading import tasks  # noqa: F401, PLC0415 - as in a worker: Celery and the models
    from grading.pyramid.pipeline import build_pyramid, score_summaries  # noqa: PLC0415
    from tests.bench.engines import engine_of  # noqa: PLC0415
    from tests.bench.made_texts import corpus, made_class  # noqa: PLC0415

    engine = engine_of(name)
    pyramid = build_pyramid(corpus().references, engine)
    for _ in score_summaries(pyramid, made_class(_SUMMARIES, _WORDS, seed=0), engine):
        pass
    sys.stdout.write(f"{peak():.1f}\n")


if __name__ == "__main__":
    _main(sys.argv[1])

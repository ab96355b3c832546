"""What a worker takes from its start to its first score, and how many texts several workers score.

``python -m tests.bench.workers first PYRAMID`` is such a worker; it tells its peak in megabytes.
``python -m tests.bench.workers many PYRAMID NUMBER`` waits for a line before it scores.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.memory import peak
from tests.bench.statistics import over_rounds
from tests.bench.table import Reach, Row, Table

ROUNDS = 3
TEXTS = 100
WORDS = 150
_ROOT = Path(__file__).resolve().parents[2]


def table() -> Table:
    """With MiniLM, a pyramid of the corpus's references, and texts that nobody has read before."""
    from grading.pyramid.formats.pyramid_json import pyramid_to_json  # noqa: PLC0415
    from grading.pyramid.pipeline import build_pyramid  # noqa: PLC0415
    from tests.bench.engines import engine_of  # noqa: PLC0415
    from tests.bench.made_texts import corpus  # noqa: PLC0415

    pyramid = build_pyramid(corpus().references, engine_of("classroom"))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pyramid.json"
        file.write_text(json.dumps(pyramid_to_json(pyramid)))
        rows = tuple(_rows(str(file)))
    return Table(
        "Workers with MiniLM",
        f"Processes with Django and Celery; texts of {WORDS} words.",
        rows,
        ("", "rounds"),
    )


def _rows(pyramid: str) -> Iterator[Row]:
    walls, peaks = zip(*(_first(pyramid) for _ in range(ROUNDS)), strict=True)
    name = "classroom"
    yield Row(name, "start to first score, s wall", over_rounds(list(walls)), _most(3))
    yield Row(name, "peak then, MB", over_rounds(list(peaks)), _most(400), 0)
    first, two = [], []
    for number in range(ROUNDS):
        first.append(_texts_a_second(pyramid, 1, number))
        two.append(_texts_a_second(pyramid, 2, number))
    yield Row(name, "texts a second, 1 worker", over_rounds(first), Reach(60), 1)
    yield Row(name, "texts a second, 2 workers", over_rounds(two), None, 1)
    times = [both / alone for both, alone in zip(two, first, strict=True)]
    yield Row(name, "2 workers / 1 worker", over_rounds(times), Reach(1.9))


def _most(bound: float) -> Reach:
    return Reach(bound, most=True)


def _first(pyramid: str) -> tuple[float, float]:
    started = time.perf_counter()
    worker = _start("first", pyramid)
    answer, _ = worker.communicate()
    return time.perf_counter() - started, float(answer)


def _texts_a_second(pyramid: str, workers: int, number: int) -> float:
    """From when all are ready until the last one is done."""
    started = [_start("many", pyramid, str(10 * number + each)) for each in range(workers)]
    for worker in started:
        assert worker.stdout
        worker.stdout.readline()
    before = time.perf_counter()
    for worker in started:
        assert worker.stdin
        worker.stdin.write("\n")
        worker.stdin.flush()
    for worker in started:
        worker.communicate()
    return workers * TEXTS / (time.perf_counter() - before)


def _start(*task: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.bench.workers", *task],
        cwd=_ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _main(task: str, pyramid_file: str, number: str = "0") -> None:
    import django  # noqa: PLC0415 - only the processes that are measured have it

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from grading import tasks  # noqa: F401, PLC0415 - as in a worker: Celery and the models
    from grading.pyramid.formats.pyramid_json import pyramid_from_json  # noqa: PLC0415
    from grading.pyramid.pipeline import score_summaries  # noqa: PLC0415
    from grading.scoring.engine import load_engine  # noqa: PLC0415
    from pyreval_site import celery  # noqa: F401, PLC0415 - as in a worker: one thread for numpy
    from tests.bench.made_texts import made_class  # noqa: PLC0415

    pyramid = pyramid_from_json(json.loads(Path(pyramid_file).read_text()))
    engine = load_engine("classroom")
    list(score_summaries(pyramid, made_class(1, WORDS, seed=999), engine))
    sys.stdout.write(f"{peak():.1f}\n")
    sys.stdout.flush()
    if task == "many":
        texts = made_class(TEXTS, WORDS, seed=int(number))
        sys.stdin.readline()
        list(score_summaries(pyramid, texts, engine))


if __name__ == "__main__":
    _main(*sys.argv[1:])

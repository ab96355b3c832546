"""How long the effect of a draft on a class takes, from what is kept in a database.

Each measure is taken in two processes, as a worker is started again: one scores a class, which
keeps its readings; the other one finds them, as they were before any other effect.
``python -m tests.bench.effect score 5 190`` is such a process.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.bench.statistics import over_rounds
from tests.bench.table import Reach, Row, Table
from tests.bench.timing import seconds

SIZES = ((5, 190), (12, 250))  # references, words of each
CLASS = 200
WORDS = 150
ROUNDS = 3
_MOST = 1.0  # seconds
_OF_A_DRAFT = "foretell_effect"  # as jobs are stored: older trees have another name for it
_ROOT = Path(__file__).resolve().parents[2]


def table() -> Table:
    rows = [row for references, words in SIZES for row in _rows(references, words)]
    return Table(
        f"Effect of a draft on a class of {CLASS} summaries of {WORDS} words",
        "Scored before; by a worker that was just started, then once more by the same.",
        tuple(rows),
        ("", "rounds"),
    )


def _rows(references: int, words: int) -> Iterator[Row]:
    name = f"{references} references of {words} words"
    with tempfile.TemporaryDirectory() as folder:
        [kept] = score_class(Path(folder), references, words)
        times = [first_effects(Path(folder), references, words) for _ in range(ROUNDS)]
    loading, cold, cold_cpu, warm, warm_cpu = (list(each) for each in zip(*times, strict=True))
    yield Row(name, "kept of a summary, kB", over_rounds([kept]), None, 0)
    yield Row(name, "loading the models, s", over_rounds(loading), None, 2)
    yield Row(name, "first effect, s wall", over_rounds(cold), Reach(_MOST, most=True), 2)
    yield Row(name, "first effect, s CPU", over_rounds(cold_cpu), None, 2)
    yield Row(name, "again, s wall", over_rounds(warm), Reach(_MOST, most=True), 2)
    yield Row(name, "again, s CPU", over_rounds(warm_cpu), None, 2)


def score_class(folder: Path, references: int, words: int) -> list[float]:
    """Make a database in the folder with a class that is scored; kB that are kept of a summary."""
    return _of_another(folder, "score", references, words)


def first_effects(folder: Path, references: int, words: int) -> list[float]:
    """Predict an effect twice in a new process, on a copy of the database as it was scored."""
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        return _of_another(Path(copy), "foretell", references, words)


def _of_another(folder: Path, *task: object) -> list[float]:
    database = f"sqlite:///{folder}/bench.sqlite3"
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.effect", *map(str, task)],
        cwd=_ROOT,
        env=os.environ
        | {"DJANGO_SETTINGS_MODULE": "tests.settings", "TEST_DATABASE_URL": database},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return [float(number) for number in done.stdout.split()]


def _score(references: int, words: int) -> list[float]:
    """A class with scores, and a draft in which one idea has lost a contributor."""
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    from grading import models  # noqa: PLC0415
    from grading.drafts.log import draft_create  # noqa: PLC0415
    from grading.models import (  # noqa: PLC0415
        Assignment,
        Course,
        Draft,
        Job,
        StoredPyramid,
        StoredReading,
        Submission,
        User,
    )
    from grading.pyramid.pipeline import build_pyramid  # noqa: PLC0415
    from grading.scoring.conversion import pyramid_fields  # noqa: PLC0415
    from grading.scoring.engine import load_engine  # noqa: PLC0415
    from tests.bench.made_texts import made_class, made_references  # noqa: PLC0415

    course = Course.objects.create(name="Bench", code="CDEFGH2")
    assignment = Assignment.objects.create(course=course, title="Bench", state="open")
    for number, text in enumerate(made_class(CLASS, WORDS, seed=0)):
        student = User.objects.create(username=f"student{number}", email=f"{number}@example.org")
        Submission.objects.create(
            assignment=assignment, student=student, text=text.content, words=WORDS
        )
    pyramid = build_pyramid(made_references(references, words), load_engine())
    version = StoredPyramid.objects.create(
        assignment=assignment, number=1, **pyramid_fields(pyramid)
    )
    shared = next(scu for scu in pyramid.scus if scu.weight > 1)
    less = replace(shared, contributors=shared.contributors[1:])
    draft_create(
        assignment=assignment,
        pyramid=replace(
            pyramid, scus=tuple(less if scu is shared else scu for scu in pyramid.scus)
        ),
        origin=Draft.Origin.VERSION,
        author=None,
        based_on=version,
    )
    _run(Job.Kind.SCORE_SUBMISSIONS)
    kept = [len(bytes(row.vectors)) + len(str(row.segments)) for row in StoredReading.objects.all()]
    if hasattr(models, "StoredFacts"):  # older trees keep none
        kept += [len(bytes(row.document)) for row in models.StoredFacts.objects.all()]
    return [sum(kept) / CLASS / 1000]


def _foretell(references: int, words: int) -> list[float]:
    del references, words
    from grading.jobs import runner  # noqa: PLC0415
    from grading.scoring.engine import load_engine  # noqa: PLC0415

    # A worker imports its jobs before it forks; in older trees it did so at set-up.
    getattr(runner, "handlers", list)()
    loading = seconds(load_engine).wall
    first, again = (seconds(lambda: _run(_OF_A_DRAFT)) for _ in range(2))
    return [loading, first.wall, first.cpu, again.wall, again.cpu]


def _run(kind: str) -> None:
    from grading.jobs.runner import job_run  # noqa: PLC0415
    from grading.models import Assignment, Draft, Job  # noqa: PLC0415

    about = Draft.objects.get() if kind == _OF_A_DRAFT else None
    job = Job.objects.create(kind=kind, assignment=Assignment.objects.get(), draft=about)
    job_run(job_pk=job.pk)
    job.refresh_from_db()
    if not job.is_done:
        raise RuntimeError(job.error)


TASKS = {"score": _score, "foretell": _foretell}


def _main(task: str, references: str, words: str) -> None:
    import django  # noqa: PLC0415 - only the processes that are measured have it

    django.setup()
    from django.conf import settings  # noqa: PLC0415

    from pyreval_site import celery  # noqa: F401, PLC0415 - as in a worker: one thread for numpy

    settings.PYREVAL_METHOD = "classroom"
    numbers = TASKS[task](int(references), int(words))
    sys.stdout.write(" ".join(f"{number:.3f}" for number in numbers))


if __name__ == "__main__":
    _main(*sys.argv[1:])

"""``make load``: a class submits while TAs review and an instructor publishes.

Prints tables and writes them to .run/load/NAME.json. Locust (MIT) has an environment of its own.
"""

import argparse
import json
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg

from tests.deployed import ROOT
from tests.load.site import FILLED, OUT, Site, errors_in_logs, filled_database, running_site
from tests.load.watch import Sample, Watch

NO_PAGES = {"static file", "password"}  # a password takes .2 s on purpose
MOST_AFTER = 120  # seconds that jobs may take after the last person has left
MOST_STANDSTILL = 60  # seconds without a job that ends
AIM_PAGES, AIM_LAST = 300, 120  # ms, seconds
SECONDS_TO_STOP = 30


@dataclass(frozen=True)
class Asked:
    """One request as a person saw it."""

    at: float
    name: str
    milliseconds: float
    error: str


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("kind", choices=["evening", "throughput"])
    parser.add_argument("--locust", type=Path, help="Python of the environment with Locust")
    parser.add_argument("--broker", choices=["redis", "rabbitmq"], default="redis")
    parser.add_argument("--students", type=int, default=500)
    parser.add_argument("--tas", type=int, help="one for 25 students if not given")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--filled", action="store_true", help="the last run's database will do")
    parser.add_argument("--name", default="", help="of the file with the figures")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))  # and end what was started
    options.name = options.name or f"{options.kind}-{options.broker}-{options.workers}"
    if options.tas is None:
        options.tas = max(2, options.students // 25)
    if not (options.filled and FILLED.exists()):
        say(f"Filling a database with {options.students} students and {options.tas} TAs")
        filled_database(students=options.students, tas=options.tas)
    run = evening if options.kind == "evening" else throughput
    with running_site(options.name, broker=options.broker, workers=options.workers) as site:
        figures = run(site, options)
    figures = {
        "kind": options.kind,
        "broker": options.broker,
        "students": options.students,
        "tas": options.tas,
        "minutes": options.minutes,
        "workers": options.workers,
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "commit": commit(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
    } | figures
    file = OUT / f"{options.name}.json"
    file.write_text(json.dumps(figures, indent=1))
    say(f"Figures in {file}")
    if figures["errors"]:
        raise SystemExit("There were errors.")


def evening(site: Site, options: argparse.Namespace) -> dict[str, Any]:
    plan, requests = site.folder / "plan.json", site.folder / "requests.jsonl"
    plan.write_text(
        json.dumps(
            json.loads(FILLED.read_text())
            | {
                "students": options.students,
                "tas": options.tas,
                "minutes": options.minutes,
                "port": site.https,
                "requests": str(requests),
            }
        )
    )
    people = options.students + options.tas + 1
    command = [
        str(options.locust.absolute()),
        "-m",
        "locust",
        "-f",
        "tests/load/locustfile.py",
        "--headless",
    ]
    command += ["--only-summary", "--users", str(people), "--spawn-rate", str(people)]
    command += ["--run-time", f"{round(options.minutes * 60 + MOST_AFTER)}s", "--stop-timeout", "0"]
    command += ["--loglevel", "WARNING"]
    say(f"{people} people for {options.minutes} minutes")
    log = site.folder / "locust.log"
    with log.open("w") as out:
        environment = os.environ | {"LOAD_PLAN": str(plan)}
        locust = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=out)
        watch = Watch(
            site.processes | {"locust": locust.pid},
            site.database_url,
            site.broker_port,
            seconds=max(1, min(10, options.minutes * 60 / 60)),
        )
        with watch.watching():
            try:
                locust.wait()
            finally:
                locust.terminate()
            left = wait_for_jobs(site)
    asked = [Asked(**json.loads(line)) for line in requests.read_text().splitlines()]
    kept = OUT / f"{options.name}-logs"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    for file in (*site.folder.glob("*.log"), requests):
        shutil.copy(file, kept)
    errors = [f"{one.name}: {one.error}" for one in asked if one.error]
    errors += [f"{left} jobs are left"] * bool(left)
    errors += errors_in_logs(site.folder)
    figures = {
        "errors": errors[:50],
        "pages": pages(asked),
        "scores": scores(site, options.students),
        "processes": processes(watch.samples),
        "growth": growth(watch.samples),
        "most": {
            "jobs waiting": max(sample.waiting for sample in watch.samples),
            "connections to the database": max(sample.database for sample in watch.samples),
            "connections to the broker": max(sample.broker for sample in watch.samples),
        },
        "samples": [asdict(sample) for sample in watch.samples],
    }
    print_evening(figures)
    return figures


def throughput(site: Site, options: argparse.Namespace) -> dict[str, Any]:
    """How many texts a second the workers score that are all submitted before they begin."""
    warm = 2 * options.workers  # texts, so that each process has loaded its models
    site.do(["-m", "tests.load.submit", str(FILLED), "0", str(warm)])
    left = wait_for_jobs(site)
    workers = [pid for role, pid in site.processes.items() if role.endswith("worker")]
    for pid in workers:
        os.killpg(pid, signal.SIGSTOP)
    site.do(["-m", "tests.load.submit", str(FILLED), str(warm), str(options.students)])
    began = time.time()
    for pid in workers:
        os.killpg(pid, signal.SIGCONT)
    left += wait_for_jobs(site)
    if left:
        raise SystemExit(f"{left} jobs are left, and none ended for {MOST_STANDSTILL} s.")
    with psycopg.connect(site.database_url) as database:
        times = database.execute(
            "SELECT extract(epoch FROM created_at)::float8 FROM grading_score"
            " WHERE extract(epoch FROM created_at) > %s ORDER BY 1",
            [began],
        ).fetchall()
    texts, seconds = len(times), times[-1][0] - began
    say(f"{texts} texts in {seconds:.1f} s: {texts / seconds:.1f} a second")
    errors = errors_in_logs(site.folder)
    return {"errors": errors, "texts": texts, "seconds": seconds, "a second": texts / seconds}


def pages(asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    """By name; “all pages” are all but files and passwords."""
    by_name: dict[str, list[float]] = defaultdict(list)
    for one in asked:
        by_name[one.name].append(one.milliseconds)
        if one.name not in NO_PAGES:
            by_name["all pages"].append(one.milliseconds)
    wrong = Counter(one.name for one in asked if one.error)
    return {
        name: {
            "count": len(times),
            "p50": percentile(times, 50),
            "p95": percentile(times, 95),
            "most": max(times),
            "errors": sum(1 for one in asked if one.name == name and one.error)
            if name in wrong
            else 0,
        }
        for name, times in sorted(by_name.items())
    }


def scores(site: Site, students: int) -> dict[str, float]:
    """When the submissions of the evening were scored first, and whether anything is missing."""
    now = json.loads(FILLED.read_text())["now"]
    with psycopg.connect(site.database_url) as database:
        rows = database.execute(
            "SELECT extract(epoch FROM submitted_at)::float8,"
            " extract(epoch FROM min(grading_score.created_at))::float8"
            " FROM grading_submission LEFT JOIN grading_score"
            " ON grading_score.submission_id = grading_submission.id"
            " WHERE assignment_id = %s GROUP BY grading_submission.id",
            [now],
        ).fetchall()
        outdated = database.execute(
            "SELECT count(*) FROM grading_submission s WHERE assignment_id = %s AND NOT EXISTS"
            " (SELECT 1 FROM grading_score c JOIN grading_storedpyramid p ON p.id = c.pyramid_id"
            "  WHERE c.submission_id = s.id AND p.number = (SELECT max(number)"
            "  FROM grading_storedpyramid WHERE assignment_id = s.assignment_id))",
            [now],
        ).fetchone()
        jobs: dict[str, int] = dict(
            database.execute("SELECT state, count(*) FROM grading_job GROUP BY state").fetchall()
        )
        versions = database.execute(
            "SELECT max(number) FROM grading_storedpyramid WHERE assignment_id = %s", [now]
        ).fetchone()
    waits = [scored - submitted for submitted, scored in rows if scored is not None]
    last = max(submitted for submitted, _ in rows) if rows else 0
    return {
        "students": students,
        "submitted": len(rows),
        "not scored": len(rows) - len(waits),
        "not scored by the newest version": outdated[0] if outdated else 0,
        "versions": versions[0] if versions else 0,
        "wait, p50": percentile(waits, 50),
        "wait, p95": percentile(waits, 95),
        "wait, most": max(waits, default=0),
        "last score after the last submission": max(
            (scored for _, scored in rows if scored is not None), default=0
        )
        - last,
        "jobs failed": jobs.get("failed", 0),
        "jobs left": jobs.get("queued", 0) + jobs.get("running", 0),
    }


def processes(samples: Sequence[Sample]) -> dict[str, dict[str, float]]:
    first, last = samples[0], samples[-1]
    seconds = last.at - first.at
    return {
        role: {
            "memory, most": max(sample.memory.get(role, 0) for sample in samples),
            "processor": max(sample.processor[role] for sample in samples)
            - first.processor.get(role, 0),
            "cores": (max(sample.processor[role] for sample in samples) - first.processor[role])
            / seconds,
        }
        for role in first.processor
    }


def growth(samples: Sequence[Sample]) -> dict[str, dict[str, float]]:
    """Means of the first and the last third."""
    third = max(1, len(samples) // 3)

    def both(values: list[float]) -> dict[str, float]:
        return {
            "first third": statistics.mean(values[:third]),
            "last third": statistics.mean(values[-third:]),
        }

    grown = {
        f"{role}, MB": both([sample.memory[role] for sample in samples])
        for role in samples[0].memory
    }
    grown["connections to the database"] = both([sample.database for sample in samples])
    grown["connections to the broker"] = both([sample.broker for sample in samples])
    return grown


def wait_for_jobs(site: Site) -> int:
    """Return how many are left when none has ended for a while; none if all goes well."""
    left, since = -1, time.monotonic()
    with psycopg.connect(site.database_url, autocommit=True) as database:
        while left and time.monotonic() - since < MOST_STANDSTILL:
            before = left
            (left,) = database.execute(
                "SELECT count(*) FROM grading_job WHERE state IN ('queued', 'running')"
            ).fetchone() or (0,)
            if left != before:
                since = time.monotonic()
            time.sleep(0.5)
    return left


def percentile(values: Sequence[float], share: int) -> float:
    if not values:
        return 0
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)]


def commit() -> str:
    told = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip()


def print_evening(figures: dict[str, Any]) -> None:
    say(f"{'milliseconds':28} {'count':>7} {'p50':>7} {'p95':>7} {'most':>7} {'errors':>7}")
    for name, row in figures["pages"].items():
        say(
            f"{name:28} {row['count']:7} {row['p50']:7.0f} {row['p95']:7.0f}"
            f" {row['most']:7.0f} {row['errors']:7}"
        )
    say(f"\n{'':28} {'MB, most':>9} {'cpu, s':>8} {'cores':>6}")
    for role, row in figures["processes"].items():
        say(f"{role:28} {row['memory, most']:9.0f} {row['processor']:8.1f} {row['cores']:6.2f}")
    say(f"\n{'mean of':38} {'first third':>12} {'last third':>12}")
    for name, row in figures["growth"].items():
        say(f"{name:38} {row['first third']:12.1f} {row['last third']:12.1f}")
    say("")
    for name, number in (figures["scores"] | figures["most"]).items():
        say(f"{name:44} {number:10.1f}")
    for error in figures["errors"][:20]:
        say(f"ERROR {error[:400]}")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

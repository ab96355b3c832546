"""``make bench``: agreement with people and speed as tables, and as JSON in .run/bench.json."""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from tests.bench import (
    THREADS,
    ablation,
    against,
    agreement,
    answers,
    ape,
    building,
    class_pages,
    editor,
    edus,
    effect,
    engines,
    essays,
    export,
    feedback,
    learning,
    memory,
    own_topics,
    peak,
    pyramids,
    queue,
    realsumm,
    sisters,
    speed,
    topics,
    trust,
    units,
    wim,
    workers,
)
from tests.bench.table import Table, as_json, lines, verdict
from tests.bench.topics import load_topics

OUT = Path(__file__).resolve().parents[2] / ".run" / "bench.json"


def _units() -> Iterator[Table]:
    if wim.FOLDER.exists():
        yield units.on_wim(wim.load(), engines.NAMES)


def _agreement() -> Iterator[Table]:
    if wim.FOLDER.exists():
        yield from agreement.tables(wim.load(), engines.NAMES)


def _trust() -> Iterator[Table]:
    if wim.FOLDER.exists():
        yield from trust.tables(wim.load())


def _answers() -> Iterator[Table]:
    if answers.FOLDER.exists():
        yield answers.table()


def _learning() -> Iterator[Table]:
    yield from learning.tables()


def _pyramids() -> Iterator[Table]:
    if wim.FOLDER.exists():
        yield pyramids.table("wim", wim.load().pyramid, engines.NAMES)
    for topic in topics.load_topics():
        yield pyramids.table(topic.name, topic.pyramid, engines.NAMES)


def _news() -> Iterator[Table]:
    if realsumm.FILE.exists():
        yield units.on_news(realsumm.load(), engines.NAMES)


def _essays() -> Iterator[Table]:
    if essays.FOLDER.exists():
        yield essays.table(essays.load(), engines.NAMES)


def _ablation() -> Iterator[Table]:
    if all(path.exists() for path in (wim.FOLDER, realsumm.FILE, essays.FOLDER)):
        sets = ablation.Sets(wim.load(), essays.load(), realsumm.load(), load_topics())
        yield ablation.table(sets)


def _ape() -> Iterator[Table]:
    yield from ape.tables()


def _topics() -> Iterator[Table]:
    yield from own_topics.tables(load_topics())


def _sisters() -> Iterator[Table]:
    yield from sisters.tables()


def _edus() -> Iterator[Table]:
    yield from edus.tables(load_topics())


def _peak() -> Iterator[Table]:
    yield from peak.tables()


def _speed() -> Iterator[Table]:
    yield speed.table(engines.NAMES)


def _building() -> Iterator[Table]:
    yield building.table()


def _effect() -> Iterator[Table]:
    yield effect.table()


def _editor() -> Iterator[Table]:
    yield editor.table()


def _feedback() -> Iterator[Table]:
    yield feedback.table()


def _class() -> Iterator[Table]:
    yield class_pages.table()


def _export() -> Iterator[Table]:
    yield export.table()


def _queue() -> Iterator[Table]:
    yield queue.table()


def _memory() -> Iterator[Table]:
    yield memory.table(engines.NAMES)


def _workers() -> Iterator[Table]:
    yield workers.table()


BLOCKS: dict[str, Callable[[], Iterable[Table]]] = {
    "units": _units,
    "agreement": _agreement,
    "trust": _trust,
    "answers": _answers,
    "learning": _learning,
    "pyramids": _pyramids,
    "news": _news,
    "essays": _essays,
    "ape": _ape,
    "topics": _topics,
    "ablation": _ablation,
    "sisters": _sisters,
    "edus": _edus,
    "peak": _peak,
    "building": _building,
    "speed": _speed,
    "effect": _effect,
    "editor": _editor,
    "feedback": _feedback,
    "class": _class,
    "export": _export,
    "queue": _queue,
    "memory": _memory,
    "workers": _workers,
}


def main() -> None:
    arguments = _arguments()
    if arguments.against:
        sys.exit(against.run(arguments.against, arguments.rounds, arguments.rows))
    only: list[str] = arguments.only
    started = time.perf_counter()
    for path in (wim.FOLDER, realsumm.FILE, essays.FOLDER):
        if not path.exists():
            _say(f"The annotated data is not beside the project ({path}): nothing said about it.")
    tables: list[Table] = []
    for name in only:
        before = time.perf_counter()
        for table in BLOCKS[name]():
            tables.append(table)
            _say("\n".join(lines(table)))
        _say(f"({name}: {time.perf_counter() - before:.0f} s)")
        _write(tables, time.perf_counter() - started)
    _say("\n" + "\n".join(verdict(tables)))
    _say(f"It took {time.perf_counter() - started:.0f} s; all is in {OUT}.")


def _write(tables: Sequence[Table], took: float) -> None:
    """After each block, so that what was measured is kept if the next one fails."""
    OUT.parent.mkdir(exist_ok=True)
    data = {"run": _run(took), "tables": as_json(tables)}
    OUT.write_text(json.dumps(data, indent=2, ensure_ascii=False))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=BLOCKS, default=list(BLOCKS))
    parser.add_argument("--against", metavar="COMMIT", help="time this tree beside a commit")
    parser.add_argument("--rounds", type=int, default=5, help="of --against; 5 by default")
    parser.add_argument("--rows", default="", help="of --against, those with this in their names")
    return parser.parse_args()


def _run(took: float) -> dict[str, object]:
    """On what, and with what; so that two files can be compared."""
    return {
        "signatures": {name: engine.signature for name, engine in engines.loaded.items()},
        "seconds": round(took),
        "when": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {THREADS} for OpenBLAS",
    }


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

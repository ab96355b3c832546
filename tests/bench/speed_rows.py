"""What ``make bench AGAINST=`` times, a row each, in a process of one of the two trees.

``python -m tests.bench.speed_rows`` is such a process. It answers with the names of its rows, then
to each line of its input, a row and the number of a round, with seconds of the processor and by the
clock. It runs in older trees too, so it uses only what they have.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path

from grading.pyramid.formats.pyramid_json import pyramid_to_json
from grading.pyramid.pipeline import build_pyramid, prepare_matcher, score_summaries
from grading.pyramid.scores import score
from grading.pyramid.structures import Pyramid, Text
from tests.bench.effect import first_effects, score_class
from tests.bench.engines import NAMES, engine_of, read_once, remembering
from tests.bench.made_texts import corpus, made_class, made_references
from tests.bench.speed import _lessened, _renamed
from tests.bench.timing import Remembered, Seconds, seconds

CLASS = 40
WORDS = 150
_ROOT = Path(__file__).resolve().parents[2]
_WARM_UP = 1_000  # a seed that no round has

Measure = Callable[[int], Seconds]


def rows() -> dict[str, Measure]:
    """Each row with what times it; texts differ from round to round, and not between trees."""
    named: dict[str, Measure] = {f"parse of {CLASS} texts": _parse}
    for name in NAMES:
        named[f"{name}: {CLASS} texts, all but the parse"] = partial(_rest, name)
        named[f"{name}: {CLASS} texts again, a contributor less"] = partial(_again, name, _lessened)
        named[f"{name}: {CLASS} texts again, a new label"] = partial(_again, name, _renamed)
    named["classroom: build from 5 references of 190 words"] = partial(_build, 5, 190)
    named["classroom: build from 12 references of 250 words"] = partial(_build, 12, 250)
    named["build_pyramid --help, start to end"] = _help
    named["build_pyramid, start to end"] = _building
    named["worker, start to first score"] = _first_score
    named["first effect of a draft on 200 texts"] = _first_effect
    return named


def _parse(number: int) -> Seconds:
    parser = engine_of("pyreval").parser
    _once(lambda: parser.parse(made_class(CLASS, WORDS, seed=_WARM_UP)), "parse")
    texts = made_class(CLASS, WORDS, seed=number)
    return seconds(lambda: parser.parse(texts))


def _rest(name: str, number: int) -> Seconds:
    pyramid = _pyramid(name)
    _once(lambda: _score_all(name, made_class(CLASS, WORDS, seed=_WARM_UP)), name)
    texts = made_class(CLASS, WORDS, seed=number)
    engine = replace(engine_of(name), parser=Remembered(engine_of(name).parser, texts))
    return seconds(lambda: list(score_summaries(pyramid, texts, engine)))


def _score_all(name: str, texts: list[Text]) -> None:
    list(score_summaries(_pyramid(name), texts, engine_of(name)))


def _again(name: str, edit: Callable[[Pyramid, int], Pyramid], number: int) -> Seconds:
    """Texts that were scored before with the pyramid, scored with the edited one."""
    engine = _remembering(name)
    texts = read_once(made_class(CLASS, WORDS, seed=_WARM_UP), engine)
    pyramid = _pyramid(name)
    _once(lambda: [prepare_matcher(pyramid, engine).match(text) for text in texts], f"{name} again")
    edited = edit(pyramid, number)

    def work() -> None:
        matcher = prepare_matcher(edited, engine)
        for text in texts:
            score(edited, matcher.match(text), "")

    return seconds(work)


def _build(references: int, words: int, number: int) -> Seconds:
    """The references are read anew: each round has others."""
    texts = made_references(references, words)
    others = made_class(1, WORDS, seed=number)[0].content
    texts = [Text(text.name, f"{text.content} {others}") for text in texts]
    return seconds(lambda: build_pyramid(texts, engine_of("classroom")))


def _help(number: int) -> Seconds:
    del number
    return _of_child([sys.executable, "manage.py", "build_pyramid", "--help"])


def _building(number: int) -> Seconds:
    del number
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/pyramid.json"
        build = ["manage.py", "build_pyramid", _references_folder(), "--out", out]
        return _of_child([sys.executable, *build])


def _first_score(number: int) -> Seconds:
    del number
    return _of_child([sys.executable, "-m", "tests.bench.workers", "first", _pyramid_file()])


def _first_effect(number: int) -> Seconds:
    del number
    _, wall, cpu, _, _ = first_effects(_scored_class(), 12, 250)
    return Seconds(cpu, wall)


def _of_child(arguments: list[str]) -> Seconds:
    own_data = {"DATA_DIR": _data_folder(), "LOCAL_HTTP": "true", "SECRET_KEY": "bench" * 12}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        arguments, cwd=_ROOT, env=os.environ | own_data, check=True, stdout=subprocess.DEVNULL
    )
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Seconds(cpu, wall)


# --- what is made once, before anything is timed ---

_done: set[str] = set()


def _once(work: Callable[[], object], name: str) -> None:
    if name not in _done:
        work()
        _done.add(name)


@cache
def _pyramid(name: str) -> Pyramid:
    return build_pyramid(corpus().references, engine_of(name))


_remembering = cache(partial(remembering, texts=2 * CLASS + 100))


@cache
def _data_folder() -> str:
    return tempfile.mkdtemp(prefix="pyreval-bench-")


@cache
def _references_folder() -> str:
    folder = Path(tempfile.mkdtemp(prefix="pyreval-bench-"))
    for text in made_references(5, 190):
        (folder / f"{text.name}.txt").write_text(text.content)
    return str(folder)


@cache
def _pyramid_file() -> str:
    file = Path(_data_folder()) / "pyramid.json"
    file.write_text(json.dumps(pyramid_to_json(_pyramid("classroom"))))
    return str(file)


@cache
def _scored_class() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pyreval-bench-"))
    score_class(folder, 12, 250)
    return folder


def _main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a library prints is no answer
    named = rows()
    print(json.dumps(list(named)), file=answers, flush=True)
    for line in sys.stdin:
        row, number = json.loads(line)
        print(json.dumps(asdict(named[row](number))), file=answers, flush=True)


if __name__ == "__main__":
    _main()

"""``make bench``: agreement with people and speed as one table, and as JSON in .run/bench.json."""

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rouge_score.rouge_scorer import RougeScorer

from grading.pyramid.parsing import ParsedText
from grading.pyramid.pipeline import Engine, build_pyramid, make_engine, score_summaries
from grading.pyramid.registry import METHODS
from grading.pyramid.structures import Pyramid, ScoreReport, Text
from tests.bench import wim

Numbers = NDArray[np.float64]
ROUGES = ("rouge1", "rouge2", "rougeL")
RESAMPLES = 2_000
ROUNDS = 3
OUT = Path(__file__).resolve().parents[2] / ".run" / "bench.json"


def pearson(xs: Numbers, ys: Numbers) -> float:
    return float(np.corrcoef(xs, ys)[0, 1])


def interval(xs: Numbers, ys: Numbers) -> tuple[float, float]:
    """95 % bootstrap interval of the correlation."""
    draw = np.random.default_rng(0)
    rows = draw.integers(0, len(xs), (RESAMPLES, len(xs)))
    values = [pearson(xs[row], ys[row]) for row in rows if xs[row].std() and ys[row].std()]
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def partial(xs: Numbers, ys: Numbers, given: Numbers) -> float:
    """The correlation of what the third does not explain."""
    xy, xg, yg = pearson(xs, ys), pearson(xs, given), pearson(ys, given)
    return float((xy - xg * yg) / np.sqrt((1 - xg**2) * (1 - yg**2)))


def rouge(data: wim.Wim, kind: str) -> Numbers:
    """Mean recall over the references."""
    scorer = RougeScorer([kind], use_stemmer=True)
    return np.array(
        [
            np.mean([scorer.score(r.content, s.content)[kind].recall for r in data.references])
            for s in data.summaries
        ]
    )


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


class Remembered:
    """A parser that has read the texts before, so that only the rest is timed."""

    def __init__(self, engine: Engine, texts: Sequence[Text]) -> None:
        self.name = engine.parser.name
        self._parsed = dict(zip(texts, engine.parser.parse(texts), strict=True))

    def parse(self, texts: Sequence[Text]) -> list[ParsedText]:
        return [self._parsed[text] for text in texts]


def speed(data: wim.Wim, pyramid: Pyramid, engine: Engine) -> dict[str, float]:
    """CPU seconds; the parse is the yardstick, as machines differ."""
    texts = data.summaries
    rest = replace(engine, parser=Remembered(engine, [*texts, *data.references]))
    parse = min(seconds(lambda: engine.parser.parse(texts)) for _ in range(ROUNDS))
    score = min(seconds(lambda: list(score_summaries(pyramid, texts, rest))) for _ in range(ROUNDS))
    build = min(seconds(lambda: build_pyramid(data.references, rest)) for _ in range(ROUNDS))
    return {
        "parse one summary, ms": 1000 * parse / len(texts),
        "everything but the parse, of the parse": score / parse,
        "build the pyramid after parsing, s": build,
    }


def agreement(data: wim.Wim, reports: Sequence[ScoreReport]) -> dict[str, Numbers]:
    """What is compared with the raw scores that people gave."""
    return {
        "raw": np.array([report.raw for report in reports], dtype=np.float64),
        "quality": np.array([report.quality for report in reports]),
        "comprehensive": np.array([report.comprehensive for report in reports]),
    }


def main() -> None:
    if not wim.FOLDER.exists():
        sys.exit("The annotated data is not beside the project (../shared/data/wim).")
    data = wim.load()
    by_hand = np.array(data.raw_by_hand, dtype=np.float64)
    words = np.array([len(text.content.split()) for text in data.summaries], dtype=np.float64)
    compared = {"word count": words} | {f"{kind} recall": rouge(data, kind) for kind in ROUGES}
    speeds: dict[str, dict[str, float]] = {}
    for name in METHODS:
        engine = make_engine(name)
        pyramid = build_pyramid(data.references, engine)
        reports = list(score_summaries(pyramid, data.summaries, engine))
        compared |= {f"{name}: {what}": xs for what, xs in agreement(data, reports).items()}
        speeds[name] = speed(data, pyramid, engine)
    told = {"agreement": {}, "speed": speeds}
    say(f"{'wim, with raw by hand':40} {'r':>6}  {'95 % interval':>14}  {'given length':>12}")
    for what, xs in compared.items():
        r, (low, high) = pearson(xs, by_hand), interval(xs, by_hand)
        given = partial(xs, by_hand, words) if what != "word count" else float("nan")
        told["agreement"][what] = {"r": r, "low": low, "high": high, "given length": given}
        say(f"{what:40} {r:6.2f}  {low:6.2f} to {high:4.2f}  {given:12.2f}")
    for name, figures in speeds.items():
        for what, figure in figures.items():
            say(f"{name}: {what:50} {figure:8.2f}")
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(told, indent=2))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()

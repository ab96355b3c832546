"""Do the scores agree with people's? Scores of “What is Matter”, beside the usual baselines."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from rouge_score.rouge_scorer import RougeScorer

from grading.pyramid.pipeline import build_pyramid, score_read
from grading.pyramid.structures import Pyramid, ScoreReport
from tests.bench import wim
from tests.bench.engines import engine_of, matching_differently, read_once
from tests.bench.statistics import Numbers, Rows, partial, pearson, with_spread
from tests.bench.table import Reach, Row, Table

SCORES = ("raw", "quality", "comprehensive")
_ROUGES = ("rouge1", "rouge2", "rougeL")
_REACH = {"raw": 0.92, "quality": 0.75, "comprehensive": 0.90}
_PARTIAL = {"raw": 0.70}
_BY_HAND = (
    "Scores by hand follow the product's definitions over the manual pyramid: the segments counted "
    "(k) are all places that people marked, for a unit or for none."
)


def tables(data: wim.Wim, names: Sequence[str]) -> Iterable[Table]:
    """Correlations with the automatic and with the manual pyramid, and means."""
    automatic, given = {}, {}
    for name in names:
        pyramid = build_pyramid(data.references, engine_of(name))
        automatic[name] = _scores(reports_of(data, pyramid, name))
    for name in matching_differently(names):
        given[name] = _scores(reports_of(data, data.pyramid, name))
    by_hand = _scores(data.by_hand)
    yield _correlations("automatic", automatic, by_hand, _words(data), _baselines(data))
    yield _correlations("manual", given, by_hand, _words(data), {})
    yield _means({"by hand": by_hand} | automatic)


def reports_of(data: wim.Wim, pyramid: Pyramid, name: str) -> list[ScoreReport]:
    engine = engine_of(name)
    return list(score_read(pyramid, read_once(data.summaries, engine), engine))


def rouge(data: wim.Wim, kind: str) -> Numbers:
    """Mean recall over the references."""
    scorer = RougeScorer([kind], use_stemmer=True)
    return np.array(
        [
            np.mean([scorer.score(r.content, s.content)[kind].recall for r in data.references])
            for s in data.summaries
        ]
    )


def _scores(reports: Sequence[ScoreReport]) -> dict[str, Numbers]:
    told = {what: [getattr(report, what) for report in reports] for what in (*SCORES, "coverage")}
    told["segments counted"] = [report.scus for report in reports]
    return {what: np.array(values, dtype=np.float64) for what, values in told.items()}


def _words(data: wim.Wim) -> Numbers:
    return np.array([len(text.content.split()) for text in data.summaries], dtype=np.float64)


def _baselines(data: wim.Wim) -> dict[str, Numbers]:
    return {"word count": _words(data)} | {f"{kind} recall": rouge(data, kind) for kind in _ROUGES}


def _correlations(
    which: str,
    scores: dict[str, dict[str, Numbers]],
    by_hand: dict[str, Numbers],
    words: Numbers,
    baselines: dict[str, Numbers],
) -> Table:
    rows = [
        row
        for name, values in scores.items()
        for row in _pairs(name, values, by_hand, words, reach=which == "automatic")
    ]
    for name, values in baselines.items():
        same = dict.fromkeys(SCORES, values)
        rows += _pairs(name, same, by_hand, words, reach=False)
    known = "Known: PyrEval .85, ROUGE-L recall .89 on raw; quality .4 to .7 in a prototype."
    title = f"Pearson with the scores by hand, {which} pyramid, wim (20 students)"
    return Table(title, f"{known} {_BY_HAND}", tuple(rows))


def _pairs(
    name: str,
    scores: dict[str, Numbers],
    by_hand: dict[str, Numbers],
    words: Numbers,
    *,
    reach: bool,
) -> list[Row]:
    ours = reach and name == "classroom"
    rows = [
        _row(name, what, pearson, [scores[what], by_hand[what]], _REACH if ours else {})
        for what in SCORES
    ]
    if scores[SCORES[0]] is words or name == "word count":
        return rows
    return rows + [
        _row(
            name,
            f"{what}, given word count",
            partial,
            [scores[what], by_hand[what], words],
            {f"{key}, given word count": bound for key, bound in _PARTIAL.items()} if ours else {},
        )
        for what in SCORES
    ]


def _row(
    name: str,
    what: str,
    statistic: Callable[..., float],
    columns: Sequence[Numbers],
    reach: dict[str, float],
) -> Row:
    def of_rows(rows: Rows) -> float:
        return statistic(*(column[rows] for column in columns))

    bound = Reach(reach[what]) if what in reach else None
    return Row(name, what, with_spread(of_rows, len(columns[0])), bound, 3)


def _means(scores: dict[str, dict[str, Numbers]]) -> Table:
    rows = [
        Row(name, f"mean {what}", with_spread(_mean_of(column), len(column)), None, 2)
        for name, columns in scores.items()
        for what, column in columns.items()
    ]
    return Table("Mean scores, automatic pyramid, wim (20 students)", "", tuple(rows))


def _mean_of(column: Numbers) -> Callable[[Rows], float]:
    return lambda rows: float(column[rows].mean())

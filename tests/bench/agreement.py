"""Do the scores agree with people's? Scores of “What is Matter”, beside the usual baselines."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import compress

import numpy as np
from rouge_score.rouge_scorer import RougeScorer

from grading.pyramid.correlations import pearson
from grading.pyramid.encoders.words import words_of
from grading.pyramid.pipeline import build_pyramid, score_read
from grading.pyramid.structures import Pyramid, ScoreReport, Text
from tests.bench import wim
from tests.bench.engines import engine_of, matching_differently, read_once
from tests.bench.statistics import Numbers, Rows, partial, with_spread
from tests.bench.table import Reach, Row, Table

SCORES = ("raw", "quality", "comprehensive")
_ROUGES = ("rouge1", "rouge2", "rougeL")
_REACH = {"raw": 0.89, "quality": 0.78, "comprehensive": 0.89}
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
        automatic[name] = scores_of(reports_of(data, pyramid, name))
    for name in matching_differently(names):
        given[name] = scores_of(reports_of(data, data.pyramid, name))
    by_hand = scores_of(data.by_hand)
    words, simple = _words(data.summaries), baselines(data.references, data.summaries)
    yield _correlations("automatic", automatic, by_hand, words, simple)
    yield _correlations("manual", given, by_hand, words, {})
    yield _means({"by hand": by_hand} | automatic)
    yield _statements(by_hand, automatic, given)


def reports_of(data: wim.Wim, pyramid: Pyramid, name: str) -> list[ScoreReport]:
    engine = engine_of(name)
    return list(score_read(pyramid, read_once(data.summaries, engine), engine))


def rouge(references: Sequence[Text], summaries: Sequence[Text], kind: str) -> Numbers:
    """Mean recall over the references."""
    scorer = RougeScorer([kind], use_stemmer=True)
    return np.array(
        [
            np.mean([scorer.score(r.content, s.content)[kind].recall for r in references])
            for s in summaries
        ]
    )


def scores_of(reports: Sequence[ScoreReport]) -> dict[str, Numbers]:
    scores = {what: [getattr(report, what) for report in reports] for what in (*SCORES, "coverage")}
    scores["segments counted"] = [report.statements for report in reports]
    return {what: np.array(values, dtype=np.float64) for what, values in scores.items()}


def _statements_off(counted: Numbers, by_hand: Numbers) -> Callable[[Rows], float]:
    return lambda rows: float(np.abs(counted[rows] - by_hand[rows]).mean())


def _words(summaries: Sequence[Text]) -> Numbers:
    return np.array([len(text.content.split()) for text in summaries], dtype=np.float64)


def baselines(references: Sequence[Text], summaries: Sequence[Text]) -> dict[str, Numbers]:
    """For each summary what the simplest measures say, by their names."""
    return {
        "word count": _words(summaries),
        "weighted stems": weighted_stems(references, summaries),
    } | {f"{kind} recall": rouge(references, summaries, kind) for kind in _ROUGES}


def weighted_stems(references: Sequence[Text], summaries: Sequence[Text]) -> Numbers:
    """For each summary the number of its content stems, weighted by how many references have them.

    A pyramid of words: the simplest measure that a pyramid of ideas must beat.
    """
    weights = Counter(stem for text in references for stem in _content_stems(text))
    totals = [sum(weights[stem] for stem in _content_stems(text)) for text in summaries]
    return np.array(totals, dtype=np.float64)


def _content_stems(text: Text) -> set[str]:
    words = words_of(text.content)
    return set(compress(words.stems, words.has_content))


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


def _statements(
    by_hand: dict[str, Numbers],
    automatic: dict[str, dict[str, Numbers]],
    given: dict[str, dict[str, Numbers]],
) -> Table:
    people = by_hand["segments counted"]
    rows = [
        Row(
            name,
            f"mean error of k, {which} pyramid",
            with_spread(_statements_off(columns["segments counted"], people), len(people)),
            Reach(2.0, most=True) if name == "classroom" else None,
            2,
        )
        for which, scores in (("automatic", automatic), ("manual", given))
        for name, columns in scores.items()
    ]
    return Table("Statements as people count them (k), wim (20 students)", "", tuple(rows))


def _means(scores: dict[str, dict[str, Numbers]]) -> Table:
    rows = [
        Row(name, f"mean {what}", with_spread(_mean_of(column), len(column)), None, 2)
        for name, columns in scores.items()
        for what, column in columns.items()
    ]
    return Table("Mean scores, automatic pyramid, wim (20 students)", "", tuple(rows))


def _mean_of(column: Numbers) -> Callable[[Rows], float]:
    return lambda rows: float(column[rows].mean())

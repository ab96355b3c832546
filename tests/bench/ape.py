"""APE and its parts, each beside the same scheme with plain lemma overlap."""

import time
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from grading.pyramid.content import ContentScore
from grading.pyramid.content_pipeline import (
    ContentEngine,
    build_content_model,
    make_content_engine,
    prepare_content_scorer,
)
from grading.pyramid.correlations import pearson
from grading.pyramid.parsing import Parser, SpacyParser
from grading.pyramid.structures import Pyramid, Text
from tests.bench import essays, little_prince, realsumm, wim
from tests.bench.cells import Cells, finding, mean_auc, pooled_auc
from tests.bench.statistics import Mask, Numbers, Rows, over_rounds, partial, with_spread
from tests.bench.table import Reach, Row, Table

_WAYS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("ape", "ape", {}),
    ("ape, lemmas", "ape", {"compare": "lemmas"}),
    ("ape+su4 (.5)", "ape+su4", {}),
    ("ape+su4 (.5), lemmas", "ape+su4", {"compare": "lemmas"}),
    ("ape+su4 (.2)", "ape+su4", {"alpha": "0.2"}),
    ("ape+su4 (.2), lemmas", "ape+su4", {"alpha": "0.2", "compare": "lemmas"}),
)
_WORDS = 150


def tables() -> Iterator[Table]:
    if little_prince.FILE.exists():
        yield little_prince.table()
    if wim.FOLDER.exists():
        yield _on_wim(wim.load())
    if realsumm.FILE.exists():
        yield _on_news(realsumm.load())
    if essays.FOLDER.exists():
        yield _on_essays(essays.load())


@cache
def _parser() -> Parser:
    return SpacyParser()


def _engines() -> Iterator[tuple[str, ContentEngine]]:
    for title, name, options in _WAYS:
        yield title, make_content_engine(name, parser=_parser(), options=options)


class _Scored:
    """Scores of texts by one pyramid, and the processor's time for each text."""

    def __init__(self, engine: ContentEngine, pyramid: Pyramid, texts: Sequence[Text]) -> None:
        model = build_content_model(pyramid.references, engine, pyramid=pyramid)
        score = prepare_content_scorer(model, engine)
        self.scores: list[ContentScore] = []
        self.seconds: list[float] = []
        for parsed in engine.parser.parse(texts):
            before = time.process_time()
            self.scores.append(score(parsed))
            self.seconds.append(time.process_time() - before)

    def cells(self, pyramid: Pyramid, truth: Sequence[Mask]) -> list[Cells]:
        return [_cells(score, pyramid, of) for score, of in zip(self.scores, truth, strict=True)]

    def headlines(self, engine: ContentEngine) -> Numbers:
        column = engine.method.headline
        return np.array([score.value(column) for score in self.scores], dtype=np.float64)


def _cells(score: ContentScore, pyramid: Pyramid, truth: Mask) -> Cells:
    result = {match.element: match.points for match in score.matches}
    uids = [scu.uid for scu in pyramid.scus]
    strengths = np.array([score.figures[f"strength of SCU {uid}"] for uid in uids])
    matched = np.array([uid in result for uid in uids])
    points = np.array([result.get(uid, 0.0) for uid in uids])
    return Cells(strengths, truth, matched, matched, points, np.zeros_like(truth))


def _on_wim(data: wim.Wim) -> Table:
    raw = np.array([report.raw for report in data.by_hand])
    words = np.array([text.word_count for text in data.summaries], dtype=np.float64)
    truth = [data.truth(student) for student in range(len(data.summaries))]
    rows = []
    for title, engine in _engines():
        scored = _Scored(engine, data.pyramid, data.summaries)
        cells = scored.cells(data.pyramid, truth)
        headline = scored.headlines(engine)

        def correlation(rows: Rows, headline: Numbers = headline) -> float:
            return pearson(headline[rows], raw[rows])

        def given_length(rows: Rows, headline: Numbers = headline) -> float:
            return partial(headline[rows], raw[rows], words[rows])

        matched = finding(cells, [group.matched for group in cells])
        seconds = over_rounds((np.array(scored.seconds) / words * _WORDS).tolist())
        is_ape = "lemmas" not in title
        rows += [
            Row(title, "AUC of cells", pooled_auc(cells), Reach(0.87) if is_ape else None, 3),
            Row(title, "F1 of what is found", matched.f1, None, 3),
            Row(title, "r with raw by hand", with_spread(correlation, len(words)), None, 3),
            Row(title, "the same, given length", with_spread(given_length, len(words)), None, 3),
            Row(
                title, "seconds for 150 words after the parse", seconds,
                Reach(0.3, most=True) if is_ape else None, 3,
            ),
        ]  # fmt: skip
    return Table(
        "APE with the manual pyramid, wim (20 students, 60 units)",
        "Seconds are the processor's: the median of the students, and their range.",
        tuple(rows),
    )


def _on_news(documents: Sequence[realsumm.Document]) -> Table:
    rows = []
    for title, engine in _engines():
        groups = [
            Cells.join(
                _Scored(engine, document.pyramid, document.summaries).cells(
                    document.pyramid, document.truth
                )
            )
            for document in documents
        ]
        matched = finding(groups, [group.matched for group in groups])
        rows += [
            Row(title, "AUC of cells", pooled_auc(groups), None, 3),
            Row(title, "AUC within a document, mean", mean_auc(groups), None, 3),
            Row(title, "F1 of what is found", matched.f1, None, 3),
        ]
    return Table(
        f"APE with units as pyramids, realsumm ({len(documents)} documents, 25 systems)",
        "Every unit has one mention, a sentence written for it.",
        tuple(rows),
    )


def _on_essays(data: essays.Essays) -> Table:
    rows = []
    for title, engine in _engines():
        cells = _Scored(engine, data.pyramid, data.texts).cells(data.pyramid, data.truth)
        matched = finding(cells, [group.matched for group in cells])
        rows += [
            Row(title, "AUC of cells", pooled_auc(cells), None, 3),
            Row(title, "F1 of what is found", matched.f1, None, 3),
        ]
    return Table(
        f"APE with a rubric, veras_essay1 ({len(data.texts)} essays)",
        "The statements of the rubric are their own mentions.",
        tuple(rows),
    )

"""Calibration as a class would do it, on “What is Matter”: what the pages would have said.

People's annotations are those of the set, the pyramid is the one made by hand. Also: how often an
interval from so many texts holds what all twenty say. Texts are drawn again and again for that.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from grading.pyramid.agreement import (
    Figure,
    LabelledText,
    Sheet,
    advise_curve,
    compare_scores,
    program_and_people,
)
from grading.pyramid.learning import Label
from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramid.pipeline import prepare_probabilities, prepare_scorer
from tests.bench import wim
from tests.bench.engines import engine_of, read_once
from tests.bench.statistics import Measure
from tests.bench.table import Row, Table

_SIZES = (5, 8, 10, 15)
_DRAWS = 200


def tables(data: wim.Wim, name: str = "classroom") -> Iterable[Table]:
    sheets, judged, scores = _measured(data, name)
    alpha = program_and_people(sheets)
    rows = [Row(name, "alpha on units", _measure(alpha), None, 3)]
    for what, (by_hand, ours) in scores.items():
        result = compare_scores(by_hand, ours)
        if result is not None:
            rows.append(Row(name, f"{what}, r", _measure(result.correlation), None, 3))
            rows.append(Row(name, f"{what}, mean difference", _measure(result.difference), None, 3))
    advice = advise_curve(judged, LearntCurve())
    rows.append(Row(name, "learnt from all texts: the cut", Measure(advice.curve.cut), None, 2))
    rows.append(Row(name, "gain in alpha, texts left out", _measure(advice.gain), None, 3))
    yield Table("Calibration on wim, manual pyramid (20 students)", "", tuple(rows))
    yield Table(
        "What smaller samples of the same texts say",
        "Held: how many of 200 samples give an interval that holds what all 20 texts give.",
        tuple(_smaller(sheets, judged, alpha)),
    )


def _measured(
    data: wim.Wim, name: str
) -> tuple[list[Sheet], list[LabelledText], dict[str, tuple[list[float], list[float]]]]:
    engine = engine_of(name)
    probabilities = prepare_probabilities(data.pyramid, engine)
    scorer = prepare_scorer(data.pyramid, engine)
    texts = read_once(data.summaries, engine)
    reports = [scorer(text) for text in texts]
    sheets, judged = [], []
    for student, (text, report) in enumerate(zip(texts, reports, strict=True)):
        uids = {match.scu_uid for match in report.evidence.matches}
        truth = data.truth(student)
        program = np.array([scu.uid in uids for scu in data.pyramid.scus])
        known = probabilities(text)
        sheets.append(Sheet(student, program, {0: truth}))
        labels = (
            Label(scu.uid, known[scu.uid], bool(said), student)
            for scu, said in zip(data.pyramid.scus, truth, strict=True)
        )
        judged.append(LabelledText(tuple(labels)))
    scores = {
        what: (
            [float(getattr(report, what)) for report in data.by_hand],
            [float(getattr(report, what)) for report in reports],
        )
        for what in ("comprehensive", "quality", "coverage")
    }
    return sheets, judged, scores


def _smaller(
    sheets: Sequence[Sheet], judged: Sequence[LabelledText], whole: Figure
) -> Iterable[Row]:
    random = np.random.default_rng(0)
    for size in _SIZES:
        samples = [random.choice(len(sheets), size, replace=False) for _ in range(_DRAWS)]
        result = [program_and_people([sheets[row] for row in sample]) for sample in samples]
        advice = [
            advise_curve([judged[row] for row in sample], LearntCurve()) for sample in samples
        ]
        suggested = sum(curve.is_suggested for curve in advice)
        yield Row(f"{size} texts", "half the interval of alpha", _mean(result, _half), None, 3)
        yield Row(
            f"{size} texts", "held", _mean(result, lambda figure: _holds(figure, whole)), None, 2
        )
        yield Row(f"{size} texts", "learning suggested", Measure(suggested), None, 0)


def _mean(figures: Sequence[Figure], of: Callable[[Figure], float]) -> Measure:
    return Measure(float(np.mean([of(figure) for figure in figures])))


def _half(figure: Figure) -> float:
    return (
        float("nan")
        if figure.low is None or figure.high is None
        else (figure.high - figure.low) / 2
    )


def _holds(figure: Figure, whole: Figure) -> float:
    if figure.low is None or figure.high is None or whole.value is None:
        return float("nan")
    return float(figure.low <= whole.value <= figure.high)


def _measure(figure: Figure) -> Measure:
    return Measure(
        figure.value if figure.value is not None else float("nan"), figure.low, figure.high
    )

"""Are the right units found? With pyramids made by hand, on student texts and on news."""

from collections.abc import Sequence

import numpy as np

from grading.pyramid.pipeline import prepare_matcher
from tests.bench import realsumm, wim
from tests.bench.cells import (
    Cells,
    decided,
    finding,
    held_wrongly,
    learnt_thresholds,
    mean_auc,
    mean_correlation,
    pooled_auc,
)
from tests.bench.engines import engine_of, matching_differently, read_once
from tests.bench.statistics import Mask, Measure
from tests.bench.table import Reach, Row, Table

_WITHIN = 0.03  # of F1, that a pyramid's own threshold may cost
_AUC = "AUC"


def on_wim(data: wim.Wim, names: Sequence[str]) -> Table:
    """The 1,200 cells of 20 students and 60 units."""
    rows = [
        row
        for name in matching_differently(names)
        for row in _wim_rows(name, cells_on_wim(data, name))
    ]
    return Table(
        "Right units with the manual pyramid, wim (20 students, 60 units)",
        "Known: WTMF .88 / .62, stem recall .90 / .67, token recall .94 / .72 (AUC / F1); best "
        "published F1 .69. F1 with a threshold on strengths: the best of the other 19 students, or "
        "the one that the pyramid gives itself.",
        tuple(rows),
    )


def on_news(documents: Sequence[realsumm.Document], names: Sequence[str]) -> Table:
    """Threshold from two folds, test on the third, all three ways."""
    rows = [
        row
        for name in matching_differently(names)
        for row in _news_rows(name, cells_on_news(documents, name), documents)
    ]
    return Table(
        f"Right units with units as pyramids, realsumm ({len(documents)} documents, 25 systems)",
        "Known: .85 / .75 with cheap features (AUC / F1); always “yes” has F1 .63. F1 over the "
        "three folds together, each with the best threshold of the other two.",
        tuple(rows),
        ("95 % interval", "leave one out"),
    )


def cells_on_wim(data: wim.Wim, name: str) -> list[Cells]:
    engine = engine_of(name)
    matcher = prepare_matcher(data.pyramid, engine)
    texts = read_once(data.summaries, engine)
    return [
        Cells.of(matcher, data.pyramid, text, data.truth(student))
        for student, text in enumerate(texts)
    ]


def _wim_rows(name: str, groups: Sequence[Cells]) -> list[Row]:
    students = range(len(groups))
    ours = name == "classroom"
    left_out = finding(groups, decided(groups, students)).f1
    enough = Reach(left_out.value - _WITHIN)
    return [
        Row(name, _AUC, pooled_auc(groups), Reach(0.95) if ours else None, 3),
        Row(name, "F1, leave-one-out threshold", left_out, Reach(0.76) if ours else None, 3),
        Row(name, "the threshold then", _range(learnt_thresholds(groups, students)), None, 3),
        Row(name, "F1, the pyramid's own", _own(groups), enough if ours else None, 3),
        *_matched(name, groups, on_students=True),
        *([held_wrongly(name, groups)] if ours else []),
    ]


def cells_on_news(documents: Sequence[realsumm.Document], name: str) -> list[Cells]:
    engine = engine_of(name)
    groups = []
    for document in documents:
        matcher = prepare_matcher(document.pyramid, engine)
        texts = read_once(document.summaries, engine)
        groups.append(
            Cells.join(
                Cells.of(matcher, document.pyramid, text, truth)
                for text, truth in zip(texts, document.truth, strict=True)
            )
        )
    return groups


def _news_rows(
    name: str, groups: Sequence[Cells], documents: Sequence[realsumm.Document]
) -> list[Row]:
    ours = name == "classroom"
    folds = [document.fold for document in documents]
    points = mean_correlation(groups, [len(document.summaries) for document in documents])
    masks = decided(groups, folds)
    tested = finding(groups, masks).f1
    rows = [
        Row(name, _AUC, pooled_auc(groups), Reach(0.845) if ours else None, 3),
        Row(name, "points, mean r within a document", points, Reach(0.55) if ours else None, 3),
        Row(name, "AUC within a document, mean", mean_auc(groups), None, 3),
        Row(name, "F1, threshold of the other folds", tested, Reach(0.77) if ours else None, 3),
        Row(name, "the threshold then", _range(learnt_thresholds(groups, folds)), None, 3),
    ]
    for fold in sorted(set(folds)):
        rows += _fold_rows(name, fold, groups, masks, folds)
    rows.append(Row(name, "F1, the pyramid's own threshold", _own(groups), None, 3))
    rows += _matched(name, groups, on_students=False)
    return [*rows, held_wrongly(name, groups)] if ours else rows


def _fold_rows(
    name: str, fold: int, groups: Sequence[Cells], masks: Sequence[Mask], folds: Sequence[int]
) -> list[Row]:
    within = [place for place, of in enumerate(folds) if of == fold]
    cells, result = [groups[place] for place in within], [masks[place] for place in within]
    return [
        Row(name, f"fold {fold} alone: AUC", pooled_auc(cells), None, 3),
        Row(name, f"fold {fold} alone: F1", finding(cells, result).f1, None, 3),
    ]


def _own(groups: Sequence[Cells]) -> Measure:
    return finding(groups, [group.above for group in groups]).f1


def _matched(name: str, groups: Sequence[Cells], *, on_students: bool) -> list[Row]:
    matched = finding(groups, [group.matched for group in groups])
    reach = Reach(0.78) if name == "classroom" and on_students else None
    return [
        Row(name, "F1 of what is matched", matched.f1, reach, 3),
        Row(name, "precision of what is matched", matched.precision, None, 3),
        Row(name, "recall of what is matched", matched.recall, None, 3),
    ]


def _range(thresholds: dict[int, float]) -> Measure:
    values = list(thresholds.values())
    return Measure(float(np.median(values)), least=min(values), most=max(values))

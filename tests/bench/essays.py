"""Student essays against a rubric of statements (veras_essay1): which statements does each make?

Evaluation only; the data stays beside the project (../shared/data/README.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grading.pyramid.formats.ducview import read_marked_ideas, read_pyramid
from grading.pyramid.pipeline import prepare_matcher
from grading.pyramid.structures import Pyramid, Text
from tests.bench.cells import Cells, finding, held_wrongly, mean_auc, pooled_auc
from tests.bench.engines import engine_of, matching_differently, read_once
from tests.bench.statistics import Mask, Rows, kappa, with_spread
from tests.bench.table import Reach, Row, Table

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "veras_essay1"


@dataclass(frozen=True, eq=False, slots=True)
class Essays:
    pyramid: Pyramid
    texts: tuple[Text, ...]
    truth: tuple[Mask, ...]  # of each text: which statements people found, in the rubric's order


def load() -> Essays:
    pyramid = read_pyramid((FOLDER / "rubric.pyr").read_bytes())
    uids = [scu.uid for scu in pyramid.scus]
    texts, truth = [], []
    for path in sorted((FOLDER / "manual_pan").glob("*.pan")):
        content = (FOLDER / "summaries" / f"{path.stem}.txt").read_text("utf-8-sig")
        marked = read_marked_ideas(path.read_bytes(), set(uids))
        texts.append(Text(path.stem, content))
        truth.append(np.array([uid in marked for uid in uids]))
    return Essays(pyramid, tuple(texts), tuple(truth))


def table(essays: Essays, names: Sequence[str]) -> Table:
    """Cells of essays and statements, by the product's own decision."""
    rows = [
        row
        for name in matching_differently(names)
        for row in _rows(name, cells_of(essays, name), ours=name == "classroom")
    ]
    return Table(
        f"Statements of a rubric in essays, veras_essay1 ({len(essays.texts)} essays)",
        "Known: a published system's kappa .374; AUC of token recall .81.",
        tuple(rows),
    )


def cells_of(essays: Essays, name: str) -> list[Cells]:
    engine = engine_of(name)
    matcher = prepare_matcher(essays.pyramid, engine)
    return [
        Cells.of(matcher, essays.pyramid, text, truth)
        for text, truth in zip(read_once(essays.texts, engine), essays.truth, strict=True)
    ]


def _rows(name: str, groups: Sequence[Cells], *, ours: bool) -> list[Row]:
    def agreement(rows: Rows) -> float:
        cells = Cells.join(groups[row] for row in rows)
        return kappa(cells.matched, cells.truth)

    matched = finding(groups, [group.matched for group in groups])
    return [
        Row(name, "AUC", pooled_auc(groups), None, 3),
        Row(name, "AUC within an essay, mean", mean_auc(groups), None, 3),
        Row(
            name,
            "kappa of what is matched",
            with_spread(agreement, len(groups)),
            Reach(0.45) if ours else None,
            3,
        ),
        Row(name, "F1 of what is matched", matched.f1, None, 3),
        *([held_wrongly(name, groups)] if ours else []),
    ]

"""The Little Prince's AMRs: how well the converter's graphs agree with those of people.

Evaluation only; the data stays beside the project (../shared/data/README.md).
"""

from functools import cache
from pathlib import Path

import numpy as np

from grading.pyramid.amr import smatch
from grading.pyramid.amr.converting import convert
from grading.pyramid.amr.graphs import Graph
from grading.pyramid.amr.penman_files import read_penman
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.structures import Text
from tests.bench.statistics import Numbers, Rows, with_spread
from tests.bench.table import Reach, Row, Table

FILE = Path(__file__).resolve().parents[3] / "shared/data/amr_little_prince/training.txt"
_LOOKED_AT = 950  # sentences that were read while the rules were written


@cache
def load() -> list[tuple[Graph, Graph]]:
    """The converter's graph and that of people, for each sentence."""
    amrs = read_penman(FILE.name, FILE.read_text("utf-8"))
    text = Text("prince", "\n".join(amr.sentence for amr in amrs))
    [parsed] = SpacyParser().parse_tokenised([text])
    sentences = zip(parsed.sentences, amrs, strict=True)
    return [(convert(sentence.tokens), amr.graph) for sentence, amr in sentences]


def table() -> Table:
    """Smatch, exactly and by hill climbing, of the part that was looked at and of the rest."""
    pairs = load()
    exact = [smatch.match(*pair).triples for pair in pairs]
    climbed = [smatch.climb(*pair).triples for pair in pairs]
    parts = {"read": slice(0, _LOOKED_AT), "not read": slice(_LOOKED_AT, None)}
    rows = []
    for name, part in parts.items():
        for how, triples in (("exact", exact), ("hill climbing", climbed)):
            counts = np.array(
                [
                    (n, ours.size, gold.size)
                    for n, (ours, gold) in zip(triples[part], pairs[part], strict=True)
                ],
                dtype=np.float64,
            )

            def f1(rows: Rows, counts: Numbers = counts) -> float:
                return smatch.score(*counts[rows].sum(axis=0).tolist()).f1

            reach = Reach(0.54) if how == "exact" else None
            rows.append(Row(name, f"Smatch, {how}", with_spread(f1, len(counts)), reach, 3))
    return Table(
        f"AMR by rules, Little Prince, training part ({len(pairs)} sentences)",
        f"Of the first {_LOOKED_AT} sentences examples were read while the rules were written, "
        "hardly any of the others. A prototype had .522 on the test part, which is kept aside.",
        tuple(rows),
    )

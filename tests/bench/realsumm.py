"""REALSumm: news documents whose units people looked for in the summaries of 25 systems.

Evaluation only; the data stays beside the project (../shared/data/README.md).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Text
from tests.bench.statistics import Mask

FILE = Path(__file__).resolve().parents[3] / "shared/data/realsumm/scu_presence.jsonl"
_REFERENCE = "reference"


@dataclass(frozen=True, eq=False, slots=True)
class Document:
    """A pyramid of units that weigh 1 each, summaries, and which of the units each expresses.

    ``reference`` is the summary by a person that the units were taken from.
    """

    fold: int
    reference: Text
    pyramid: Pyramid
    summaries: tuple[Text, ...]
    truth: tuple[Mask, ...]


def load() -> tuple[Document, ...]:
    with FILE.open(encoding="utf-8") as lines:
        return tuple(_document(line) for line in lines)


def pyramid_of(sentences: Sequence[str]) -> Pyramid:
    """Each sentence is a unit, said by the only reference, which holds one sentence a line."""
    reference = Text(_REFERENCE, "\n".join(sentences))
    scus, start = [], 0
    for uid, sentence in enumerate(sentences, 1):
        spans = (Span(start, start + len(sentence)),)
        scus.append(Scu(uid, sentence, (Contributor(_REFERENCE, spans),)))
        start += len(sentence) + 1
    return Pyramid((reference,), tuple(scus))


def _document(line: str) -> Document:
    document = json.loads(line)
    summaries = document["summaries"]
    return Document(
        document["fold"],
        Text(_REFERENCE, document["reference"]),
        pyramid_of(document["scus"]),
        tuple(Text(summary["system"], summary["text"]) for summary in summaries),
        tuple(np.array(summary["present"], dtype=np.bool_) for summary in summaries),
    )

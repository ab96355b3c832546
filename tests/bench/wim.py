"""“What is Matter”: five references, twenty students, a pyramid and annotations by hand.

Evaluation only; the data stays beside the project (../shared/data/README.md).
"""

from dataclasses import dataclass
from pathlib import Path

from grading.pyramid.formats.ducview import Annotation, read_annotation
from grading.pyramid.structures import Text

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "wim"


@dataclass(frozen=True)
class Wim:
    references: tuple[Text, ...]
    summaries: tuple[Text, ...]
    raw_by_hand: tuple[int, ...]


def load() -> Wim:
    summaries = _texts(FOLDER / "target_summaries")
    by_hand = [_raw(_annotation(summary.name)) for summary in summaries]
    return Wim(_texts(FOLDER / "reference_summaries"), summaries, tuple(by_hand))


def _texts(folder: Path) -> tuple[Text, ...]:
    files = sorted(folder.glob("*.txt"))
    return tuple(Text(file.stem, file.read_text("utf-8-sig")) for file in files)


def _annotation(name: str) -> Annotation:
    return read_annotation(
        (FOLDER / "target_summaries" / "scored" / f"{name}.pan").read_bytes(), name
    )


def _raw(annotation: Annotation) -> int:
    """The sum of the weights of the units that people found."""
    found = {expression.scu for expression in annotation.expressions if expression.places}
    return sum(scu.weight for scu in annotation.pyramid.scus if scu.uid in found)

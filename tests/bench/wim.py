"""“What is Matter”: five references, twenty students, a pyramid and annotations by hand.

Evaluation only; the data stays beside the project (../shared/data/README.md).
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from grading.pyramid.formats.ducview import Annotation, read_annotation, read_pyramid
from grading.pyramid.scores import score
from grading.pyramid.structures import (
    Contributor,
    Evidence,
    Match,
    Pyramid,
    ScoreReport,
    Segment,
    Text,
)
from tests.bench.statistics import Mask

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "wim"


@dataclass(frozen=True)
class Wim:
    references: tuple[Text, ...]
    summaries: tuple[Text, ...]
    pyramid: Pyramid  # made by hand; its references differ from the files in a few characters

    @cached_property
    def by_hand(self) -> tuple[ScoreReport, ...]:
        """Of each summary, what people found; not read where only speed is measured."""
        return tuple(_by_hand(self.pyramid, _annotation(text.name)) for text in self.summaries)

    def truth(self, student: int) -> Mask:
        """Which units people found in a summary, in the order of the pyramid."""
        uids = {match.scu_uid for match in self.by_hand[student].evidence.matches}
        return np.array([scu.uid in uids for scu in self.pyramid.scus])


def load() -> Wim:
    summaries = _texts(FOLDER / "target_summaries")
    pyramid = read_pyramid((FOLDER / "pyramid_WHAT_IS_MATTER.pyr").read_bytes())
    return Wim(_texts(FOLDER / "reference_summaries"), summaries, pyramid)


def _texts(folder: Path) -> tuple[Text, ...]:
    files = sorted(folder.glob("*.txt"))
    return tuple(Text(file.stem, file.read_text("utf-8-sig")) for file in files)


def _annotation(name: str) -> Annotation:
    return read_annotation(
        (FOLDER / "target_summaries" / "scored" / f"{name}.pan").read_bytes(), name
    )


def _by_hand(pyramid: Pyramid, annotation: Annotation) -> ScoreReport:
    """The scores that people's matches give by the product's definitions.

    Every marked place counts as one segment: those of units, and those that no unit has (uid 0).
    """
    matches = [
        Match(_segment(place), expression.scu_uid, 1.0)
        for expression in annotation.expressions
        for place in expression.places
    ]
    segments = [match.segment for match in matches]
    segments += [_segment(place) for place in annotation.unmatched]
    return score(pyramid, Evidence(tuple(segments), tuple(matches)), "by hand")


def _segment(place: Contributor) -> Segment:
    return Segment(place.spans)

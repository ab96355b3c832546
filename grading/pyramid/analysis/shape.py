"""How many ideas of each weight, against the most that the paper expects: y_z = alpha (1/z)^beta.

Gao, Sun and Passonneau (2019), formula 1: alpha is the number of segments and a little more, in all
segmentations. A pyramid made by hand has about as many ideas of the heavier weights, and fewer that
only one or two references tell. Nothing is expected of weight 1: that is what is left. Without
references nothing is expected at all.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grading.pyramid.builders.edua_greedy import capacity
from grading.pyramid.config import Config
from grading.pyramid.segment_graph import counted_segments
from grading.pyramid.structures import Pyramid, SegmentedText

_TOLERANCE = 1.5  # times what is expected, and one more
_FEW_REFERENCES = 5  # with more, an idea that all tell is rare


@dataclass(frozen=True, slots=True)
class WeightClass:
    """``expected`` is the most that are expected, or None where anything is."""

    weight: int
    count: int
    expected: int | None


def shape_of(
    pyramid: Pyramid, texts: Sequence[SegmentedText], config: Config
) -> tuple[WeightClass, ...]:
    """Heaviest first, from the number of references down to 1; only ideas that score.

    Of heavier weights, which are given by hand, those that occur.
    """
    counted = pyramid.counted()
    counts = Counter(scu.weight for scu in counted.scus)
    segments = sum(_segments(text, config) for text in texts)
    references = len(pyramid.references)
    heaviest = max(references, *counts, 1)
    return tuple(
        WeightClass(
            weight,
            counts[weight],
            capacity(weight, segments, config) if references and weight > 1 else None,
        )
        for weight in range(heaviest, 0, -1)
        if weight <= max(1, references) or counts[weight]
    )


def _segments(text: SegmentedText, config: Config) -> int:
    return sum(
        len(counted_segments(way, text.text, config))
        for sentence in text.sentences
        for way in sentence.segmentations
    )


def departures(shape: Sequence[WeightClass], references: int) -> tuple[str, ...]:
    """Where the counts are not as expected, in plain words."""
    return tuple(_departures(shape, references)) if references else ()


def _departures(shape: Sequence[WeightClass], references: int) -> Iterator[str]:
    for one in shape:
        if one.expected is not None and one.count > _TOLERANCE * one.expected + 1:
            yield (
                f"More ideas of weight {one.weight} than expected ({one.count} where at most "
                f"{one.expected} are expected): look whether some of them are the same idea, or "
                "whether words were put together that say different things."
            )
    top = shape[0]
    if 1 < references <= _FEW_REFERENCES and top.weight == references and not top.count:
        yield "No idea is told by all references: look whether two ideas are really one."
    for heavier, lighter in pairwise(shape):
        if lighter.count < heavier.count - 1 and lighter.weight > 1:
            yield (
                f"Fewer ideas of weight {lighter.weight} than of weight {heavier.weight} "
                f"({lighter.count} and {heavier.count}): usually there are more of the lighter."
            )

"""WMIN: the content units of a summary as a greedy maximum weighted independent set.

Gao, Sun and Passonneau (2019), section 4.6, with GWMIN of Sakai, Togasaki and Yamazaki (2003), "A
note on greedy algorithms for the maximum weighted independent set problem". A node is a way to
read a sentence: one of its segmentations with a set of content units that fit it, each told by
another segment. It weighs the sum of their weights. Edges join nodes that share a sentence or a
unit. GWMIN takes the node with the highest weight / (degree + 1), removes it with its neighbours,
and goes on until nothing is left.

What the paper leaves open, and what is done here:

- A segment is as similar to a unit as the mean of its cosines to the unit's contributors.
- Of all readings of a sentence with the same units, the one with the highest mean similarity over
  its segments is the node (one without a unit adds 0): "the sets of SCUs that give the highest
  average cosine similarity for that sentence".
- A unit fits from a threshold on. Cosines differ from text to text, so the threshold is learnt
  from the pyramid: see ``learn_threshold``.
- A sentence without a match counts as a whole, once: nothing says how to cut it, and in a pyramid
  a sentence that shares nothing counts once as well.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from grading.pyramid.config import Config
from grading.pyramid.segment_graph import MILLION, Compare, Integers, Mask, Matrix, counted_segments
from grading.pyramid.structures import (
    Candidate,
    Evidence,
    Match,
    Pyramid,
    Segment,
    SegmentedText,
    Unit,
)

FALLBACK_THRESHOLD = 0.5  # of a pyramid with a single contributor: nothing to learn from
ALTERNATIVES = 3  # other units told with each match
_READINGS = 64  # kept of a segmentation and of a sentence: more than real sentences have


@dataclass(frozen=True, slots=True)
class _Reading:
    """A node: a sentence in one segmentation, and which of its segments tells which unit."""

    sentence: int
    segmentation: int
    segments: int
    told: tuple[tuple[Segment, int], ...]  # units by their place in the pyramid
    similarity: float  # mean over the segments

    @property
    def units(self) -> frozenset[int]:
        return frozenset(unit for _, unit in self.told)

    @property
    def rank(self) -> tuple[float, int, int, int, tuple[int, ...]]:
        """Of what is equally good, the lowest is taken."""
        units = tuple(unit for _, unit in self.told)
        return -self.similarity, self.segments, self.sentence, self.segmentation, units


def prepare(
    pyramid: Pyramid, against: Callable[[Sequence[Unit]], Compare], config: Config
) -> Callable[[SegmentedText], Evidence]:
    """The matcher for one pyramid; ``against`` readies units for others to be compared with."""
    units = [
        Unit(pyramid.reference(contributor.reference), contributor.spans)
        for scu in pyramid.scus
        for contributor in scu.contributors
    ]
    compare = against(units)
    threshold = config.match_threshold
    if threshold is None:
        threshold = learn_threshold(pyramid, compare(units), config)
    return _Matcher(pyramid, compare, threshold, config).match


def learn_threshold(pyramid: Pyramid, similarity: Matrix, config: Config) -> float:
    """The similarity from which on a segment is taken to tell a unit, learnt from the pyramid.

    Each contributor is read as a segment of a summary, and finds its most similar unit, without
    the contributors of its own reference. The threshold lets as many of them through as truly
    share a unit with another reference. Where none does (there may be just one reference), it is
    the percentile that makes an edge between references, here of all pairs of contributors.
    ``similarity`` is that of all contributors to one another, in the order of the units.
    """
    contributors = [(scu, one) for scu in pyramid.scus for one in scu.contributors]
    sharing = sum(1 for scu, _ in contributors if scu.weight > 1)
    millionths = _millionths(similarity)
    if len(contributors) < 2:
        return FALLBACK_THRESHOLD
    if not sharing:
        pairs = millionths[np.triu_indices(len(contributors), 1)]
        return round(float(np.percentile(pairs, config.edge_percentile)) / MILLION, 6)
    references = np.array([one.reference for _, one in contributors])
    others = (references[:, None] != references).astype(np.int64)
    members = _members(pyramid)
    means = (millionths * others) @ members / np.maximum(others @ members, 1)
    return round(float(np.sort(means.max(axis=1))[-sharing]) / MILLION, 6)


def gwmin(weights: Integers, conflicts: Mask) -> list[int]:
    """Nodes in the order in which GWMIN takes them; of equal nodes the first."""
    taken: list[int] = []
    alive: Mask = np.ones(len(weights), dtype=np.bool_)
    while alive.any():
        degrees = conflicts[:, alive].sum(axis=1)
        best = int(np.argmax(np.where(alive, weights / (degrees + 1), -1.0)))
        taken.append(best)
        alive &= ~conflicts[best]
        alive[best] = False
    return taken


class _Matcher:
    def __init__(
        self, pyramid: Pyramid, compare: Compare, threshold: float, config: Config
    ) -> None:
        self._uids = [scu.uid for scu in pyramid.scus]
        self._weights: Integers = np.array([scu.weight for scu in pyramid.scus], dtype=np.int64)
        self._members = _members(pyramid)
        self._compare = compare
        self._threshold = threshold
        self._config = config

    def match(self, text: SegmentedText) -> Evidence:
        """The content units that a text tells, each by the segment that is chosen for it."""
        similarity = self._similarity(text)
        readings = [
            reading
            for number in range(len(text.sentences))
            for reading in self._readings(text, number, similarity)
        ]
        chosen = {reading.sentence: reading for reading in self._best(readings)}
        segments: list[Segment] = []
        matches: list[Match] = []
        for number, sentence in enumerate(text.sentences):
            reading = chosen.get(number)
            segmentation = sentence.segmentations[reading.segmentation if reading else 0]
            segments += counted_segments(segmentation, text.text, self._config)
            for segment, unit in reading.told if reading else ():
                matches.append(self._match(segment, unit, similarity[segment]))
        return Evidence(tuple(segments), tuple(matches))

    def _similarity(self, text: SegmentedText) -> dict[Segment, list[float]]:
        """Of each segment of all segmentations, to each unit of the pyramid."""
        segments = dict.fromkeys(
            segment
            for sentence in text.sentences
            for segmentation in sentence.segmentations
            for segment in counted_segments(segmentation, text.text, self._config)
        )
        if not segments:
            return {}
        similarity = self._compare([Unit(text.text, segment.spans) for segment in segments])
        totals = _millionths(similarity) @ self._members
        means = np.round(totals / (MILLION * np.maximum(self._weights, 1)), 6)
        return dict(zip(segments, means.tolist(), strict=True))

    def _readings(
        self, text: SegmentedText, number: int, similarity: dict[Segment, list[float]]
    ) -> list[_Reading]:
        """The best reading of a sentence for each set of units that it may tell."""
        best: dict[frozenset[int], _Reading] = {}
        for index, segmentation in enumerate(text.sentences[number].segmentations):
            segments = counted_segments(segmentation, text.text, self._config)
            fits = {segment: self._fits(similarity[segment]) for segment in segments}
            for told, total in _ways_to_tell(fits):
                mean = round(total / len(segments), 6)
                reading = _Reading(number, index, len(segments), told, mean)
                known = best.get(reading.units)
                if known is None or reading.rank < known.rank:
                    best[reading.units] = reading
        return sorted(best.values(), key=lambda reading: reading.rank)[:_READINGS]

    def _fits(self, similarity: Sequence[float]) -> list[tuple[int, float]]:
        """The most similar units from the threshold on."""
        fits = [
            (unit, value)
            for unit, value in enumerate(similarity)
            if value >= self._threshold and value > 0
        ]
        fits.sort(key=lambda fit: (-fit[1], fit[0]))
        return fits[: self._config.candidates_per_segment]

    def _best(self, readings: list[_Reading]) -> list[_Reading]:
        readings = sorted(readings, key=lambda reading: reading.rank)
        sentences = np.array([reading.sentence for reading in readings], dtype=np.int64)
        told = np.zeros((len(readings), len(self._uids)), dtype=np.int64)
        for row, reading in enumerate(readings):
            told[row, list(reading.units)] = 1
        conflicts = (sentences[:, None] == sentences) | (told @ told.T > 0)
        np.fill_diagonal(conflicts, val=False)
        return [readings[row] for row in gwmin(told @ self._weights, conflicts)]

    def _match(self, segment: Segment, unit: int, similarity: Sequence[float]) -> Match:
        others = sorted((-value, other) for other, value in enumerate(similarity) if other != unit)
        alternatives = (Candidate(self._uids[other], -value) for value, other in others)
        return Match(
            segment, self._uids[unit], similarity[unit], tuple(alternatives)[:ALTERNATIVES]
        )


def _ways_to_tell(
    fits: dict[Segment, list[tuple[int, float]]],
) -> list[tuple[tuple[tuple[Segment, int], ...], float]]:
    """Which segments may tell which units, no unit twice, and the similarities' sum; best first."""
    ways: list[tuple[tuple[tuple[Segment, int], ...], float]] = [((), 0.0)]
    for segment, units in fits.items():
        ways += [
            ((*told, (segment, unit)), total + similarity)
            for told, total in ways
            for unit, similarity in units
            if all(unit != other for _, other in told)
        ]
        ways.sort(key=lambda way: -way[1])
        del ways[_READINGS:]
    return [way for way in ways if way[0]]


def _millionths(similarity: Matrix) -> Integers:
    """Whole numbers, whose sums do not depend on the order of the contributors."""
    return np.rint(similarity * MILLION).astype(np.int64)


def _members(pyramid: Pyramid) -> Integers:
    """Contributors by units, 1 where the contributor is the unit's."""
    sizes = [scu.weight for scu in pyramid.scus]
    return np.repeat(np.eye(len(sizes), dtype=np.int64), sizes, axis=0)

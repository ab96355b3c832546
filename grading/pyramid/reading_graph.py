"""The graph of readings: what the sentences of a summary may express, and what excludes what.

Gao, Sun and Passonneau (2019), section 4.6. A node is a way to read a sentence: one of its
segmentations with a set of content units that fit it, each matched by another segment. It weighs
the sum of their weights. Edges join nodes that share a sentence or a unit, so an independent set
reads each sentence in one way and finds each unit once. Matchers differ in how they choose the set.

What the paper leaves open, and what is done here:

- A segment is as similar to a unit as the mean of its cosines to the unit's contributors.
- Of all readings of a sentence with the same units, the one with the highest mean similarity over
  its segments is the node (one without a unit adds 0): "the sets of SCUs that give the highest
  average cosine similarity for that sentence".
- A unit fits from a threshold on. Cosines differ from text to text, so the threshold is learnt
  from the pyramid: see ``learn_threshold``.
- A sentence without a match counts as a whole, once: nothing says how to cut it, and in a pyramid
  a sentence that shares nothing counts once as well.
- A segment without a match that a matched unit fits repeats that unit, and earns nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from grading.pyramid.config import Config
from grading.pyramid.segment_graph import MILLION, Integers, Mask
from grading.pyramid.similarity import Matrix, Similarity
from grading.pyramid.structures import (
    Candidate,
    Evidence,
    Match,
    Pyramid,
    Repeat,
    Scu,
    Segment,
    Segmentation,
    SegmentedText,
    Unit,
)

FALLBACK_THRESHOLD = 0.5  # of a pyramid with a single contributor: nothing to learn from
ALTERNATIVES = 3  # other units named with each match
_UNSEEN = -1
_READINGS = 64  # kept of a segmentation and of a sentence: more than real sentences have

IdeaSegments = tuple[tuple[int, int], ...]  # which segment tells which unit, both by their places
_Rank = tuple[float, int, int, int, tuple[int, ...]]
_Way = tuple[tuple[int, ...], tuple[int, ...], float]  # segments, the units that they tell, a sum
_Cuts = list[tuple[int, ...]]  # the counted segments of each segmentation of a sentence
_Fits = Mapping[int, list[tuple[int, float]]]  # units that a segment may tell; none: left out


@dataclass(frozen=True, slots=True)
class Reading:
    """A node: a sentence in one segmentation, and which of its segments tells which unit.

    Of what is equally good the lowest rank is taken: the mean similarity over the segments (less
    than 0), their number, the sentence, the segmentation, the units.
    """

    rank: _Rank
    matches: IdeaSegments

    @property
    def similarity(self) -> float:
        return -self.rank[0]

    @property
    def sentence(self) -> int:
        return self.rank[2]

    @property
    def segmentation(self) -> int:
        return self.rank[3]

    @property
    def units(self) -> tuple[int, ...]:
        return self.rank[4]


@dataclass(frozen=True, eq=False, slots=True)
class ReadingGraph:
    """The readings in their rank, and the sums of the weights of their units."""

    readings: tuple[Reading, ...]
    weights: Integers

    def conflicts(self) -> Mask:
        """The edges: readings that share a sentence or a unit; no reading with itself."""
        sentences = np.array([reading.sentence for reading in self.readings], dtype=np.int64)
        units = [unit for reading in self.readings for unit in reading.units]
        table = np.zeros((len(self.readings), max(units, default=0) + 1))
        counts = [len(reading.units) for reading in self.readings]
        table[np.repeat(np.arange(len(counts)), counts), np.array(units, dtype=np.int64)] = 1
        conflicts: Mask = (sentences[:, None] == sentences) | (table @ table.T > 0)
        np.fill_diagonal(conflicts, val=False)
        return conflicts


Choose = Callable[[ReadingGraph], Iterable[int]]  # an independent set, by places


def learn_threshold(pyramid: Pyramid, similarity: Matrix, config: Config) -> float:
    """The similarity from which a segment counts as expressing a unit, learnt from the pyramid.

    Each contributor is read as a segment of a summary, and finds its most similar unit, without
    the contributors of its own reference. The threshold lets as many of them through as truly
    share a unit with another reference. Where none does (there may be just one reference), it is
    the percentile that makes an edge between references, here of all pairs of contributors.
    ``similarity`` is that of all contributors to one another, in the order of the units.
    """
    contributors = [(scu, contributor) for scu in pyramid.scus for contributor in scu.contributors]
    sharing = sum(1 for scu, _ in contributors if len(scu.contributors) > 1)
    millionths = _millionths(similarity)
    if len(contributors) < 2:
        return FALLBACK_THRESHOLD
    if not sharing:
        pairs = millionths[np.triu_indices(len(contributors), 1)]
        return round(float(np.percentile(pairs, config.edge_percentile)) / MILLION, 6)
    references = np.array([contributor.reference for _, contributor in contributors])
    others = (references[:, None] != references).astype(np.int64)
    # Contributors by units, 1 where the contributor is the unit's.
    sizes = _sizes(pyramid)
    members = np.repeat(np.eye(len(sizes), dtype=np.int64), sizes, axis=0)
    means = (millionths * others) @ members / np.maximum(others @ members, 1)
    return round(float(np.sort(means.max(axis=1))[-sharing]) / MILLION, 6)


class ReadingMatcher:
    """Ready for one pyramid; ``choose`` is what tells one matcher of readings from another."""

    def __init__(
        self, pyramid: Pyramid, similarity: Similarity, config: Config, choose: Choose
    ) -> None:
        parts = [_parts(pyramid, scu) for scu in pyramid.scus]
        columns = [unit for of_scu in parts for unit in of_scu]
        self._compare = similarity.against(columns)
        threshold = config.match_threshold
        if threshold is None:
            sizes = _sizes(pyramid)
            matched = np.repeat(np.array(sizes, dtype=np.int64) > 0, [len(part) for part in parts])
            units = [unit for unit, is_matched in zip(columns, matched, strict=True) if is_matched]
            threshold = learn_threshold(pyramid, self._compare(units)[:, matched], config)
        self.threshold = threshold
        self._uids = [scu.uid for scu in pyramid.scus]
        self._weights: Integers = np.array([scu.weight for scu in pyramid.scus], dtype=np.int64)
        self._sizes: Integers = np.array([len(part) for part in parts], dtype=np.int64)
        self._starts = np.cumsum(self._sizes) - self._sizes  # of the parts of each unit
        self._config = config
        self._choose = choose

    def strengths(self, text: SegmentedText) -> dict[int, float]:
        """For each unit, by its uid, the similarity of the segment that is most similar to it."""
        segments, _ = self._counted(text)
        similarity = self._similarity(text, segments)
        best = similarity.max(axis=0) if len(segments) else np.zeros(len(self._uids))
        return dict(zip(self._uids, best.tolist(), strict=True))

    def match(self, text: SegmentedText) -> Evidence:
        """The content units that a text tells, each by the segment that is chosen for it."""
        segments, cuts = self._counted(text)
        similarity = self._similarity(text, segments)
        fits = self._fits(similarity)
        chosen = {reading.sentence: reading for reading in self._best(cuts, fits)}
        counted: list[int] = []
        unit_of: dict[int, int] = {}
        for number, ways in enumerate(cuts):
            reading = chosen.get(number)
            counted += ways[reading.segmentation if reading else 0]
            unit_of.update(reading.matches if reading else ())
        return Evidence(
            tuple(segments[place] for place in counted),
            tuple(self._matches(segments, unit_of, similarity)),
            tuple(
                Repeat(segments[place], self._uids[unit])
                for place, unit in _repeated(counted, unit_of, fits)
            ),
        )

    def _counted(self, text: SegmentedText) -> tuple[list[Segment], list[_Cuts]]:
        """The segments that are long enough, and their places by sentence and segmentation."""
        place: dict[Segment, int | None] = {}
        segments: list[Segment] = []

        def places(segmentation: Segmentation) -> tuple[int, ...]:
            counted = []
            for segment in segmentation.segments:
                number = place.get(segment, _UNSEEN)
                if number == _UNSEEN:
                    counts = self._config.counts(text.text.words_at(segment.spans))
                    number = place[segment] = len(segments) if counts else None
                    segments.extend([segment] if counts else [])
                if number is not None:
                    counted.append(number)
            return tuple(counted)

        cuts = [[places(way) for way in sentence.segmentations] for sentence in text.sentences]
        return segments, cuts

    def _similarity(self, text: SegmentedText, segments: Sequence[Segment]) -> Matrix:
        """Of each segment to each unit of the pyramid."""
        if not segments or not self._uids:
            return np.zeros((len(segments), len(self._uids)))
        similarity = self._compare([Unit(text.text, segment.spans) for segment in segments])
        totals = np.add.reduceat(_millionths(similarity), self._starts, axis=1)
        means: Matrix = np.round(totals / (MILLION * self._sizes), 6)
        return means

    def _fits(self, similarity: Matrix) -> _Fits:
        """The most similar units from the threshold on."""
        segments, units = np.nonzero((similarity >= self.threshold) & (similarity > 0))
        values = similarity[segments, units]
        order = np.lexsort((units, -values, segments))
        fits: dict[int, list[tuple[int, float]]] = {}
        sorted_fits = (column[order].tolist() for column in (segments, units, values))
        for segment, unit, value in zip(*sorted_fits, strict=True):
            best = fits.setdefault(segment, [])
            if len(best) < self._config.candidates_per_segment:
                best.append((unit, value))
        return fits

    def _best(self, cuts: Sequence[_Cuts], fits: _Fits) -> list[Reading]:
        readings = sorted(
            (
                reading
                for number, ways in enumerate(cuts)
                for reading in _readings(number, ways, fits)
            ),
            key=attrgetter("rank"),
        )
        of_units: list[int] = self._weights.tolist()
        weights = [sum([of_units[unit] for unit in reading.units]) for reading in readings]
        graph = ReadingGraph(tuple(readings), np.array(weights, dtype=np.int64))
        return [readings[place] for place in self._choose(graph)]

    def _matches(
        self, segments: Sequence[Segment], unit_of: Mapping[int, int], similarity: Matrix
    ) -> Iterator[Match]:
        """Each segment that tells a unit, with the other units that are most similar to it."""
        rows = similarity[list(unit_of)]
        nearest = np.argsort(-rows, axis=1, kind="stable")[:, : ALTERNATIVES + 1].tolist()
        for (place, unit), near, row in zip(unit_of.items(), nearest, rows.tolist(), strict=True):
            others = [other for other in near if other != unit][:ALTERNATIVES]
            alternatives = tuple([Candidate(self._uids[other], row[other]) for other in others])
            yield Match(segments[place], self._uids[unit], row[unit], alternatives)


def _readings(sentence: int, cuts: _Cuts, fits: _Fits) -> list[Reading]:
    """The best reading of a sentence for each set of units that it may tell."""
    best: dict[frozenset[int], tuple[_Rank, tuple[int, ...]]] = {}
    for index, segments in enumerate(cuts):
        fitting = [segment for segment in segments if segment in fits]
        for matched, units, total in _ways_to_match(fitting, fits):
            rank = (-round(total / len(segments), 6), len(segments), sentence, index, units)
            key = frozenset(units)
            if key not in best or rank < best[key][0]:
                best[key] = rank, matched
    return [
        Reading(rank, tuple(zip(matched, rank[-1], strict=True)))
        for rank, matched in sorted(best.values())[:_READINGS]
    ]


def _repeated(
    counted: Iterable[int], unit_of: Mapping[int, int], fits: _Fits
) -> Iterator[tuple[int, int]]:
    """Segments that match nothing themselves, with the unit matched elsewhere that fits best."""
    units = set(unit_of.values())
    for segment in counted:
        fitting = () if segment in unit_of else fits.get(segment, ())
        again = next((unit for unit, _ in fitting if unit in units), None)
        if again is not None:
            yield segment, again


def _ways_to_match(segments: Sequence[int], fits: _Fits) -> list[_Way]:
    """Which segments may tell which units, no unit twice, and the similarities' sum; best first."""
    ways: list[_Way] = [((), (), 0.0)]
    for segment in segments:
        ways += [
            ((*matched, segment), (*units, unit), total + similarity)
            for matched, units, total in ways
            for unit, similarity in fits[segment]
            if unit not in units
        ]
        ways.sort(key=lambda way: -way[-1])
        del ways[_READINGS:]
    return [way for way in ways if way[0]]


def _millionths(similarity: Matrix) -> Integers:
    """Whole numbers, whose sums do not depend on the order of the contributors."""
    return np.rint(similarity * MILLION).astype(np.int64)


def _sizes(pyramid: Pyramid) -> list[int]:
    """Contributors of each unit: not its weight, where that was set manually."""
    return [len(scu.contributors) for scu in pyramid.scus]


def _parts(pyramid: Pyramid, scu: Scu) -> list[Unit]:
    """What a segment is compared with: the contributors, or the label where nobody wrote it."""
    parts = [
        Unit(pyramid.reference(contributor.reference), contributor.spans)
        for contributor in scu.contributors
    ]
    return parts or [scu.label_unit]

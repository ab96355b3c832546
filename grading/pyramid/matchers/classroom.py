"""The classroom matcher: which content units would a person find in this text?

How much of a unit does the text tell? Every part of the unit (``scu_parts``) is compared with each
sentence and with the whole text; the mean of both readings counts (the best sentence, for who says
it in one breath; the whole text, for who spreads it). A logistic curve, learnt from the pyramid's
own references, turns that into the probability that a person would call it a match; what
contradicts the unit lowers it. A unit is matched from one half on; where people's annotations
moved that threshold (``match_probability``), the curve is moved so that one half is there.

A matched unit is shown where its best sentence tells it: of the ways to cut that sentence, the
finest in which none of its units loses more than a fifth of its similarity. A segment may tell
several units. A sentence without a match counts as a whole, once, as in a pyramid.

What is said twice is matched once. A segment without a match repeats a matched unit if it would
tell it as the only words of a text: what the whole text has of the unit stands elsewhere. Of
several such units the most probable is named.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from grading.pyramid.calibration import Calibration, learn
from grading.pyramid.config import Config
from grading.pyramid.contradictions import contradictions
from grading.pyramid.encoders.words import sentence_starts
from grading.pyramid.scu_parts import ScuParts
from grading.pyramid.similarity import Compare, Matrix, Similarity
from grading.pyramid.structures import (
    Candidate,
    Evidence,
    Match,
    Pyramid,
    Repeat,
    Segment,
    Segmentation,
    SegmentedText,
    Sentence,
    Span,
    Spans,
    Text,
    Unit,
)

PRIOR_EXAMPLES = 10.0  # the prior counts as much as that many cells of a pyramid
PROBABLE = 0.5  # from this probability on a unit is matched
ALTERNATIVES = 3  # other units told with each match
_LOSS = 0.2  # of similarity, that a finer cut may cost


@dataclass(frozen=True, slots=True)
class _Finding:
    """How probable it is that a text tells a unit, in which sentence, and what is against it."""

    unit: int
    sentence: int
    probability: float
    remarks: tuple[str, ...]


class ClassroomMatcher:
    """Ready for one pyramid: its units are read, and its curve is learnt."""

    threshold = PROBABLE

    def __init__(self, pyramid: Pyramid, similarity: Similarity, config: Config) -> None:
        self._uids = [scu.uid for scu in pyramid.scus]
        self._config = config
        self._parts = ScuParts.of(pyramid)
        self._words = [self._parts.words(unit) for unit in range(len(self._uids))]
        self._prior = similarity.prior
        self._compare: Compare = similarity.against(self._parts.units)
        self.calibration = self._learn(pyramid.references)

    def strengths(self, text: SegmentedText) -> dict[int, float]:
        """For each unit, by its uid, the probability that the text tells it."""
        found = self._findings(self._read(text))
        return {self._uids[finding.unit]: finding.probability for finding in found}

    def match(self, text: SegmentedText) -> Evidence:
        """The content units that a text tells, each by the segment that tells it best."""
        reading = self._read(text)
        told: dict[int, list[_Finding]] = {}
        for finding in self._findings(reading):
            if finding.probability >= PROBABLE:
                told.setdefault(finding.sentence, []).append(finding)
        segments: list[Segment] = []
        matches: list[Match] = []
        for number in range(len(text.sentences)):
            findings = told.get(number, [])
            counted = self._cut(reading, number, [finding.unit for finding in findings])
            segments += counted
            matches += (self._match(reading, counted, one, findings) for one in findings)
        return Evidence(
            tuple(segments), tuple(matches), tuple(self._repeats(reading, segments, matches))
        )

    # --- how similar, and how probable ---

    def _read(self, text: SegmentedText) -> "_Reading":
        whole: Spans = (Span(0, len(text.text.content)),)
        sentences: list[Spans] = [(sentence.span,) for sentence in text.sentences]
        cuts = [
            [self._counted(way.segments, text.text) for way in _finest_first(sentence)]
            for sentence in text.sentences
        ]
        segments = (segment.spans for ways in cuts for way in ways for segment in way)
        rows = list(dict.fromkeys([whole, *sentences, *segments]))
        place = {row: number for number, row in enumerate(rows)}
        found = self._compare([Unit(text.text, row) for row in rows])
        by_sentence = found[[place[sentence] for sentence in sentences]]
        return _Reading(
            text,
            sentences,
            cuts,
            place,
            self._parts.join(found),
            self._parts.join(_both_readings(by_sentence, found[place[whole]])),
        )

    def _counted(self, segments: Sequence[Segment], text: Text) -> list[Segment]:
        return [one for one in segments if self._config.counts(text.words_at(one.spans))]

    def _findings(self, reading: "_Reading") -> list[_Finding]:
        best = reading.rows(reading.sentences).argmax(axis=0) if reading.sentences else None
        return [
            self._finding(reading, unit, 0 if best is None else int(best[unit]))
            for unit in range(len(self._uids))
        ]

    def _finding(self, reading: "_Reading", unit: int, sentence: int) -> _Finding:
        similarity = float(reading.of_text[0, unit])
        if not reading.sentences:
            return _Finding(unit, sentence, 0.0, ())
        told = reading.sentences[sentence]
        return _Finding(unit, sentence, *self._judge(reading, unit, similarity, told))

    def _judge(
        self, reading: "_Reading", unit: int, similarity: float, told: Spans
    ) -> tuple[float, tuple[str, ...]]:
        """The probability of a match, and what in the words that tell the unit is against it."""
        probability = self.calibration.probability(similarity) if similarity else 0.0
        remarks: tuple[str, ...] = ()
        if probability >= PROBABLE:
            against = contradictions(self._words[unit], reading.text.text.words_at(told))
            penalty = sum(one.penalty for one in against)
            probability = self.calibration.probability(similarity, penalty)
            remarks = tuple(one.remark for one in against)
        return round(probability, 4), remarks

    # --- where ---

    def _cut(self, reading: "_Reading", sentence: int, units: Sequence[int]) -> list[Segment]:
        """The finest cut of a sentence that tells the units nearly as well as the whole of it."""
        ways = reading.cuts[sentence]
        if not units:
            return ways[-1]
        enough = (1 - _LOSS) * reading.rows([reading.sentences[sentence]])[0, units]
        for segments in ways:
            if segments and (reading.of(segments)[:, units].max(axis=0) >= enough).all():
                return segments
        # A sentence that is too short to be counted is, where it tells a unit after all.
        return [Segment(reading.sentences[sentence])]

    def _match(
        self,
        reading: "_Reading",
        segments: Sequence[Segment],
        finding: _Finding,
        findings: Sequence[_Finding],
    ) -> Match:
        """A unit with the segment that tells it best; the others of the sentence are no rivals."""
        table = reading.of(segments)
        place = int(table[:, finding.unit].argmax())
        row = table[place]
        told = {other.unit for other in findings}
        nearest = [unit for unit in np.argsort(-row, kind="stable").tolist() if unit not in told]
        return Match(
            segment=segments[place],
            scu=self._uids[finding.unit],
            similarity=round(float(row[finding.unit]), 4),
            alternatives=tuple(
                Candidate(self._uids[unit], round(float(row[unit]), 4))
                for unit in nearest[:ALTERNATIVES]
            ),
            probability=finding.probability,
            remarks=finding.remarks,
        )

    def _repeats(
        self, reading: "_Reading", segments: Sequence[Segment], matches: Sequence[Match]
    ) -> Iterator[Repeat]:
        """In the order of the text; of a segment the unit that it most probably tells."""
        matched = {match.segment for match in matches}
        others = [segment for segment in segments if segment not in matched]
        found = {match.scu for match in matches}
        units = [unit for unit, uid in enumerate(self._uids) if uid in found]
        for segment, row in zip(others, reading.of(others), strict=True):
            judged = {
                unit: self._judge(reading, unit, float(row[unit]), segment.spans)[0]
                for unit in units
                if row[unit] >= self.calibration.threshold
            }
            best = max(judged, key=judged.__getitem__, default=None)
            if best is not None and judged[best] >= PROBABLE:
                yield Repeat(segment, self._uids[best])

    # --- what the references teach ---

    def _learn(self, references: Sequence[Text]) -> Calibration:
        """The curve by which references match units, seen without what they contributed."""
        similarities: list[float] = []
        matches: list[bool] = []
        for reference in references:
            row = self._reading_of(reference)
            for similarity, contributed in self._parts.without(reference.name, row[0]):
                similarities.append(similarity)
                matches.append(contributed)
        learnt = self._prior
        if any(matches) and not all(matches):
            learnt = learn(similarities, matches, self._prior, PRIOR_EXAMPLES)
        fixed, cut = self._config.match_threshold, self._config.match_probability
        curve = learnt if fixed is None else Calibration(learnt.slope, fixed)
        return curve if cut is None else curve.with_half_at(cut)

    def _reading_of(self, reference: Text) -> Matrix:
        starts = [*sentence_starts(reference.content), len(reference.content)]
        rows: list[Spans] = [(Span(*ends),) for ends in pairwise(starts)]
        found = self._compare(
            [Unit(reference, row) for row in [*rows, (Span(0, len(reference.content)),)]]
        )
        return _both_readings(found[:-1], found[-1])


@dataclass(frozen=True, eq=False, slots=True)
class _Reading:
    """A text compared with all units: by rows (sentences, segments), and as a whole."""

    text: SegmentedText
    sentences: list[Spans]
    cuts: list[list[list[Segment]]]  # of each sentence, finest first: its counted segments
    place: dict[Spans, int]
    found: Matrix
    of_text: Matrix  # one row

    def rows(self, rows: Sequence[Spans]) -> Matrix:
        return self.found[[self.place[row] for row in rows]]

    def of(self, segments: Sequence[Segment]) -> Matrix:
        return self.rows([segment.spans for segment in segments])


def _finest_first(sentence: Sentence) -> list[Segmentation]:
    return sorted(sentence.segmentations, key=lambda one: -len(one.segments))


def _both_readings(by_sentence: Matrix, whole: Matrix) -> Matrix:
    """The mean of the best sentence's and the whole text's similarity, as one row."""
    best = by_sentence.max(axis=0) if len(by_sentence) else np.zeros_like(whole)
    readings: Matrix = ((best + whole) / 2)[None, :]
    return readings

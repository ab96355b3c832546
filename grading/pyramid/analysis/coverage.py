"""Which words of the references belong to an idea, and which clauses belong to none."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from grading.pyramid.config import Config
from grading.pyramid.editing.changes import WORD
from grading.pyramid.structures import Pyramid, SegmentedText, Span, Spans, Text, Unit

_MOSTLY = 0.75  # of the words of a clause that is taken to be uncovered
_STRETCH = 3  # words: fewer that lie between two ideas are not worth a remark


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many words of a reference belong to an idea, and the stretches that do not."""

    reference: str
    words: int
    covered: int
    stretches: Spans

    @property
    def share(self) -> float:
        return self.covered / self.words if self.words else 1.0


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause that belongs to no idea; ``words`` are the places of its words in the text."""

    text: Text
    spans: Spans
    sentence: int
    words: frozenset[int]

    @property
    def unit(self) -> Unit:
        return Unit(self.text, self.spans)


class CoveredText:
    """A reference with its words, and those of them that ideas are made of."""

    def __init__(self, pyramid: Pyramid, text: SegmentedText) -> None:
        self._text = text
        self._words = [Span(*hit.span()) for hit in WORD.finditer(text.text.content)]
        contributors = (scu.contributor(text.text.name) for scu in pyramid.scus)
        spans = tuple(span for one in contributors if one is not None for span in one.spans)
        self._covered = self._places(spans)

    def coverage(self) -> Coverage:
        stretches = tuple(self._stretches())
        covered = len(self._covered)
        return Coverage(self._text.text.name, len(self._words), covered, stretches)

    def uncovered_clauses(self, config: Config) -> Iterator[Clause]:
        """Of all ways to cut the sentences; the clauses of one sentence may overlap."""
        text = self._text.text
        for number, sentence in enumerate(self._text.sentences):
            segments = (segment for way in sentence.segmentations for segment in way.segments)
            for spans in dict.fromkeys(segment.spans for segment in segments):
                words = self._places(spans)
                if config.counts(text.words_at(spans)) and self._is_uncovered(words):
                    yield Clause(text, spans, number, words)

    def _is_uncovered(self, words: frozenset[int]) -> bool:
        return bool(words) and len(words - self._covered) >= _MOSTLY * len(words)

    def _stretches(self) -> Iterator[Span]:
        for sentence in self._text.sentences:
            inside = sorted(self._places((sentence.span,)))
            for covered, run in groupby(inside, key=lambda place: place in self._covered):
                places = list(run)
                if not covered and len(places) >= _STRETCH:
                    yield Span(self._words[places[0]].start, self._words[places[-1]].end)

    def _places(self, spans: Spans) -> frozenset[int]:
        return frozenset(
            place
            for place, word in enumerate(self._words)
            if any(span.start <= word.start and word.end <= span.end for span in spans)
        )

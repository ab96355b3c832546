"""A text compared with the ideas of a pyramid: as a whole, by sentences and by segments.

Every part of an idea (``ScuParts``) is compared with each of them, word by word. The meaning of
each sentence tells which idea it is about. ``idea_similarity`` makes one value of the two.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.config import Config
from grading.pyramid.idea_similarity import ScuParts, contrast, idea_values, room_for_one
from grading.pyramid.matchers.text_facts import TextFacts, facts_about
from grading.pyramid.rhetoric import framing_words
from grading.pyramid.segmentation.sentences import is_heading
from grading.pyramid.similarity import Matrix, Meanings, Similarity, closeness
from grading.pyramid.structures import (
    Segment,
    Segmentation,
    SegmentedText,
    Sentence,
    Span,
    Spans,
    Unit,
    is_mostly_in,
    spans_without,
)

_LEAD_OF_WORDS = 0.6  # without meanings: words differ more from idea to idea

DividedSentences = tuple[tuple[Span, tuple[Segmentation, ...]], ...]


class Cut(NamedTuple):
    """The segments of a sentence that count if it is cut in one way, and their rows."""

    segments: tuple[Segment, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Stretches:
    """What of a text is compared: all of it, its sentences, and the segments that count."""

    divided: DividedSentences
    sentences: tuple[Spans, ...]  # without words that are held, where others are not
    words: tuple[str, ...]  # of each sentence
    whole_sentences: tuple[Cut, ...]  # each as one segment, whether it counts or not
    is_held: NDArray[np.bool_]  # of each sentence, whether it is held as a whole
    is_heading: tuple[bool, ...]  # of each sentence
    cuts: tuple[tuple[Cut, ...], ...]  # of each sentence, finest first
    units: tuple[Unit, ...]  # all that is compared, a row each; the whole text is the first

    @classmethod
    def of(cls, text: SegmentedText, held: Spans, config: Config) -> "Stretches":
        """Words that are held say nothing for the others, unless all are held."""
        whole: Spans = (Span(0, len(text.text.content)),)
        sentences = tuple(_telling_words(sentence) for sentence in text.sentences)
        is_held = np.zeros(len(sentences), np.bool_)
        if held:
            is_held[:] = [is_mostly_in(sentence, held) for sentence in sentences]
        if held and not is_held.all():
            whole = spans_without(whole, held)
            sentences = tuple(
                sentence if hidden else spans_without(sentence, held)
                for sentence, hidden in zip(sentences, is_held, strict=True)
            )
        ways = [_finest_first(sentence) for sentence in text.sentences]
        rows: dict[Spans, int] = {}
        counts: dict[Spans, bool] = {}

        def cut_of(segments: Iterable[Segment]) -> Cut:
            chosen = tuple(segments)
            return Cut(
                chosen, tuple([rows.setdefault(segment.spans, len(rows)) for segment in chosen])
            )

        def is_counted(segment: Segment) -> bool:
            if segment.spans not in counts:
                counts[segment.spans] = config.counts(text.text.words_at(segment.spans))
            return counts[segment.spans]

        cut_of([Segment(whole)])
        return cls(
            divided=_divided(text),
            sentences=sentences,
            words=tuple(text.text.words_at(sentence) for sentence in sentences),
            whole_sentences=tuple(cut_of([Segment(sentence)]) for sentence in sentences),
            is_held=is_held,
            is_heading=tuple(is_heading(text, sentence) for sentence in text.sentences),
            cuts=tuple(
                tuple(cut_of(filter(is_counted, cut.segments)) for cut in cuts) for cuts in ways
            ),
            units=tuple(Unit(text.text, spans) for spans in rows),
        )

    def is_counted(self, sentence: int) -> bool:
        """Whether a sentence is long enough to be counted."""
        return bool(self.cuts[sentence][-1].segments)


@dataclass(frozen=True, eq=False, slots=True)
class ComparedText:
    """How similar a text is to each idea, as a whole and in each of its sentences and segments.

    Matrices have a column for each idea, in the order of the pyramid.
    """

    text: SegmentedText
    facts: TextFacts
    stretches: Stretches
    similarity: Matrix

    @property
    def whole(self) -> Matrix:
        """The similarity of the whole text."""
        row: Matrix = self.similarity[0]
        return row

    def of_sentences(self) -> Matrix:
        """The similarity of all sentences."""
        return self.of_rows([whole.rows[0] for whole in self.stretches.whole_sentences])

    def of_rows(self, rows: Sequence[int]) -> Matrix:
        """The similarity of some of what is compared."""
        chosen: Matrix = self.similarity[np.array(rows, dtype=np.int64)]
        return chosen


class TextComparer:
    """Ready to compare texts with the ideas of one pyramid."""

    def __init__(self, parts: ScuParts, similarity: Similarity, config: Config) -> None:
        self._parts = parts
        self._similarity = similarity
        self._config = config
        self._compare = similarity.against(parts.units)
        self._meanings = similarity.meanings(parts.units).astype(np.float64)  # as multiplied

    def leave_out_meanings(self) -> None:
        """Tell ideas apart by words alone: one wording tells too little of what is meant."""
        self._meanings = self._meanings[:, :0]

    def compared(self, text: SegmentedText, facts: TextFacts, held: Spans) -> ComparedText:
        """Compare all of a text with the ideas, in one go."""
        stretches = self._stretches(text, facts, held)
        similarity = self._parts.join(self._compare(stretches.units))
        return ComparedText(text, facts, stretches, similarity)

    def _stretches(self, text: SegmentedText, facts: TextFacts, held: Spans) -> Stretches:
        """Those that are kept, if the text was divided in the same ways then."""

        def find() -> Stretches:
            return Stretches.of(text, held, self._config)

        kept = facts.get(("stretches", held, self._config.min_words), find)
        return kept if kept.divided == _divided(text) else find()

    def values_of_sentences(self, compared: ComparedText) -> Matrix:
        """How well each sentence expresses each idea."""
        stretches = compared.stretches
        meanings = self._kept_meanings(compared, stretches.sentences)
        return self._values(stretches.words, compared.of_sentences(), compared.whole, meanings)

    def values_as_texts(self, compared: ComparedText, rows: Sequence[int]) -> Matrix:
        """How well some of what is compared would express each idea as the only words of a text."""
        stretches = tuple(compared.stretches.units[row].spans for row in rows)
        words = [compared.text.text.words_at(spans) for spans in stretches]
        similarity = compared.of_rows(rows)
        meanings = self._kept_meanings(compared, stretches)
        return self._values(words, similarity, similarity, meanings)

    def best_values_of_reference(self, reference: SegmentedText) -> NDArray[np.float64]:
        """How well a reference expresses each idea; what it contributed is passed over.

        An idea of which nothing is left is NaN.
        """
        text = reference.text
        facts = facts_about(reference, self._similarity.name)
        sentences = tuple(sentence.span for sentence in reference.sentences)
        units, words, meanings = facts.get(
            ("reference", text.name, sentences), lambda: self._known_of_reference(reference)
        )
        similarity = self._parts.join(self._compare(units), without=text.name)
        values = self._values(words, similarity[1:], similarity[0], meanings, without=text.name)
        best: NDArray[np.float64] = values.max(axis=0, initial=-np.inf)
        return best

    def _known_of_reference(
        self, reference: SegmentedText
    ) -> tuple[list[Unit], list[str], Meanings]:
        """What is compared: all of it, and its sentences; and the words and meanings of these."""
        text = reference.text
        sentences = [Unit(text, _telling_words(sentence)) for sentence in reference.sentences]
        whole = Unit(text, (Span(0, len(text.content)),))
        words = [unit.words for unit in sentences]
        return [whole, *sentences], words, self._similarity.meanings(sentences)

    def _values(
        self,
        words: Sequence[str],
        similarity: Matrix,
        whole: Matrix,
        meanings: Meanings,
        *,
        without: str | None = None,
    ) -> Matrix:
        """The values of stretches with these words; ``without`` the parts of a reference."""
        agreement = self._parts.number_agreement(words)
        lead = _LEAD_OF_WORDS * contrast(similarity)
        if self._meanings.shape[1]:
            close = closeness(meanings, self._meanings)
            lead = contrast(self._parts.join(close, without=without))
        return idea_values(
            similarity,
            whole,
            self._config.contrast * room_for_one(words) * lead,
            self._config.number_agreement * agreement,
        )

    def _kept_meanings(self, compared: ComparedText, stretches: tuple[Spans, ...]) -> Meanings:
        if not self._meanings.shape[1]:
            return np.zeros((len(stretches), 0), dtype=np.float16)
        text = compared.text.text
        return compared.facts.get(
            ("meanings", stretches),
            lambda: self._similarity.meanings([Unit(text, spans) for spans in stretches]),
        )


def _divided(text: SegmentedText) -> DividedSentences:
    return tuple((sentence.span, sentence.segmentations) for sentence in text.sentences)


def _telling_words(sentence: Sentence) -> Spans:
    """A sentence without the words that only frame what it says."""
    framing = framing_words(sentence)
    return spans_without((sentence.span,), framing) if framing else (sentence.span,)


def _finest_first(sentence: Sentence) -> list[Segmentation]:
    return sorted(sentence.segmentations, key=lambda way: -len(way.segments))

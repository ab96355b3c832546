"""ROUGE-L (Lin 2004, section 3.1): the longest common subsequence of two texts as wholes.

Units: the words in their order. Worth: each word of a reference one point. Two match where they are
equal and the matches keep their order. Points: as for n-grams. A text is one sequence, as in
``rouge-score``'s rougeL; sentence by sentence (rougeLsum) it is not computed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grading.pyramid.content import (
    ContentMatch,
    ContentModel,
    ContentScore,
    ContentScorer,
    ContentUnit,
    Element,
    Material,
    Options,
    Place,
    PlugIns,
)
from grading.pyramid.parsing import ParsedText
from grading.pyramid.rouge.figures import STEM, against, explained, overall
from grading.pyramid.rouge.words import RougeWord, rouge_words
from grading.pyramid.structures import Span, join_spans


@dataclass(frozen=True, slots=True)
class SubsequenceMeasure:
    """ROUGE-L."""

    options: Options
    resources: tuple[str, ...] = ("rouge-1",)

    def read_units(self, text: ParsedText) -> tuple[ContentUnit, ...]:
        """Kind “ngram”: each word by itself."""
        return tuple(
            ContentUnit("ngram", (word.span,), {"words": [word.form]})
            for word in self._words(text.text.content)
        )

    def make_model(self, material: Material) -> ContentModel:
        """An element for each reference: all its words, one point each."""
        elements = []
        for uid, text in enumerate(material.texts, 1):
            words = self._words(text.content)
            spans = join_spans([Span(words[0].span.start, words[-1].span.end)] if words else [])
            places = (Place(text.name, spans),)
            elements.append(Element(uid, text.name, len(words), places))
        return ContentModel("", {}, material.texts, tuple(elements))

    def prepare(self, model: ContentModel) -> ContentScorer:
        """Scores by the references' words, which are read again from their texts."""
        names = [text.name for text in model.references]
        references = [self._words(text.content) for text in model.references]

        def score(summary: ParsedText) -> ContentScore:
            words = self._words(summary.text.content)
            common = [longest_common(words, reference) for reference in references]
            parts = [
                against(len(places), len(reference), len(words))
                for places, reference in zip(common, references, strict=True)
            ]
            matches = tuple(
                ContentMatch(
                    element.uid,
                    join_spans(words[place].span for place in places),
                    len(places) / len(names),
                    part.f1,
                )
                for element, places, part in zip(model.elements, common, parts, strict=True)
                if places
            )
            told = {place for places in common for place in places}
            result = overall(parts, self.options)
            return ContentScore(
                units=len(words),
                raw=result.matched,
                quality=result.precision,
                coverage=result.recall,
                comprehensive=result.f1,
                matches=matches,
                unmatched=tuple((w.span,) for at, w in enumerate(words) if at not in told),
                explanation=explained(names, parts, result, self.options, "words in order"),
            )

        return score

    def _words(self, content: str) -> list[RougeWord]:
        return rouge_words(content, stemmed=self.options["matching"] == STEM)


def longest_common(words: Sequence[RougeWord], others: Sequence[RougeWord]) -> list[int]:
    """The places in the first of a longest subsequence that both have; of several the earliest."""
    forms = {form: number for number, form in enumerate({word.form: 0 for word in others})}
    row_of = np.array([forms[word.form] for word in others], dtype=np.int64)
    # lengths[i, j]: of the longest common subsequence of what follows place i, and place j.
    lengths = np.zeros((len(words) + 1, len(others) + 1), dtype=np.int32)
    for at in range(len(words) - 1, -1, -1):
        equal = row_of == forms.get(words[at].form, -1)
        row = np.maximum(lengths[at + 1, :-1], np.where(equal, lengths[at + 1, 1:] + 1, 0))
        lengths[at, :-1] = np.maximum.accumulate(row[::-1])[::-1]
    places, other = [], 0
    for at, word in enumerate(words):
        same = np.flatnonzero(row_of[other:] == forms.get(word.form, -1))
        if same.size:
            after = other + int(same[0]) + 1
            if lengths[at + 1, after] + 1 == lengths[at, other]:
                places.append(at)
                other = after
    return places


def load(options: Options, _plug_ins: PlugIns) -> SubsequenceMeasure:
    """ROUGE-L."""
    return SubsequenceMeasure(options)

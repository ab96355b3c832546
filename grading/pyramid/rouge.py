"""ROUGE (Lin 2004) as an instance of Basic Elements' frame (Hovy, Lin and Zhou 2005, section 3.6).

Its units are n-grams, skip bigrams or subsequences, each worth its count, matched by identity or
by stem; the points add up to recall, precision and F1.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum

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
from grading.pyramid.porter_stemmer import porter_stem
from grading.pyramid.structures import Span, Spans, join_spans

# The words of ROUGE: runs of unaccented letters and digits in lower case, stemmed if wanted.
#
# The same as ``rouge-score`` makes, with their places: a letter that is not of the English alphabet
# parts words, and words of up to three letters are not stemmed.

_WORD = re.compile("[a-z0-9]+")
_LONGEST_UNSTEMMED = 3


@dataclass(frozen=True, slots=True)
class RougeWord:
    """A word as it is compared, and where it is."""

    form: str
    span: Span


def rouge_words(content: str, *, stemmed: bool) -> list[RougeWord]:
    """The words of a text in order."""
    lowered = content.lower()
    offsets: list[int] | range = range(len(content) + 1)
    if len(lowered) != len(content):  # "İ" becomes two characters
        lowered = "".join(character.lower() for character in content)
        offsets = [
            offset
            for offset, character in enumerate(content)
            for _ in range(len(character.lower()))
        ]
    words = []
    for match in _WORD.finditer(lowered):
        form = match.group()
        if stemmed and len(form) > _LONGEST_UNSTEMMED:
            form = porter_stem(form)
        start, last = offsets[match.start()], offsets[match.end() - 1]
        words.append(RougeWord(form, Span(start, last + 1)))
    return words


# Recall, precision and F1 against one reference, and against several.

STEM = "stem"
MEAN, BEST = "mean", "best"


@dataclass(frozen=True, slots=True)
class Figures:
    """How many units matched, and which share of the reference's and of the summary's they are."""

    matched: float
    recall: float
    precision: float
    f1: float


def against(matched: int, in_reference: int, in_summary: int) -> Figures:
    """The figures against one reference; 0 where there is nothing to match."""
    recall = matched / in_reference if in_reference else 0.0
    precision = matched / in_summary if in_summary else 0.0
    both = recall + precision
    return Figures(matched, recall, precision, 2 * recall * precision / both if both else 0.0)


def overall(parts: Sequence[Figures], options: Options) -> Figures:
    """The mean over the references, or those of the reference with the best F1."""
    if not parts:
        return Figures(0.0, 0.0, 0.0, 0.0)
    if options["references"] == BEST:
        return max(parts, key=lambda part: (part.f1, part.recall, part.matched))
    columns = zip(
        *((part.matched, part.recall, part.precision, part.f1) for part in parts), strict=True
    )
    return Figures(*(fsum(column) / len(parts) for column in columns))


def explained(
    names: Sequence[str], parts: Sequence[Figures], result: Figures, options: Options, units: str
) -> tuple[str, ...]:
    """A sentence for each reference, and one for the result."""
    lines = [
        f"“{name}”: {part.matched:g} {units} match, recall {part.recall:.4f}, "
        f"precision {part.precision:.4f}, F1 {part.f1:.4f}."
        for name, part in zip(names, parts, strict=True)
    ]
    how = "The best reference" if options["references"] == BEST else "The mean of all references"
    last = f"{how}: recall {result.recall:.4f}, precision {result.precision:.4f}."
    return (*lines, last)


# ROUGE-N and ROUGE-SU (Lin 2004, sections 2 and 5), by counts of n-grams and skip bigrams.
#
# Units: runs of n words; or all single words, and all pairs of words in their order with at most
# four words between them (SU4). Worth: how often a reference has them. Two match by identity, a
# summary's unit at most as often as the reference has it. Points: recall, precision and F1 against
# each reference; the option ``references`` says how several references make one number.
#
# Where the papers leave it open: skip bigrams and single words count alike, as in ROUGE 1.5.5 with
# ``-2 4 -u``; sentence ends part nothing, as in ``rouge-score``.

SKIPPED = 4  # d_skip: words between the two of a skip bigram, at most

_Gram = tuple[RougeWord, ...]
_Cut = Callable[[Sequence[RougeWord]], Iterator[_Gram]]


def n_grams(length: int) -> _Cut:
    """What cuts words into runs of so many."""

    def cut(words: Sequence[RougeWord]) -> Iterator[_Gram]:
        for start in range(len(words) - length + 1):
            yield tuple(words[start : start + length])

    return cut


def skip_bigrams_and_words(words: Sequence[RougeWord]) -> Iterator[_Gram]:
    """Each word, and each pair with another word behind it that is near enough."""
    for at, word in enumerate(words):
        yield (word,)
        for other in words[at + 1 : at + 2 + SKIPPED]:
            yield word, other


@dataclass(frozen=True, slots=True)
class GramMeasure:
    """ROUGE by counts of the units that ``cut`` makes."""

    cut: _Cut
    options: Options
    resources: tuple[str, ...] = ("rouge-1",)

    def read_units(self, text: ParsedText) -> tuple[ContentUnit, ...]:
        """Kind “ngram”, with the words as they are compared."""
        return tuple(
            ContentUnit("ngram", _spans(gram), {"words": list(_form(gram))})
            for gram in self._grams(text.text.content)
        )

    def make_model(self, material: Material) -> ContentModel:
        """An element for each n-gram; its weight is how often all references have it together."""
        places: dict[tuple[str, ...], list[Place]] = {}
        for text in material.texts:
            for gram in self._grams(text.content):
                places.setdefault(_form(gram), []).append(Place(text.name, _spans(gram)))
        forms = sorted(places, key=lambda form: (-len(places[form]), form))
        elements = tuple(
            Element(uid, " ".join(form), len(places[form]), tuple(places[form]), {"words": [*form]})
            for uid, form in enumerate(forms, 1)
        )
        return ContentModel("", {}, material.texts, elements)

    def prepare(self, model: ContentModel) -> ContentScorer:
        """Scores by the counts of the model."""
        names = [text.name for text in model.references]
        counts = {name: Counter[int]() for name in names}
        uids: dict[tuple[str, ...], int] = {}
        for element in model.elements:
            words: Sequence[str] = element.fields["words"]  # type: ignore[assignment]
            uids[tuple(words)] = element.uid
            for place in element.places:
                counts[place.text][element.uid] += 1

        def score(summary: ParsedText) -> ContentScore:
            spans: defaultdict[int, list[Spans]] = defaultdict(list)
            bare: list[Spans] = []
            for gram in self._grams(summary.text.content):
                uid = uids.get(_form(gram))
                (bare if uid is None else spans[uid]).append(_spans(gram))
            number = len(bare) + sum(map(len, spans.values()))
            parts = [
                against(
                    sum(
                        min(len(spans[uid]), times)
                        for uid, times in counted.items()
                        if uid in spans
                    ),
                    counted.total(),
                    number,
                )
                for counted in counts.values()
            ]
            matches = []
            for uid, places in sorted(spans.items()):
                most = max(counted[uid] for counted in counts.values())
                bare += places[most:]
                points = sum(min(len(places), counted[uid]) for counted in counts.values())
                words = join_spans(
                    span for spans_of_match in places[:most] for span in spans_of_match
                )
                matches.append(ContentMatch(uid, words, points / len(names)))
            result = overall(parts, self.options)
            return ContentScore(
                units=number,
                raw=result.matched,
                quality=result.precision,
                coverage=result.recall,
                comprehensive=result.f1,
                matches=tuple(matches),
                unmatched=tuple(sorted(bare)),
                explanation=explained(names, parts, result, self.options, "units"),
            )

        return score

    def _grams(self, content: str) -> Iterator[_Gram]:
        return self.cut(rouge_words(content, stemmed=self.options["matching"] == STEM))


def _form(gram: _Gram) -> tuple[str, ...]:
    return tuple(word.form for word in gram)


def _spans(gram: _Gram) -> Spans:
    return join_spans(word.span for word in gram)


def load_1(options: Options, _plug_ins: PlugIns) -> GramMeasure:
    """ROUGE-1."""
    return GramMeasure(n_grams(1), options)


def load_2(options: Options, _plug_ins: PlugIns) -> GramMeasure:
    """ROUGE-2."""
    return GramMeasure(n_grams(2), options)


def load_su4(options: Options, _plug_ins: PlugIns) -> GramMeasure:
    """ROUGE-SU4."""
    return GramMeasure(skip_bigrams_and_words, options)


# ROUGE-L (Lin 2004, section 3.1): the longest common subsequence of two texts as wholes.
#
# Units: the words in their order. Worth: each word of a reference one point. Two match where they
# are equal and the matches keep their order. Points: as for n-grams. A text is one sequence, as in
# ``rouge-score``'s rougeL; sentence by sentence (rougeLsum) it is not computed.


@dataclass(frozen=True, slots=True)
class SubsequenceMeasure:
    """ROUGE-L."""

    options: Options
    resources: tuple[str, ...] = ("rouge-1",)

    def read_units(self, text: ParsedText) -> tuple[ContentUnit, ...]:
        """Kind “ngram”: each word on its own."""
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
            matched_places = {place for places in common for place in places}
            result = overall(parts, self.options)
            return ContentScore(
                units=len(words),
                raw=result.matched,
                quality=result.precision,
                coverage=result.recall,
                comprehensive=result.f1,
                matches=matches,
                unmatched=tuple(
                    (w.span,) for at, w in enumerate(words) if at not in matched_places
                ),
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


def load_l(options: Options, _plug_ins: PlugIns) -> SubsequenceMeasure:
    """ROUGE-L."""
    return SubsequenceMeasure(options)

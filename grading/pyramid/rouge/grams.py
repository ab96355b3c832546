"""ROUGE-N and ROUGE-SU (Lin 2004, sections 2 and 5), by counts of n-grams and skip bigrams.

Units: runs of n words; or all single words, and all pairs of words in their order with at most
four words between them (SU4). Worth: how often a reference has them. Two match by identity, a
summary's unit at most as often as the reference has it. Points: recall, precision and F1 against
each reference; the option ``references`` says how several references make one number.

Where the papers leave it open: skip bigrams and single words count alike, as in ROUGE 1.5.5 with
``-2 4 -u``; sentence ends part nothing, as in ``rouge-score``.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

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
from grading.pyramid.structures import Spans, join_spans

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
            for uid, found in sorted(spans.items()):
                most = max(counted[uid] for counted in counts.values())
                bare += found[most:]
                points = sum(min(len(found), counted[uid]) for counted in counts.values())
                words = join_spans(span for one in found[:most] for span in one)
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

"""The three EDU methods as answers to the frame's four questions (Hirao et al. 2018, section 3).

Units: elementary discourse units of the source. Worth: in how many extractive references a unit is
(3.3); an extract is an alignment, or the oracle of ROUGE-2 or of Basic Elements. Match: a unit of
the summary has .55 of the words of the pyramid's unit in their order, one to one (3.4). Score: the
sum of the weights, and its share of the best sum of a text as long as a reference.

What the paper leaves open, and what is done here:

- Equation 21 sums over i for each i; it is read as a sum over j, one partner for each unit of the
  summary.
- The extracts' L_max is the number of words of their reference, as under equation 6; that of the
  knapsack (26) is the mean of the references, rounded half up. A longer text may have more points
  than that: its coverage is 1.
- Words are compared by their stems (``--option matching=identity``: as they are), as ROUGE did.
- Equation 9 is taken literally: a sentence costs one bigram or Basic Element. With
  ``--option sentence-cost=0`` it is the oracle of equation 7.
- Bigrams run over sentence ends, as in ROUGE. Basic Elements are head, modifier and relation by
  their lemmas. Both count as often as they occur.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor

from grading.pyramid.basic_elements.breaker import break_sentence
from grading.pyramid.basic_elements.lexicon import Lexicon, load_lexicon
from grading.pyramid.content import (
    ContentMatch,
    ContentModel,
    ContentScore,
    ContentScorer,
    ContentUnit,
    Element,
    Json,
    Material,
    Options,
    Place,
    PlugIn,
    PlugIns,
)
from grading.pyramid.edus.extracts import (
    Extract,
    Occurrence,
    align,
    assign,
    best_within,
    oracle,
    similar,
)
from grading.pyramid.edus.segmenter import shipped_segmenter
from grading.pyramid.edus.units import (
    KIND,
    Edu,
    FindSpans,
    SegmentedUnits,
    UnitPlaces,
    edus_of,
    read_units_file,
)
from grading.pyramid.errors import InputError
from grading.pyramid.figures import number_of
from grading.pyramid.parsing import ParsedText
from grading.pyramid.structures import Text

STEM = "stem"
_VERSION = "edu-2"
_MISSED_SHOWN = 5


@dataclass(frozen=True, slots=True)
class UnitText:
    """A text with its EDUs."""

    parsed: ParsedText
    edus: tuple[Edu, ...]

    @property
    def word_count(self) -> int:
        return sum(len(edu.words) for edu in self.edus)


MakeExtract = Callable[[UnitText, UnitText, Options], Extract]


@dataclass(frozen=True, slots=True)
class EduMeasure:
    """A pyramid of the EDUs that ``extract`` takes from the source for each reference."""

    cutter: FindSpans
    extract: MakeExtract
    options: Options
    resources: tuple[str, ...]

    def read_units(self, text: ParsedText) -> tuple[ContentUnit, ...]:
        """Kind “edu”."""
        return tuple(ContentUnit(KIND, spans) for spans in self.cutter.spans_of(text))

    def cut(self, text: ParsedText) -> UnitText:
        """The text with its units and their words."""
        is_stemmed = self.options["matching"] == STEM
        return UnitText(text, tuple(edus_of(text, self.cutter, stemmed=is_stemmed)))

    def make_model(self, material: Material) -> ContentModel:
        """An element for each unit of the source that is in an extractive reference."""
        if material.source is None:
            raise InputError("An EDU pyramid needs the source text that was summarised.")
        source = self.cut(material.source)
        references = [self.cut(reference) for reference in material.references]
        extracts = [self.extract(source, reference, self.options) for reference in references]
        weights = Counter(unit for extract in extracts for unit in extract.units)
        # Heaviest first, then in the order of the source.
        order = sorted(weights, key=lambda unit: (-weights[unit], unit))
        uids = {unit: uid for uid, unit in enumerate(order, 1)}
        elements = tuple(
            self._element(uids[unit], unit, source, references, extracts) for unit in order
        )
        words = [reference.word_count for reference in references]
        remarks = [
            {
                "reference": reference.parsed.text.name,
                "words": reference.word_count,
                "elements": sorted(uids[unit] for unit in extract.units),
                "value": round(extract.value, 4),
                "proven": extract.is_proven,
            }
            for reference, extract in zip(references, extracts, strict=True)
        ]
        fields: Json = {
            "extracts": remarks,
            "limit": floor(sum(words) / len(words) + 0.5),
            "source_units": [[[span.start, span.end] for span in edu.spans] for edu in source.edus],
        }
        text = material.source.text
        notes = tuple(_notes(references, extracts))
        return ContentModel("", {}, material.texts, elements, text, fields, notes)

    def _element(
        self,
        uid: int,
        unit: int,
        source: UnitText,
        references: Sequence[UnitText],
        extracts: Sequence[Extract],
    ) -> Element:
        """Its places are its own in the source, and the units that were aligned with it."""
        edu, text = source.edus[unit], source.parsed.text
        places = [Place(text.name, edu.spans, in_source=True)]
        with_unit = []
        for reference, extract in zip(references, extracts, strict=True):
            name = reference.parsed.text.name
            with_unit += [name] * (unit in extract.units)
            places += (
                Place(name, reference.edus[pair.reference_unit].spans)
                for pair in extract.pairs
                if pair.unit == unit
            )
        fields: Json = {"words": list(edu.words), "unit": unit, "references": with_unit}
        return Element(uid, text.quoted(edu.spans), len(with_unit), tuple(places), fields)

    def prepare(self, model: ContentModel) -> ContentScorer:
        """Scores by the elements of the model."""
        elements = model.elements
        pyramid = [_strings(element.fields["words"]) for element in elements]
        weights = [round(element.weight) for element in elements]
        limit = model.fields["limit"]
        if not isinstance(limit, int) or limit < 0:
            raise InputError("The model's field “limit” is not a number of words.")
        best = best_within(weights, [len(words) for words in pyramid], limit)
        threshold = float(self.options["threshold"])

        def score(summary: ParsedText) -> ContentScore:
            edus = self.cut(summary).edus
            pairs = similar(pyramid, [edu.words for edu in edus], threshold)
            partners = assign(pairs, weights)
            matches = tuple(
                ContentMatch(
                    elements[unit].uid, edus[place].spans, weights[unit], pairs[unit][place]
                )
                for unit, place in sorted(partners.items())
            )
            raw = sum(weights[unit] for unit in partners)
            coverage = min(1.0, raw / best) if best else 0.0
            matched = set(partners.values())
            return ContentScore(
                units=len(edus),
                raw=raw,
                coverage=coverage,
                matches=matches,
                unmatched=tuple(
                    edu.spans for place, edu in enumerate(edus) if place not in matched
                ),
                explanation=tuple(_explained(matches, model, summary.text, best, coverage)),
                figures={"best_sum": best, "limit": limit},
            )

        return score


# --- the three extracts ---


def aligned(source: UnitText, reference: UnitText, _options: Options) -> Extract:
    """Equations 1 to 6."""
    return align(source.edus, reference.edus, reference.word_count)


def rouge_oracle(source: UnitText, reference: UnitText, options: Options) -> Extract:
    """Equations 7 to 18 with bigrams."""
    wanted = Counter(bigram.key for bigram in _bigrams(reference.edus))
    cost = int(options["sentence-cost"])
    return oracle(source.edus, list(_bigrams(source.edus)), wanted, reference.word_count, cost)


def _bigrams(edus: Sequence[Edu]) -> Iterator[Occurrence]:
    words = [(word, unit) for unit, edu in enumerate(edus) for word in edu.words]
    for (word, left), (other, right) in pairwise(words):
        yield Occurrence((word, other), left, right)


def basic_element_oracle(lexicon: Lexicon) -> MakeExtract:
    """Equations 7 to 18 with Basic Elements."""

    def extract(source: UnitText, reference: UnitText, options: Options) -> Extract:
        wanted = Counter(basic_element.key for basic_element in _basic_elements(reference, lexicon))
        basic_elements = list(_basic_elements(source, lexicon))
        cost = int(options["sentence-cost"])
        return oracle(source.edus, basic_elements, wanted, reference.word_count, cost)

    return extract


def _basic_elements(text: UnitText, lexicon: Lexicon) -> Iterator[Occurrence]:
    """Those whose two words are in units; a word of several parts is where it begins."""
    places = UnitPlaces([edu.spans for edu in text.edus])
    for sentence in text.parsed.sentences:
        for pair in break_sentence(sentence, lexicon).pairs:
            left = places.unit_at(pair.head.spans[0].start)
            right = places.unit_at(pair.modifier.spans[0].start)
            if left is not None and right is not None:
                yield Occurrence((pair.head.lemma, pair.modifier.lemma, pair.relation), left, right)


# --- in words ---


def _notes(references: Sequence[UnitText], extracts: Sequence[Extract]) -> Iterator[str]:
    for reference, extract in zip(references, extracts, strict=True):
        name = reference.parsed.text.name
        if not extract.units:
            yield f"No unit of the source says enough of “{name}”: its extract is empty."
        if not extract.is_proven:
            yield f"The extract of “{name}” may not be the best: the search was too long."


def _explained(
    matches: Sequence[ContentMatch], model: ContentModel, text: Text, best: int, coverage: float
) -> Iterator[str]:
    elements = {element.uid: element for element in model.elements}
    points = sum(match.points for match in matches)
    number = len(matches)
    units = "1 unit of the pyramid is" if number == 1 else f"{number} units of the pyramid are"
    yield f"{units} in the summary: {number_of(round(points), 'point')}."
    for match in matches:
        yield (
            f"{match.points:g}: “{text.quoted(match.spans)}” has {match.similarity:.0%} of "
            f"“{elements[match.element].label}”."
        )
    limit = model.fields["limit"]
    yield (
        f"The best sum in {limit} words, the mean length of a reference, is {best}: "
        f"coverage {coverage:.4f}."
    )
    matched_uids = {match.element for match in matches}
    missed = [element for element in model.elements if element.uid not in matched_uids][
        :_MISSED_SHOWN
    ]
    if missed:
        yield (
            "Heaviest units missed: "
            + ", ".join(f"“{element.label}” ({element.weight:g})" for element in missed)
            + "."
        )


def _strings(value: object) -> tuple[str, ...]:
    """A list of strings out of a model that may have been written by another program."""
    return tuple(map(str, value)) if isinstance(value, list) else ()


# --- the rows ---


def _load(extract: MakeExtract, options: Options, plug_ins: PlugIns, *more: str) -> EduMeasure:
    file = plug_ins.get(PlugIn.EDUS)
    cutter: FindSpans = read_units_file(file) if file else SegmentedUnits(shipped_segmenter())
    return EduMeasure(cutter, extract, options, (_VERSION, cutter.name, *more))


def load_alignment(options: Options, plug_ins: PlugIns) -> EduMeasure:
    """Extracts by alignment."""
    return _load(aligned, options, plug_ins)


def load_oracle_rouge(options: Options, plug_ins: PlugIns) -> EduMeasure:
    """Extracts with the best recall of bigrams."""
    return _load(rouge_oracle, options, plug_ins)


def load_oracle_be(options: Options, plug_ins: PlugIns) -> EduMeasure:
    """Extracts with the best recall of Basic Elements."""
    lexicon = load_lexicon()
    return _load(basic_element_oracle(lexicon), options, plug_ins, lexicon.name)

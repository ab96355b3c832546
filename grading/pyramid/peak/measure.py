"""PEAK as a method of the frame: units, worth, match, score."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

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
from grading.pyramid.parsing import ParsedText
from grading.pyramid.peak.hypergraph import Hypergraph, make_hypergraph
from grading.pyramid.peak.induction import InducedUnit, induce
from grading.pyramid.peak.lemmas import LemmaOverlap
from grading.pyramid.peak.phrases import ComparedTriple, compared_triples
from grading.pyramid.peak.scoring import Assignment, assign_triples, prepare_units
from grading.pyramid.peak.settings import ADW, SETTINGS, Comparison, Settings
from grading.pyramid.triples import extraction
from grading.pyramid.triples.carb_table import TripleTable, read_table, triples_of
from grading.pyramid.triples.triple import Triple
from grading.pyramid.word_senses.adw import Phrase, shared_adw

KIND = "triple"


@dataclass(frozen=True, slots=True)
class PeakMeasure:
    """PEAK with its comparison of words, and the triples of another extractor where given."""

    comparison: Comparison
    settings: Settings
    table: TripleTable | None = None

    @property
    def resources(self) -> tuple[str, ...]:
        """The rules for triples, and the lexicon that ADW walks in."""
        return (self.comparison.name, *([] if self.table is not None else [extraction.NAME]))

    def read_units(self, text: ParsedText) -> tuple[ContentUnit, ...]:
        """Kind “triple”: its elements' words and spans, its confidence, its sentence."""
        return tuple(
            ContentUnit(KIND, one.spans, _triple_to_json(one)) for one in self._triples(text)
        )

    def make_model(self, material: Material) -> ContentModel:
        """A content unit for each component of similar anchors."""
        triples = [
            triple
            for text in material.references
            for triple in compared_triples(text, self._triples(text))
        ]
        settings = self.settings
        graph = make_hypergraph(triples, self.comparison, settings.similar)
        units = induce(graph, settings.similar, settings.merge)
        elements = tuple(_element(graph, uid, unit) for uid, unit in enumerate(units, 1))
        return ContentModel("", {}, material.texts, elements, notes=_notes(graph, elements))

    def prepare(self, model: ContentModel) -> ContentScorer:
        """Scores by the phrases that the model keeps of each unit's triples."""
        phrases = [_phrases(element) for element in model.elements]
        weights = [element.weight for element in model.elements]
        units = prepare_units(phrases, weights, self.comparison)

        def score(summary: ParsedText) -> ContentScore:
            triples = compared_triples(summary, self._triples(summary))
            assigned = assign_triples([one.phrase for one in triples], units, self.settings.match)
            return _score(triples, assigned, model.elements)

        return score

    def _triples(self, text: ParsedText) -> tuple[Triple, ...]:
        if self.table is None:
            return extraction.extract_triples(text)
        return triples_of(text, self.table)


def load(options: Options, plug_ins: PlugIns) -> PeakMeasure:
    """PEAK with the comparison of words that was chosen."""
    file = plug_ins.get(PlugIn.TRIPLES)
    table = read_table(file.data, file.name) if file else None
    chosen = options["similarity"]
    comparison = shared_adw() if chosen == ADW else LemmaOverlap()
    return PeakMeasure(comparison, SETTINGS[chosen], table)


# --- the model as JSON values ---


def _triple_to_json(triple: Triple) -> Json:
    return {
        "subject": triple.subject.words,
        "predicate": triple.predicate.words,
        "objects": [element.words for element in triple.objects],
        "confidence": triple.confidence,
        "sentence": triple.sentence,
        "element_spans": [
            [[span.start, span.end] for span in element.spans] for element in triple.elements
        ],
    }


def _element(graph: Hypergraph, uid: int, unit: InducedUnit) -> Element:
    """The anchor first, then its contributors in the order of the references' names."""
    anchor = graph.triples[unit.anchor.triple]
    triples = [anchor, *(graph.triples[number] for number in unit.anchor.contributors)]
    salient = [
        element.words
        for element, node in zip(
            anchor.triple.elements, graph.nodes[unit.anchor.triple], strict=True
        )
        if node in graph.salient
    ]
    return Element(
        uid,
        anchor.triple.words,
        unit.anchor.weight,
        tuple(sorted((_place(one) for one in triples), key=lambda place: place.text)),
        {
            "salient": salient,
            "triples": [
                {"text": one.text, **_triple_to_json(one.triple), "words": _words(one.phrase)}
                for one in triples
            ],
            "merged": [_merged(graph, anchor.triple) for anchor in unit.merged],
        },
    )


def _merged(graph: Hypergraph, number: int) -> Json:
    one = graph.triples[number]
    return {"text": one.text, **_triple_to_json(one.triple)}


def _place(one: ComparedTriple) -> Place:
    return Place(one.text, one.triple.spans)


def _words(phrase: Phrase) -> list[list[str]]:
    return [list(word) for word in phrase]


def _phrases(element: Element) -> list[Phrase]:
    """The content words of each triple of a unit, as the model keeps them."""
    triples = cast(Sequence[Json], element.fields["triples"])
    return [
        tuple((part, word) for part, word in cast(Sequence[Sequence[str]], one["words"]))
        for one in triples
    ]


def _notes(graph: Hypergraph, elements: Sequence[Element]) -> tuple[str, ...]:
    shared = sum(element.weight > 1 for element in elements)
    note = (
        f"{len(graph.triples)} triples with {len(graph.phrases)} different elements, "
        f"{len(graph.salient)} of them salient, make {len(elements)} content units, "
        f"{shared} of them shared."
    )
    return (note,)


# --- what a summary has ---


def _score(
    triples: Sequence[ComparedTriple],
    assigned: Sequence[Assignment],
    elements: Sequence[Element],
) -> ContentScore:
    matches = tuple(
        ContentMatch(
            elements[each.unit].uid,
            triples[each.triple].triple.spans,
            elements[each.unit].weight,
            round(each.similarity, 4),
        )
        for each in sorted(assigned, key=lambda each: elements[each.unit].uid)
    )
    matched = {each.triple for each in assigned}
    rest = (one.triple.spans for number, one in enumerate(triples) if number not in matched)
    raw = sum(match.points for match in matches)
    lines = (
        _sentence(triples[each.triple], elements[each.unit], each.similarity) for each in assigned
    )
    total = (
        f"The weights of {len(matches)} content units add up to {raw:g}; "
        f"{len(triples) - len(matches)} of {len(triples)} triples match none."
    )
    return ContentScore(
        units=len(triples),
        raw=raw,
        matches=matches,
        unmatched=tuple(sorted({spans for spans in rest if spans})),
        explanation=(*lines, total),
    )


def _sentence(one: ComparedTriple, element: Element, similarity: float) -> str:
    return (
        f"“{one.triple.words}” expresses unit {element.uid} (“{element.label}”): "
        f"similarity {similarity:.2f}, weight {element.weight:g}."
    )

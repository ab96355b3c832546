"""PEAK (Yang, Passonneau and de Melo 2016): pyramids of subject-predicate-object triples.

First the words of a triple that can be compared; then which elements of triples are similar and
which are salient (the hypergraph), the content units (algorithm 1), what a summary has of them
(algorithm 2), and the method of the frame.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

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
from grading.pyramid.ilp import assign
from grading.pyramid.parsing import ParsedText
from grading.pyramid.segment_graph import connected_parts
from grading.pyramid.structures import Token
from grading.pyramid.triples import extraction
from grading.pyramid.triples.triple import (
    Triple,
    TripleElement,
    TripleTable,
    read_table,
    triples_of,
)
from grading.pyramid.word_senses.adw import Numbers, Phrase, shared_adw
from grading.pyramid.word_senses.lexicon import Integers

# The words of triples that can be compared.

_PARTS: Mapping[str, str] = {
    "NOUN": "n", "PROPN": "n", "NUM": "n", "VERB": "v", "ADJ": "a", "ADV": "r",
}  # fmt: skip
# Words that say nothing on their own: every second triple has one.
_EMPTY = frozenset((
    "be", "have", "do", "make", "get", "can", "may", "also", "very", "more", "most", "such",
    "many", "much", "other", "same", "just", "only", "even", "then", "so", "as", "too", "not",
    "well", "all", "some", "when", "where", "how", "why", "there", "here",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class ComparedTriple:
    """A triple of a text with the phrase of each of its elements; a phrase may have no words.

    The first is that of the subject, the second that of the predicate, the others of the objects.
    """

    text: str
    triple: Triple
    phrases: tuple[Phrase, ...]

    @property
    def phrase(self) -> Phrase:
        """The content words of all elements together."""
        return tuple(sorted({word for phrase in self.phrases for word in phrase}))

    @property
    def has_subject(self) -> bool:
        """Does the triple say what it is about? "It moves" says nothing on its own."""
        return bool(self.phrases[0])


def compared_triples(text: ParsedText, triples: Sequence[Triple]) -> tuple[ComparedTriple, ...]:
    """Triples with their phrases; those without any content word are left out."""
    compared = (
        ComparedTriple(
            text.text.name,
            triple,
            tuple(
                _phrase(text.sentences[triple.sentence].tokens, element)
                for element in triple.elements
            ),
        )
        for triple in triples
    )
    return tuple(triple for triple in compared if any(triple.phrases))


def _phrase(tokens: Sequence[Token], element: TripleElement) -> Phrase:
    """The different content words, in the order of the alphabet."""
    words = {
        (_PARTS[token.pos], token.lemma.lower())
        for token in tokens
        if any(span.start <= token.start and token.end <= span.end for span in element.spans)
        and token.pos in _PARTS
        and token.lemma.lower() not in _EMPTY
        and any(map(str.isalnum, token.text))
    }
    return tuple(sorted(words))


# How PEAK compares, and from where on two things count as similar: one setting.
#
# The paper's slides name the thresholds T and T1 and give no values, and say neither when a node is
# salient nor how a triple is compared with a content unit. docs/methods.md says how the values were
# chosen: the thresholds on the project's own topics; T1 and the length of signatures were changed
# after wim had been measured, for the number of units and for speed.


class Comparison(Protocol):
    """How similar phrases are, 0 to 1."""

    @property
    def name(self) -> str:
        """With its version and data, for signatures."""

    def against(self, columns: Sequence[Phrase]) -> Callable[[Sequence[Phrase]], Numbers]:
        """What compares any phrases with these, which are prepared once."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Thresholds on similarities."""

    similar: float  # two elements are of one similarity class from here on
    merge: float  # T1: two anchors are the same content unit
    match: float  # T: a triple of a summary expresses a content unit


ADW = "adw"
LEMMAS = "lemmas"
SETTINGS = {
    ADW: Settings(similar=0.6, merge=0.8, match=0.4),
    LEMMAS: Settings(similar=0.5, merge=0.8, match=0.1),
}


# Plain lemma overlap instead of ADW: what PEAK is worth without senses of words.
#
# A control, not of the paper: the same triples, hypergraph, merging and assignment, but two phrases
# are as similar as the share of their lemmas that both have (Jaccard).


@dataclass(frozen=True, slots=True)
class LemmaOverlap:
    """Compares phrases by their words alone."""

    name: str = "lemmas-1"

    def against(self, columns: Sequence[Phrase]) -> Callable[[Sequence[Phrase]], Numbers]:
        """What compares any phrases with these; phrases without words have similarity 0."""
        sets = [set(phrase) for phrase in columns]

        def compare(rows: Sequence[Phrase]) -> Numbers:
            table = np.zeros((len(rows), len(sets)))
            for number, words in enumerate(map(set, rows)):
                table[number] = [
                    len(words & others) / max(1, len(words | others)) for others in sets
                ]
            return table

        return compare


# The hypergraph of all triples: elements that are similar, and those that are salient.
#
# Yang, Passonneau and de Melo (2016), figure 2. Nodes are the elements of triples (subject,
# predicate, and each object), a hyperedge joins those of one triple, and two nodes are linked where
# ADW finds them similar. Left open, and chosen here:
#
# - Elements without a content word ("it", "is", "this") are no nodes: they would be similar to
#   nothing, or to everything.
# - A node is salient if it is similar to an element of another reference. What only one reference
#   mentions is no candidate for a shared idea. A single reference shares nothing, and all its
#   elements are salient.


@dataclass(frozen=True, eq=False, slots=True)
class Hypergraph:
    """Triples with their elements' phrases; equal phrases are one node.

    ``nodes[t]`` are the nodes of the elements of triple ``t``, None for one without content words.
    ``similarities`` are those of nodes, ``likeness`` those of whole triples.
    """

    triples: tuple[ComparedTriple, ...]
    phrases: tuple[Phrase, ...]
    similarities: Numbers
    likeness: Numbers
    nodes: tuple[tuple[int | None, ...], ...]
    salient: frozenset[int]


def make_hypergraph(
    triples: Sequence[ComparedTriple], comparison: Comparison, similar: float
) -> Hypergraph:
    """The hypergraph of the triples of all references."""
    phrases = tuple(sorted({phrase for triple in triples for phrase in triple.phrases if phrase}))
    number = {phrase: node for node, phrase in enumerate(phrases)}
    nodes = tuple(tuple(number.get(phrase) for phrase in triple.phrases) for triple in triples)
    similarities = comparison.against(phrases)(phrases)
    whole = [triple.phrase for triple in triples]
    likeness = comparison.against(whole)(whole)
    texts = sorted({triple.text for triple in triples})
    is_in_text = np.zeros((len(phrases), len(texts)), dtype=np.bool_)
    for compared, of_triple in zip(triples, nodes, strict=True):
        for node in of_triple:
            if node is not None:
                is_in_text[node, texts.index(compared.text)] = True
    in_class = (similarities >= similar).astype(np.int64) @ is_in_text.astype(np.int64) > 0
    least = min(2, len(texts))
    salient = frozenset(np.flatnonzero(in_class.sum(axis=1) >= least).tolist())
    return Hypergraph(tuple(triples), phrases, similarities, likeness, nodes, salient)


# Content units out of the hypergraph: anchors, contributors, weights, and their merging.
#
# Yang, Passonneau and de Melo (2016), “Pyramid induction” and algorithm 1. A triple with at least
# two salient elements is an anchor; a triple of another reference with an element in the similarity
# classes of two of them is a contributor; the weight is the number of references with one. Anchors
# that are similar enough are merged, each connected component to one unit with its highest weight.
# Left open, and chosen here:
#
# - An anchor says what it is about: its subject has a content word ("it moves" is no anchor).
# - Of each reference only the most similar triple contributes.
# - Two anchors are as similar as ADW finds all their words, as a summary's triple and a unit are.
#   To be merged they must also share two elements, as anchor and contributor do: connected
#   components make chains, and "matter has energy" is soon one unit with all that is said of
#   either.
# - Of a component the anchor with the highest weight stands for all; of equal ones the one that is
#   most similar to its contributors.

_LEAST_SALIENT = 2  # elements of an anchor, and elements that a contributor shares with it


@dataclass(frozen=True, slots=True)
class Anchor:
    """A triple by its number, and its contributors in other references, the most similar each."""

    triple: int
    contributors: tuple[int, ...]
    closeness: float

    @property
    def weight(self) -> int:
        return 1 + len(self.contributors)


@dataclass(frozen=True, slots=True)
class InducedUnit:
    """A content unit: the anchor that stands for it, and those that were merged with it."""

    anchor: Anchor
    merged: tuple[Anchor, ...]


def induce(graph: Hypergraph, similar: float, merge: float) -> list[InducedUnit]:
    """The content units, heaviest first; of equal weight the ones with the closest contributors."""
    anchors = [
        _anchor(graph, number, similar)
        for number, triple in enumerate(graph.triples)
        if triple.has_subject and len(_salient(graph, number)) >= _LEAST_SALIENT
    ]
    units = []
    for part in connected_parts(_same(graph, anchors, similar, merge)):
        ordered = sorted((anchors[number] for number in part), key=_rank)
        units.append(InducedUnit(ordered[0], tuple(ordered[1:])))
    return sorted(units, key=lambda unit: _rank(unit.anchor))


def _same(
    graph: Hypergraph, anchors: Sequence[Anchor], similar: float, merge: float
) -> NDArray[np.bool_]:
    """Which anchors are to be merged: lines 4 to 8 of algorithm 1."""
    same = np.zeros((len(anchors), len(anchors)), dtype=np.bool_)
    for row, anchor in enumerate(anchors):
        nodes = [node for node in dict.fromkeys(graph.nodes[anchor.triple]) if node is not None]
        for column, other in enumerate(anchors[:row]):
            if graph.likeness[anchor.triple, other.triple] >= merge:
                shared = _shared(graph, nodes, other.triple, similar)
                same[row, column] = same[column, row] = shared > 0
    return same


def _rank(anchor: Anchor) -> tuple[int, float, int]:
    return -anchor.weight, -anchor.closeness, anchor.triple


def _salient(graph: Hypergraph, triple: int) -> list[int]:
    nodes = dict.fromkeys(graph.nodes[triple])
    return [node for node in nodes if node is not None and node in graph.salient]


def _anchor(graph: Hypergraph, number: int, similar: float) -> Anchor:
    best: dict[str, tuple[float, int]] = {}
    own = graph.triples[number].text
    salient = _salient(graph, number)
    for other, compared in enumerate(graph.triples):
        if compared.text == own:
            continue
        shared = _shared(graph, salient, other, similar)
        if shared > 0 and shared > best.get(compared.text, (0.0, 0))[0]:
            best[compared.text] = shared, other
    matches = [best[text] for text in sorted(best)]
    closeness = sum(shared for shared, _ in matches)
    return Anchor(number, tuple(other for _, other in matches), round(closeness, 6))


def _shared(graph: Hypergraph, salient: Sequence[int], other: int, similar: float) -> float:
    """How similar the best elements of a triple are to two or more of these; 0 if fewer are."""
    nodes = [node for node in dict.fromkeys(graph.nodes[other]) if node is not None]
    table = graph.similarities[np.ix_(salient, nodes)]
    matched = [value for value in _one_to_one(table) if value >= similar]
    return sum(matched) if len(matched) >= _LEAST_SALIENT else 0.0


def _one_to_one(table: Numbers) -> Iterator[float]:
    """Similarities of pairs, the highest first, no row or column twice."""
    left = table.copy()
    for _ in range(min(left.shape)):
        row, column = divmod(int(left.argmax()), left.shape[1])
        if left[row, column] <= 0:
            return
        yield float(left[row, column])
        left[row, :] = left[:, column] = -1.0


# What a summary has of the content units: algorithm 2.
#
# Yang, Passonneau and de Melo (2016). Each triple of the summary is compared with each unit; where
# they are similar enough, the unit's weight stands in a matrix, in which the Hungarian algorithm
# assigns triples to units, each to one at most. The score is the sum of the weights assigned. Left
# open, and chosen here:
#
# - A triple is as similar to a unit as to the unit's most similar triple, anchor or contributor.
# - Algorithm 2 keeps weights only, so that equal weights tie. Here a thousandth of the similarity
#   is added to each: of assignments with the same score the one with the most similar pairs is
#   taken.

_TIE = 0.001  # of a similarity: less than any difference between whole weights


@dataclass(frozen=True, eq=False, slots=True)
class ScoredUnits:
    """Content units, ready to be compared with: each of their triples, and the units' weights.

    ``owners[p]`` is the number of the unit that the ``p``-th of the triples belongs to.
    """

    compare: Callable[[Sequence[Phrase]], Numbers]
    owners: Integers
    weights: Numbers


@dataclass(frozen=True, slots=True)
class Assignment:
    """A triple of the summary and the unit that it is assigned to, by their numbers."""

    triple: int
    unit: int
    similarity: float


def prepare_units(
    triples: Sequence[Sequence[Phrase]], weights: Sequence[float], comparison: Comparison
) -> ScoredUnits:
    """The units of a model, each with the phrases of its triples."""
    owners = [number for number, phrases in enumerate(triples) for _ in phrases]
    compare = comparison.against([phrase for phrases in triples for phrase in phrases])
    return ScoredUnits(compare, np.array(owners, dtype=np.int64), np.array(weights, dtype=float))


def assign_triples(triples: Sequence[Phrase], units: ScoredUnits, match: float) -> list[Assignment]:
    """The assignment with the highest sum of weights, in the order of the triples."""
    similarities = np.zeros((len(triples), len(units.weights)))
    if similarities.size:
        np.maximum.at(similarities.T, units.owners, units.compare(triples).T)
    worth = np.where(similarities >= match, units.weights + _TIE * similarities, 0.0)
    return [
        Assignment(triple, unit, float(similarities[triple, unit]))
        for triple, unit in assign(worth)
        if worth[triple, unit] > 0
    ]


# PEAK as a method of the frame: units, worth, match, score.

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
            ContentUnit(KIND, triple.spans, _triple_to_json(triple))
            for triple in self._triples(text)
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
            assigned = assign_triples(
                [triple.phrase for triple in triples], units, self.settings.match
            )
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
        tuple(
            sorted(
                (Place(triple.text, triple.triple.spans) for triple in triples),
                key=lambda place: place.text,
            )
        ),
        {
            "salient": salient,
            "triples": [
                {
                    "text": triple.text,
                    **_triple_to_json(triple.triple),
                    "words": [list(word) for word in triple.phrase],
                }
                for triple in triples
            ],
            "merged": [
                {"text": triple.text, **_triple_to_json(triple.triple)}
                for triple in (graph.triples[anchor.triple] for anchor in unit.merged)
            ],
        },
    )


def _phrases(element: Element) -> list[Phrase]:
    """The content words of each triple of a unit, as the model keeps them."""
    triples = cast(Sequence[Json], element.fields["triples"])
    return [
        tuple((part, word) for part, word in cast(Sequence[Sequence[str]], triple["words"]))
        for triple in triples
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
    rest = (triple.triple.spans for number, triple in enumerate(triples) if number not in matched)
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


def _sentence(compared: ComparedTriple, element: Element, similarity: float) -> str:
    return (
        f"“{compared.triple.words}” expresses unit {element.uid} (“{element.label}”): "
        f"similarity {similarity:.2f}, weight {element.weight:g}."
    )

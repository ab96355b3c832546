"""APE (Steinberger, Krejzl and Brychcín 2017): SCUs found by the AMR triples of their mentions."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from grading.pyramid import rouge
from grading.pyramid.amr.converting import convert
from grading.pyramid.amr.graphs import Attribute, Graph, Relation, Words, cut_out
from grading.pyramid.amr.penman_files import StoredAmr, aligned_to, read_penman, write_penman
from grading.pyramid.amr.smatch import Pairing, bound_by_labels, labels
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
from grading.pyramid.errors import InputError
from grading.pyramid.parsing import ParsedSentence, ParsedText
from grading.pyramid.rouge import MEAN, STEM, rouge_words
from grading.pyramid.scores import best_sum, ideas_of_a_reference
from grading.pyramid.structures import Scu, Span, Spans, Text, join_spans

# Which SCUs a summary has: the recall of a mention's triples in one of its sentences.
#
# Algorithm 1 of the paper, for one SCU: it is found where, for any of its mentions and any
# sentence, the share of the mention's triples that agree under the best mapping of variables is
# more than tau. Printed, the algorithm goes on with the next mention after a hit and may add the
# SCU's weight again; here an SCU counts once, as its text has it.
#
# Most pairs of a mention and a sentence are never mapped: their shared labels bound their recall.

TAU = 0.75  # tau of the paper, section 5: the best of .05, .10, ... on TAC 2009
# Counted as triples that do not agree when SCUs are ranked, not when they are found: of a mention
# of one triple a recall of 1 says little.
PRIOR = 2
TRIPLES, LEMMAS = "triples", "lemmas"


@dataclass(frozen=True, slots=True)
class Mention:
    """The words with which a reference expresses an SCU: their triples, and their lemmas.

    Without the name of a reference they are the label of an SCU that no reference expresses.
    """

    reference: str
    spans: Spans
    words: str
    graph: Graph
    lemmas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PeerSentence:
    """A sentence of a summary, with the places of its words."""

    span: Span
    places: tuple[Span, ...]
    graph: Graph
    lemmas: tuple[str, ...]  # of each word, "" for marks


@dataclass(frozen=True, slots=True)
class Hit:
    """A mention in a sentence: how much of it agrees, and the words of the sentence that do."""

    mention: int
    sentence: int
    agreeing: int
    size: int
    spans: Spans

    @property
    def recall(self) -> float:
        return self.agreeing / self.size

    @property
    def is_found(self) -> bool:
        return self.recall > TAU


@dataclass(frozen=True, slots=True)
class Search:
    """The best hit of an SCU, if any, and how strongly the summary as a whole has it (0 to 1)."""

    best: Hit | None
    strength: float


def merge_operands(graph: Graph) -> Graph:
    """With one role ``op`` for all operands: the paper's note 8."""
    relations = {
        Relation(relation.source, _merged(relation.role), relation.target): None
        for relation in graph.relations
    }
    attributes = {
        Attribute(attribute.node, _merged(attribute.role), attribute.value): of
        for attribute, of in zip(graph.attributes, graph.attribute_words, strict=True)
    }
    return Graph(
        graph.concepts,
        tuple(sorted(relations)),
        tuple(attributes),
        graph.top,
        graph.words,
        tuple(attributes.values()),
    )


def _merged(role: str) -> str:
    return "op" if role.startswith("op") and role[2:].isdigit() else role


class _Candidate(Protocol):
    """A mention and a sentence on the way to how much of the mention the sentence has."""

    @property
    def place(self) -> tuple[int, int]:
        """The numbers of the mention and of the sentence."""

    @property
    def size(self) -> int:
        """How much the mention has."""

    @property
    def bound(self) -> int:
        """No more than this agrees."""

    def look(self, wanted: int, hopeless: int) -> int:
        """What agrees at least; the bound is lower afterwards, if only below what is wanted.

        What agrees need not be known where it is no more than ``hopeless``.
        """

    def solve(self) -> tuple[int, Words]:
        """What agrees, and the words of the sentence that do."""


class SummaryIndex:
    """A summary in which SCUs are searched, by triples or, as a control, by lemmas."""

    def __init__(self, sentences: Sequence[PeerSentence], compare: str = TRIPLES) -> None:
        self._sentences = sentences
        self._compare = compare
        self._labels = [labels(sentence.graph) for sentence in sentences]

    def search(self, mentions: Sequence[Mention]) -> Search:
        """The best that any mention reaches in any sentence."""
        strength = recall = 0.0

        def may_be_better(contender: _Candidate) -> bool:
            """As a rank, or as a hit: whatever is not found is known by its rank alone."""
            higher = contender.bound / contender.size > max(recall, TAU)
            return higher or _rank(contender.bound, contender.size) > strength

        looked = []
        for candidate in sorted(self._candidates(mentions), key=_by_bound):
            if may_be_better(candidate):
                wanted = 1 + min(
                    int(strength * (candidate.size + PRIOR)), int(max(recall, TAU) * candidate.size)
                )
                least = candidate.look(wanted, _hopeless(strength, candidate.size))
                strength = max(strength, _rank(least, candidate.size))
                recall = max(recall, least / candidate.size)
                looked.append((candidate, least))
        hits = []
        for contender, least in sorted(looked, key=lambda each: _by_bound(each[0])):
            if least == contender.bound or may_be_better(contender):
                agreeing, words = contender.solve()
                strength = max(strength, _rank(agreeing, contender.size))
                recall = max(recall, agreeing / contender.size)
                if agreeing:
                    hits.append(self._hit(contender, agreeing, words))
        best = max(
            hits, key=lambda hit: (hit.is_found, _rank(hit.agreeing, hit.size)), default=None
        )
        return Search(best, strength)

    def _candidates(self, mentions: Sequence[Mention]) -> Iterator[_Candidate]:
        for m, mention in enumerate(mentions):
            of_mention = labels(mention.graph)
            for s, sentence in enumerate(self._sentences):
                if self._compare == LEMMAS:
                    yield _SharedLemmas((m, s), mention, sentence)
                elif mention.graph.size:
                    bound = bound_by_labels(of_mention, self._labels[s])
                    yield _SharedTriples((m, s), mention, sentence, bound)

    def _hit(self, candidate: _Candidate, agreeing: int, words: Words) -> Hit:
        mention, sentence = candidate.place
        at = self._sentences[sentence]
        spans = join_spans(at.places[word] for word in words) or (at.span,)
        return Hit(mention, sentence, agreeing, candidate.size, spans)


def _rank(agreeing: int, size: int) -> float:
    return agreeing / (size + PRIOR)


def _hopeless(strength: float, size: int) -> int:
    """The most that may agree of what is not found, and ranks below what is known already."""
    most = min(int(TAU * size), int(strength * (size + PRIOR)))
    return most if _rank(most, size) < strength else most - 1


def _by_bound(candidate: _Candidate) -> tuple[float, int, tuple[int, int]]:
    return -_rank(candidate.bound, candidate.size), candidate.size, candidate.place


class _SharedTriples:
    """By Smatch; the paper's function mmt."""

    def __init__(
        self, place: tuple[int, int], mention: Mention, sentence: PeerSentence, bound: int
    ) -> None:
        self.place = place
        self.size = mention.graph.size
        self.bound = bound
        self._graphs = mention.graph, sentence.graph
        self._pairing: Pairing | None = None

    def look(self, wanted: int, hopeless: int) -> int:
        self._pairing = Pairing(*self._graphs, wanted, hopeless)
        self.bound = min(self.bound, self._pairing.bound)
        return self._pairing.found

    def solve(self) -> tuple[int, Words]:
        agreement = (self._pairing or Pairing(*self._graphs)).solve()
        words = (self._graphs[1].words[on] for _, on in agreement.mapping)
        return agreement.triples, frozenset[int]().union(*words)


class _SharedLemmas:
    """The control: which of the mention's lemmas the sentence has, whatever their relations."""

    def __init__(self, place: tuple[int, int], mention: Mention, sentence: PeerSentence) -> None:
        self.place = place
        self.size = max(1, len(set(mention.lemmas)))
        self._shared = set(mention.lemmas) & set(sentence.lemmas)
        self._lemmas = sentence.lemmas
        self.bound = len(self._shared)

    def look(self, wanted: int, hopeless: int) -> int:  # noqa: ARG002 - it is known at once
        return self.bound

    def solve(self) -> tuple[int, Words]:
        words = (number for number, lemma in enumerate(self._lemmas) if lemma in self._shared)
        return self.bound, frozenset(words)


# APE as rows of the frame: pyramids with mentions as graphs, and scores by them.
#
# Steinberger, Krejzl and Brychcín 2017, “Pyramid-based summary evaluation using Abstract Meaning
# Representation”, section 4 and table 1. The model has an element for each SCU, with the triples of
# each of its mentions cut out of the AMR of the sentence; a summary is scored by the model alone.
#
# ``ape`` is w / w_ideal, ``ape+su4`` combines it with the recall of ROUGE-SU4 (the mean over the
# references): alpha times the one and the rest of 1 times the other.
#
# What the paper does not have: a strength of each SCU, by which SCUs can be ranked although few
# pass tau. It is the best share of a mention's triples, two triples that do not agree added to each
# mention; in ``ape+su4`` combined as the scores are, with the recall of the mention's words and
# word pairs in the summary.

COMPARE = "compare"
ALPHA = "alpha"


_Graphs = Sequence[tuple[ParsedSentence, Graph]]


@dataclass(frozen=True, slots=True)
class ApeMeasure:
    """APE, alone or (``with_su4``) combined with ROUGE-SU4.

    ``amrs`` are graphs made elsewhere, by their sentences without white space; where there are
    any, every sentence must have one.
    """

    options: Options
    with_su4: bool = False
    amrs: Mapping[str, StoredAmr] | None = None
    amr_file: str = ""
    resources: tuple[str, ...] = ("amr-rules-1", "smatch-exact-1")

    def read_units(self, text: ParsedText) -> tuple[ContentUnit, ...]:
        """Kind “amr”: a graph for each sentence, in Penman notation."""
        return tuple(
            ContentUnit(
                "amr", (sentence.span,), {"sentence": number, "penman": write_penman(graph)}
            )
            for number, (sentence, graph) in enumerate(self._graphs(text))
        )

    def make_model(self, material: Material) -> ContentModel:
        """An element for each SCU that counts; its weight is the SCU's."""
        assert material.pyramid is not None  # the row needs one  # noqa: S101
        pyramid = material.pyramid.counted()
        graphs = {
            reference.text.name: list(self._graphs(reference)) for reference in material.references
        }
        weights = sorted((scu.weight for scu in pyramid.scus), reverse=True)
        average = ideas_of_a_reference(pyramid)
        elements, bare = [], []
        for scu in pyramid.scus:
            mentions = [
                mention for mention in self._mentions(scu, material, graphs) if mention.lemmas
            ]
            elements.append(_element(scu, mentions))
            if not mentions:
                bare.append(str(scu.uid))
        notes = [f"These SCUs have no words that can be compared: {', '.join(bare)}."]
        return ContentModel(
            "",
            {},
            material.texts,
            tuple(sorted(elements, key=lambda element: element.uid)),
            fields={"average": average, "w_ideal": best_sum(weights, average)},
            notes=tuple(notes) if bare else (),
        )

    def _mentions(
        self, scu: Scu, material: Material, graphs: Mapping[str, _Graphs]
    ) -> Iterator[Mention]:
        """What references say of an SCU; of a statement of a rubric its label, whole."""
        for contributor in sorted(
            scu.contributors, key=lambda contributor: (contributor.reference, contributor.spans)
        ):
            name, spans = contributor.reference, contributor.spans
            text = next(candidate for candidate in material.texts if candidate.name == name)
            yield _mention(name, text.words_at(spans), spans, graphs[name])
        if scu.uid in material.labels:
            label = material.labels[scu.uid]
            everything = (Span(0, len(label.text.content)),)
            yield _mention("", label.text.content, everything, list(self._graphs(label)))

    def prepare(self, model: ContentModel) -> ContentScorer:
        """Scores by the graphs of the model."""
        mentions = {element.uid: _mentions_from_json(element.fields) for element in model.elements}
        w_ideal = float(str(model.fields["w_ideal"]))
        rouge = self._su4(model.references) if self.with_su4 else None
        in_words = {
            uid: [_grams(mention.words) for mention in of_scu] for uid, of_scu in mentions.items()
        }

        def score(summary: ParsedText) -> ContentScore:
            sentences = [
                PeerSentence(
                    sentence.span,
                    tuple(Span(token.start, token.end) for token in sentence.tokens),
                    merge_operands(graph),
                    tuple("" if token.is_punct else token.lemma for token in sentence.tokens),
                )
                for sentence, graph in self._graphs(summary)
            ]
            index = SummaryIndex(sentences, self.options[COMPARE])
            searches = {
                element.uid: index.search(mentions[element.uid]) for element in model.elements
            }
            result = self._score(model, searches, sentences, w_ideal, rouge and rouge(summary))
            strengths = {uid: search.strength for uid, search in searches.items()}
            if self.with_su4:
                alpha, words = float(self.options[ALPHA]), _grams(summary.text.content)
                for uid, of_scu in in_words.items():
                    recall = max((_recall(grams, words) for grams in of_scu), default=0.0)
                    strengths[uid] = alpha * strengths[uid] + (1 - alpha) * recall
            named = {f"strength of SCU {uid}": value for uid, value in strengths.items()}
            return replace(result, figures={**result.figures, **named})

        return score

    def _score(
        self,
        model: ContentModel,
        searches: Mapping[int, Search],
        sentences: Sequence[PeerSentence],
        w_ideal: float,
        rouge: ContentScore | None,
    ) -> ContentScore:
        matches = []
        lines = []
        for element in model.elements:
            hit = searches[element.uid].best
            if hit is None:
                continue
            notes = (
                f"SCU {element.uid} “{element.label}” (weight {element.weight:g}): {hit.agreeing} "
                f"of {hit.size} {self.options[COMPARE]} of mention {hit.mention + 1} are in "
                f"sentence {hit.sentence + 1}, recall {hit.recall:.2f}"
            )
            if hit.is_found:
                lines.append(f"{notes}. It is found.")
                matches.append(ContentMatch(element.uid, hit.spans, element.weight, hit.recall))
            else:
                lines.append(f"{notes}, not more than {TAU}.")
        w = sum(match.points for match in matches)
        ape = min(1.0, w / w_ideal) if w_ideal else 0.0
        lines.append(
            f"{len(matches)} of {len(model.elements)} SCUs are found. Their weights are {w:g} "
            f"together; the best of an average reference would be {w_ideal:g}: APE is {ape:.4f}."
        )
        figures = {"w": w, "w_ideal": w_ideal}
        both = None
        if rouge is not None:
            alpha, recall = float(self.options[ALPHA]), rouge.coverage or 0.0
            both = alpha * ape + (1 - alpha) * recall
            figures["rouge-su4"] = recall
            lines.append(
                f"{alpha:g} times APE and {1 - alpha:g} times the recall of ROUGE-SU4, "
                f"{recall:.4f}, is {both:.4f}."
            )
        hit_spans = {span for match in matches for span in match.spans}
        return ContentScore(
            units=len(matches),
            raw=w,
            coverage=ape,
            comprehensive=both,
            matches=tuple(matches),
            unmatched=tuple(
                (sentence.span,)
                for sentence in sentences
                if not any(
                    sentence.span.start <= s.start and s.end <= sentence.span.end for s in hit_spans
                )
            ),
            explanation=tuple(lines),
            figures=figures,
        )

    def _graphs(self, text: ParsedText) -> Iterator[tuple[ParsedSentence, Graph]]:
        """Each sentence with its AMR, by the file where there is one, else by rules."""
        content = text.text.content
        common = {
            t.text
            for parsed_sentence in text.sentences
            for t in parsed_sentence.tokens
            if t.text.islower()
        }
        for sentence in text.sentences:
            if self.amrs is None:
                yield sentence, convert(sentence.tokens, common)
                continue
            words = content[sentence.span.start : sentence.span.end]
            amr = self.amrs.get(_squeezed(words))
            if amr is None:
                raise InputError(
                    f"{self.amr_file} has no graph of the sentence “{' '.join(words.split())}” of "
                    f"“{text.text.name}”. Add one whose # ::snt is equal to it."
                )
            yield sentence, aligned_to(amr, content, sentence.tokens)

    @staticmethod
    def _su4(references: Sequence[Text]) -> ContentScorer:
        measure = rouge.load_su4({"matching": STEM, "references": MEAN}, {})
        material = Material(tuple(ParsedText(text, ()) for text in references))
        return measure.prepare(measure.make_model(material))


def load_ape(options: Options, plug_ins: PlugIns) -> ApeMeasure:
    """APE."""
    return ApeMeasure(options, amrs=_amrs(plug_ins), amr_file=_file_name(plug_ins))


def load_ape_su4(options: Options, plug_ins: PlugIns) -> ApeMeasure:
    """APE combined with ROUGE-SU4."""
    amrs = _amrs(plug_ins)
    return ApeMeasure(options, with_su4=True, amrs=amrs, amr_file=_file_name(plug_ins))


def _amrs(plug_ins: PlugIns) -> Mapping[str, StoredAmr] | None:
    """The graphs of the file; of a sentence that is there twice the first."""
    file = plug_ins.get(PlugIn.AMR)
    if file is None:
        return None
    try:
        content = file.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file.name} is not UTF-8. Save it as UTF-8.") from error
    amr_by_text: dict[str, StoredAmr] = {}
    for amr in read_penman(file.name, content):
        amr_by_text.setdefault(_squeezed(amr.sentence), amr)
    return amr_by_text


def _file_name(plug_ins: PlugIns) -> str:
    file = plug_ins.get(PlugIn.AMR)
    return file.name if file else ""


def _squeezed(sentence: str) -> str:
    """Without white space: tokenised sentences are equal to those as they were written."""
    return "".join(sentence.split())


def _grams(words: str) -> Counter[tuple[str, ...]]:
    """The units of ROUGE-SU4, stemmed, as often as they occur."""
    bigrams = rouge.skip_bigrams_and_words(rouge_words(words, stemmed=True))
    return Counter(tuple(word.form for word in gram) for gram in bigrams)


def _recall(mention: Counter[tuple[str, ...]], summary: Counter[tuple[str, ...]]) -> float:
    total = mention.total()
    return (mention & summary).total() / total if total else 0.0


def _mention(reference: str, words: str, spans: Spans, sentences: _Graphs) -> Mention:
    """The part of a text's graphs that lies within the spans."""
    cuts, lemmas = [], []
    for sentence, graph in sentences:
        inside = [
            token
            for token in sentence.tokens
            if any(span.start <= token.start and token.end <= span.end for span in spans)
        ]
        cuts.append(cut_out(merge_operands(graph), frozenset(token.index for token in inside)))
        lemmas += [token.lemma for token in inside if not token.is_punct]
    return Mention(reference, spans, words, _joined(cuts), tuple(lemmas))


def _element(scu: Scu, mentions: Sequence[Mention]) -> Element:
    return Element(
        scu.uid,
        scu.label or f"SCU {scu.uid}",
        scu.weight,
        tuple(Place(mention.reference, mention.spans) for mention in mentions if mention.reference),
        {"mentions": [_mention_to_json(mention) for mention in mentions]},
    )


def _joined(graphs: Sequence[Graph]) -> Graph:
    """The parts of a mention that runs over several sentences, side by side."""
    concepts: list[str] = []
    relations: list[Relation] = []
    attributes: list[Attribute] = []
    for graph in graphs:
        shift = len(concepts)
        concepts += graph.concepts
        relations += [Relation(r.source + shift, r.role, r.target + shift) for r in graph.relations]
        attributes += [Attribute(a.node + shift, a.role, a.value) for a in graph.attributes]
    return Graph(tuple(concepts), tuple(relations), tuple(attributes))


def _mention_to_json(mention: Mention) -> Json:
    graph = mention.graph
    return {
        "text": mention.reference,
        "words": mention.words,
        "spans": [[span.start, span.end] for span in mention.spans],
        "concepts": list(graph.concepts),
        "relations": [
            [relation.source, relation.role, relation.target] for relation in graph.relations
        ],
        "attributes": [
            [attribute.node, attribute.role, attribute.value] for attribute in graph.attributes
        ],
        "lemmas": list(mention.lemmas),
    }


def _mentions_from_json(fields: Json) -> list[Mention]:
    """Of an element; an InputError where the file does not say what this method writes."""
    try:
        return [
            Mention(
                mention["text"],
                tuple(Span(*span) for span in mention["spans"]),
                mention["words"],
                Graph(
                    tuple(map(str, mention["concepts"])),
                    tuple(Relation(*relation) for relation in mention["relations"]),
                    tuple(Attribute(*attribute) for attribute in mention["attributes"]),
                ),
                tuple(mention["lemmas"]),
            )
            for mention in fields["mentions"]  # type: ignore[attr-defined] # else a TypeError
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            "An element of this model has no mentions that can be read. Build the model again."
        ) from error

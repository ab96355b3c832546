"""Which SCUs a summary has: the recall of a mention's triples in one of its sentences.

Algorithm 1 of the paper, for one SCU: it is found where, for any of its mentions and any sentence,
the share of the mention's triples that agree under the best mapping of variables is more than tau.
Printed, the algorithm goes on with the next mention after a hit and may add the SCU's weight
again; here an SCU counts once, as its text has it.

Most pairs of a mention and a sentence are never mapped: their shared labels bound their recall.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from grading.pyramid.amr.graphs import Attribute, Graph, Relation, Words
from grading.pyramid.amr.smatch import Pairing, bound_by_labels, labels
from grading.pyramid.structures import Span, Spans, join_spans

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
        Relation(one.source, _merged(one.role), one.target): None for one in graph.relations
    }
    attributes = {
        Attribute(one.node, _merged(one.role), one.value): of
        for one, of in zip(graph.attributes, graph.attribute_words, strict=True)
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

    def look(self, wanted: int) -> int:
        """What agrees at least; the bound is lower afterwards, if only below what is wanted."""

    def solve(self) -> tuple[int, Words]:
        """What agrees, and the words of the sentence that do."""


class SummaryIndex:
    """A summary in which SCUs are searched, by triples or, as a control, by lemmas."""

    def __init__(self, sentences: Sequence[PeerSentence], compare: str = TRIPLES) -> None:
        self._sentences = sentences
        self._compare = compare
        self._labels = [labels(one.graph) for one in sentences]

    def search(self, mentions: Sequence[Mention]) -> Search:
        """The best that any mention reaches in any sentence."""
        strength = recall = 0.0

        def may_be_better(one: _Candidate) -> bool:
            """As a rank, or as a hit: whatever is not found is known by its rank alone."""
            higher = one.bound / one.size > max(recall, TAU)
            return higher or _rank(one.bound, one.size) > strength

        looked = []
        for one in sorted(self._candidates(mentions), key=_by_bound):
            if may_be_better(one):
                wanted = 1 + min(
                    int(strength * (one.size + PRIOR)), int(max(recall, TAU) * one.size)
                )
                least = one.look(wanted)
                strength = max(strength, _rank(least, one.size))
                recall = max(recall, least / one.size)
                looked.append((one, least))
        hits = []
        for one, least in sorted(looked, key=lambda each: _by_bound(each[0])):
            if least == one.bound or may_be_better(one):
                agreeing, words = one.solve()
                strength = max(strength, _rank(agreeing, one.size))
                recall = max(recall, agreeing / one.size)
                if agreeing:
                    hits.append(self._hit(one, agreeing, words))
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

    def _hit(self, one: _Candidate, agreeing: int, words: Words) -> Hit:
        mention, sentence = one.place
        at = self._sentences[sentence]
        spans = join_spans(at.places[word] for word in words) or (at.span,)
        return Hit(mention, sentence, agreeing, one.size, spans)


def _rank(agreeing: int, size: int) -> float:
    return agreeing / (size + PRIOR)


def _by_bound(one: _Candidate) -> tuple[float, int, tuple[int, int]]:
    return -_rank(one.bound, one.size), one.size, one.place


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

    def look(self, wanted: int) -> int:
        self._pairing = Pairing(*self._graphs, wanted)
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

    def look(self, wanted: int) -> int:  # noqa: ARG002 - it is known at once
        return self.bound

    def solve(self) -> tuple[int, Words]:
        words = (number for number, lemma in enumerate(self._lemmas) if lemma in self._shared)
        return self.bound, frozenset(words)

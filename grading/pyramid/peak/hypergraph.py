"""The hypergraph of all triples: elements that are similar, and those that are salient.

Yang, Passonneau and de Melo (2016), figure 2. Nodes are the elements of triples (subject,
predicate, and each object), a hyperedge joins those of one triple, and two nodes are linked where
ADW finds them similar. Left open, and chosen here:

- Elements without a content word ("it", "is", "this") are no nodes: they would be similar to
  nothing, or to everything.
- A node is salient if it is similar to an element of another reference. What only one reference
  mentions is no candidate for a shared idea. A single reference shares nothing, and all its
  elements are salient.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.peak.phrases import ComparedTriple
from grading.pyramid.peak.settings import Comparison
from grading.pyramid.word_senses.adw import Phrase

Numbers = NDArray[np.float64]


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
    phrases = tuple(sorted({phrase for one in triples for phrase in one.phrases if phrase}))
    number = {phrase: node for node, phrase in enumerate(phrases)}
    nodes = tuple(tuple(number.get(phrase) for phrase in one.phrases) for one in triples)
    similarities = comparison.against(phrases)(phrases)
    whole = [one.phrase for one in triples]
    likeness = comparison.against(whole)(whole)
    texts = sorted({one.text for one in triples})
    holds = np.zeros((len(phrases), len(texts)), dtype=np.bool_)
    for one, of_triple in zip(triples, nodes, strict=True):
        for node in of_triple:
            if node is not None:
                holds[node, texts.index(one.text)] = True
    in_class = (similarities >= similar).astype(np.int64) @ holds.astype(np.int64) > 0
    least = min(2, len(texts))
    salient = frozenset(np.flatnonzero(in_class.sum(axis=1) >= least).tolist())
    return Hypergraph(tuple(triples), phrases, similarities, likeness, nodes, salient)

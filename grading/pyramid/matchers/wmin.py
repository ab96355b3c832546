"""WMIN: the content units of a summary as a greedy maximum weighted independent set.

Gao, Sun and Passonneau (2019), section 4.6, with GWMIN of Sakai, Togasaki and Yamazaki (2003), "A
note on greedy algorithms for the maximum weighted independent set problem". GWMIN takes the node
with the highest weight / (degree + 1), removes it with its neighbours, and goes on until nothing
is left. ``reading_graph`` tells what the nodes are, and what the paper leaves open.
"""

import numpy as np

from grading.pyramid.config import Config
from grading.pyramid.reading_graph import ReadingGraph, ReadingMatcher
from grading.pyramid.segment_graph import Integers, Mask
from grading.pyramid.similarity import Similarity
from grading.pyramid.structures import Pyramid, ReadTexts


def prepare(
    pyramid: Pyramid, similarity: Similarity, config: Config, read: ReadTexts
) -> ReadingMatcher:
    """The matcher for one pyramid; sentences of references need not be read for it."""
    del read
    return ReadingMatcher(pyramid, similarity, config, _choose)


def gwmin(weights: Integers, conflicts: Mask) -> list[int]:
    """Nodes in the order in which GWMIN takes them; of equal nodes the first."""
    taken: list[int] = []
    alive: Mask = np.ones(len(weights), dtype=np.bool_)
    degrees = conflicts.sum(axis=1)
    while alive.any():
        best = int(np.argmax(np.where(alive, weights / (degrees + 1), -1.0)))
        taken.append(best)
        gone = alive & conflicts[best]
        gone[best] = True
        alive &= ~gone
        degrees -= conflicts[:, gone].sum(axis=1)
    return taken


def _choose(graph: ReadingGraph) -> list[int]:
    return gwmin(graph.weights, graph.conflicts())

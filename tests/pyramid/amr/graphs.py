"""Small graphs to compare, and a brute force that tries every mapping."""

from itertools import combinations, permutations
from random import Random

from grading.pyramid.amr.graphs import Graph, make_graph


def drawing(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - no secret


def random_graph(lot: Random, most: int = 5) -> Graph:
    """Up to so many nodes with few labels, so that many mappings nearly agree."""
    count = lot.randint(1, most)
    nodes = range(count)
    relations = [
        (lot.choice(nodes), lot.choice([":ARG0", ":ARG1", ":mod"]), lot.choice(nodes))
        for _ in range(lot.randint(0, 2 * count))
    ]
    attributes = [
        (lot.choice(nodes), ":polarity", "-", frozenset[int]()) for _ in range(lot.randint(0, 1))
    ]
    concepts = [lot.choice(["boy", "want-01", "go-02"]) for _ in nodes]
    return make_graph(concepts, relations, attributes, top=lot.choice([0, None]))


def best_by_trying(first: Graph, second: Graph) -> int:
    """The most triples that agree under any mapping of nodes, each to one at most."""
    few, many = len(first.concepts), len(second.concepts)
    best = 0
    for size in range(min(few, many) + 1):
        for chosen in combinations(range(few), size):
            for images in permutations(range(many), size):
                mapping = dict(zip(chosen, images, strict=True))
                best = max(best, agreeing(first, second, mapping))
    return best


def agreeing(first: Graph, second: Graph, mapping: dict[int, int]) -> int:
    """How many triples agree under a mapping, by the definition."""
    concepts = sum(first.concepts[i] == second.concepts[j] for i, j in mapping.items())
    theirs = {(relation.source, relation.role, relation.target) for relation in second.relations}
    relations = sum(
        (mapping.get(relation.source), relation.role, mapping.get(relation.target)) in theirs
        for relation in first.relations
    )
    values = {(attribute.node, *attribute.label) for attribute in second.attributes}
    attributes = sum(
        (mapping.get(attribute.node), *attribute.label) in values for attribute in first.attributes
    )
    if first.top is None or second.top is None:
        return concepts + relations + attributes
    return concepts + relations + attributes + (mapping.get(first.top) == second.top)

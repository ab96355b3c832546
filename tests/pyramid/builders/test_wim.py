"""EDUA-C on the references of "What is Matter": proven, in both shapes."""

from collections import Counter
from pathlib import Path

import pytest

from grading.pyramid.builders import edua_complete, edua_greedy
from grading.pyramid.config import Config
from grading.pyramid.encoders.wtmf import WtmfEncoder
from grading.pyramid.formats.ducview import read_pyramid
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.segment_graph import attraction, link_segments
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.similarity import cosine_matrix

PYRAMID = Path(__file__).resolve().parents[4] / "shared/data/wim/pyramid_WHAT_IS_MATTER.pyr"

pytestmark = [
    pytest.mark.data,
    pytest.mark.models,
    pytest.mark.skipif(not PYRAMID.exists(), reason="the annotated data is not beside the project"),
]


def test_the_optimum_is_proven() -> None:
    """Measured: attraction 3.62 by EDUA-G, 3.87 in its shape, 4.54 in any shape."""
    parsed = SpacyParser().parse(read_pyramid(PYRAMID.read_bytes()).references)
    encode = WtmfEncoder().encode
    graph = link_segments(
        [segment(each, max_segmentations=12) for each in parsed],
        lambda units: cosine_matrix(encode(units), encode(units)),
        Config(),
    )
    start = edua_greedy.allocate(graph, Config())
    in_shape = edua_complete.allocate(graph, start, in_shape=True)
    best = edua_complete.allocate(graph, start)
    assert attraction(start, graph.edges) < in_shape.attraction < best.attraction
    assert in_shape.optimal
    assert best.optimal
    sizes = Counter(map(len, best.cliques))
    assert [sizes[weight] for weight in (5, 4, 3, 2)] == [1, 1, 1, 1]

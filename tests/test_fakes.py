"""The fakes are as good as they say."""

import numpy as np

from grading.pyramid.structures import Span, Text, Unit
from tests.fakes import FakeParser, HashingEncoder


def unit(words: str) -> Unit:
    return Unit(Text("text", words), (Span(0, len(words)),))


def test_sentences_end_with_a_stop() -> None:
    text = Text("text", "Matter has mass.  It moves! ... so what")
    (parsed,) = FakeParser().parse([text])
    spans = [sentence.span for sentence in parsed.sentences]
    assert [text.content[s.start : s.end] for s in spans] == [
        "Matter has mass.",
        "It moves!",
        "so what",
    ]


def test_vectors_compare_stems() -> None:
    vectors = HashingEncoder().encode(
        [unit("Dark roofs store heat."), unit("a dark roof stored heat"), unit("trees"), unit("!")]
    )
    assert np.allclose(np.linalg.norm(vectors, axis=1), [1, 1, 1, 0])
    cosines = vectors @ vectors.T
    assert cosines[0, 1] > 0.8
    assert cosines[0, 2] == 0

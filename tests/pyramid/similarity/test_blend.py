"""The mean of similarities."""

import numpy as np
import pytest

from grading.pyramid.calibration import Calibration, Priors
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.similarity import Blend, CosineSimilarity, lexical_recall, token_recall
from grading.pyramid.structures import Span, Text, Unit
from tests.fakes import HashingEncoder
from tests.pyramid.cutting import Written

PRIORS = Priors(*[Calibration(slope=9.0, threshold=0.55)] * 3)


def unit(content: str) -> Unit:
    return Unit(Text("text", content), (Span(0, len(content)),))


def test_each_part_has_the_same_say() -> None:
    blend = Blend(Written({("x", "a"): 0.9}), Written({("x", "a"): 0.4}), priors=PRIORS)
    rows, columns = [unit("x"), unit("a")], [unit("a")]
    assert blend.against(columns)(rows).tolist() == [[pytest.approx(0.65)], [1]]
    assert blend.among([*rows]).tolist() == [[1, pytest.approx(0.65)], [pytest.approx(0.65), 1]]
    assert blend.priors == PRIORS


def test_its_name_tells_its_parts() -> None:
    stems, vectors = lexical_recall(), CosineSimilarity(HashingEncoder())
    assert Blend(stems, vectors, priors=PRIORS).name == "stems-1+cosine-hashing-256"
    assert Blend(vectors, stems, priors=PRIORS).name != Blend(stems, vectors, priors=PRIORS).name


def test_nothing_to_compare() -> None:
    blend = Blend(lexical_recall(), CosineSimilarity(HashingEncoder()), priors=PRIORS)
    assert blend.against([])([unit("ice")]).shape == (1, 0)
    assert blend.against([unit("ice")])([]).shape == (0, 1)
    assert blend.among([]).shape == (0, 0)


def test_neither_order_nor_company_makes_a_difference() -> None:
    blend = Blend(lexical_recall(), CosineSimilarity(HashingEncoder()), priors=PRIORS)
    rows = [unit(content) for content in ("ice melts", "heat moves ice", "", "dark roofs")]
    table = blend.against(rows)(rows)
    turned = blend.against(rows)(rows[::-1])
    assert np.array_equal(turned, table[::-1])
    assert all(np.array_equal(blend.against(rows)([row]), table[[i]]) for i, row in enumerate(rows))


@pytest.mark.models
def test_it_keeps_what_the_part_with_vectors_read() -> None:
    in_context = token_recall(OnnxEncoder())
    assert in_context.memory is not None
    assert Blend(lexical_recall(), in_context, priors=PRIORS).memory is in_context.memory
    assert Blend(lexical_recall(), CosineSimilarity(HashingEncoder()), priors=PRIORS).memory is None

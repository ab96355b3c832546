"""Products in whole numbers: near those in single precision, exact, and each sentence's own."""

import numpy as np
import onnxruntime
import pytest

from grading.pyramid.encoders import integer_products
from grading.pyramid.encoders.encoder_files import packaged_files
from grading.pyramid.encoders.integer_products import WholeRows, whole_columns, zeros_of_rows
from grading.pyramid.encoders.minilm_graph import quick_minilm
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.encoders.onnx_graph import FLOAT, Graph, GraphWriter
from grading.pyramid.encoders.protobuf import as_bytes, as_number

SENTENCES = (
    "Dark roofs store the heat of the day.",
    "Trees cool the streets, and so do ponds and parks.",
    "In 1833 Luke Howard measured that London was 2.1 degrees warmer than the country around it.",
)


def product(
    rows: np.ndarray[tuple[int, int], np.dtype[np.float32]],
    weights: np.ndarray[tuple[int, int], np.dtype[np.float32]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """``rows @ weights``, as onnxruntime computes it with its products in whole numbers."""
    size = as_bytes(1, as_bytes(2, "n")) + as_bytes(1, as_bytes(2, "k"))
    tensor = as_bytes(2, as_bytes(1, as_number(1, FLOAT) + as_bytes(2, size)))
    version = as_number(1, 8) + as_bytes(8, as_number(2, 17))
    declared = Graph(
        inputs={"x": as_bytes(1, "x") + tensor},
        results={"y": as_bytes(1, "y") + tensor},
        rest=version,
    )
    writer = GraphWriter()
    rows_one_by_one = writer.tensor("rows", np.zeros(len(rows), dtype="<i8"))
    WholeRows(writer, "x", zeros_of_rows(writer, rows_one_by_one)).times(weights, "y")
    model = writer.as_file(declared, ["x"])
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    [result] = session.run(None, {"x": rows})
    return np.asarray(result)


def test_a_product_is_that_of_the_whole_numbers_exactly() -> None:
    numbers = np.random.default_rng(5)
    weights = numbers.normal(size=(64, 16)).astype("<f4")
    rows = numbers.normal(size=(7, 64)).astype("<f4")
    columns, units = whole_columns(weights)
    unit = np.abs(rows).max(axis=1, keepdims=True) / np.float32(127)
    expected = np.rint(rows / unit).astype(int) @ columns.astype(int) * units * unit

    result = product(rows, weights)

    assert result == pytest.approx(expected, abs=1e-5)
    assert result == pytest.approx(rows @ weights, abs=0.5)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_numbers_are_not_cut_off(sign: int) -> None:
    """Two products are added in 16 bits on some processors: here both are as large as can be."""
    result = product(np.ones((2, 384), dtype="<f4"), np.full((384, 8), sign, dtype="<f4"))

    assert result == pytest.approx(np.full((2, 8), sign * 384), rel=1e-5)


def test_a_row_of_zeros_stays_one() -> None:
    assert not product(np.zeros((2, 4), "<f4"), np.ones((4, 3), "<f4")).any()


def test_the_vectors_of_minilm_stay_near() -> None:
    files = packaged_files()
    encoder = OnnxEncoder()
    exact = onnxruntime.InferenceSession(str(files.model), providers=["CPUExecutionProvider"])
    likeness = []
    for sentence in SENTENCES:
        pieces = encoder._tokenizer.encode(sentence)
        ids = np.array([pieces.ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        inputs["token_type_ids"] = np.zeros_like(ids)
        [[before]] = exact.run(None, inputs)
        [[after]] = encoder._session.run(None, {"input_ids": ids})
        lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
        likeness += ((before * after).sum(axis=1) / lengths).tolist()

    assert np.mean(likeness) > 0.99
    assert min(likeness) > 0.96


def test_a_sentence_has_the_same_vectors_beside_any_other() -> None:
    encoder = OnnxEncoder()
    alone = encoder.read(SENTENCES[0]).vectors
    together = encoder.read(" ".join([SENTENCES[0], *SENTENCES])).vectors

    assert np.array_equal(alone, together[: len(alone)])


def test_the_network_is_that_of_the_package_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """With products in single precision it computes what the packaged graph does."""

    def times(rows: WholeRows, weights: integer_products.Floats, output: str) -> str:
        name = rows._graph.tensor(f"{output}.weights", weights)
        return rows._graph.node("MatMul", [rows._unit.removesuffix(".unit"), name], output)

    monkeypatch.setattr(WholeRows, "times", times)
    path = packaged_files().model
    ours, theirs = (
        onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        for model in (quick_minilm(path), str(path))
    )
    ids = np.array([[101, *range(2_000, 2_000 + 40 * 37, 37), 102]], dtype=np.int64)
    mask = {"attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    [states] = ours.run(None, {"input_ids": ids})
    [expected] = theirs.run(None, {"input_ids": ids, **mask})

    assert np.abs(states - expected).max() < 1e-4

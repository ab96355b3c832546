"""Products in whole numbers: near those in single precision, exact, and each sentence's own."""

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from grading.pyramid.encoders.encoder_files import packaged_files
from grading.pyramid.encoders.integer_products import whole_columns, with_integer_products
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.encoders.protobuf import as_bytes, as_number

SENTENCES = (
    "Dark roofs store the heat of the day.",
    "Trees cool the streets, and so do ponds and parks.",
    "In 1833 Luke Howard measured that London was 2.1 degrees warmer than the country around it.",
)


def run(model: bytes | str, **values: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    [result] = session.run(None, values)
    return np.asarray(result)


def product_model(path: Path, weights: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> Path:
    """A file with one product: ``y = x @ weights``."""
    size = as_bytes(1, as_bytes(2, "n")) + as_bytes(1, as_bytes(2, "k"))
    tensor = as_bytes(1, as_number(1, 1) + as_bytes(2, size))
    node = as_bytes(1, "x") + as_bytes(1, "w") + as_bytes(2, "y") + as_bytes(4, "MatMul")
    shape = b"".join(as_number(1, length) for length in weights.shape)
    fixed = shape + as_number(2, 1) + as_bytes(8, "w") + as_bytes(9, weights.tobytes())
    graph = as_bytes(1, node) + as_bytes(2, "product") + as_bytes(5, fixed)
    graph += as_bytes(11, as_bytes(1, "x") + as_bytes(2, tensor))
    graph += as_bytes(12, as_bytes(1, "y") + as_bytes(2, tensor))
    path.write_bytes(as_number(1, 8) + as_bytes(7, graph) + as_bytes(8, as_number(2, 17)))
    return path


def test_a_product_is_that_of_the_whole_numbers_exactly(tmp_path: Path) -> None:
    numbers = np.random.default_rng(5)
    weights = numbers.normal(size=(64, 16)).astype("<f4")
    rows = numbers.normal(size=(7, 64)).astype("<f4")
    columns, units = whole_columns(weights)
    unit = np.abs(rows).max(axis=1, keepdims=True) / np.float32(127)
    expected = np.rint(rows / unit).astype(int) @ columns.astype(int) * units * unit

    result = run(with_integer_products(product_model(tmp_path / "model.onnx", weights)), x=rows)

    assert result == pytest.approx(expected, abs=1e-5)
    assert result == pytest.approx(rows @ weights, abs=0.5)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_numbers_are_not_cut_off(tmp_path: Path, sign: int) -> None:
    """Two products are added in 16 bits on some processors: here both are as large as can be."""
    weights = np.full((384, 8), sign, dtype="<f4")
    rows = np.ones((2, 384), dtype="<f4")

    result = run(with_integer_products(product_model(tmp_path / "model.onnx", weights)), x=rows)

    assert result == pytest.approx(np.full((2, 8), sign * 384), rel=1e-5)


def test_a_row_of_zeros_stays_one(tmp_path: Path) -> None:
    model = with_integer_products(product_model(tmp_path / "m.onnx", np.ones((4, 3), "<f4")))

    assert not run(model, x=np.zeros((2, 4), "<f4")).any()


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
        [[after]] = encoder._session.run(None, inputs)
        lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
        likeness += ((before * after).sum(axis=1) / lengths).tolist()

    assert np.mean(likeness) > 0.99
    assert min(likeness) > 0.96


def test_a_sentence_has_the_same_vectors_beside_any_other() -> None:
    encoder = OnnxEncoder()
    alone = encoder.read(SENTENCES[0]).vectors
    together = encoder.read(" ".join([SENTENCES[0], *SENTENCES])).vectors

    assert np.array_equal(alone, together[: len(alone)])

"""A tiny encoder in the two files that an operator brings: a table of random vectors of pieces."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

WORDS = ("ice", "melts", "heat", "flows", "slowly", "roofs", "dark", "a", ".")
DIMENSIONS = 6
FLOAT, INT64, INT32 = 1, 7, 6
INPUTS = {"input_ids": INT64, "attention_mask": INT64}
OUTPUTS = {"sentence_embedding": 2, "token_embeddings": 3}


def write_encoder(directory: Path, *, special: Sequence[str] = ("<s>", "</s>")) -> Path:
    """An encoder that takes no ``token_type_ids``, with pieces of its own around a sentence."""
    directory.mkdir(exist_ok=True)
    pieces = ["<pad>", "[UNK]", *special, *WORDS]
    model = onnx_model(rows=len(pieces))
    (directory / "model.onnx").write_bytes(model)
    (directory / "tokenizer.json").write_text(json.dumps(tokenizer(pieces, special)))
    return directory


def tokenizer(pieces: Sequence[str], special: Sequence[str] = ()) -> dict[str, object]:
    """Whole words as pieces; where ``special`` names two, a post-processor puts them around."""
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    around = (
        {"type": "BertProcessing"}
        | {
            name: [piece, vocabulary[piece]]
            for name, piece in zip(("cls", "sep"), special, strict=True)
        }
        if special
        else None
    )
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": around,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }


def onnx_model(
    *,
    rows: int,
    inputs: dict[str, int] = INPUTS,
    outputs: dict[str, int] = OUTPUTS,
    positions: int = 0,
    is_split: bool = False,
    operator: str = "Gather",
) -> bytes:
    """An ONNX file: states are rows of a table, by ``input_ids``; their mean is the sentence's."""
    table = np.random.default_rng(1).normal(size=(rows, DIMENSIONS)).astype("<f4")
    weights = [_tensor("words", table, is_split=is_split)]
    if positions:
        weights.append(_tensor("position_embeddings.weight", np.zeros((positions, 2), "<f4")))
    nodes = [
        _node(operator, ["words", "input_ids"], "token_embeddings"),
        _node("GlobalMaxPool", ["token_embeddings"], "pooled"),
        _node("Flatten", ["pooled"], "sentence_embedding"),
    ]
    graph = b"".join(
        [
            *(_field(1, node) for node in nodes),
            _field(2, b"tiny"),
            *(_field(5, tensor) for tensor in weights),
            *(_field(11, _value(name, kind, 2)) for name, kind in inputs.items()),
            *(_field(12, _value(name, FLOAT, rank)) for name, rank in outputs.items()),
        ]
    )
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 17))


def _node(operator: str, inputs: Sequence[str], output: str) -> bytes:
    named = b"".join(_field(1, name.encode()) for name in inputs)
    return named + _field(2, output.encode()) + _field(4, operator.encode())


def _tensor(
    name: str, values: np.ndarray[tuple[int, int], np.dtype[np.float32]], *, is_split: bool = False
) -> bytes:
    shape = b"".join(_field(1, size) for size in values.shape)
    elsewhere = _field(14, 1) if is_split else b""
    return (
        shape
        + _field(2, FLOAT)
        + _field(8, name.encode())
        + _field(9, values.tobytes())
        + elsewhere
    )


def _value(name: str, element_type: int, rank: int) -> bytes:
    sizes = b"".join(_field(1, _field(2, f"size{number}".encode())) for number in range(rank))
    tensor = _field(1, element_type) + _field(2, sizes)
    return _field(1, name.encode()) + _field(2, _field(1, tensor))


def _field(tag: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(tag << 3) + _varint(value)
    return _varint(tag << 3 | 2) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*written, number])

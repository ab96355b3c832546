"""An operator's encoder: which files are taken, what their name says, and what is wrong with them.

``tests/tiny_encoder.py`` writes the files; onnxruntime runs them.
"""

import hashlib
import json
import os
import shutil
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grading.pyramid.encoders import onnx_encoder
from grading.pyramid.encoders.encoder_files import (
    check_directory,
    files_in,
    packaged_files,
    read_onnx,
)
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.matchers import text_facts
from grading.pyramid.pipeline import Engine, build_pyramid, make_engine, score_summaries
from grading.pyramid.structures import Text
from tests.conftest import REFERENCES, SUMMARY
from tests.tiny_encoder import INPUTS, INT32, INT64, OUTPUTS, onnx_model, tokenizer, write_encoder

LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 438011114\n"


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    return write_encoder(tmp_path / "encoder")


def with_model(encoder: Path, model: bytes) -> Path:
    (encoder / "model.onnx").write_bytes(model)
    return encoder


# --- what is taken ---


def test_a_directory_of_two_files_is_an_encoder(encoder: Path) -> None:
    words = OnnxEncoder(directory=encoder).read("Ice melts slowly. Dark roofs!")
    assert words.stems == ("ice", "melt", "slowli", "dark", "roof")
    assert words.vectors.shape == (5, 6)
    assert np.allclose(np.linalg.norm(words.vectors.astype(np.float64), axis=1), 1, atol=1e-3)


def test_each_word_has_the_vector_of_its_own_piece(encoder: Path) -> None:
    """Special pieces, padding and the other sentences of a batch leave no trace."""
    model = OnnxEncoder(directory=encoder)
    table = np.random.default_rng(1).normal(size=(13, 6))
    expected = table / np.linalg.norm(table, axis=1, keepdims=True)
    place = {word: number for number, word in enumerate(("ice", "melts", "heat", "flows"), 4)}
    for content in ("Ice melts.", "Heat flows. Ice melts heat flows."):
        words = content.lower().replace(".", "").split()
        vectors = model.read(content).vectors.astype(np.float64)
        assert np.allclose(vectors, expected[[place[word] for word in words]], atol=1e-3)


@pytest.mark.parametrize("special", [("<s>", "</s>"), ("[CLS]", "[SEP]"), ("<go>", "<stop>")])
def test_special_pieces_are_those_of_the_post_processor(
    tmp_path: Path, special: tuple[str, str]
) -> None:
    model = OnnxEncoder(directory=write_encoder(tmp_path / "encoder", special=special))
    assert (model._before, model._after) == ([2], [3])


def test_without_a_post_processor_special_pieces_come_from_the_vocabulary(encoder: Path) -> None:
    pieces = ["[UNK]", "[PAD]", "ice", "[SEP]", "a", "[CLS]"]
    (encoder / "tokenizer.json").write_text(json.dumps(tokenizer(pieces)))
    model = OnnxEncoder(directory=encoder)
    assert (model._before, model._after) == ([5], [3])


def test_inputs_are_given_as_the_model_declares_them(encoder: Path) -> None:
    inputs = dict.fromkeys((*INPUTS, "token_type_ids"), INT32)
    with_model(encoder, onnx_model(rows=13, inputs=inputs))
    assert OnnxEncoder(directory=encoder).read("Ice melts.").vectors.shape == (2, 6)


@pytest.mark.parametrize(
    ("positions", "longest"), [(0, 254), (512, 254), (514, 254), (128, 124), (20, 16)]
)
def test_no_sentence_is_longer_than_the_table_of_positions(
    encoder: Path, positions: int, longest: int
) -> None:
    with_model(encoder, onnx_model(rows=13, positions=positions))
    model = OnnxEncoder(directory=encoder)
    assert model._longest == longest
    assert len(model.read("ice melts " * 300).vectors) == 600


# --- its name ---


def test_the_name_tells_the_content_not_the_place(encoder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(encoder, copy)
    name = files_in(encoder).name
    assert files_in(copy).name == name
    (copy / "tokenizer.json").write_text((copy / "tokenizer.json").read_text() + "\n")
    assert files_in(copy).name != name
    with_model(encoder, onnx_model(rows=14))
    assert len({name, files_in(copy).name, files_in(encoder).name}) == 3


def test_a_file_is_read_again_only_where_it_has_changed(
    encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests: list[object] = []
    make: Callable[..., object] = hashlib.file_digest

    def counted(file: object, name: str) -> object:
        digests.append(file)
        return make(file, name)

    monkeypatch.setattr(hashlib, "file_digest", counted)
    name = files_in(encoder).name
    assert files_in(encoder).name == name
    assert len(digests) == 2
    os.utime(encoder / "model.onnx", ns=(1, 1))
    assert files_in(encoder).name == name
    assert len(digests) == 3


# --- what is wrong ---


def test_a_directory_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceMissingError, match=r"no directory “.*nowhere”.*model\.onnx and"):
        OnnxEncoder(directory=tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(encoder: Path, name: str) -> None:
    (encoder / name).unlink()
    with pytest.raises(ResourceMissingError, match=f"has no file {name}"):
        check_directory(encoder)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"bos": 1}', LFS_POINTER, b"\xff\xfe"])
def test_a_damaged_tokenizer_is_named(encoder: Path, content: bytes) -> None:
    (encoder / "tokenizer.json").write_bytes(content)
    with pytest.raises(ResourceMissingError, match=r"tokenizer\.json” is not a tokenizer"):
        check_directory(encoder)


@pytest.mark.parametrize(
    "content",
    [b"", LFS_POINTER, b"<!DOCTYPE html><html>", b"PK\x03\x04 zip", b"\x00" * 99, b"\x80"],
)
def test_something_else_than_a_model_is_named(encoder: Path, content: bytes) -> None:
    with pytest.raises(ResourceMissingError, match=r"model\.onnx” is not a complete ONNX model"):
        check_directory(with_model(encoder, content))


def test_a_model_that_was_cut_off_is_named_wherever_it_ends(encoder: Path) -> None:
    whole = (encoder / "model.onnx").read_bytes()
    for size in range(0, len(whole) - 5, 7):
        with pytest.raises(ResourceMissingError, match="is not a complete ONNX model"):
            check_directory(with_model(encoder, whole[:size]))


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        (onnx_model(rows=13, inputs={"input_ids": INT64}), "has the inputs input_ids"),
        (onnx_model(rows=13, inputs=INPUTS | {"pixels": INT64}), "input_ids, pixels"),
        (onnx_model(rows=13, inputs={**INPUTS, "input_ids": 1}), "not whole numbers"),
        (onnx_model(rows=13, outputs={"logits": 2}), "has the outputs logits, and none with three"),
        (onnx_model(rows=13, outputs={}), "has the outputs none"),
        (onnx_model(rows=13, operator="DynamicQuantizeLinear"), "is quantized dynamically"),
        (onnx_model(rows=13, is_split=True), "keeps its weights in another file"),
    ],
)
def test_a_model_that_is_no_encoder_of_words_is_named(
    encoder: Path, model: bytes, problem: str
) -> None:
    with pytest.raises(
        ResourceMissingError, match=rf"cannot be used as an encoder: it .*{problem}"
    ):
        check_directory(with_model(encoder, model))


def test_a_tokenizer_of_another_encoder_is_noticed(encoder: Path) -> None:
    with_model(encoder, onnx_model(rows=12))
    with pytest.raises(ResourceMissingError, match="Take both files from the same encoder"):
        OnnxEncoder(directory=encoder)


def test_a_model_that_onnxruntime_refuses_is_named(encoder: Path) -> None:
    with_model(encoder, onnx_model(rows=13, outputs=OUTPUTS | {"nowhere": 3}))
    with pytest.raises(ResourceMissingError, match=r"model\.onnx” cannot be loaded by onnxruntime"):
        OnnxEncoder(directory=encoder)


def test_a_tokenizer_that_the_library_refuses_is_named(encoder: Path) -> None:
    (encoder / "tokenizer.json").write_text('{"model": {"type": "unheard of"}}')
    with pytest.raises(
        ResourceMissingError, match=r"tokenizer\.json” cannot be read as a tokenizer"
    ):
        OnnxEncoder(directory=encoder)


def test_a_tokenizer_without_special_pieces_is_named(encoder: Path) -> None:
    (encoder / "tokenizer.json").write_text(json.dumps(tokenizer(["[UNK]", "ice", "a"])))
    with pytest.raises(ResourceMissingError, match="no pieces that begin and end a sentence"):
        OnnxEncoder(directory=encoder)


# --- MiniLM's own files in a directory ---


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    packaged = packaged_files()
    shutil.copy(packaged.model, tmp_path / "model.onnx")
    shutil.copy(packaged.tokenizer, tmp_path / "tokenizer.json")
    return tmp_path


def test_what_minilm_declares_is_read() -> None:
    declared = read_onnx(packaged_files().model)
    assert set(declared.inputs) == {"input_ids", "attention_mask", "token_type_ids"}
    assert (declared.states, declared.positions) == ("last_hidden_state", 512)


@pytest.mark.models
@pytest.mark.parametrize("method", ["classroom", "classroom-blend"])
def test_the_same_model_from_a_directory_gives_the_same_under_another_signature(
    method: str, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = packaged_files()
    as_it_is = replace(files, declared=read_onnx(files.model), in_whole_numbers=False)
    monkeypatch.setattr(onnx_encoder, "packaged_files", lambda: as_it_is)
    # What other tests kept of these texts is of the model in whole numbers.
    monkeypatch.setattr(text_facts, "_facts_of_texts", OrderedDict())

    def results(engine: Engine) -> list[object]:
        pyramid = build_pyramid(REFERENCES, engine)
        reports = score_summaries(pyramid, [*REFERENCES, Text("zoe", SUMMARY)], engine)
        return [pyramid.scus, *((report.evidence, report.raw, report.trace) for report in reports)]

    packaged, other = make_engine(method), make_engine(method, encoder_dir=copied)
    assert results(packaged) == results(other)
    assert packaged.signature != other.signature
    assert packaged.reader != other.reader


@pytest.mark.models
def test_another_encoder_makes_no_difference_where_no_words_are_compared_in_context(
    copied: Path,
) -> None:
    assert make_engine("pyreval", encoder_dir=copied).signature == make_engine("pyreval").signature


@pytest.mark.models
def test_a_model_that_was_cut_off_is_refused(copied: Path) -> None:
    whole = (copied / "model.onnx").read_bytes()
    (copied / "model.onnx").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ResourceMissingError, match="is not a complete ONNX model"):
        make_engine(encoder_dir=copied)

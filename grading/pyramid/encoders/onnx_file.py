"""What an ONNX file declares, read without loading the model.

Only the fields that matter are read (protobuf; their numbers are those of ``onnx.proto``), so that
a file of any size takes milliseconds. A file that was cut off, or a web page or a pointer of Git
LFS in its place, is noticed because the lengths of the fields must add up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple

from grading.pyramid.errors import ResourceMissingError

_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5  # how a field of protobuf is written
_SIZES = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}
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


class _Field(NamedTuple):
    tag: int
    number: int | None  # None: bytes
    start: int
    end: int


def read_onnx(path: Path) -> OnnxModel:
    """What the model declares; a ResourceMissingError says why it is not a usable encoder."""
    try:
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            graph = _read_graph(data, _first(data, 7, 0, len(data)))
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


def _read_graph(data: mmap, message: _Field) -> _Graph:
    graph, weights = _Graph(), set()
    for part in _fields(data, message.start, message.end):
        if part.tag == 1:
            operator = _text(data, _first(data, 4, part.start, part.end))
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


def _read_weights(data: mmap, tensor: _Field) -> tuple[str, list[int], bool]:
    """Name and dimensions of a tensor, and whether it is kept in another file."""
    name, is_elsewhere = "", False
    dimensions: list[int] = []
    for part in _fields(data, tensor.start, tensor.end):
        if part.tag == 1:
            dimensions += _numbers(data, part)
        elif part.tag == 8:
            name = _text(data, part)
        elif part.tag == 14:
            is_elsewhere = part.number == 1
    return name, dimensions, is_elsewhere


def _read_value(data: mmap, value: _Field) -> tuple[str, int, int]:
    """Name, element type and number of dimensions of an input or output."""
    name = _text(data, _first(data, 1, value.start, value.end))
    kind = _first(data, 2, value.start, value.end)
    tensor = _first(data, 1, kind.start, kind.end)
    element_type = dimensions = 0
    for part in _fields(data, tensor.start, tensor.end):
        if part.tag == 1:
            element_type = part.number or 0
        elif part.tag == 2:
            dimensions = sum(1 for _ in _fields(data, part.start, part.end))
    return name, element_type, dimensions


# --- protobuf: a ValueError or IndexError where the bytes are something else ---


def _fields(data: mmap, start: int, end: int) -> Iterator[_Field]:
    """The fields of a message."""
    at = start
    while at < end:
        key, at = _number(data, at)
        kind, number, begin = key & 7, None, at
        if kind == _NUMBER:
            number, at = _number(data, at)
        elif kind == _BYTES:
            size, begin = _number(data, at)
            at = begin + size
        else:
            at += _SIZES.get(kind, end)
        if at > end:
            raise ValueError
        yield _Field(key >> 3, number, begin, at)


def _first(data: mmap, tag: int, start: int, end: int) -> _Field:
    """The first field with this tag; all of the message is looked at."""
    fields = [part for part in _fields(data, start, end) if part.tag == tag]
    return fields[0]


def _numbers(data: mmap, part: _Field) -> Iterator[int]:
    """A repeated number: each in a field of its own, or all in one."""
    if part.number is not None:
        yield part.number
        return
    at = part.start
    while at < part.end:
        number, at = _number(data, at)
        yield number


def _number(data: mmap, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        value |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            return value, at
    raise ValueError


def _text(data: mmap, part: _Field) -> str:
    return data[part.start : part.end].decode()

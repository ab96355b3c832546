"""The graph of an ONNX file, read and written: as much of it as the packaged MiniLM needs."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.encoders.protobuf import (
    Field,
    as_bytes,
    as_fixed,
    as_number,
    fields,
    first,
    numbers,
    text,
)

Array = NDArray[np.generic]
Attribute = int | float | Sequence[int]

FLOAT = 1
_TYPES = {FLOAT: "<f4", 2: "u1", 3: "i1", 7: "<i8", 9: "?"}
_DOMAIN = "com.microsoft"  # onnxruntime's own operators

# Tags of onnx.proto
_GRAPH, _OPSET = 7, 8
_NODE, _INITIALIZER, _INPUT, _RESULT = 1, 5, 11, 12
_INPUT_NAME, _OUTPUT_NAME, _OPERATOR, _ATTRIBUTE, _NODE_DOMAIN = 1, 2, 4, 5, 7
_DIMENSIONS, _TYPE, _TENSOR_NAME, _RAW = 1, 2, 8, 9
_ATTRIBUTE_NAME, _ATTRIBUTE_FLOAT, _ATTRIBUTE_INT = 1, 2, 3
_ATTRIBUTE_INTS, _ATTRIBUTE_TYPE = 8, 20
_IS_FLOAT, _IS_INT, _IS_INTS = 1, 2, 7


@dataclass(frozen=True, slots=True)
class Node:
    """An operation on values that have names."""

    operator: str
    inputs: list[str]
    outputs: list[str]


@dataclass(slots=True)
class Graph:
    """What a file computes, and with which numbers."""

    nodes: list[Node] = field(default_factory=list)
    tensors: dict[str, Array] = field(default_factory=dict)
    inputs: dict[str, bytes] = field(default_factory=dict)  # as they are declared
    results: dict[str, bytes] = field(default_factory=dict)
    rest: bytes = b""  # of the file


def read_graph(path: Path) -> Graph:
    data = path.read_bytes()
    model = list(fields(data, 0, len(data)))
    graph = Graph(
        rest=b"".join(data[part.whole : part.end] for part in model if part.tag != _GRAPH)
    )
    message = next(part for part in model if part.tag == _GRAPH)
    for part in fields(data, message.start, message.end):
        if part.tag == _NODE:
            graph.nodes.append(_read_node(data, part))
        elif part.tag == _INITIALIZER:
            name, value = _read_tensor(data, part)
            graph.tensors[name] = value
        elif part.tag in {_INPUT, _RESULT}:
            name = text(data, first(data, 1, part.start, part.end))
            declared = graph.inputs if part.tag == _INPUT else graph.results
            declared[name] = data[part.start : part.end]
    return graph


class GraphWriter:
    """A graph in the making."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._tensors: dict[str, Array] = {}

    def tensor(self, name: str, value: Array) -> str:
        """A fixed value; its name."""
        self._tensors[name] = value
        return name

    def node(self, operator: str, inputs: Sequence[str], output: str, **options: Attribute) -> str:
        """An operation of ONNX; the name of its output."""
        self._add(operator, inputs, [output], options)
        return output

    def split(self, value: str, sizes: str, outputs: Sequence[str], axis: int) -> None:
        """Cut a value along an axis into parts of these sizes."""
        self._add("Split", [value, sizes], outputs, {"axis": axis})

    def own_node(
        self, operator: str, inputs: Sequence[str], output: str, **options: Attribute
    ) -> str:
        """An operation that onnxruntime adds to those of ONNX."""
        self._add(operator, inputs, [output], options, as_bytes(_NODE_DOMAIN, _DOMAIN))
        return output

    def as_file(self, graph: Graph, inputs: Sequence[str]) -> bytes:
        """A file with the results of ``graph``, and with those of its inputs."""
        content = b"".join(
            [
                *(as_bytes(_NODE, node) for node in self._nodes),
                as_bytes(2, "encoder"),
                *(
                    as_bytes(_INITIALIZER, _tensor(name, value))
                    for name, value in self._tensors.items()
                ),
                *(as_bytes(_INPUT, graph.inputs[name]) for name in inputs),
                *(as_bytes(_RESULT, declared) for declared in graph.results.values()),
            ]
        )
        domain = as_bytes(_OPSET, as_bytes(1, _DOMAIN) + as_number(2, 1))
        return graph.rest + domain + as_bytes(_GRAPH, content)

    def _add(
        self,
        operator: str,
        inputs: Sequence[str],
        outputs: Sequence[str],
        options: Mapping[str, Attribute],
        domain: bytes = b"",
    ) -> None:
        content = b"".join(as_bytes(_INPUT_NAME, name) for name in inputs)
        content += b"".join(as_bytes(_OUTPUT_NAME, name) for name in outputs)
        content += as_bytes(_OPERATOR, operator)
        content += b"".join(_attribute(name, value) for name, value in options.items())
        self._nodes.append(content + domain)


def _read_node(data: bytes, message: Field) -> Node:
    inputs, outputs, operator = [], [], ""
    for part in fields(data, message.start, message.end):
        if part.tag == _INPUT_NAME:
            inputs.append(text(data, part))
        elif part.tag == _OUTPUT_NAME:
            outputs.append(text(data, part))
        elif part.tag == _OPERATOR:
            operator = text(data, part)
    return Node(operator, inputs, outputs)


def _read_tensor(data: bytes, message: Field) -> tuple[str, Array]:
    name, kind, content = "", 0, b""
    shape: list[int] = []
    for part in fields(data, message.start, message.end):
        if part.tag == _DIMENSIONS:
            shape += numbers(data, part)
        elif part.tag == _TYPE:
            kind = part.number or 0
        elif part.tag == _TENSOR_NAME:
            name = text(data, part)
        elif part.tag == _RAW:
            content = data[part.start : part.end]
    return name, np.frombuffer(content, dtype=_TYPES[kind]).reshape(shape)


def _tensor(name: str, value: Array) -> bytes:
    kind = next(number for number, dtype in _TYPES.items() if np.dtype(dtype) == value.dtype)
    shape = b"".join(as_number(_DIMENSIONS, size) for size in value.shape)
    return (
        shape
        + as_number(_TYPE, kind)
        + as_bytes(_TENSOR_NAME, name)
        + as_bytes(_RAW, np.ascontiguousarray(value).tobytes())
    )


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, int):
        content, kind = as_number(_ATTRIBUTE_INT, value), _IS_INT
    elif isinstance(value, float):
        content, kind = as_fixed(_ATTRIBUTE_FLOAT, struct.pack("<f", value)), _IS_FLOAT
    else:
        content = b"".join(as_number(_ATTRIBUTE_INTS, each) for each in value)
        kind = _IS_INTS
    named = as_bytes(_ATTRIBUTE_NAME, name)
    return as_bytes(_ATTRIBUTE, named + content + as_number(_ATTRIBUTE_TYPE, kind))

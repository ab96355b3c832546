"""A model's products with its weights in whole numbers of 8 bits: about twice as quick.

The packaged MiniLM keeps its weights in 8 bits but multiplies in single precision. Here each
product ``x @ W`` is written anew: every row of ``x`` (a word piece) is scaled by its own largest
number, every column of ``W`` by its own, the whole numbers are multiplied exactly, and the
result is scaled back. onnxruntime's own dynamic quantisation scales by the largest number of all
that is computed at a time, so that a sentence's vectors would depend on the sentences beside it.

Weights take 7 of the 8 bits: processors without VNNI add two products in 16 bits, where
255 x 127 x 2 would be cut off and 255 x 63 x 2 is not. So the products are the same everywhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.encoders.protobuf import (
    Field,
    as_bytes,
    as_number,
    fields,
    first,
    numbers,
    text,
)

Array = NDArray[np.generic]
Floats = NDArray[np.float32]

_ROW, _WEIGHT = 127, 63  # the largest whole numbers of a row and of a column of weights
_ZERO = _ROW + 1  # rows are unsigned: the kernels multiply those by signed weights
_TYPES = {1: "<f4", 2: "u1", 3: "i1", 7: "<i8", 9: "?"}
_DOMAIN = "com.microsoft"  # onnxruntime's own operators

# Tags of onnx.proto
_GRAPH, _OPSET = 7, 8
_NODE, _INITIALIZER, _RESULT = 1, 5, 12
_INPUT, _OUTPUT, _OPERATOR, _ATTRIBUTE, _NODE_DOMAIN = 1, 2, 4, 5, 7
_DIMENSIONS, _TYPE, _TENSOR_NAME, _RAW = 1, 2, 8, 9
_ATTRIBUTE_NAME, _ATTRIBUTE_INT, _ATTRIBUTE_INTS, _ATTRIBUTE_TYPE = 1, 3, 8, 20
_IS_INT, _IS_INTS = 2, 7
_FLOAT = 1


@dataclass(frozen=True, slots=True)
class _Node:
    operator: str
    inputs: list[str]
    outputs: list[str]
    content: bytes


@dataclass(slots=True)
class _Graph:
    nodes: list[_Node] = field(default_factory=list)
    tensors: dict[str, Array] = field(default_factory=dict)
    results: list[str] = field(default_factory=list)
    others: list[bytes] = field(default_factory=list)  # inputs, outputs and names, as they are


def with_integer_products(path: Path, layers: int | None = None) -> bytes:
    """The model of a file with all its products with weights in whole numbers.

    With ``layers`` its result is what the layer of that number gives; the layers above are cut off.
    """
    data = path.read_bytes()
    model = list(fields(data, 0, len(data)))
    graph = _read(data, next(part for part in model if part.tag == _GRAPH))
    if layers is not None:
        _cut_off_above(graph, layers)
    others = b"".join(data[part.whole : part.end] for part in model if part.tag != _GRAPH)
    domain = as_bytes(_OPSET, as_bytes(1, _DOMAIN) + as_number(2, 1))
    return others + domain + as_bytes(_GRAPH, _rewritten(graph))


def _cut_off_above(graph: _Graph, layers: int) -> None:
    """A layer has two normalisations, and the word pieces have one before the first layer."""
    norms = [node for node in graph.nodes if node.operator == "LayerNormalization"]
    [states], [result] = norms[2 * layers].outputs, graph.results
    graph.nodes = [node for node in graph.nodes if result not in node.outputs]
    graph.nodes.append(_node("Identity", [states], result))


def whole_columns(weights: Floats) -> tuple[Array, Floats]:
    """Weights as whole numbers, and what one of them is worth in each column."""
    units = np.abs(weights).max(axis=0) / _WEIGHT
    units[units == 0] = 1
    return np.rint(weights / units).astype("i1"), units.astype("<f4")


def _rewritten(graph: _Graph) -> bytes:
    makers = {name: node for node in graph.nodes for name in node.outputs}
    nodes: list[_Node] = []
    tensors = graph.tensors | {
        "row.largest": np.array(_ROW, dtype="<f4"),
        "row.least": np.array(np.finfo(np.float32).tiny, dtype="<f4"),
        "row.one": np.array(1, dtype="<f4"),
        "row.zero": np.array(_ZERO, dtype="u1"),
    }
    scaled = set()  # what is multiplied by several weights is scaled once
    for node in graph.nodes:
        table = _factors(node.inputs[0], makers, tensors) if node.operator == "Gather" else None
        if table and len(tensors[table[0]]) == tensors[table[1]].size:  # a unit for each row
            nodes += _looked_up(node, *table)
            continue
        weights = _weights(node, makers, tensors) if node.operator == "MatMul" else None
        if weights is None:
            nodes.append(node)
            continue
        rows, [output] = node.inputs[0], node.outputs
        if rows not in scaled:
            scaled.add(rows)
            nodes += _scaled_rows(rows)
        columns, units = whole_columns(weights)
        tensors |= {f"{output}.columns": columns, f"{output}.units": units}
        factors = [f"{rows}.whole", f"{output}.columns", "row.one", f"{output}.units", "row.zero"]
        nodes += [
            _node("MatMulIntegerToFloat", factors, f"{output}.product", domain=_DOMAIN),
            _node("Mul", [f"{output}.product", f"{rows}.unit"], output),
        ]
    nodes = _needed(nodes, graph.results)
    used = {name for node in nodes for name in node.inputs}
    return b"".join(
        [
            *(as_bytes(_NODE, node.content) for node in nodes),
            *(
                as_bytes(_INITIALIZER, _tensor(name, tensors[name]))
                for name in sorted(used & tensors.keys())
            ),
            *graph.others,
        ]
    )


def _scaled_rows(rows: str) -> list[_Node]:
    """Each row in whole numbers, and what one of them is worth in it."""
    return [
        _node("Abs", [rows], f"{rows}.size"),
        _node("ReduceMax", [f"{rows}.size"], f"{rows}.most", axes=[-1]),
        _node("Max", [f"{rows}.most", "row.least"], f"{rows}.largest"),
        _node("Div", [f"{rows}.largest", "row.largest"], f"{rows}.unit"),
        _node("Div", [rows, f"{rows}.unit"], f"{rows}.scaled"),
        _node("QuantizeLinear", [f"{rows}.scaled", "row.one", "row.zero"], f"{rows}.whole"),
    ]


def _looked_up(node: _Node, whole: str, units: str) -> list[_Node]:
    """Rows of a table of whole numbers: only those that are looked up become fractions."""
    rows, [output] = node.inputs[1], node.outputs
    return [
        _node("Gather", [whole, rows], f"{output}.whole"),
        _node("Cast", [f"{output}.whole"], f"{output}.cast", to=_FLOAT),
        _node("Gather", [units, rows], f"{output}.units"),
        _node("Mul", [f"{output}.cast", f"{output}.units"], output),
    ]


def _weights(
    node: _Node, makers: Mapping[str, _Node], tensors: Mapping[str, Array]
) -> Floats | None:
    """What a product multiplies by, if that is fixed."""
    name = node.inputs[1]
    if name in tensors:
        return tensors[name].astype("<f4")
    if factors := _factors(name, makers, tensors):
        whole, units = (tensors[factor].astype("<f4") for factor in factors)
        weights: Floats = whole * units
        return weights
    return None


def _factors(
    name: str, makers: Mapping[str, _Node], tensors: Mapping[str, Array]
) -> tuple[str, str] | None:
    """The names of whole numbers and their units, where ``name`` is ``Cast(whole) * units``."""
    scaling = makers.get(name)
    if scaling is None or scaling.operator != "Mul":
        return None
    cast = makers.get(scaling.inputs[0])
    if cast is None or cast.operator != "Cast":
        return None
    whole, units = cast.inputs[0], scaling.inputs[1]
    return (whole, units) if whole in tensors and units in tensors else None


def _needed(nodes: Sequence[_Node], results: Iterable[str]) -> list[_Node]:
    """The nodes that a result depends on, in their order."""
    wanted = set(results)
    kept = []
    for node in reversed(nodes):
        if wanted.intersection(node.outputs):
            wanted.update(node.inputs)
            kept.append(node)
    return kept[::-1]


# --- as it is written in a file ---


def _read(data: bytes, message: Field) -> _Graph:
    graph = _Graph()
    for part in fields(data, message.start, message.end):
        if part.tag == _NODE:
            graph.nodes.append(_read_node(data, part))
        elif part.tag == _INITIALIZER:
            name, value = _read_tensor(data, part)
            graph.tensors[name] = value
        else:
            graph.others.append(data[part.whole : part.end])
            if part.tag == _RESULT:
                graph.results.append(text(data, first(data, 1, part.start, part.end)))
    return graph


def _read_node(data: bytes, message: Field) -> _Node:
    inputs, outputs, operator = [], [], ""
    for part in fields(data, message.start, message.end):
        if part.tag == _INPUT:
            inputs.append(text(data, part))
        elif part.tag == _OUTPUT:
            outputs.append(text(data, part))
        elif part.tag == _OPERATOR:
            operator = text(data, part)
    return _Node(operator, inputs, outputs, data[message.start : message.end])


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


def _node(
    operator: str,
    inputs: Sequence[str],
    output: str,
    *,
    axes: Sequence[int] = (),
    to: int | None = None,
    domain: str = "",
) -> _Node:
    content = b"".join(as_bytes(_INPUT, name) for name in inputs)
    content += as_bytes(_OUTPUT, output) + as_bytes(_OPERATOR, operator)
    if axes:
        listed = b"".join(as_number(_ATTRIBUTE_INTS, axis) for axis in axes)
        content += _attribute("axes", listed, _IS_INTS)
    if to is not None:
        content += _attribute("to", as_number(_ATTRIBUTE_INT, to), _IS_INT)
    if domain:
        content += as_bytes(_NODE_DOMAIN, domain)
    return _Node(operator, list(inputs), [output], content)


def _attribute(name: str, value: bytes, kind: int) -> bytes:
    named = as_bytes(_ATTRIBUTE_NAME, name)
    return as_bytes(_ATTRIBUTE, named + value + as_number(_ATTRIBUTE_TYPE, kind))

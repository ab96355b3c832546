"""The packaged MiniLM, written anew from its weights: the same network, in fewer and quicker steps.

The packaged graph is as PyTorch exported it. Here products are in whole numbers
(``integer_products``), attention and GELU are one operation each, and rows of all sentences lie in
one matrix. There is no mask: all sentences of a run have equally many word pieces, so that no
padding is computed, and a sentence is the same to the last bit whatever runs beside it.

The network is BERT (Devlin et al. 2019) as in MiniLM (Wang et al. 2020): 6 layers, 12 heads.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from grading.pyramid.encoders.integer_products import Floats, WholeRows, zeros_of_rows
from grading.pyramid.encoders.onnx_graph import FLOAT, Array, Graph, GraphWriter, read_graph

INPUT = "input_ids"
_STATES = "last_hidden_state"
_HEADS = 12
_EPSILON = 1e-12
_EMBEDDINGS = "inner.embeddings"
_PRODUCTS = ("query", "key", "value", "mixed", "wide", "narrow")  # of a layer, in their order


def quick_minilm(path: Path, layers: int | None = None) -> bytes:
    """The model of a file, or the lower ``layers`` of it, for sentences of equally many pieces."""
    graph = read_graph(path)
    writer = GraphWriter()
    weights = list(_weights(graph))
    width = len(weights[0])
    shape = writer.node("Shape", [INPUT], "shape")
    width_of = writer.tensor("width", np.array([width], dtype="<i8"))
    by_sentence = writer.node("Concat", [shape, width_of], "by_sentence", axis=0)
    width_of_three = writer.tensor("width_of_three", np.array([3 * width], dtype="<i8"))
    three_by_sentence = writer.node("Concat", [shape, width_of_three], "three_by_sentence", axis=0)
    by_row = writer.tensor("by_row", np.array([-1, width], dtype="<i8"))
    zeros = zeros_of_rows(writer, INPUT)
    states = _embedded(writer, graph.tensors, shape)
    states = writer.node("Reshape", [states, by_row], "embedded")
    norms = iter(_norms(graph))
    states = _normed(writer, graph.tensors, next(norms), states, "layer0")
    for number in range(layers or len(weights) // len(_PRODUCTS)):
        products = dict(zip(_PRODUCTS, weights[number * len(_PRODUCTS) :], strict=False))
        layer = _Layer(writer, graph.tensors, f"inner.encoder.layer.{number}", products, zeros)
        mixed = layer.attention(states, three_by_sentence, by_row)
        states = _normed(writer, graph.tensors, next(norms), mixed, f"layer{number}.noted")
        wide = layer.feed_forward(states)
        states = _normed(writer, graph.tensors, next(norms), wide, f"layer{number + 1}")
    writer.node("Reshape", [states, by_sentence], _STATES)
    return writer.as_file(graph, [INPUT])


class _Layer:
    """The operations of a layer of the encoder, under names of their own."""

    def __init__(
        self,
        writer: GraphWriter,
        tensors: Mapping[str, Array],
        name: str,
        products: Mapping[str, Floats],
        zeros: str,
    ) -> None:
        self._writer = writer
        self._tensors = tensors
        self._name = name
        self._products = products
        self._zeros = zeros

    def attention(self, states: str, three_by_sentence: str, by_row: str) -> str:
        writer = self._writer
        parts = self._query_key_value(states, three_by_sentence)
        heads = writer.own_node(
            "MultiHeadAttention", parts, f"{self._name}.heads", num_heads=_HEADS
        )
        heads = writer.node("Reshape", [heads, by_row], f"{self._name}.attended")
        mixed = self._times(heads, self._products["mixed"], "mixed")
        return self._added(mixed, "attention.output.dense.bias", states)

    def feed_forward(self, states: str) -> str:
        wide = self._times(states, self._products["wide"], "wide")
        wide = self._biased(wide, self._bias("intermediate.dense.bias"))
        # "BiasGelu" writes three matrices of this width; this and an addition are quicker.
        wide = self._writer.own_node("Gelu", [wide], f"{self._name}.gelu")
        narrow = self._times(wide, self._products["narrow"], "narrow")
        return self._added(narrow, "output.dense.bias", states)

    def _query_key_value(self, states: str, three_by_sentence: str) -> list[str]:
        """Queries, keys and values, from one product."""
        writer = self._writer
        names = ("query", "key", "value")
        weights = np.concatenate([self._products[name] for name in names], axis=1)
        biases = [self._tensors[f"{self._name}.attention.self.{name}.bias"] for name in names]
        three = self._times(states, weights, "three")
        bias = writer.tensor(f"{self._name}.three.bias", np.concatenate(biases))
        three = writer.node(
            "Reshape", [self._biased(three, bias), three_by_sentence], f"{self._name}.threes"
        )
        parts = [f"{self._name}.{name}s" for name in names]
        sizes = [self._products[name].shape[1] for name in names]
        writer.split(three, writer.tensor("thirds", np.array(sizes, dtype="<i8")), parts, axis=2)
        return parts

    def _times(self, rows: str, weights: Floats, product: str) -> str:
        whole = WholeRows(self._writer, rows, self._zeros)
        return whole.times(weights, f"{self._name}.{product}")

    def _biased(self, rows: str, bias: str) -> str:
        return self._writer.node("Add", [rows, bias], f"{rows}.biased")

    def _added(self, rows: str, bias: str, states: str) -> str:
        """Rows with their bias, and with what was there before the layer."""
        rows = self._biased(rows, self._bias(bias))
        return self._writer.node("Add", [rows, states], f"{rows}.added")

    def _bias(self, name: str) -> str:
        name = f"{self._name}.{name}"
        return self._writer.tensor(name, self._tensors[name])


def _embedded(writer: GraphWriter, tensors: Mapping[str, Array], shape: str) -> str:
    """The vectors of pieces and of their places. Only rows that are looked up become fractions."""
    words = f"{_EMBEDDINGS}.word_embeddings.weight"
    table = writer.tensor("words", tensors[f"{words}_q"])
    table_units = writer.tensor("words.units", tensors[f"{words}_scale"])
    whole = writer.node("Gather", [table, INPUT], "pieces.whole")
    whole = writer.node("Cast", [whole], "pieces.cast", to=FLOAT)
    units = writer.node("Gather", [table_units, INPUT], "pieces.units")
    pieces = writer.node("Mul", [whole, units], "pieces")
    first, second = (
        writer.tensor(f"axis{number}", np.array([number], dtype="<i8")) for number in (1, 2)
    )
    start = writer.tensor("start", np.array([0], dtype="<i8"))
    length = writer.node("Slice", [shape, first, second], "length")
    places = _whole_table(tensors, f"{_EMBEDDINGS}.position_embeddings.weight")
    kinds = tensors[f"{_EMBEDDINGS}.token_type_embeddings.weight"].astype("<f4")
    table = writer.tensor("places", places + kinds[0])
    places_here = writer.node("Slice", [table, start, length, start], "places.here")
    return writer.node("Add", [pieces, places_here], "pieces.placed")


def _normed(
    writer: GraphWriter, tensors: Mapping[str, Array], norm: list[str], rows: str, output: str
) -> str:
    fixed = [writer.tensor(name, tensors[name]) for name in norm]
    return writer.node("LayerNormalization", [rows, *fixed], output, axis=-1, epsilon=_EPSILON)


def _norms(graph: Graph) -> Iterator[list[str]]:
    """The names of what each normalisation scales by and adds, in their order."""
    for node in graph.nodes:
        if node.operator == "LayerNormalization":
            yield node.inputs[1:]


def _weights(graph: Graph) -> Iterator[Floats]:
    """What each product multiplies by, where that is fixed, in their order."""
    makers = {name: node for node in graph.nodes for name in node.outputs}
    for node in graph.nodes:
        if node.operator == "MatMul" and (maker := makers.get(node.inputs[1])):
            cast = makers.get(maker.inputs[0])
            if maker.operator == "Mul" and cast and cast.operator == "Cast":
                whole, units = graph.tensors[cast.inputs[0]], graph.tensors[maker.inputs[1]]
                yield whole.astype("<f4") * units.astype("<f4")


def _whole_table(tensors: Mapping[str, Array], name: str) -> Floats:
    table: Floats = tensors[f"{name}_q"].astype("<f4") * tensors[f"{name}_scale"].astype("<f4")
    return table

"""Products with a model's weights in whole numbers of 8 bits: about twice as quick.

The packaged MiniLM keeps its weights in 8 bits but multiplies in single precision. Here every row
of ``x`` (a word piece) in a product ``x @ W`` is scaled by its own largest number, every column of
``W`` by its own, the whole numbers are multiplied exactly, and the result is scaled back.
onnxruntime's own dynamic quantisation scales by the largest number of all that is computed at a
time, so that a sentence's vectors would depend on the sentences beside it.

Weights take 7 of the 8 bits: processors without VNNI add two products in 16 bits, where
255 x 127 x 2 would be cut off and 255 x 63 x 2 is not. So sums of whole numbers are the same with
VNNI and without. What makes rows of them, in single precision, is not (decisions 27 and 28).
"""

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.encoders.onnx_graph import Array, GraphWriter

Floats = NDArray[np.float32]

_ROW, _WEIGHT = 127, 63  # the largest whole numbers of a row and of a column of weights
_ZERO = _ROW + 1  # rows are unsigned: the kernels multiply those by signed weights


def whole_columns(weights: Floats) -> tuple[Array, Floats]:
    """Weights as whole numbers, and what one of them is worth in each column."""
    units = np.abs(weights).max(axis=0) / _WEIGHT
    units[units == 0] = 1
    return np.rint(weights / units).astype("i1"), units.astype("<f4")


def zeros_of_rows(graph: GraphWriter, values: str) -> str:
    """A zero in whole numbers for each of the values: there is a row for each."""
    zero = graph.tensor("row.zero", np.array(_ZERO, dtype="u1"))
    flat = graph.tensor("row.flat", np.array([-1], dtype="<i8"))
    one_by_one = graph.node("Reshape", [values, flat], "row.values")
    count = graph.node("Shape", [one_by_one], "row.count")
    return graph.node("Expand", [zero, count], "row.zeros")


class WholeRows:
    """A matrix of the graph with its rows in whole numbers.

    ``zeros`` has a zero for each row (``zeros_of_rows``).
    """

    def __init__(self, graph: GraphWriter, rows: str, zeros: str) -> None:
        largest = graph.tensor("row.largest", np.array(_ROW, dtype="<f4"))
        least = graph.tensor("row.least", np.array(np.finfo(np.float32).tiny, dtype="<f4"))
        flat = graph.tensor("row.flat", np.array([-1], dtype="<i8"))
        self._one = graph.tensor("row.one", np.array(1, dtype="<f4"))
        self._zero = graph.tensor("row.zero", np.array(_ZERO, dtype="u1"))
        self._graph = graph
        sizes = graph.node("Abs", [rows], f"{rows}.size")
        most = graph.node("ReduceMax", [sizes], f"{rows}.most", axes=[-1])
        most = graph.node("Clip", [most, least], f"{rows}.largest")
        self._unit = graph.node("Div", [most, largest], f"{rows}.unit")
        units = graph.node("Reshape", [self._unit, flat], f"{rows}.units")
        self._whole = graph.node("QuantizeLinear", [rows, units, zeros], f"{rows}.whole", axis=0)

    def times(self, weights: Floats, output: str) -> str:
        """The product with these weights; its name."""
        whole, worth = whole_columns(weights)
        columns = self._graph.tensor(f"{output}.columns", whole)
        units = self._graph.tensor(f"{output}.units", worth)
        product = self._graph.own_node(
            "MatMulIntegerToFloat",
            [self._whole, columns, self._one, units, self._zero],
            f"{output}.product",
        )
        return self._graph.node("Mul", [product, self._unit], output)

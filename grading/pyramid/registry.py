"""The methods by name. A new method is a row here, made of parts that fit together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from grading.pyramid.builders import edua_greedy
from grading.pyramid.config import Config
from grading.pyramid.encoders import Encoder
from grading.pyramid.encoders.wtmf import WtmfEncoder
from grading.pyramid.errors import InputError
from grading.pyramid.matchers import wmin
from grading.pyramid.segment_graph import Compare, Matrix, SegmentGraph
from grading.pyramid.similarity.cosine import cosine_matrix
from grading.pyramid.structures import Evidence, Pyramid, SegmentedText, Unit

Builder = Callable[[SegmentGraph, Config], Pyramid]
Similarity = Callable[[Matrix, Matrix], Matrix]  # vectors of rows and of columns, to [0, 1]
Matcher = Callable[
    [Pyramid, Callable[[Sequence[Unit]], Compare], Config], Callable[[SegmentedText], Evidence]
]


@dataclass(frozen=True, slots=True)
class Method:
    """What a pyramid is made of, and what a summary is matched with, under one name."""

    name: str
    description: str
    config: Config
    builder: Builder
    matcher: Matcher
    similarity: Similarity
    encoder: Callable[[], Encoder]  # loads the model whose vectors are compared


_ROWS = (
    Method(
        name="pyreval",
        description=(
            "The method of the PyrEval paper: clauses, EDUA-G over WTMF cosines, and WMIN matching."
        ),
        config=Config(method="pyreval"),
        builder=edua_greedy.build,
        matcher=wmin.prepare,
        similarity=cosine_matrix,
        encoder=WtmfEncoder,
    ),
)

METHODS: Mapping[str, Method] = MappingProxyType({row.name: row for row in _ROWS})
DEFAULT_METHOD = "pyreval"


def get_method(name: str) -> Method:
    """The method of that name; an InputError lists the names if there is none."""
    try:
        return METHODS[name]
    except KeyError:
        known = ", ".join(METHODS)
        raise InputError(f"There is no method “{name}”. The methods are: {known}.") from None

"""What building a pyramid costs after the parse and the vectors: links, EDUA-G and EDUA-C."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from grading.pyramid.builders import edua_complete, edua_greedy, mutual_links
from grading.pyramid.builders.edua_complete import Allocation
from grading.pyramid.config import Config
from grading.pyramid.encoders.wtmf import WtmfEncoder
from grading.pyramid.segment_graph import attraction, link_segments
from grading.pyramid.similarity import Compare, CosineSimilarity
from grading.pyramid.structures import SegmentedText, Text
from tests.bench.engines import engine_of, read_once
from tests.bench.made_texts import corpus, made_references
from tests.bench.statistics import Measure, over_rounds
from tests.bench.table import Reach, Row, Table
from tests.bench.timing import KnownVectors, seconds

ROUNDS = 3
SPREAD = ("", "rounds")
_MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Case:
    """References to build from, and the seconds that are allowed."""

    name: str
    references: Sequence[Text]
    greedy: float | None
    complete: float
    must_prove: bool = False


def table() -> Table:
    """EDUA-C starts from EDUA-G's pyramid."""
    cases = (
        Case("4 of 100 words", made_references(4, 100), None, 2.0, must_prove=True),
        Case(f"{corpus().name}, whole", corpus().references, 0.5, _MINUTE),
        Case("7 of 250 words", made_references(7, 250), 2.0, _MINUTE),
    )
    rows = [row for case in cases for row in _rows(case)]
    return Table(
        "Speed: building, after parse and vectors (pyreval's WTMF cosines)",
        "The authors' program: EDUA-G 43 s on wim, 590 s on 7 of 250; EDUA-C 9.5 s on 4 of 100, "
        "else out of memory. AP: attraction. Gap: how much more another legal pyramid could have; "
        "0 is proven best. In shape: with as many units of each weight as EDUA-G's.",
        tuple(rows),
        SPREAD,
    )


def _rows(case: Case) -> Iterator[Row]:
    engine = engine_of("pyreval")
    config = engine.method.config
    texts = read_once(case.references, engine)
    compare = _known_similarities(texts, config)
    graph = link_segments(texts, compare, config)
    times = [seconds(partial(_greedily, texts, compare, config)).cpu for _ in range(ROUNDS)]
    start = edua_greedy.allocate(graph, config)
    yield Row(case.name, "segments in the graph", Measure(len(graph.nodes)), None, 0)
    yield _seconds_row(case, "EDUA-G with its graph, s CPU", times, case.greedy)
    linked = partial(_by_links, texts, compare, config)
    ours = [seconds(linked).cpu for _ in range(ROUNDS)]
    yield _seconds_row(case, "closest links with their graph, s CPU", ours, case.greedy)
    ratio = [links / greedy for links, greedy in zip(ours, times, strict=True)]
    yield Row(case.name, "closest links / EDUA-G", over_rounds(ratio), Reach(2.0, most=True))
    yield Row(case.name, "EDUA-G: AP", Measure(attraction(start, graph.edges)), None, 4)
    for shape, in_shape in (("", False), (" in shape", True)):
        allocate = partial(edua_complete.allocate, graph, start, in_shape=in_shape)
        yield from _complete(case, f"EDUA-C{shape}", allocate)


def _complete(case: Case, what: str, allocate: Callable[[], Allocation]) -> Iterator[Row]:
    result: list[Allocation] = []
    took = seconds(lambda: result.append(allocate()))
    proven = Reach(edua_complete.TOLERANCE, most=True) if case.must_prove else None
    yield _seconds_row(case, f"{what}, s CPU", [took.cpu], case.complete)
    yield Row(case.name, f"{what}: AP", Measure(result[0].attraction), None, 4)
    yield Row(case.name, f"{what}: bound", Measure(result[0].bound), None, 4)
    yield Row(case.name, f"{what}: gap", Measure(result[0].gap), proven, 6)


def _seconds_row(case: Case, what: str, times: list[float], at_most: float | None) -> Row:
    reach = None if at_most is None else Reach(at_most, most=True)
    return Row(case.name, what, over_rounds(times), reach, 3)


def _greedily(texts: Sequence[SegmentedText], compare: Compare, config: Config) -> None:
    edua_greedy.build(link_segments(texts, compare, config), config)


def _by_links(texts: Sequence[SegmentedText], compare: Compare, config: Config) -> None:
    mutual_links.build(link_segments(texts, compare, config), config)


def _known_similarities(texts: Sequence[SegmentedText], config: Config) -> Compare:
    """Cosines from vectors that were made before; the cosines themselves are taken each time."""
    known = KnownVectors(WtmfEncoder())
    compare = CosineSimilarity(known).among
    link_segments(texts, compare, config)
    return compare

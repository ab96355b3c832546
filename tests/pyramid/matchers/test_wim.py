"""The classroom matcher on "What is Matter", with the pyramid that people made.

The bounds are guards, looser than what was measured (docs/methods.md).
"""

from collections import Counter

import pytest

from grading.pyramid.formats.ducview import annotation_of, read_annotation, write_annotation
from grading.pyramid.pipeline import (
    Engine,
    make_engine,
    prepare_matcher,
    read_summaries,
    score_read,
)
from grading.pyramid.structures import SegmentedText
from tests.bench import wim
from tests.bench.cells import Cells, decided, finding, pooled_auc
from tests.bench.wim import Wim

pytestmark = [
    pytest.mark.data,
    pytest.mark.models,
    pytest.mark.skipif(
        not wim.FOLDER.exists(), reason="the annotated data is not beside the project"
    ),
]


@pytest.fixture(scope="module")
def data() -> Wim:
    return wim.load()


@pytest.fixture(scope="module")
def engine() -> Engine:
    return make_engine("classroom")


@pytest.fixture(scope="module")
def texts(data: Wim, engine: Engine) -> list[SegmentedText]:
    return read_summaries(data.summaries, engine)


def test_it_finds_what_people_found(data: Wim, engine: Engine, texts: list[SegmentedText]) -> None:
    matcher = prepare_matcher(data.pyramid, engine)
    cells = [
        Cells.of(matcher, data.pyramid, text, data.truth(student))
        for student, text in enumerate(texts)
    ]
    assert pooled_auc(cells).value >= 0.94
    own = finding(cells, [cell.matched for cell in cells]).f1.value
    assert own >= 0.74
    left_out = finding(cells, decided(cells, range(len(cells)))).f1.value
    assert abs(own - left_out) <= 0.04
    assert all((cell.matched == cell.above).all() for cell in cells)


def test_annotations_with_several_units_in_a_segment_are_written_and_read_back(
    data: Wim, engine: Engine, texts: list[SegmentedText]
) -> None:
    most = 0
    for text, report in zip(texts, score_read(data.pyramid, texts, engine), strict=True):
        annotation = annotation_of(data.pyramid, text.text, report)
        written = write_annotation(annotation)
        again = read_annotation(written.encode(), text.text.name)
        assert again.expressions == annotation.expressions
        assert again.unmatched == annotation.unmatched
        assert again.summary == text.text
        counter = Counter(match.segment for match in report.evidence.matches)
        most = max(most, *counter.values())
    assert most >= 2

"""The manual pyramid "What is Matter" and its 20 annotations, as DUCView itself wrote them."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from grading.pyramid.formats.ducview import (
    read_annotation,
    read_pyramid,
    write_annotation,
    write_pyramid,
)
from grading.pyramid.structures import Pyramid, Span

WIM = Path(__file__).resolve().parents[4] / "shared" / "data" / "wim"
PYRAMID = WIM / "pyramid_WHAT_IS_MATTER.pyr"

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not PYRAMID.exists(), reason="the annotated data is not beside the project"),
]


@pytest.fixture(scope="module")
def pyramid() -> Pyramid:
    return read_pyramid(PYRAMID.read_bytes())


def described(xml: str | bytes) -> list[object]:
    """Labels, comments and words of a file, read by another reader than ours."""
    root = ET.fromstring(xml)  # noqa: S314  (data of the project and our own)
    return [
        (element.tag, {k: v for k, v in element.attrib.items() if k not in {"start", "end"}})
        for element in root.iter()
        if element.tag in {"scu", "peerscu", "contributor", "part"}
    ]


def test_the_pyramid_is_read(pyramid: Pyramid) -> None:
    assert [text.name for text in pyramid.references] == ["1", "2", "3", "4", "5"]
    assert [scu.weight for scu in pyramid.scus].count(5) == 3
    assert len(pyramid.scus) == 60
    first = pyramid.scu(105).contributors[0]
    assert (first.reference, first.spans) == ("1", (Span(0, 49),))  # 4 to 53 in the file


def test_the_pyramid_survives_a_round_trip(pyramid: Pyramid) -> None:
    written = write_pyramid(pyramid)
    assert read_pyramid(written.encode()) == pyramid
    assert described(written) == described(PYRAMID.read_bytes())


def test_all_annotations_survive_a_round_trip(pyramid: Pyramid) -> None:
    files = sorted((WIM / "target_summaries" / "scored").glob("*.pan"))
    cells = 0
    for file in files:
        annotation = read_annotation(file.read_bytes(), file.stem)
        assert annotation.pyramid == pyramid
        written = write_annotation(annotation)
        assert read_annotation(written.encode(), file.stem) == annotation
        cells += len(annotation.expressions)
    assert (len(files), cells) == (20, 209)  # the README of the data says 209

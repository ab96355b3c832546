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
from grading.pyramid.formats.file_import import read_file
from grading.pyramid.formats.file_kinds import FILE_KINDS
from grading.pyramid.formats.import_report import Kinship
from grading.pyramid.structures import Pyramid, Span, Text

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


def own_references() -> list[Text]:
    """The texts as an assignment would hold them: without white space around them."""
    files = sorted((WIM / "reference_summaries").glob("*.txt"))
    return [Text(f"Expert {file.stem}", file.read_text().strip()) for file in files]


def words_of(pyramid: Pyramid) -> list[list[str]]:
    return [
        [
            pyramid.reference(contributor.reference).words_at(contributor.spans)
            for contributor in scu.contributors
        ]
        for scu in pyramid.scus
    ]


def test_it_is_moved_over_to_the_references_that_are_the_same(pyramid: Pyramid) -> None:
    imported = read_file(PYRAMID.read_bytes(), own_references())

    kinships = [text.kinship for text in imported.report.found]
    assert kinships.count(Kinship.REWORDED) == 2  # by some marks
    assert Kinship.OTHER not in kinships
    assert words_of(imported.pyramid) == words_of(pyramid)
    names = [text.name for text in imported.pyramid.references]
    assert names == ["Expert 1", "2", "Expert 3", "4", "Expert 5"]


@pytest.mark.parametrize("ending", ["pyr", "json", "tsv"])
def test_every_file_of_it_is_read_back_with_all_its_words(pyramid: Pyramid, ending: str) -> None:
    written = FILE_KINDS[ending].write(pyramid)

    imported = read_file(written.encode(), pyramid.references)

    assert words_of(imported.pyramid) == words_of(pyramid)
    assert [scu.uid for scu in imported.pyramid.scus] == [scu.uid for scu in pyramid.scus]
    assert not imported.report.lost
    if ending != "tsv":
        assert imported.pyramid == pyramid
        assert list(FILE_KINDS[ending].losses(pyramid)) == []


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

"""Reading and writing ``.pan`` files."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import (
    Annotation,
    Expression,
    annotation_of,
    read_annotation,
    write_annotation,
    write_pyramid,
)
from grading.pyramid.structures import (
    Contributor,
    Evidence,
    Match,
    ScoreReport,
    Segment,
    Span,
    Text,
)
from tests.pyramid.formats.pyramids import EXAMPLE, contents, pyramids, spans_in

SUMMARY = Text("student", "Dancing bees say how far.\nI like honey.")
FAR, DANCE, HONEY = Segment((Span(13, 24),)), Segment((Span(0, 12),)), Segment((Span(26, 38),))
REPORT = ScoreReport(
    Evidence((DANCE, FAR, HONEY), (Match(DANCE, 7, 0.9), Match(FAR, 3, 0.8), Match(FAR, 7, 0.6))),
    raw=3,
    quality=1.0,
    coverage=1.0,
    comprehensive=1.0,
    trace=(),
    signature="",
)
EXPECTED = Annotation(
    EXAMPLE,
    SUMMARY,
    (
        Expression(7, (Contributor("student", DANCE.spans), Contributor("student", FAR.spans))),
        Expression(3, (Contributor("student", FAR.spans),)),
    ),
    (Contributor("student", HONEY.spans),),
)


@st.composite
def annotations(draw: st.DrawFn) -> Annotation:
    pyramid = draw(pyramids())
    summary = Text("summary", "x" + draw(contents))
    place = st.builds(Contributor, st.just("summary"), spans_in(summary.content), contents)
    expressions = (
        Expression(scu.uid, tuple(draw(st.lists(place, max_size=2))), draw(contents))
        for scu in pyramid.scus
    )
    worth_writing = tuple(e for e in expressions if e.places or e.comment)
    return Annotation(pyramid, summary, worth_writing, tuple(draw(st.lists(place, max_size=2))))


@settings(max_examples=40)
@given(annotations())
def test_what_was_written_is_read_back_equal(annotation: Annotation) -> None:
    written = write_annotation(annotation)
    assert read_annotation(written.encode(), "summary") == annotation


def test_a_report_becomes_an_annotation() -> None:
    assert annotation_of(EXAMPLE, SUMMARY, REPORT) == EXPECTED


def test_the_file_lists_every_content_unit_and_the_rest_under_0() -> None:
    root = ET.fromstring(write_annotation(EXPECTED))  # noqa: S314  (our own file)
    listed = [(p.get("uid"), p.get("label"), len(p)) for p in root.iter("peerscu")]
    assert listed == [
        ("7", "(2) Bees dance", 2),
        ("3", "(1) It tells distance", 1),
        ("0", "All non-matching SCUs go here", 1),
    ]


def changed(old: str, new: str) -> bytes:
    written = write_annotation(EXPECTED)
    assert old in written
    return written.replace(old, new).encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (write_pyramid(EXAMPLE).encode(), "no annotation of a summary"),
        (changed('peerscu uid="7"', 'peerscu uid="8"'), r"^Line \d+: .* no content unit 8"),
        (changed('peerscu uid="3"', 'peerscu uid="7"'), r"^Line \d+: content unit 7 comes twice"),
        (changed('"I like honey"', '"I like jam"'), r"^Line \d+: the words “I like jam”"),
    ],
)
def test_what_cannot_be_read_is_named(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_annotation(data, "student")

"""Which ideas a ``.pan`` file marks; whole files of DUCView, and files with marks only."""

import pytest

from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import read_annotation, read_marked_ideas
from tests.bench import wim


def pan(*scus: str) -> bytes:
    inner = "\n".join(scus)
    return f"<peerAnnotation>\n<annotation>\n{inner}\n</annotation>\n</peerAnnotation>".encode()


def test_an_idea_is_marked_where_it_has_a_place() -> None:
    data = pan(
        '<peerscu uid="3" label="a"><contributor/></peerscu>',
        '<peerscu uid="4" label="b"></peerscu>',
        '<peerscu uid="0" label="others"><contributor/></peerscu>',
    )

    assert read_marked_ideas(data, {3, 4, 5}) == {3}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pan('<peerscu uid="9" label=""/>'), "Line 3: the pyramid has no content unit 9"),
        (pan(*2 * ['<peerscu uid="3" label=""/>']), "Line 4: content unit 3 comes twice"),
        (pan('<peerscu uid="x" label=""/>'), "Line 3: the uid of a <peerscu>"),
        (b"<pyramid/>", "Line 1: this file holds a pyramid, but no annotation"),
        (b"<peerAnnotation/>", "Line 1: <peerAnnotation> needs one <annotation>"),
        (b"", "The file is empty"),
    ],
)
def test_what_cannot_be_used_is_said_with_its_line(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_marked_ideas(data, {3})


@pytest.mark.data
@pytest.mark.skipif(not wim.FOLDER.exists(), reason="the annotated data is not beside the project")
def test_files_of_ducview_say_the_same_as_when_they_are_read_whole() -> None:
    for path in sorted((wim.FOLDER / "target_summaries" / "scored").glob("*.pan")):
        annotation = read_annotation(path.read_bytes(), path.stem)
        uids = {scu.uid for scu in annotation.pyramid.scus}
        whole = {expression.scu_uid for expression in annotation.expressions if expression.places}

        assert read_marked_ideas(path.read_bytes(), uids) == whole

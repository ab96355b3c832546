"""Pyramids out of files of any kind, and files that are none."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats import file_import
from grading.pyramid.formats.ducview import (
    Annotation,
    read_pyramid,
    write_annotation,
    write_pyramid,
)
from grading.pyramid.formats.file_import import read_file
from grading.pyramid.formats.import_report import Kinship
from grading.pyramid.formats.pyramid_json import write_pyramid_json
from grading.pyramid.formats.tab_list import write_tab_list
from grading.pyramid.structures import Pyramid, Span, Text
from tests.pyramid.formats.pyramids import EXAMPLE, refusal

OWN = EXAMPLE.references
PYREVAL = (
    '<Pyramid><scu uid="0"><contributor label="bees dance" />\n'
    '<contributor label="A dance of bees tells" /></scu>\n'
    '<scu uid="1"><contributor label="Whales sing" /></scu></Pyramid>'
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("write", [write_pyramid, write_pyramid_json])
def test_files_with_texts_are_read_in_any_encoding(
    write: Callable[[Pyramid], str], encoding: str
) -> None:
    written = write(EXAMPLE)
    if encoding == "utf-16":
        written = written.replace('encoding="UTF-8"', 'encoding="UTF-16"')

    imported = read_file(written.encode(encoding), OWN)

    assert imported.pyramid == EXAMPLE
    assert [text.kinship for text in imported.report.found] == [Kinship.SAME, Kinship.SAME]
    assert imported.report.missing == ()
    assert imported.contributors == 3


def test_a_list_is_read_on_the_references() -> None:
    imported = read_file(write_tab_list(EXAMPLE).encode(), OWN)

    assert [scu.contributors for scu in imported.pyramid.scus] == [
        tuple(replace(contributor, comment="") for contributor in scu.contributors)
        for scu in EXAMPLE.scus
    ]
    assert "list" in imported.report.kind


def test_the_pyramid_of_an_annotation_is_taken() -> None:
    annotation = Annotation(EXAMPLE, Text("s", "Bees."), ())

    imported = read_file(write_annotation(annotation).encode(), OWN)

    assert imported.pyramid == EXAMPLE
    assert "Its pyramid is used; the summary is ignored." in imported.report.remarks[0]


def test_pyrevals_own_xml_is_read_like_its_list() -> None:
    imported = read_file(PYREVAL.encode(), OWN)

    first, second = imported.pyramid.scus
    assert [contributor.reference for contributor in first.contributors] == ["anna", "ben"]
    assert (second.uid, second.weight, second.contributors) == (2, 1, ())
    assert [(lost.line, lost.words) for lost in imported.report.lost] == [(3, "Whales sing")]
    with pytest.raises(InputError, match="Line 1: this is PyrEval's own"):
        read_pyramid(PYREVAL.encode())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('uid="1"', 'uid="0"', "Line 3: the uid 0 is taken"),
        ('uid="1"', 'uid="x"', "Line 3: the uid of a <scu>, “x”"),
        ("Whales sing", " ", "Line 3: a contributor has no words"),
        ('<contributor label="Whales sing" />', "", "Line 3: idea 1 has no contributor"),
    ],
)
def test_a_fault_in_pyrevals_xml_is_named(old: str, new: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_file(PYREVAL.replace(old, new).encode(), OWN)


def test_two_places_in_one_text_are_joined_and_reported() -> None:
    xml = (
        "<pyramid><text><line>Bees dance.</line></text>\n"
        '<scu uid="4" label="l"><contributor label="x"><part label="Bees" start="0" end="4"/>'
        '</contributor><contributor label="y"><part label="dance" start="5" end="10"/>'
        "</contributor></scu></pyramid>"
    )

    imported = read_file(xml.encode(), ())

    assert imported.pyramid.scus[0].weight == 1
    assert imported.report.remarks[0].startswith("Line 2: idea 4 has several quotes in one text")


@pytest.mark.parametrize("uid", [0, -3, 10**12])
def test_numbers_that_cannot_be_kept_are_given_anew(uid: int) -> None:
    scus = (replace(EXAMPLE.scus[0], uid=uid), EXAMPLE.scus[1])

    imported = read_file(write_pyramid_json(replace(EXAMPLE, scus=scus)).encode(), OWN)

    assert [scu.uid for scu in imported.pyramid.scus] == [1, 2]
    assert "all have new numbers." in imported.report.remarks[0]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "The file is empty"),
        (b"Dear colleague,\nhere it is.", "Line 1: this kind of file can't be read"),
        (b"<html></html>", "Line 1: this is not a DUCView file"),
        (b'{"format": 7}', "its format is 7"),
        (b"[1]", "pyramid: this is not an object"),
        (b"SCU\t1\t1\twords\nbroken", "Line 2: a line begins with “SCU”"),
        (b"PK\x03\x04", "Word, Excel"),
    ],
)
def test_what_is_no_pyramid_is_refused_in_words(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_file(data, OWN)


def test_what_is_too_much_to_work_with_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    written = write_pyramid_json(EXAMPLE).encode()
    monkeypatch.setattr(file_import, "MOST_IDEAS", 1)
    with pytest.raises(InputError, match="2 ideas; at most 1"):
        read_file(written, OWN)
    monkeypatch.setattr(file_import, "MOST_IDEAS", 2)
    monkeypatch.setattr(file_import, "LONGEST_TEXT", 41)
    with pytest.raises(InputError, match="“anna” has 53 characters"):
        read_file(written, OWN)


def test_thousands_of_texts_are_refused_before_they_are_compared() -> None:
    texts = [{"name": f"n{number}", "content": "bees"} for number in range(20_000)]
    data = {"format": 1, "signature": "", "references": texts, "scus": []}

    with pytest.raises(InputError, match="20,000 reference texts; at most 100"):
        read_file(json.dumps(data).encode(), OWN)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"notes": ["n"] * 101}, "101 notes; at most 100"),
        ({"label": "x" * 10_001}, "go on for 10,001 characters"),
        ({"comment": "x" * 10_001}, "go on for 10,001 characters"),
        ({"spans": [[at, at + 1] for at in range(1_001)]}, "1,001 parts of one place"),
    ],
)
def test_what_no_page_could_show_is_refused(changes: dict[str, object], said: str) -> None:
    changes = {"notes": [], "label": "x", "comment": "", "spans": [[0, 4]]} | changes
    data = {"reference": "n", "spans": changes["spans"], "comment": changes["comment"]}
    scu = {"uid": 1, "label": changes["label"], "comment": "", "contributors": [data]}
    texts = [{"name": "n", "content": "bees" * 400}]
    head = {"format": 1, "signature": "", "notes": changes["notes"]}

    with pytest.raises(InputError, match=said):
        read_file(json.dumps({**head, "references": texts, "scus": [scu]}).encode(), OWN)


def test_an_idea_without_a_label_gets_one() -> None:
    first, second = EXAMPLE.scus
    nameless = replace(second, label=" ", contributors=(), given_weight=1)
    pyramid = replace(EXAMPLE, scus=(replace(first, label=""), nameless))

    imported = read_file(write_pyramid_json(pyramid).encode(), OWN)

    contributor = first.contributors[0]
    words = EXAMPLE.reference(contributor.reference).words_at(contributor.spans)
    assert [scu.label for scu in imported.pyramid.scus] == [words, f"Idea {second.uid}"]
    assert any("without a label" in remark for remark in imported.report.remarks)


@pytest.mark.parametrize("encoding", ["gbk", "shift_jis", "utf-7", "punycode", "no-such-one"])
def test_an_encoding_of_xml_that_cannot_be_read_is_told(encoding: str) -> None:
    data = f'<?xml version="1.0" encoding="{encoding}"?><pyramid/>'.encode()

    with pytest.raises(InputError, match=r"Line 1: the character encoding .* Save it as UTF-8"):
        read_file(data, OWN)


def test_thousands_of_parts_are_found_in_a_moment() -> None:
    part = '<part label="aa" start="-1" end="0"/>' * 5_000
    data = (
        f"<pyramid><text><line>{'a' * 90_000}</line></text>"
        f'<scu uid="1" label="x"><contributor label="x">{part}</contributor></scu></pyramid>'
    )

    imported = read_file(data.encode(), OWN)

    assert imported.pyramid.scus[0].contributors[0].spans == (Span(0, 2),)


SOUND = [write(EXAMPLE).encode() for write in (write_pyramid, write_pyramid_json, write_tab_list)]


@settings(max_examples=200)
@given(st.sampled_from(SOUND), st.floats(0, 1), st.binary(max_size=3), st.integers(0, 30))
def test_random_damage_is_read_or_refused_with_its_place(
    sound: bytes, where: float, put: bytes, taken: int
) -> None:
    at = int(where * len(sound))
    damaged = sound[:at] + put + sound[at + taken :]

    said = refusal(lambda: read_file(damaged, OWN))

    assert not said or re.match(r"Line \d+|pyramid|The (file|pyramid) ", said), said

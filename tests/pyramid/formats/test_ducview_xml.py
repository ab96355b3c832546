"""What is let through of XML, and what is not."""

import pytest

from grading.pyramid.errors import InputError
from grading.pyramid.formats import ducview_xml
from grading.pyramid.formats.ducview_xml import PYRAMID_DTD, parse

GOOD = "<pyramid><text><line>one</line></text></pyramid>"


def test_the_tool_s_own_dtd_is_let_through() -> None:
    root = parse(f"<?xml version='1.0'?>\n<!DOCTYPE pyramid [\n{PYRAMID_DTD}]>\n{GOOD}".encode())
    assert root.only("text").only("line").text == "one"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_encodings_that_the_file_declares_are_read(encoding: str) -> None:
    declared = {"utf-8-sig": "utf-8"}.get(encoding, encoding)
    data = f"<?xml version='1.0' encoding='{declared}'?>{GOOD.replace('one', 'é')}".encode(encoding)
    assert parse(data).only("text").only("line").text == "é"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b"Bees dance.", "Line 1: this is not well-formed XML"),
        (b"<pyramid>\n<text></pyramid>", "Line 2: this is not well-formed XML .mismatched tag"),
        (b"<pyramid>\n\xe9</pyramid>", "Line 2: the text is not in UTF-8"),
        (b"<pyramid>\n&#1;</pyramid>", "Line 2: this is not well-formed XML"),
        (b"<?xml version='1.0' encoding='klingon'?><pyramid/>", "Line 1"),
        (b"<html/>", "Line 1: this is not a DUCView file: it begins with <html>"),
        (b"<pyramid>\n<conributor/></pyramid>", "Line 2: <conributor> does not belong"),
        (b"<pyramid><score/></pyramid>", "Line 1: <score> does not belong"),
        (b"<peerAnnotation><score>" + b"<a>" * 20, "Line 1: the elements are nested"),
    ],
)
def test_what_is_no_file_of_ducview_is_refused_with_the_line(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(data)


@pytest.mark.parametrize(
    ("dtd", "message"),
    [
        ('[<!ENTITY a "aaaa">\n<!ENTITY b "&a;&a;">]', "Line 1: .* entity, “a”"),
        ('[\n<!ENTITY % p "x">]', "Line 2: .* entity, “p”"),
        ('[<!ENTITY x SYSTEM "file:///etc/passwd">]', "Line 1: .* entity, “x”"),
        ('SYSTEM "http://example.org/pyramid.dtd"', "Line 1: .* outside of itself"),
        ('PUBLIC "-//x//y" "pyramid.dtd" []', "Line 1: .* outside of itself"),
    ],
)
def test_entities_and_external_dtds_are_refused(dtd: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(f"<!DOCTYPE pyramid {dtd}>{GOOD}".encode())


def test_attributes_by_default_are_not_multiplied() -> None:
    dtd = f"<!DOCTYPE pyramid [<!ATTLIST scu label CDATA '{'x' * 1000}'>]>"
    root = parse(f"{dtd}<pyramid>{'<scu/>' * 3}</pyramid>".encode())
    assert [scu.attributes for scu in root.all("scu")] == [{}, {}, {}]


def test_there_are_limits_to_size_and_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ducview_xml, "MAX_ELEMENTS", 2)
    with pytest.raises(InputError, match="Line 1: the file has more than 2 elements"):
        parse(GOOD.encode())
    monkeypatch.setattr(ducview_xml, "MAX_BYTES", 10)
    with pytest.raises(InputError, match="at most 10 can be read"):
        parse(GOOD.encode())


def test_there_must_be_exactly_one_text() -> None:
    root = parse(b"<pyramid><text/>\n<text/></pyramid>")
    with pytest.raises(InputError, match="Line 1: <pyramid> needs one <text> and has 2"):
        root.only("text")
    with pytest.raises(InputError, match="Line 1: <text> needs one <line> and has none"):
        next(root.all("text")).only("line")

"""Word files: what a reader of the printed page sees, and what a hostile archive gets."""

import io
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats import word_file as word_file_module
from grading.pyramid.formats.word_file import word_text
from tests.pyramid.formats.made_files import (
    CITIES,
    archive,
    paragraph,
    refused,
    word_document,
    word_file,
)


def words_of(body: str) -> str:
    return word_text(word_file(body)).strip()


def run(words: str, looks: str = "") -> str:
    return f"<w:r><w:rPr>{looks}</w:rPr><w:t>{words}</w:t></w:r>"


BOX = paragraph("box")
OFF = '<w:vanish w:val="0"/>'
IN_WORDS = {
    paragraph("One &amp; two.") + paragraph("Three."): "One & two.\n\nThree.",
    "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>": "a\tb\nc",
    "<w:p><w:r><w:t>well</w:t><w:noBreakHyphen/><w:t>known</w:t></w:r></w:p>": "well-known",
    f"<w:p><w:ins>{run('new')}</w:ins><w:del>{run('old')}</w:del></w:p>": "new",
    f"<w:p><w:moveFrom>{run('away')}</w:moveFrom><w:moveTo>{run('here')}</w:moveTo></w:p>": "here",
    f"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{run('one ')}</w:p>{BOX}": "one box",
    f"<w:p>{run('seen')}{run('unseen', '<w:vanish/>')}{run('!', OFF)}</w:p>": "seen!",
    "<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>x</w:t></w:r></w:p>": "x",
    "<w:p><w:r><w:instrText>PAGE</w:instrText><w:t>7</w:t></w:r></w:p>": "7",
    f"<w:tbl><w:tr><w:tc>{BOX}</w:tc><w:tc>{BOX}</w:tc></w:tr></w:tbl>": "box\n\nbox",
    f"<w:p><w:r><mc:Choice>{BOX}</mc:Choice><mc:Fallback>{BOX}</mc:Fallback></w:r></w:p>": "box",
}


@pytest.mark.parametrize(("body", "words"), IN_WORDS.items())
def test_what_is_printed_is_read(body: str, words: str) -> None:
    assert words_of(body) == words


def test_the_text_is_found_where_the_archive_says() -> None:
    assert word_text(word_file(paragraph(CITIES), "word/document2.xml")).strip() == CITIES


def test_without_a_word_about_it_the_usual_place_is_looked_at() -> None:
    assert word_text(archive(word__document_dot_xml=word_document(paragraph("x")))).strip() == "x"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"xl__workbook_dot_xml": "x"}, "This is an Excel file"),
        ({"ppt__presentation_dot_xml": "x"}, "This is a PowerPoint file"),
        ({"mimetype": "x", "content_dot_xml": "x"}, "OpenDocument file (.odt)"),
        ({"Index__Document_dot_iwa": "x"}, "Apple Pages"),
        ({"a": "x"}, "This is a zip archive"),
    ],
)
def test_other_archives_are_named(files: dict[str, str], said: str) -> None:
    assert said in refused(word_text, archive(**files))


@pytest.mark.parametrize("declared", [None, 10])
def test_what_is_packed_too_tightly_is_refused(
    monkeypatch: pytest.MonkeyPatch, declared: int | None
) -> None:
    """By what it declares, and where it declares too little, as it is unpacked."""
    bomb = word_file(paragraph("x " * 200_000))
    assert len(bomb) < 10_000
    monkeypatch.setattr(word_file_module, "MAX_UNPACKED", 100_000)
    if declared:
        place = bomb.rindex(b"PK\x01\x02", 0, bomb.rindex(b"word/document.xml"))
        size = declared.to_bytes(4, "little")
        bomb = bomb[: place + 24] + size + bomb[place + 28 :]

    said = refused(word_text, bomb)

    assert ("damaged" if declared else "far too large") in said


def test_a_password_on_the_text_is_named() -> None:
    data = bytearray(word_file(paragraph(CITIES)))
    place = data.rindex(b"PK\x01\x02", 0, data.rindex(b"word/document.xml"))
    data[place + 8] |= 1
    assert "protected by a password" in refused(word_text, bytes(data))


def test_entities_and_depth_are_refused() -> None:
    entities = '<!DOCTYPE x [<!ENTITY a "aaaa">]>' + word_document(paragraph("&a;"))
    assert "DTD" in refused(word_text, archive(word__document_dot_xml=entities))
    deep = word_document("<w:x>" * 1_000 + "</w:x>" * 1_000)
    assert "far too large" in refused(word_text, archive(word__document_dot_xml=deep))


@given(st.integers(min_value=0, max_value=2_000), st.binary(min_size=1, max_size=8))
def test_damage_is_told_or_does_no_harm(place: int, noise: bytes) -> None:
    data = bytearray(word_file(paragraph(CITIES)))
    place %= len(data)
    data[place : place + len(noise)] = noise
    with suppress(InputError):
        assert isinstance(word_text(bytes(data)), str)


@pytest.mark.parametrize("packed", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_damage_in_another_way_of_packing_is_told_as_damage(packed: int) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packed) as made:
        made.writestr("word/document.xml", word_document(paragraph("x")))
    data = out.getvalue()
    start = data.index(b"word/document.xml") + len(b"word/document.xml")

    said = refused(word_text, data[: start + 4] + b"\xff" * 30 + data[start + 34 :])

    assert "damaged" in said

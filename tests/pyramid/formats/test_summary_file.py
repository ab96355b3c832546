"""Files that hold a summary: told by what is in them, and by their name where that tells more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats.encodings import as_typed
from grading.pyramid.formats.summary_file import read_summary_file
from tests.pyramid.formats.made_files import CITIES, archive, paragraph, pdf_file, word_file

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600

WORD, PDF = word_file(paragraph(CITIES)), pdf_file([[CITIES]])


@pytest.mark.parametrize(
    ("data", "ending"),
    [(CITIES.encode(), ".txt"), (CITIES.encode("utf-16"), ".TXT"), (WORD, ".docx"), (PDF, ".pdf")],
)
def test_the_three_kinds_are_read(data: bytes, ending: str) -> None:
    read = read_summary_file(data, ending)

    assert (read.text, read.remark) == (CITIES, "")


@pytest.mark.parametrize(
    ("data", "ending", "said"),
    [(WORD, ".pdf", "this is a Word file"), (PDF, ".docx", "this is a PDF file"), (PDF, "", "PDF")],
)
def test_a_wrong_name_is_told_and_the_text_read(data: bytes, ending: str, said: str) -> None:
    read = read_summary_file(data, ending)

    assert read.text == CITIES
    assert said in read.remark


@pytest.mark.parametrize(
    ("data", "ending", "said"),
    [
        (b"", ".txt", "empty"),
        (b" \n ", ".docx", "empty"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), ".docx", "protected by a password"),
        (OLE + "WordDocument".encode("utf-16-le"), ".doc", "old Word file: save it as .docx"),
        (OLE, ".docx", "old Office file"),
        (b"{\\rtf1 words}", ".rtf", "rich text"),
        (b"{\\rtf1 words}", ".docx", "rich text"),
        (archive(content_dot_xml="x"), ".odt", "OpenDocument file (.odt)"),
        (archive(Index__Document_dot_iwa="x"), ".pages", "Apple Pages"),
        (b"\x89PNG\r\n", ".pdf", "a picture"),
        (b"<!DOCTYPE html><p>x", ".txt", "a web page"),
        (b"words", ".docx", "Its name says that this is a Word file"),
        (b"words", ".pdf", "Its name says that this is a PDF file"),
        (b"print(1)", ".py", "a file that can't be read here"),
        (b"a\0b", ".txt", "not plain text"),
        (b"word " * 50_000, ".txt", "The file has 250,000 characters"),
        (word_file(paragraph(" ")), ".docx", "There is no text in this file"),
    ],
)
def test_everything_else_is_named_and_refused(data: bytes, ending: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_summary_file(data, ending)
    assert said in str(caught.value)


def test_a_text_may_begin_as_an_archive_does() -> None:
    assert read_summary_file(b"PKU is an illness.", ".txt").text == "PKU is an illness."


def test_text_becomes_such_as_people_type() -> None:
    assert as_typed("e\ufb03cient o\xadf\xa0it\u200b\r\n\r\n\r\n\r\n end \x02") == (
        "efficient of it\n\nend"
    )


@given(st.text())
def test_it_stays_as_it_is_once_it_is_so(text: str) -> None:
    assert as_typed(as_typed(text)) == as_typed(text)

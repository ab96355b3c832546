"""From bytes to text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.errors import InputError
from grading.pyramid.formats.encodings import decode
from tests.pyramid.formats.pyramids import refusal

WORDS = "naïve\r\nZoë\rend"
PLAIN = "naïve\nZoë\nend"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_says_its_encoding_is_read_without_a_remark(encoding: str) -> None:
    result = decode(WORDS.encode(encoding))

    assert (result.text, result.remark) == (PLAIN, "")


def test_the_old_encoding_of_windows_is_read_with_a_remark_that_names_the_line() -> None:
    result = decode("one\ntwo\ncafé “so”".encode("cp1252"))

    assert result.text == "one\ntwo\ncafé “so”"
    assert "line 3" in result.remark
    assert "Latin-1" in result.remark


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"PK\x03\x04....", "Word, Excel"),
        (b"%PDF-1.7", "PDF"),
        (b"one\ntwo \x81\xff", "Line 2"),
        (b"one\ntwo\n\x00", "Line 3: this is not plain text"),
        ("one\ntwo".encode("utf-16")[:-1], "Line 2: the file is damaged"),
    ],
)
def test_what_is_no_text_is_refused_in_words(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        decode(data)


@given(st.binary(max_size=40))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    if not refusal(lambda: decode(data)):
        text = decode(data).text
        assert text.strip()
        assert "\r" not in text

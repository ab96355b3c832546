"""From the bytes of a file to its text: UTF-8, UTF-16, or the old encoding of Windows."""

import codecs
from dataclasses import dataclass
from typing import Final

from grading.pyramid.errors import InputError

_OLD: Final = "cp1252"  # Windows; Latin-1 where the two agree
_UTF16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_FOREIGN: Final = {
    b"PK\x03\x04": "a Word, Excel or zip file",
    b"%PDF": "a PDF file",
    b"\xd0\xcf\x11\xe0": "an old Word or Excel file",
    b"\x89PNG": "a picture",
}


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and a remark where its encoding had to be guessed."""

    text: str
    remark: str = ""


def decode(data: bytes) -> Decoded:
    """The text of a file with line ends made one kind; InputError names the line."""
    for start, what in _FOREIGN.items():
        if data.startswith(start):
            raise InputError(f"This is {what}. Save what is in it as plain text and try again.")
    found = _decoded(data)
    text = found.text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise InputError("The file is empty.")
    if "\0" in text:
        line = 1 + text.count("\n", 0, text.index("\0"))
        raise InputError(f"Line {line}: here is something that is not plain text.")
    return Decoded(text, found.remark)


def _decoded(data: bytes) -> Decoded:
    if data.startswith(_UTF16_MARKS):
        return Decoded(_from_utf16(data, "utf-16"))
    try:
        return Decoded(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return _guessed(data, 1 + data.count(b"\n", 0, error.start))


def _from_utf16(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = 1 + data[: error.start].decode(encoding, "ignore").count("\n")
        raise InputError(f"Line {line}: the file is damaged; it is not whole in UTF-16.") from None


def _guessed(data: bytes, line: int) -> Decoded:
    try:
        text = data.decode(_OLD)
    except UnicodeDecodeError:
        raise InputError(
            f"Line {line}: this is text in neither UTF-8 nor UTF-16. "
            "Save the file as “plain text, UTF-8” and try again."
        ) from None
    return Decoded(
        text,
        f"The file is not in UTF-8 (first in line {line}); it was read as Western European "
        "(Latin-1, Windows). Look at letters with accents: if they are wrong, save the file as "
        "UTF-8 and choose it again.",
    )

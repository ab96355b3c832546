"""From the bytes of a file to its text: UTF-8, UTF-16, or the old encoding of Windows."""

import codecs
import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Final

from grading.pyramid.characters import with_one_line_end
from grading.pyramid.errors import InputError

_OLD: Final = "cp1252"  # Windows; Latin-1 where the two agree
_UTF16_MARKS: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_FOREIGN: Final = {
    b"PK\x03\x04": "a Word, Excel or zip file",
    b"%PDF": "a PDF file",
    b"\xd0\xcf\x11\xe0": "an old Word or Excel file",
    b"\x89PNG": "a picture",
}


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and a remark where its encoding had to be guessed.

    As long as its line ends are as they came, ``mark + text.encode(codec)`` is the file.
    """

    text: str
    remark: str = ""
    codec: str = "utf-8"
    mark: bytes = b""  # the byte order mark


def decode(data: bytes) -> Decoded:
    """The text of a file with line ends made one kind; InputError names the line."""
    decoded = decode_exactly(data)
    return replace(decoded, text=with_one_line_end(decoded.text))


def decode_exactly(data: bytes) -> Decoded:
    """The text of a file with its line ends; InputError names the line."""
    for start, what in _FOREIGN.items():
        if data.startswith(start):
            raise InputError(f"This is {what}. Save its content as plain text and try again.")
    decoded = _decoded(data)
    if not decoded.text.strip():
        raise InputError("The file is empty.")
    if "\0" in decoded.text:
        line = 1 + _breaks(decoded.text[: decoded.text.index("\0")])
        raise InputError(f"Line {line}: this is not plain text.")
    return decoded


def _breaks(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def _decoded(data: bytes) -> Decoded:
    for mark, codec in _UTF16_MARKS.items():
        if data.startswith(mark):
            return Decoded(_from_utf16(data[len(mark) :], codec), "", codec, mark)
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        return Decoded(data[len(mark) :].decode("utf-8"), mark=mark)
    except UnicodeDecodeError as error:
        return _guessed(data, 1 + data.count(b"\n", 0, error.start + len(mark)))


def _from_utf16(data: bytes, codec: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        line = 1 + data[: error.start].decode(codec, "ignore").count("\n")
        raise InputError(f"Line {line}: the file is damaged (incomplete UTF-16).") from None


def _guessed(data: bytes, line: int) -> Decoded:
    try:
        text = data.decode(_OLD)
    except UnicodeDecodeError:
        raise InputError(
            f"Line {line}: the text is neither UTF-8 nor UTF-16. Save the file as “plain text, "
            "UTF-8” and try again."
        ) from None
    return Decoded(
        text,
        f"The file is not in UTF-8 (first in line {line}); it was read as Western European "
        "(Latin-1, Windows). If letters with accents look wrong, save the file as UTF-8.",
        _OLD,
    )


# Text as programs and files give it, made such as people type it.

_LIGATURES: Final = {
    code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)
}
# Seen by nobody: soft hyphens, spaces without width, marks at the start of a file. Marks of the
# direction of writing stay: right-to-left names need them.
_UNSEEN: Final = dict.fromkeys((0xAD, 0x200B, 0x2060, 0xFEFF), "")
_SPACES: Final = re.compile("[\t\x0b\x1f \xa0\u2000-\u200a\u202f\u205f\u3000]+")
_BREAKS: Final = re.compile("\r\n|[\r\x0c\x85\u2028\u2029]")
_CONTROLS: Final = re.compile("[\0-\x08\x0e-\x1e\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def as_typed(text: str) -> str:
    """Letters composed, no ligatures, one kind of space, at most one empty line in a row."""
    text = unicodedata.normalize("NFC", text.translate(_LIGATURES | _UNSEEN))
    lines = [_SPACES.sub(" ", line).strip() for line in _BREAKS.sub("\n", text).split("\n")]
    joined = _CONTROLS.sub("", "\n".join(lines))
    return re.sub("\n{3,}", "\n\n", joined).strip()

"""Word files (.docx): a zip archive with the text in one XML file.

Sizes are counted as the archive is unpacked; what it says of itself is only the first hurdle.
"""

import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.word_xml import WordText

MAX_UNPACKED: Final = 20_000_000  # bytes of the text's XML: thousands of pages
MAX_RELATIONS: Final = 200_000
MAX_ENTRIES: Final = 5_000
_PIECE: Final = 1 << 16

_RELATIONS: Final = "_rels/.rels"
_USUAL: Final = "word/document.xml"
_RELATION: Final = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_MAIN: Final = re.compile(rb"""Type\s*=\s*["'][^"']*/officeDocument["']""")
_TARGET: Final = re.compile(rb"""Target\s*=\s*["']/?([^"']+)["']""")

# What other programs put into zip archives, by a file that stands in it.
_OTHERS: Final = (
    (re.compile(r"xl/workbook\.(xml|bin)"), "an Excel file"),
    (re.compile(r"ppt/presentation\.xml"), "a PowerPoint file"),
    (re.compile(r"Index/.*\.iwa|Index\.zip|index\.apxl"), "a file of Apple Pages"),
    (re.compile(r"content\.xml"), "an OpenDocument file (.odt)"),
    (re.compile(r"META-INF/container\.xml"), "an e-book"),
)


def word_text(data: bytes) -> str:
    """The text of a .docx; InputError where it is none, or harmful."""
    with _damage_told(), zipfile.ZipFile(BytesIO(data)) as archive:
        if len(archive.infolist()) > MAX_ENTRIES:
            raise InputError("This archive holds far more files than a Word file does.")
        entry = _main_entry(archive)
        words = WordText()
        for piece in _unpacked(archive, entry, MAX_UNPACKED):
            words.feed(piece)
        words.feed(b"", is_last=True)
        return words.text()


def _main_entry(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    names = {entry.filename: entry for entry in archive.infolist()}
    entry = names.get(_told_main(archive, names)) or names.get(_USUAL)
    if entry is None or entry.filename.startswith(("xl/", "ppt/")):
        raise InputError(f"This is {_other(names)}, not a Word file (.docx).{_ADVICE}")
    if entry.flag_bits & 1:
        raise InputError(_PROTECTED)
    return entry


_ADVICE: Final = " Save it as .docx or .pdf, or paste the text."
_PROTECTED: Final = (
    "This Word file is protected by a password. Save it without one, or paste the text."
)


def _told_main(archive: zipfile.ZipFile, names: dict[str, zipfile.ZipInfo]) -> str:
    """Which file of the archive the text is in; some programs name it otherwise than Word."""
    if _RELATIONS not in names:
        return ""
    relations = b"".join(_unpacked(archive, names[_RELATIONS], MAX_RELATIONS))
    for relation in _RELATION.findall(relations):
        target = _TARGET.search(relation)
        if target and _MAIN.search(relation):
            return str(target[1].decode("utf-8", "replace"))
    return ""


def _other(names: dict[str, zipfile.ZipInfo]) -> str:
    for pattern, what in _OTHERS:
        if any(pattern.fullmatch(name) for name in names):
            return what
    return "a zip archive"


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> Iterator[bytes]:
    too_large = InputError("What is packed in this file is far too large to be a summary.")
    if entry.file_size > most:
        raise too_large
    size = 0
    with archive.open(entry) as file:
        while piece := file.read(_PIECE):
            size += len(piece)
            if size > most:
                raise too_large
            yield piece


@contextmanager
def _damage_told() -> Iterator[None]:
    """All that zipfile raises over archives that are broken, or made to break readers."""
    try:
        yield
    except (
        zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError,
        KeyError, OverflowError, lzma.LZMAError,
    ):  # fmt: skip
        raise InputError(
            "The Word file is damaged. Open it in Word, save it anew, and try again."
        ) from None

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
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final
from xml.parsers import expat

from grading.pyramid.errors import InputError

# The words in the XML of a Word document (ECMA-376, part 1, §17; "strict" ones as well).
#
# What a reader of the printed page sees is kept: paragraphs, tabs, breaks, text in boxes and
# tables, insertions that are only proposed. Deletions, hidden text and instructions of fields are
# not; notes, comments, headers and footers are in other files of the document and never read.

MAX_ELEMENTS: Final = 2_000_000
MAX_DEPTH: Final = 400

_SEPARATOR: Final = " "
_WORD: Final = ("/wordprocessingml/2006/main", "/wordprocessingml/main")
_COMPATIBILITY: Final = "/markup-compatibility/2006"
# With all that is in them: what was deleted or moved away, the second telling of a text box,
# how paragraphs look, pronunciations.
_LEFT_OUT: Final = frozenset(
    {"del", "moveFrom", "Fallback", "rt", "sectPr", "tblPr", "tabs", "rPrChange", "pPrChange"}
)
_SIGNS: Final = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_OFF: Final = frozenset({"0", "false", "off"})


@dataclass(slots=True)
class _Paragraph:
    chunks: list[str] = field(default_factory=list)
    goes_on: bool = False  # the break after it was deleted


class WordText:
    """Listens to expat and keeps the words; ``feed`` the file in pieces, then ask for ``text``."""

    def __init__(self) -> None:
        self._done: list[_Paragraph] = []
        self._open: list[_Paragraph] = []
        self._path: list[str] = []
        self._left_out = 0  # how many elements are open inside one that is left out
        self._hidden = False
        self._elements = 0
        self._parser = parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._words
        parser.StartDoctypeDeclHandler = _refuse_dtd

    def feed(self, data: bytes, *, is_last: bool = False) -> None:
        try:
            self._parser.Parse(data, is_last)
        except (expat.ExpatError, LookupError, ValueError):
            raise InputError(
                "The Word file is damaged. Open it in Word, save it again, then try again."
            ) from None

    def text(self) -> str:
        """Paragraphs with an empty line between."""
        return "".join(
            chunk
            for paragraph in self._done
            for chunk in (*paragraph.chunks, "" if paragraph.goes_on else "\n\n")
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > MAX_ELEMENTS or len(self._path) + self._left_out > MAX_DEPTH:
            raise InputError("The Word file is far too large to be a summary.")
        tag = _known(name)
        if self._left_out:
            self._left_out += 1
        elif tag in _LEFT_OUT:
            self._note_joined(tag)
            self._left_out = 1
        else:
            self._path.append(tag)
            self._open_element(tag, attributes)

    def _open_element(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "p":
            self._open.append(_Paragraph())
        elif tag == "r":
            self._hidden = False
        elif tag == "vanish" and "pPr" not in self._path:
            self._hidden = not _OFF & set(attributes.values())
        elif tag in _SIGNS and self._path[-2:-1] == ["r"]:
            self._add(_SIGNS[tag])

    def _note_joined(self, tag: str) -> None:
        """``<w:del/>`` in the looks of a paragraph's end: the next paragraph goes on with it."""
        if tag == "del" and self._path[-2:] == ["pPr", "rPr"] and self._open:
            self._open[-1].goes_on = True

    def _end(self, _name: str) -> None:
        if self._left_out:
            self._left_out -= 1
            return
        tag = self._path.pop()
        if tag == "p":
            self._done.append(self._open.pop())
        elif tag == "r":
            self._hidden = False

    def _words(self, words: str) -> None:
        if not self._left_out and self._path[-1:] == ["t"]:
            self._add(words)

    def _add(self, words: str) -> None:
        if self._open and not self._hidden:
            self._open[-1].chunks.append(words)


def _known(name: str) -> str:
    """The local name of an element of Word's; of others nothing, so that none is mistaken."""
    space, _, tag = name.rpartition(_SEPARATOR)
    if space.endswith(_WORD) or (space.endswith(_COMPATIBILITY) and tag == "Fallback"):
        return tag
    return ""


def _refuse_dtd(*_details: object) -> None:
    raise InputError("The Word file declares a DTD, which no Word file does.")


MAX_UNPACKED: Final = 20_000_000  # bytes of the text's XML: thousands of pages
MAX_RELATIONS: Final = 200_000
MAX_ENTRIES: Final = 5_000
_PIECE: Final = 1 << 16

_RELATIONS: Final = "_rels/.rels"
_USUAL: Final = "word/document.xml"
_RELATION: Final = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_MAIN: Final = re.compile(rb"""Type\s*=\s*["'][^"']*/officeDocument["']""")
_TARGET: Final = re.compile(rb"""Target\s*=\s*["']/?([^"']+)["']""")

# What other programs put into zip archives, by a file in it.
_OTHERS: Final = (
    (re.compile(r"xl/workbook\.(xml|bin)"), "an Excel file"),
    (re.compile(r"ppt/presentation\.xml"), "a PowerPoint file"),
    (re.compile(r"Index/.*\.iwa|Index\.zip|index\.apxl"), "a file of Apple Pages"),
    (re.compile(r"content\.xml"), "an OpenDocument file (.odt)"),
    (re.compile(r"META-INF/container\.xml"), "an e-book"),
)


def word_text(data: bytes) -> str:
    """The text of a .docx; InputError where it is none, or harmful."""
    with _damage_as_input_error(), zipfile.ZipFile(BytesIO(data)) as archive:
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
    entry = names.get(_wrong_kind_message(archive, names)) or names.get(_USUAL)
    if entry is None or entry.filename.startswith(("xl/", "ppt/")):
        raise InputError(f"This is {_other(names)}, not a Word file (.docx).{_ADVICE}")
    if entry.flag_bits & 1:
        raise InputError(_PROTECTED)
    return entry


_ADVICE: Final = " Save it as .docx or .pdf, or paste the text."
_PROTECTED: Final = (
    "This Word file is protected by a password. Save it without one, or paste the text."
)


def _wrong_kind_message(archive: zipfile.ZipFile, names: dict[str, zipfile.ZipInfo]) -> str:
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
def _damage_as_input_error() -> Iterator[None]:
    """All that zipfile raises over archives that are broken, or made to break readers."""
    try:
        yield
    except (
        zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError,
        KeyError, OverflowError, lzma.LZMAError,
    ):  # fmt: skip
        raise InputError(
            "The Word file is damaged. Open it in Word, save it again, then try again."
        ) from None

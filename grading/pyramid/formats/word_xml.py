"""The words in the XML of a Word document (ECMA-376, part 1, §17; "strict" ones as well).

What a reader of the printed page sees is kept: paragraphs, tabs, breaks, text in boxes and tables,
insertions that are only proposed. Deletions, hidden text and instructions of fields are not; notes,
comments, headers and footers are in other files of the document and never read.
"""

from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from grading.pyramid.errors import InputError

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
                "The Word file is damaged. Open it in Word, save it anew, and try again."
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

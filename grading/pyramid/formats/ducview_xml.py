"""The XML of DUCView (Columbia University, 2005; Pennsylvania State University, 2018-19).

DUCView is the annotation tool with which pyramids are made manually; ``ducview`` reads and writes
its two kinds of files. Its own files declare their structure in an internal DTD, which is let
through; whatever could make a small file large (entities, defaults of attributes) or reach outside
of it (external DTDs) is not.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from grading.pyramid.errors import InputError

MAX_BYTES: Final = 10_000_000
MAX_ELEMENTS: Final = 200_000
MAX_DEPTH: Final = 12

# PyrEval writes elements of the same names, without texts and offsets, into this one.
PYREVAL_ROOT: Final = "Pyramid"

_CHILDREN: Final[dict[str, frozenset[str]]] = {
    "": frozenset({"pyramid", "peerAnnotation", PYREVAL_ROOT}),
    PYREVAL_ROOT: frozenset({"scu"}),
    "peerAnnotation": frozenset({"pyramid", "annotation", "score"}),
    "pyramid": frozenset({"startDocumentRegEx", "text", "scu"}),
    "annotation": frozenset({"text", "peerscu"}),
    "text": frozenset({"line"}),
    "scu": frozenset({"contributor"}),
    "peerscu": frozenset({"contributor"}),
    "contributor": frozenset({"part"}),
}
# DUCView 1.5 appends its own scores, in elements that nobody needs to read.
_IGNORED: Final = "score"

PYRAMID_DTD: Final = """\
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT startDocumentRegEx (#PCDATA)>
 <!ELEMENT text (line*)>
 <!ELEMENT line (#PCDATA)>
 <!ELEMENT scu (contributor)+>
 <!ATTLIST scu uid CDATA #REQUIRED
               label CDATA #REQUIRED
               comment CDATA #IMPLIED>
 <!ELEMENT contributor (part)+>
 <!ATTLIST contributor label CDATA #REQUIRED
                       comment CDATA #IMPLIED>
 <!ELEMENT part EMPTY>
 <!ATTLIST part label CDATA #REQUIRED
                start CDATA #REQUIRED
                end   CDATA #REQUIRED>
"""
ANNOTATION_DTD: Final = f"""\
 <!ELEMENT peerAnnotation (pyramid,annotation)>
 <!ELEMENT annotation (text,peerscu+)>
 <!ELEMENT peerscu (contributor)*>
 <!ATTLIST peerscu uid CDATA #REQUIRED
                   label CDATA #REQUIRED
                   comment CDATA #IMPLIED>
{PYRAMID_DTD}"""

# What XML 1.0 has no way to write, not even as a character reference.
_FORBIDDEN: Final = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_INTEGER: Final = re.compile(r"\s*(-?[0-9]{1,9})\s*")


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a file, with the line on which it begins."""

    tag: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element"] = field(default_factory=list)
    chunks: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.chunks)

    def all(self, tag: str) -> Iterator["Element"]:
        return (child for child in self.children if child.tag == tag)

    def only(self, tag: str) -> "Element":
        """The one child of that name."""
        elements = list(self.all(tag))
        if len(elements) != 1:
            raise self.error(f"<{self.tag}> needs one <{tag}> and has {len(elements) or 'none'}.")
        return elements[0]

    def integer(self, name: str) -> int:
        """An attribute that is a whole number."""
        value = self.attributes.get(name, "")
        match = _INTEGER.fullmatch(value)
        if match is None:
            raise self.error(
                f"the {name} of a <{self.tag}>, “{value[:40]}”, is not a whole number."
            )
        return int(match[1])

    def error(self, sentence: str) -> InputError:
        return InputError(f"Line {self.line}: {sentence}")


def parse(data: bytes) -> Element:
    """The root element of a DUCView file."""
    if len(data) > MAX_BYTES:
        raise InputError(f"The file has {len(data):,} bytes; at most {MAX_BYTES:,} can be read.")
    return _TreeBuilder().build(data)


class _TreeBuilder:
    """Listens to expat and puts the elements together."""

    def __init__(self) -> None:
        self._document = Element("", 0)
        self._open = [self._document]
        self._elements = 0
        self._ignoring = 0
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.specified_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._refuse_entity
        parser.StartDoctypeDeclHandler = self._refuse_external_dtd

    def build(self, data: bytes) -> Element:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            raise _unreadable(data, error) from error
        except (LookupError, ValueError) as error:  # unknown, or one with several bytes a letter
            raise self._error(
                "the character encoding that the file names cannot be read. Save it as UTF-8."
            ) from error
        return self._document.children[0]

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            raise self._error(f"the file has more than {MAX_ELEMENTS:,} elements.")
        if len(self._open) + self._ignoring > MAX_DEPTH:
            raise self._error(f"the elements are nested more than {MAX_DEPTH} deep.")
        parent = self._open[-1]
        if not self._ignoring and tag not in _CHILDREN.get(parent.tag, frozenset()):
            raise self._misplaced(tag, parent)
        if self._ignoring or tag == _IGNORED:
            self._ignoring += 1
            return
        element = Element(tag, self._parser.CurrentLineNumber, attributes)
        parent.children.append(element)
        self._open.append(element)

    def _end(self, _tag: str) -> None:
        if self._ignoring:
            self._ignoring -= 1
        else:
            self._open.pop()

    def _text(self, text: str) -> None:
        if not self._ignoring:
            self._open[-1].chunks.append(text)

    def _refuse_entity(self, name: str, *_details: object) -> None:
        raise self._error(f"the file declares an entity, “{name[:40]}”, which is not allowed.")

    def _refuse_external_dtd(
        self, _name: str, system_id: str | None, public_id: str | None, _internal: bool
    ) -> None:
        if system_id is not None or public_id is not None:
            raise self._error("the file refers to a DTD outside of itself, which is not allowed.")

    def _misplaced(self, tag: str, parent: Element) -> InputError:
        if parent is self._document:
            return self._error(f"this is not a DUCView file: it begins with <{tag[:40]}>.")
        return self._error(f"<{tag[:40]}> does not belong inside <{parent.tag}>.")

    def _error(self, sentence: str) -> InputError:
        return InputError(f"Line {self._parser.CurrentLineNumber}: {sentence}")


def _unreadable(data: bytes, error: expat.ExpatError) -> InputError:
    if not data.strip():
        return InputError("The file is empty.")
    reason = expat.ErrorString(error.code)
    if reason == expat.errors.XML_ERROR_INVALID_TOKEN and not _is_utf8(data):
        return InputError(
            f"Line {error.lineno}: the text is not in UTF-8; save the file as UTF-8 and try again."
        )
    return InputError(f"Line {error.lineno}: this is not well-formed XML ({reason}).")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


# --- writing ---


def writable(text: str) -> str:
    """The text with a stand-in, of equal length, for each character that XML cannot hold."""
    return _FORBIDDEN.sub(lambda match: " " if match[0].isspace() else "\ufffd", text)


def escaped(text: str) -> str:
    """Text between tags; a carriage return as a reference, since XML turns it into a newline."""
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return plain.replace("\r", "&#13;")


def written_attributes(**values: str | int | None) -> str:
    """Attributes, each with a space before it; those that are None are left out."""
    return "".join(
        f' {name}="{_quoted(str(value))}"' for name, value in values.items() if value is not None
    )


def _quoted(value: str) -> str:
    """References keep line breaks and tabs from being read as plain spaces."""
    quoted = escaped(value).replace('"', "&quot;")
    return quoted.replace("\n", "&#10;").replace("\t", "&#9;")

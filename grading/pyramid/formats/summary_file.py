"""The file in which somebody wrote a summary: text, Word or PDF, told by what is in it."""

from dataclasses import dataclass
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.encodings import as_typed, decode
from grading.pyramid.formats.pdf_file import pdf_text
from grading.pyramid.formats.word_file import word_text

ENDINGS: Final = (".txt", ".docx", ".pdf")
LONGEST: Final = 200_000  # characters
_PDF_WITHIN: Final = 1024  # bytes from the start in which a PDF must say that it is one

_ADVICE: Final = "Save it as .docx or .pdf, or paste the text."
_PICTURE: Final = "a picture"
_NAMED: Final = {
    ".doc": "an old Word file: save it as .docx",
    ".odt": "an OpenDocument file (.odt)",
    ".pages": "a file of Apple Pages",
    ".rtf": "a file in rich text format (.rtf)",
    ".html": "a web page",
    ".htm": "a web page",
    ".gdoc": "a link to Google Docs, without the text",
    ".jpg": _PICTURE,
    ".jpeg": _PICTURE,
    ".png": _PICTURE,
    ".heic": _PICTURE,
    ".zip": "a zip archive",
    ".xlsx": "an Excel file",
    ".pptx": "a PowerPoint file",
}
_BEGINNINGS: Final = (
    (b"{\\rtf", _NAMED[".rtf"]),
    (b"\x89PNG", _PICTURE),
    (b"\xff\xd8\xff", _PICTURE),
    (b"GIF8", _PICTURE),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
)
_ZIP: Final = b"PK\x03\x04"
_OLE: Final = b"\xd0\xcf\x11\xe0"
_TYPES: Final = {".txt": "a plain text file", ".docx": "a Word file", ".pdf": "a PDF file"}


@dataclass(frozen=True, slots=True)
class SummaryText:
    """What a file says, and a remark where it may have been misread."""

    text: str
    remark: str = ""


def read_summary_file(data: bytes, ending: str) -> SummaryText:
    """The text of a file whose name ends so; InputError says what is wrong."""
    if not data.strip():
        raise InputError("The file is empty.")
    kind = _kind(data, ending.lower())
    if kind == ".pdf":
        text, remark = pdf_text(data)
    elif kind == ".docx":
        text, remark = word_text(data), ""
    else:
        decoded = decode(data)
        text, remark = decoded.text, decoded.remark
    if len(text) > LONGEST:
        raise InputError(f"The file has {len(text):,} characters; no summary is that long.")
    text = as_typed(text)
    if not text:
        raise InputError("There is no text in this file.")
    return SummaryText(
        text, " ".join(filter(None, (_misnamed_message(kind, ending.lower()), remark)))
    )


def _kind(data: bytes, ending: str) -> str:
    if data.startswith(_OLE):
        raise InputError(_ole_message(data))
    for start, what in _BEGINNINGS:
        if data[:64].lstrip().lower().startswith(start.lower()):
            raise _wrong(what)
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return ".pdf"
    if data.startswith(_ZIP):
        return ".docx"
    if ending not in ENDINGS:
        raise _wrong(_NAMED.get(ending, "a file that can't be read here"))
    if ending != ".txt":
        raise InputError(
            f"Its name says that this is {_TYPES[ending]}, but it isn't, or it is damaged. Save "
            "it again, or paste the text."
        )
    return ".txt"


def _wrong(what: str) -> InputError:
    if what == _PICTURE:
        return InputError("This is a picture. Words in it cannot be read: type or paste the text.")
    advice = _ADVICE if "save" not in what else "Or paste the text."
    return InputError(f"This is {what}. {advice}")


def _ole_message(data: bytes) -> str:
    """The box in which old Word files came, and new ones with a password still do."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        return "This Word file is protected by a password. Save it without one, or paste the text."
    if "WordDocument".encode("utf-16-le") in data:
        return "This is an old Word file: save it as .docx, or paste the text."
    return "This is an old Office file. Save it as .docx or .pdf, or paste the text."


def _misnamed_message(kind: str, ending: str) -> str:
    if ending == kind:
        return ""
    return f"By its content, this is {_TYPES[kind]}, and was read as such."

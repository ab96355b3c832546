"""PDF files: their text, by PDFium (the only door to it)."""

import re
from collections.abc import Sequence
from typing import Any, Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.pdf_lines import Line, paragraphs_of

MAX_PAGES: Final = 60
MAX_CHARACTERS: Final = 120_000  # twice what can be handed in
_LEAST_LETTERS: Final = 20  # fewer on all pages, and there are pictures: a scan
_MOST_UNREADABLE: Final = 0.1

_WRONG_PASSWORD: Final = 4  # FPDF_ERR_PASSWORD
_UNKNOWN_PROTECTION: Final = 5  # FPDF_ERR_SECURITY
_IMAGE: Final = 3  # FPDF_PAGEOBJ_IMAGE
_LINE_ENDS: Final = frozenset("\r\n")
_PARTED: Final = "\x02"  # PDFium's word for a hyphen at the end of a line, and for that end
_UNREADABLE: Final = re.compile("[\0\ufffd\ue000-\uf8ff]")


def pdf_text(data: bytes) -> tuple[str, str]:
    """The text, and a remark about what of it could not be read; InputError where nothing can."""
    import pypdfium2  # noqa: PLC0415 - heavy

    try:
        document = pypdfium2.PdfDocument(data)
        return _text_of(document)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in {_WRONG_PASSWORD, _UNKNOWN_PROTECTION}:
            raise InputError(
                "This PDF is protected by a password. Save it without one, or paste the text."
            ) from None
        raise InputError(
            "This PDF is damaged and cannot be read. Make it anew, or paste the text."
        ) from None


def _text_of(document: Any) -> tuple[str, str]:
    if len(document) > MAX_PAGES:
        raise InputError(
            f"This PDF has {len(document)} pages; a summary is read from at most {MAX_PAGES}."
        )
    pages, pictures, left = [], [], MAX_CHARACTERS
    for number, page in enumerate(document, start=1):
        text_page = page.get_textpage()
        left -= text_page.count_chars()
        if left < 0:
            raise InputError("This PDF has far more text than a summary.")
        lines = _lines_of(text_page)
        if not lines and _has_images(page):
            pictures.append(number)
        pages.append(lines)
        page.close()
    _refuse_wordless(pages, pictures)
    return paragraphs_of(pages), _told_pictures(pictures)


def _refuse_wordless(pages: Sequence[Sequence[Line]], pictures: Sequence[int]) -> None:
    words = "".join(line.words for lines in pages for line in lines)
    if sum(map(str.isalpha, words)) < _LEAST_LETTERS and pictures:
        raise InputError(
            "This PDF holds pictures of pages (a scan), not text. Export it from the program in "
            "which you wrote it, or paste the text."
        )
    if not words.strip():
        raise InputError("There is no text in this PDF. Paste your text instead.")
    if len(_UNREADABLE.findall(words)) > _MOST_UNREADABLE * len(words):
        raise InputError(
            "The letters of this PDF cannot be read: it does not tell which they are. Use a Word "
            "file (.docx), or paste the text."
        )


def _told_pictures(pages: Sequence[int]) -> str:
    if not pages:
        return ""
    numbers = ", ".join(map(str, pages))
    which = f"Page {numbers} holds" if len(pages) == 1 else f"Pages {numbers} hold"
    return f"{which} a picture and no text; what is written there was not read."


def _has_images(page: Any) -> bool:
    return any(True for _ in page.get_objects(filter=(_IMAGE,), max_depth=4))


def _lines_of(text_page: Any) -> list[Line]:
    """Lines as PDFium parts them, each with its place on the page."""
    lines, start = [], 0
    characters = _characters_of(text_page)
    for at, character in enumerate([*characters, "\n"]):
        if character == _PARTED or character in _LINE_ENDS:
            if line := _line(text_page, characters, start, at + (character == _PARTED)):
                lines.append(line)
            start = at + 1
    return lines


def _characters_of(text_page: Any) -> list[str]:
    """One for each of PDFium's places, so that what is found can be asked where it stands."""
    from pypdfium2 import raw  # noqa: PLC0415 - heavy

    codes = [raw.FPDFText_GetUnicode(text_page, at) for at in range(text_page.count_chars())]
    return [chr(code) if 0 < code < 0x110000 else "" for code in codes]


def _line(text_page: Any, characters: Sequence[str], start: int, end: int) -> Line | None:
    visible = [at for at in range(start, end) if characters[at].strip()]
    if not visible:
        return None
    left, low, _, high = text_page.get_charbox(visible[0], loose=True)
    _, last_low, right, last_high = text_page.get_charbox(visible[-1], loose=True)
    return Line(
        words=_whole("".join(characters[start:end]).strip().replace(_PARTED, "-")),
        left=left,
        right=right,
        base=(low + last_low) / 2,
        height=max(high - low, last_high - last_low),
    )


def _whole(words: str) -> str:
    """PDFium counts in UTF-16: what it tells as two halves is one character."""
    return words.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

"""PDF files: their text, by PDFium (the only door to it)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any, Final

from grading.pyramid.errors import InputError

# From the lines of printed pages to paragraphs: what a PDF does not tell is guessed from places.
#
# A paragraph ends where the next line is further below than usual, is indented, or follows a short
# line that ends a sentence. A guess that is wrong costs a line break, never a word.

_FURTHER: Final = 1.35  # times the usual distance of lines
_INDENT: Final = 0.8  # times the height of a line
_SHORT: Final = 0.85  # of the width of the column
_SENTENCE_END: Final = re.compile(r"[.!?:;…][\"'”\u2019»)\]]*$")
_PAGE_NUMBER: Final = re.compile(
    r"[-\u2013—\s]*(?:page\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?[-\u2013—\s]*", re.IGNORECASE
)
_PARTED_WORD: Final = re.compile("[^\\W\\d_][-\u2010\xad]$")
_WORD: Final = re.compile(r"[\w'\u2019-]+")


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line; ``base`` is its distance from the foot of the page."""

    words: str
    left: float
    right: float
    base: float
    height: float


def paragraphs_of(pages: Sequence[Sequence[Line]]) -> str:
    """All pages, paragraphs with an empty line between, without the numbers of the pages."""
    kept = [_without_numbers(lines) for lines in pages]
    known = Counter(word for lines in kept for line in lines for word in _inner_words(line.words))
    paragraphs: list[list[str]] = []
    last: Line | None = None
    for lines in kept:
        measure = _Measure.of(lines)
        for line in lines:
            if last is None or measure.begins_paragraph(line, last):
                paragraphs.append([])
            paragraphs[-1].append(line.words)
            last = line
    return "\n\n".join(_joined(words, known) for words in paragraphs)


def _without_numbers(lines: Sequence[Line]) -> list[Line]:
    """A first or last line that is only the number of the page is no text."""
    kept = list(lines)
    for end in (0, -1):
        if len(kept) > 1 and _PAGE_NUMBER.fullmatch(kept[end].words):
            del kept[end]
    return kept


@dataclass(frozen=True, slots=True)
class _Measure:
    """What is usual on a page."""

    left: float
    right: float
    distance: float

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "_Measure":
        steps = [above.base - below.base for above, below in pairwise(lines)]
        down = [step for step in steps if step > 0]
        return cls(
            left=median(line.left for line in lines) if lines else 0,
            right=max((line.right for line in lines), default=0),
            distance=median(down) if down else 0,
        )

    def begins_paragraph(self, line: Line, last: Line) -> bool:
        step = last.base - line.base
        if self.distance and step > _FURTHER * self.distance:
            return True
        ends = bool(_SENTENCE_END.search(last.words))
        if line.left > self.left + _INDENT * line.height and line.left > last.left + 1 and ends:
            return True
        is_short = last.right - self.left < _SHORT * (self.right - self.left)
        return is_short and ends and not line.words[:1].islower()


def _joined(lines: Iterable[str], known: Counter[str]) -> str:
    text = ""
    for line in lines:
        if _PARTED_WORD.search(text) and line[:1].islower():
            # A word that was parted at the end of a line; its hyphen stays if it has one
            # elsewhere.
            before, after = _WORD.findall(text)[-1], _WORD.findall(line)[0]
            own = text[-1] != "\xad" and known[f"{before[:-1]}-{after}".casefold()] > 0
            text = text + line if own else text[:-1] + line
        else:
            text = f"{text} {line}" if text else line
    return text


def _inner_words(line: str) -> Iterable[str]:
    return (word.casefold() for word in _WORD.findall(line) if "-" in word.strip("-"))


MAX_PAGES: Final = 60
MAX_CHARACTERS: Final = 120_000  # twice what can be submitted
_LEAST_LETTERS: Final = 20  # fewer on all pages, and there are pictures: a scan
_MOST_UNREADABLE: Final = 0.1

_WRONG_PASSWORD: Final = 4  # FPDF_ERR_PASSWORD
_UNKNOWN_PROTECTION: Final = 5  # FPDF_ERR_SECURITY
_IMAGE: Final = 3  # FPDF_PAGEOBJ_IMAGE
_LINE_ENDS: Final = frozenset("\r\n")
_PARTING_MARK: Final = "\x02"  # PDFium's word for a hyphen at the end of a line, and for that end
_UNREADABLE: Final = re.compile("[\0\ufffd\ue000-\uf8ff]")


def pdf_text(data: bytes) -> tuple[str, str]:
    """The text, and a remark about what of it could not be read; InputError where nothing can."""
    import pypdfium2  # noqa: PLC0415 - heavy

    try:
        document = pypdfium2.PdfDocument(data)
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
        return paragraphs_of(pages), _pages_of_pictures(pictures)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in {_WRONG_PASSWORD, _UNKNOWN_PROTECTION}:
            raise InputError(
                "This PDF is protected by a password. Save it without one, or paste the text."
            ) from None
        raise InputError(
            "This PDF is damaged and cannot be read. Create it again, or paste the text."
        ) from None


def _refuse_wordless(pages: Sequence[Sequence[Line]], pictures: Sequence[int]) -> None:
    words = "".join(line.words for lines in pages for line in lines)
    if sum(map(str.isalpha, words)) < _LEAST_LETTERS and pictures:
        raise InputError(
            "This PDF has pictures of pages (a scan), not text. Export it from your word "
            "processor, or paste the text."
        )
    if not words.strip():
        raise InputError("There is no text in this PDF. Paste your text instead.")
    if len(_UNREADABLE.findall(words)) > _MOST_UNREADABLE * len(words):
        raise InputError(
            "The letters of this PDF can't be read. Use a Word file (.docx), or paste the text."
        )


def _pages_of_pictures(pages: Sequence[int]) -> str:
    if not pages:
        return ""
    numbers = ", ".join(map(str, pages))
    which = f"Page {numbers} holds" if len(pages) == 1 else f"Pages {numbers} hold"
    return f"{which} a picture and no text; its text was not read."


def _has_images(page: Any) -> bool:
    return any(True for _ in page.get_objects(filter=(_IMAGE,), max_depth=4))


def _lines_of(text_page: Any) -> list[Line]:
    """Lines as PDFium parts them, each with its place on the page."""
    lines, start = [], 0
    characters = _characters_of(text_page)
    for at, character in enumerate([*characters, "\n"]):
        if character == _PARTING_MARK or character in _LINE_ENDS:
            if line := _line(text_page, characters, start, at + (character == _PARTING_MARK)):
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
        words=_whole("".join(characters[start:end]).strip().replace(_PARTING_MARK, "-")),
        left=left,
        right=right,
        base=(low + last_low) / 2,
        height=max(high - low, last_high - last_low),
    )


def _whole(words: str) -> str:
    """PDFium counts in UTF-16: what it tells as two halves is one character."""
    return words.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

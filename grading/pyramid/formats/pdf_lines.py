"""From the lines of printed pages to paragraphs: what a PDF does not tell is guessed from places.

A paragraph ends where the next line is further below than usual, is indented, or follows a short
line that ends a sentence. A guess that is wrong costs a line break, never a word.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

_FURTHER: Final = 1.35  # times the usual distance of lines
_INDENT: Final = 0.8  # times the height of a line
_SHORT: Final = 0.85  # of the width of the column
_SENTENCE_END: Final = re.compile(r"[.!?:;…][\"'”\u2019»)\]]*$")
_PAGE_NUMBER: Final = re.compile(
    r"[-\u2013—\s]*(?:page\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?[-\u2013—\s]*", re.IGNORECASE
)
_PARTED: Final = re.compile("[^\\W\\d_][-\u2010\xad]$")
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
        if _PARTED.search(text) and line[:1].islower():
            text = _mended(text, line, known)
        else:
            text = f"{text} {line}" if text else line
    return text


def _mended(text: str, line: str, known: Counter[str]) -> str:
    """A word that was parted at the end of a line; its hyphen stays if it has one elsewhere."""
    before, after = _WORD.findall(text)[-1], _WORD.findall(line)[0]
    own = text[-1] != "\xad" and known[f"{before[:-1]}-{after}".casefold()] > 0
    return text + line if own else text[:-1] + line


def _inner_words(line: str) -> Iterable[str]:
    return (word.casefold() for word in _WORD.findall(line) if "-" in word.strip("-"))

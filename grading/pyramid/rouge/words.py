"""The words of ROUGE: runs of unaccented letters and digits in lower case, stemmed if wanted.

The same as ``rouge-score`` makes, with their places: a letter that is not of the English alphabet
parts words, and words of up to three letters are not stemmed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grading.pyramid.rouge.porter import porter_stem
from grading.pyramid.structures import Span

_WORD = re.compile("[a-z0-9]+")
_LONGEST_UNSTEMMED = 3


@dataclass(frozen=True, slots=True)
class RougeWord:
    """A word as it is compared, and where it is."""

    form: str
    span: Span


def rouge_words(content: str, *, stemmed: bool) -> list[RougeWord]:
    """The words of a text in order."""
    lowered = content.lower()
    offsets: list[int] | range = range(len(content) + 1)
    if len(lowered) != len(content):  # "İ" becomes two characters
        lowered = "".join(character.lower() for character in content)
        offsets = list(_offsets(content))
    words = []
    for found in _WORD.finditer(lowered):
        form = found.group()
        if stemmed and len(form) > _LONGEST_UNSTEMMED:
            form = porter_stem(form)
        start, last = offsets[found.start()], offsets[found.end() - 1]
        words.append(RougeWord(form, Span(start, last + 1)))
    return words


def _offsets(content: str) -> Iterator[int]:
    for offset, character in enumerate(content):
        yield from [offset] * len(character.lower())

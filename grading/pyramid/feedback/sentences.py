"""The sentences of a text as a reader counts them, to name one in a remark.

Marks alone tell where they end, without a parse; so what they get wrong most (abbreviations, lines
that were broken by hand, headings) is seen to, and a remark quotes the words besides.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grading.pyramid.encoders.words import sentence_starts
from grading.pyramid.structures import Span, Spans, Text

_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_LIST = re.compile(r"^[ \t]*(?:[-*+\u2022\u2013]|\d{1,2}[.)])(?=\s)", re.MULTILINE)
_LONGEST = 60  # words of a sentence: in a longer one a reader would search long
_QUOTED = 5  # words
_LOOKED_AT = 40  # characters before the end of a sentence: more than any abbreviation has
_ENDS = re.compile(r"[.!?\u2026][\"')\]\u2019\u201d]*$")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Za-z]|[A-Za-z]\.[A-Za-z]|Dr|Mr|Mrs|Ms|Prof|St|Fig|vs|etc|al|cf|ca|approx)"
    r"\.$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of a text; a list, and notes without full stops, have none to be counted."""

    text: Text
    spans: Spans
    is_list: bool

    def place(self, offset: int) -> int:
        """Which sentence a character is in, from 0."""
        return max(0, bisect_right(self.spans, offset, key=lambda span: span.start) - 1)

    def named(self, spans: Spans) -> str:
        """Where words are: “your second sentence”; the words, where that is hard to count out."""
        place = self.place(spans[0].start)
        words = self.text.words_at(self.spans[place : place + 1]).split()
        if place < len(_ORDINALS) and len(words) <= _LONGEST and not self.is_list:
            return f"your {_ORDINALS[place]} sentence"
        said = self.text.words_at(spans).split()
        quote = " ".join(said[:_QUOTED]) + (" \u2026" if len(said) > _QUOTED else "")
        return f"the part \u201c{quote}\u201d"


def sentences_of(text: Text) -> Sentences:
    """In order, without the white space around them."""
    content = text.content
    spans = []
    for start, end in pairwise([*_starts(content), len(content)]):
        words = content[start:end]
        if words.strip():
            first = start + len(words) - len(words.lstrip())
            spans.append(Span(first, start + len(words.rstrip())))
    return Sentences(text, tuple(spans), bool(_LIST.search(content)))


def in_words(count: int) -> str:
    """Numbers up to twelve as words."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def plural(count: int, noun: str) -> str:
    """“one idea”, “two ideas”, “13 ideas”."""
    return f"{in_words(count)} {noun}" if count == 1 else f"{in_words(count)} {noun}s"


def listed(parts: Sequence[str]) -> str:
    """As in a sentence: “a”, “a and b”, “a, b and c”."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def _starts(content: str) -> Iterator[int]:
    before = 0
    for start in sentence_starts(content):
        if not start or _is_between(content, before, start):
            yield start
            before = start


def _is_between(content: str, before: int, start: int) -> bool:
    """Does the sentence that begins before end here, and does another begin?"""
    end = start
    while end > before and content[end - 1].isspace():
        end -= 1
    if content.count("\n", end, start) > 1:  # a paragraph ends, or a heading
        return True
    before_it = content[max(before, end - _LOOKED_AT) : end]
    if not _ENDS.search(before_it):
        return False
    begins_small = content[start : start + 1].islower()
    return not begins_small and not _ABBREVIATION.search(before_it)

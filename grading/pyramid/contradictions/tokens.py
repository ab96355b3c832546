"""Words, numbers and marks of a text."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grading.pyramid.encoders.wtmf import stems

NEAR = 4  # words to either side of another
Pair = tuple[int, str, str]  # place in the text, what the text says, what the experts say


class Token(NamedTuple):
    said: str  # as written
    word: str  # in small letters
    stem: str  # empty for numbers and marks
    value: float | None  # of digits
    apart: bool  # white space before it


_TOKEN = re.compile(
    r"(?<![^\W_])(?P<number>(?:\d{1,3}(?:[,\u00a0\u202f]\d{3})+|\d{1,3}(?: \d{3})+"
    r"|(?<=[$\u00a3\u20ac])\d{1,3}, \d{3}|\d+)(?!\d)(?:\.\d+)?)"
    r"|(?P<word>[^\W\d_]+(?:['\u2019][^\W\d_]+)*)|(?P<mark>[^\w\s])"
)


def tokens_of(words: str) -> list[Token]:
    return [_token(hit) for hit in _TOKEN.finditer(words)]


def _token(hit: re.Match[str]) -> Token:
    said, apart = hit.group(), hit.string[hit.start() - 1 : hit.start()].isspace()
    if hit["number"]:
        return Token(said, said, "", float(re.sub(r"[^\d.]", "", said)), apart)
    word = said.lower().replace("\u2019", "'")
    stem = " ".join(stems(word)) if hit["word"] else ""
    return Token(said, word, stem, None, apart)


def as_said(tokens: Sequence[Token]) -> str:
    return "".join(" " * token.apart + token.said for token in tokens).strip()


def as_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that show nothing by standing beside something, and that a denial reaches across.
LIGHT = as_words(
    "a able actually all allowed also always am an and any are as at be been being by can could"
    " did do does enough even ever for from get gets getting going got had has have having he"
    " her his i if in into is it its just longer many may might most much must my necessarily of"
    " on or our per quite really s shall she should so some than that the their them then there"
    " these they this those to too us very was we were which who will with would yet you your"
)
ENDS_A_CLAUSE = as_words(
    "although and because but except if since so than that then though unless until when where"
    " which while who whom whose . , ; : ! ? ( )"
)


def content(tokens: Iterable[Token]) -> list[str]:
    return [token.stem for token in tokens if token.stem and token.word not in LIGHT]

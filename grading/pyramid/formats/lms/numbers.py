"""Numbers as gradebooks write them: a decimal point or comma, and nothing between thousands."""

import re
from collections import Counter
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_FRACTION = re.compile(r"-?\d+([.,])(\d+)%?")
_FIRST_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_HUNDREDTH = Decimal("0.01")  # no platform keeps more of what is imported
_MOST_DIGITS = 20  # what has more is no grade, and more than can be rounded


def number_in(text: str) -> Decimal | None:
    """The number that this is; None for words, blanks, ids and what has two separators."""
    text = text.strip()
    return _number(text) if _NUMBER.fullmatch(text) else None


def first_number_in(text: str) -> Decimal | None:
    hit = _FIRST_NUMBER.search(text)
    return _number(hit[0]) if hit else None


def _number(text: str) -> Decimal | None:
    return Decimal(text.replace(",", ".")) if len(text) <= _MOST_DIGITS else None


def rounded(number: Decimal) -> Decimal:
    return number.quantize(_HUNDREDTH, ROUND_HALF_UP)


def written(number: Decimal, separator: str = ".", decimals: int = 0) -> str:
    """With as many decimals as it needs, and at least ``decimals``."""
    exact = rounded(number)
    needed = len(f"{exact:f}".rstrip("0").partition(".")[2])
    return f"{exact:.{max(needed, min(decimals, 2))}f}".replace(".", separator)


def separator_of(texts: Iterable[str]) -> str:
    """What most of the numbers have before their decimals; "" where none has any.

    Three digits behind it may be thousands, and say nothing.
    """
    hits = (_FRACTION.fullmatch(text.strip()) for text in texts)
    counted = Counter(match[1] for match in hits if match and len(match[2]) != 3)
    return counted.most_common(1)[0][0] if counted else ""


def decimals_of(texts: Iterable[str]) -> int:
    """How many decimals all of the numbers have, if all have the same number of them."""
    separators = {
        len(text.strip().replace(",", ".").partition(".")[2])
        for text in texts
        if _NUMBER.fullmatch(text.strip())
    }
    return separators.pop() if len(separators) == 1 else 0

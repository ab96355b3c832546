"""Numbers as readers see them."""

from collections import Counter
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

BINS = 10
MINUS = "\u2212"


def hundredths(number: float) -> Decimal:
    """Halves go up: 0.125 is 0.13, as in the filter that pages use; Python's ``:.2f`` says 0.12."""
    return Decimal(repr(float(number))).quantize(Decimal("0.01"), ROUND_HALF_UP)


def points_as_shown(points: float) -> str:
    """On a page: “26”, “25.50”."""
    return f"{hundredths(points)}".removesuffix(".00")


def points_in_file(points: float) -> str:
    """In a file: “26”, “25.5”, “0.1234”."""
    return f"{points:.4f}".rstrip("0").rstrip(".")


def with_minus(number: str) -> str:
    """A number for a sentence, with a minus sign instead of a hyphen."""
    return number.replace("-", MINUS)


def number_of(count: int, noun: str) -> str:
    """“1 idea”, “2 ideas”."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def tenths(scores: Iterable[float]) -> tuple[int, ...]:
    """How many scores of two decimals lie in each tenth from 0 to 1, the last with 1 itself."""
    whole = (round(100 * score) for score in scores)  # .29 is not quite what it seems
    counts = Counter(min(BINS - 1, number * BINS // 100) for number in whole)
    return tuple(counts[number] for number in range(BINS))

"""Numbers as readers see them."""

from decimal import ROUND_HALF_UP, Decimal


def hundredths(number: float) -> Decimal:
    """Halves go up: 0.125 is 0.13, as in the filter that pages use; Python's ``:.2f`` says 0.12."""
    return Decimal(repr(float(number))).quantize(Decimal("0.01"), ROUND_HALF_UP)


def number_of(count: int, noun: str) -> str:
    """“1 idea”, “2 ideas”."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"

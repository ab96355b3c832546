"""Numbers as readers see them: halves go up, in words as on pages."""

from decimal import ROUND_HALF_UP, Decimal


def hundredths(number: float) -> Decimal:
    """0.125 is 0.13, as the filter has it that pages use; Python's own ``:.2f`` makes it 0.12."""
    return Decimal(repr(float(number))).quantize(Decimal("0.01"), ROUND_HALF_UP)

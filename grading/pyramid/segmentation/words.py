"""Some words of a sentence as a whole number: a bit for each, by its index."""

from collections.abc import Iterator

Words = int


def runs(words: Words) -> Iterator[tuple[int, int]]:
    """Words side by side, in order: the index of the first, and the one after the last."""
    end = 0
    while words:
        start = end + _zeros(words)
        words >>= start - end
        length = _zeros(~words)
        words >>= length
        end = start + length
        yield start, end


def places(words: Words) -> Iterator[int]:
    """The index of each word, in order."""
    for start, end in runs(words):
        yield from range(start, end)


def _zeros(number: int) -> int:
    """How many bits below the lowest one that is set."""
    return (number & -number).bit_length() - 1

"""Some words of a sentence as a whole number: a bit for each, by its index."""

Words = int


def runs(words: Words) -> list[tuple[int, int]]:
    """Words side by side, in order: the index of the first, and the one after the last."""
    ranges = []
    while words:
        start = (words & -words).bit_length() - 1  # of the lowest bit that is set
        above = words + (1 << start)  # it carries over all bits side by side with that one
        end = (above & -above).bit_length() - 1
        ranges.append((start, end))
        words = words >> end << end
    return ranges


def places(words: Words) -> list[int]:
    """The index of each word, in order."""
    return [place for start, end in runs(words) for place in range(start, end)]

"""The flag and the passages of texts that share words; ``text_index.py`` finds them."""

from collections.abc import Collection, Iterable, Sequence

from grading.pyramid.copying import RUN, SeenWord, runs_of, seen_words
from grading.pyramid.figures import number_of
from grading.pyramid.flags.text_flags import Flag, FlagKind, Near
from grading.pyramid.structures import Span

_Run = tuple[str, ...]


def like_another(near: Sequence[Near]) -> Iterable[Flag]:
    """The flag names nobody; the page shows whose text it is where the reader may know."""
    if near:
        first = near[0]
        others = f", and with {number_of(len(near) - 1, 'other text')}" if near[1:] else ""
        yield Flag(
            FlagKind.LIKE_ANOTHER,
            f"{first.words} of its words ({100 * first.share:.0f}\u202f%) are in a row in "
            f"the text of another student{others}.",
        )


def shared_passages(
    content: str, other: str, known: Iterable[str] = ()
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The spans of the shared words in each of the two texts."""
    ours, theirs = seen_words(content), seen_words(other)
    everybodys = {run for text in known for run in runs_of(seen_words(text))}
    both = ({*runs_of(ours)} & {*runs_of(theirs)}) - everybodys
    return _passages(ours, both), _passages(theirs, both)


def _passages(words: Sequence[SeenWord], runs: Collection[_Run]) -> tuple[Span, ...]:
    passages: list[tuple[int, int]] = []
    for start, run in enumerate(runs_of(words)):
        if run in runs:
            if passages and start <= passages[-1][1]:
                passages[-1] = (passages[-1][0], start + RUN)
            else:
                passages.append((start, start + RUN))
    return tuple(Span(words[start].span.start, words[end - 1].span.end) for start, end in passages)

"""Texts of others that share words: runs of words that stand in both, and not in the source.

As with copying from the source, words are shared where ``RUN`` of them in a row stand in both, as
a reader sees them. Runs that stand in the source, in the task or in what else is known to all
are nobody's own and tell nothing. Texts of one author are never compared with each other.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from grading.pyramid.copying import RUN, SeenWord, runs_of, seen_words
from grading.pyramid.figures import number_of
from grading.pyramid.signs.flags import Flag, FlagKind, Near
from grading.pyramid.structures import Span

LEAST_SHARE = 0.35
LEAST_WORDS = 25
_MOST_NEAR = 5  # texts of others that are kept of one
_MOST_COMPARED = 12  # with a run: where more have it, those are enough to tell

_Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A text, whose it is, and its key."""

    key: int
    author: int
    content: str


def near_texts(
    texts: Sequence[Written], known: Iterable[str] = ()
) -> Mapping[int, tuple[Near, ...]]:
    """By the key: of each other author the text that shares most, those that share most first."""
    everybodys = {run for content in known for run in runs_of(seen_words(content))}
    words = [seen_words(text.content) for text in texts]
    runs = [list(runs_of(of_text)) for of_text in words]
    holders = _holders(runs, everybodys)
    return {
        text.key: _nearest(place, texts, runs[place], len(words[place]), holders)
        for place, text in enumerate(texts)
    }


def _holders(
    runs: Sequence[Sequence[_Run]], everybodys: Collection[_Run]
) -> Mapping[_Run, Sequence[int]]:
    """Runs that several texts have, with the first of these texts by their places."""
    texts_by_run: dict[_Run, list[int]] = defaultdict(list)
    for place, of_one in enumerate(runs):
        for run in set(of_one):
            if run not in everybodys and len(texts_by_run[run]) < _MOST_COMPARED:
                texts_by_run[run].append(place)
    return {run: holders for run, holders in texts_by_run.items() if len(holders) > 1}


def _nearest(
    place: int,
    texts: Sequence[Written],
    runs: Sequence[_Run],
    length: int,
    holders: Mapping[_Run, Sequence[int]],
) -> tuple[Near, ...]:
    shared: dict[int, list[int]] = defaultdict(list)
    for start, run in enumerate(runs):
        for other in holders.get(run, ()):
            shared[other].append(start)
    best: dict[int, Near] = {}
    for other, starts in shared.items():
        written = texts[other]
        count = _covered(starts)
        earlier = best.get(written.author)
        if written.author != texts[place].author and (not earlier or count > earlier.words):
            best[written.author] = Near(
                written.key, written.author, count, round(count / length, 4)
            )
    near = sorted(best.values(), key=lambda likeness: (-likeness.words, likeness.text))
    enough = (
        likeness
        for likeness in near
        if likeness.share >= LEAST_SHARE and likeness.words >= LEAST_WORDS
    )
    return tuple(enough)[:_MOST_NEAR]


def _covered(starts: Iterable[int]) -> int:
    """How many words the runs that start there take in; in order."""
    count, end = 0, 0
    for start in starts:
        count += start + RUN - max(start, end)
        end = start + RUN
    return count


def like_another(near: Sequence[Near]) -> Iterable[Flag]:
    """Who it is stands beside the flag, where the reader may know."""
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
    """Where the words that both share stand in each."""
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

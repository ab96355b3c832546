"""A text cut into pieces at the ends of marked spans: the one walk over a text with marks."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from grading.pyramid.structures import Spans

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Piece(Generic[M]):
    """Characters that the same marks cover; ``ending`` are the marks that end with it."""

    words: str
    marks: tuple[M, ...]
    ending: tuple[M, ...]
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.words)


def cut_at_marks(content: str, marks: Iterable[tuple[Spans, M]]) -> tuple[Piece[M], ...]:
    """The whole text in order. A mark is its spans and whatever it means; marks may overlap.

    The marks of a piece are in the order of ``marks``. One walk from edge to edge: the editor cuts
    a dozen texts with hundreds of marks at a click.
    """
    meanings: list[M] = []
    last_ends: list[int] = []
    starting: defaultdict[int, list[int]] = defaultdict(list)
    stopping: defaultdict[int, list[int]] = defaultdict(list)
    for number, (spans, meaning) in enumerate(marks):
        meanings.append(meaning)
        last_ends.append(spans[-1].end if spans else -1)
        for span in spans:
            starting[span.start].append(number)
            stopping[span.end].append(number)
    pieces: list[Piece[M]] = []
    open_marks: set[int] = set()
    for start, end in pairwise(sorted({0, len(content), *starting, *stopping})):
        open_marks.difference_update(stopping[start])
        open_marks.update(starting[start])
        covering = sorted(open_marks)
        pieces.append(
            Piece(
                content[start:end],
                tuple(meanings[number] for number in covering),
                tuple(meanings[number] for number in covering if last_ends[number] == end),
                start,
            )
        )
    return tuple(pieces)

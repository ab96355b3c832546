"""A text cut into pieces at the ends of marked spans, so that a page can highlight by looping."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from grading.pyramid.structures import Spans


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters that the same marks cover; ``ending`` are the marks that end with it."""

    words: str
    marks: tuple[int, ...]
    ending: tuple[int, ...]
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.words)


def cut_at_marks(content: str, marks: Sequence[Spans]) -> tuple[Piece, ...]:
    """The whole text in order; ``marks[i]`` are the spans of mark ``i`` and may overlap others.

    One walk from edge to edge: the editor cuts a dozen texts with hundreds of marks at a click.
    """
    starting: defaultdict[int, list[int]] = defaultdict(list)
    stopping: defaultdict[int, list[int]] = defaultdict(list)
    for number, spans in enumerate(marks):
        for span in spans:
            starting[span.start].append(number)
            stopping[span.end].append(number)
    pieces: list[Piece] = []
    open_marks: set[int] = set()
    for start, end in pairwise(sorted({0, len(content), *starting, *stopping})):
        open_marks.difference_update(stopping[start])
        open_marks.update(starting[start])
        covering = tuple(sorted(open_marks))
        ending = tuple(number for number in covering if marks[number][-1].end == end)
        pieces.append(Piece(content[start:end], covering, ending, start))
    return tuple(pieces)

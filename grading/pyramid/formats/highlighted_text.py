"""A text cut into pieces at the ends of marked spans, so that a page can highlight by looping."""

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


def cut_at_marks(content: str, marks: Sequence[Spans]) -> tuple[Piece, ...]:
    """The whole text in order; ``marks[i]`` are the spans of mark ``i`` and may overlap others."""
    cuts = {0, len(content)}
    for spans in marks:
        cuts.update(edge for span in spans for edge in (span.start, span.end))
    edges = sorted(cuts)
    return tuple(_piece(content, start, end, marks) for start, end in pairwise(edges))


def _piece(content: str, start: int, end: int, marks: Sequence[Spans]) -> Piece:
    covering = tuple(
        number
        for number, spans in enumerate(marks)
        if any(span.start <= start and end <= span.end for span in spans)
    )
    ending = tuple(number for number in covering if marks[number][-1].end == end)
    return Piece(content[start:end], covering, ending)

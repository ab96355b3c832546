"""A student's text with the words that a second look is about, and the matches beside them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grading.pyramid.formats.highlighted_text import cut_at_marks
from grading.pyramid.structures import Pyramid, ScoreReport, Spans, shared_length
from grading.web.ideas import Idea, heaviest_of, idea_of


@dataclass(frozen=True, slots=True)
class FoundMark:
    """An idea that was found, numbered by where it stands in the text."""

    number: int
    idea: Idea
    by_hand: bool


@dataclass(frozen=True, slots=True)
class ChosenPiece:
    """A stretch of the text; ``start`` is where it begins, for the script that selects words."""

    start: int
    words: str
    chosen: bool
    begins: bool  # the chosen words begin with it
    ends: bool
    found: tuple[FoundMark, ...]  # heaviest first
    labelled: tuple[FoundMark, ...]  # whose last words these are

    @property
    def band(self) -> int:
        return self.found[0].idea.band


def pieces_of(
    content: str, chosen: Spans, found: Sequence[tuple[Spans, FoundMark]] = ()
) -> tuple[ChosenPiece, ...]:
    """The whole text in order."""
    marks = [spans for spans, _ in found]
    last = len(marks)
    starts, ends = {span.start for span in chosen}, {span.end for span in chosen}
    pieces, start = [], 0
    for piece in cut_at_marks(content, [*marks, chosen] if chosen else marks):
        here = [found[mark][1] for mark in piece.marks if mark < last]
        end = start + len(piece.words)
        is_chosen = last in piece.marks
        pieces.append(
            ChosenPiece(
                start=start,
                words=piece.words,
                chosen=is_chosen,
                begins=is_chosen and start in starts,
                ends=is_chosen and end in ends,
                found=tuple(sorted(here, key=lambda one: (-one.idea.weight, one.number))),
                labelled=tuple(found[mark][1] for mark in piece.ending if mark < last),
            )
        )
        start = end
    return tuple(pieces)


def said_again(
    report: ScoreReport, asked: Spans, found: Iterable[FoundMark]
) -> tuple[FoundMark, ...]:
    """The ideas that the words asked about tell once more: they count elsewhere in the text."""
    again = {
        repeat.scu
        for repeat in report.evidence.repeats
        if shared_length(repeat.segment.spans, asked)
    }
    return tuple(mark for mark in found if mark.idea.uid in again)


def found_marks(pyramid: Pyramid, report: ScoreReport) -> tuple[tuple[Spans, FoundMark], ...]:
    """What was found with its words, in the order of the text; of a pyramid that scores."""
    heaviest = heaviest_of(pyramid)
    there = {scu.uid: scu for scu in pyramid.scus}
    matches = sorted(report.evidence.credited, key=lambda match: (match.spans, match.scu))
    return tuple(
        (
            match.spans,
            FoundMark(number, idea_of(pyramid, there[match.scu], heaviest), match.by_hand),
        )
        for number, match in enumerate(matches, start=1)
    )

"""A student's text in pieces to loop over: what is marked, what counted without, what did not."""

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from grading.pyramid.formats.highlighted_text import Piece, cut_at_marks
from grading.pyramid.structures import Evidence, Match, Spans, Text
from grading.views.feedback_found import FoundIdea

# A stray "and" between two segments is not worth a remark; a clause that was left out is.
WORDS_WORTH_A_REMARK = 3
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """A stretch of the student's text, with the ideas that it expresses, heaviest first."""

    words: str
    start: int
    found: tuple[FoundIdea, ...]
    labelled: tuple[FoundIdea, ...]  # whose last words these are
    bare: bool  # counted as a part of the text, and no idea was found in it
    ends_bare: bool
    again: tuple[FoundIdea, ...]  # that these words say once more
    ending_again: tuple[FoundIdea, ...]  # whose last words these are
    left_out: bool  # not counted, and long enough to say so
    comments: tuple[int, ...]  # whose last words these are
    commented: bool
    anchored: bool  # something on the page leads here

    @property
    def band(self) -> int:
        return max(found.idea.band for found in self.found)

    @property
    def doubtful(self) -> bool:
        return all(found.doubtful for found in self.found)

    @property
    def by_hand(self) -> bool:
        return all(found.marked_by for found in self.found)

    @property
    def numbers(self) -> str:
        return " ".join(str(found.number) for found in self.found or self.again)


@dataclass(frozen=True, slots=True)
class CutText:
    """The pieces of a text before it is known which of them others lead to."""

    pieces: tuple[Piece, ...]
    starts: tuple[int, ...]
    bare: frozenset[int]  # marks that are segments in which nothing was found
    again: Mapping[int, int]  # of others: the match whose idea they say again
    first_comment: int  # marks from here on are the words of comments

    def anchor(self, spans: Spans) -> int:
        """The start of the piece in which the words begin."""
        return self.starts[max(0, bisect_right(self.starts, spans[0].start) - 1)]


def cut_text(
    text: Text, evidence: Evidence, matches: Sequence[Match], comments: Sequence[Spans] = ()
) -> CutText:
    """Cut where the words of a match or comment, or a segment that counted, begin or end."""
    marks = [match.spans for match in matches]
    segments = [segment.spans for segment in evidence.segments]
    pieces = cut_at_marks(text.content, [*marks, *segments, *comments])
    starts = [0]
    for piece in pieces:
        starts.append(starts[-1] + len(piece.words))
    numbered = {one: number for number, one in enumerate(evidence.segments, start=len(matches))}
    bare = frozenset(numbered[segment] for segment in evidence.idle)
    place = {match.scu: number for number, match in enumerate(matches)}
    again = {numbered[one.segment]: place[one.scu] for one in evidence.repeats}
    return CutText(pieces, tuple(starts[:-1]), bare, again, len(marks) + len(segments))


def marked_pieces(
    cut: CutText, found: Sequence[FoundIdea], anchors: Collection[int]
) -> tuple[MarkedPiece, ...]:
    pairs = zip(cut.pieces, cut.starts, strict=True)
    return tuple(_marked(piece, start, cut, found, start in anchors) for piece, start in pairs)


def _marked(
    piece: Piece, start: int, cut: CutText, found: Sequence[FoundIdea], anchored: bool
) -> MarkedPiece:
    ideas = [found[mark] for mark in piece.marks if mark < len(found)]
    bare = not ideas and bool(cut.bare.intersection(piece.marks))
    said = [] if ideas else [mark for mark in piece.marks if mark in cut.again]
    return MarkedPiece(
        words=piece.words,
        start=start,
        found=tuple(sorted(ideas, key=lambda idea: (-idea.idea.weight, idea.number))),
        labelled=tuple(found[mark] for mark in piece.ending if mark < len(found)),
        bare=bare,
        ends_bare=bare and bool(cut.bare.intersection(piece.ending)),
        again=tuple(found[cut.again[mark]] for mark in said),
        ending_again=tuple(found[cut.again[mark]] for mark in said if mark in piece.ending),
        left_out=all(mark >= cut.first_comment for mark in piece.marks)
        and len(_WORD.findall(piece.words)) >= WORDS_WORTH_A_REMARK,
        comments=_comments(piece.ending, cut),
        commented=any(mark >= cut.first_comment for mark in piece.marks),
        anchored=anchored,
    )


def _comments(marks: Sequence[int], cut: CutText) -> tuple[int, ...]:
    """Their numbers."""
    return tuple(mark - cut.first_comment + 1 for mark in marks if mark >= cut.first_comment)

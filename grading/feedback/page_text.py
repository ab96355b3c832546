"""A student's text in pieces to loop over: what is marked, what counted without, what did not."""

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from grading.feedback.page_contradictions import Contradiction
from grading.feedback.page_found import FoundIdea
from grading.pyramid.formats.highlighted_text import Piece, cut_at_marks
from grading.pyramid.structures import Evidence, Match, Spans, Text

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
    bare: bool  # a statement that counts, and no idea was matched in it
    ends_bare: bool
    again: tuple[FoundIdea, ...]  # that these words repeat or elaborate
    ending_again: tuple[FoundIdea, ...]  # whose last words these are
    against: tuple[Contradiction, ...]  # that are in these words, if no idea is
    ending_against: tuple[Contradiction, ...]  # whose last words these are
    held: bool  # not written in sentences, and read by nobody yet
    ends_held: bool
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

    @property
    def against_numbers(self) -> str:
        return " ".join(f"against-{one.number}" for one in self.against)


@dataclass(frozen=True, slots=True)
class CutText:
    """The pieces of a text before it is known which of them others lead to."""

    pieces: tuple[Piece, ...]
    starts: tuple[int, ...]
    bare: frozenset[int]  # marks that are segments in which nothing was found
    again: Mapping[int, int]  # by mark that repeats or elaborates: the match that it belongs to
    against: Mapping[int, int]  # by mark that may contradict the experts: its number, from 0
    first_held: int  # marks from here on are words that are held,
    first_comment: int  # and from here on the words of comments

    def anchor(self, spans: Spans) -> int:
        """The start of the piece in which the words begin."""
        return self.starts[max(0, bisect_right(self.starts, spans[0].start) - 1)]


def cut_text(
    text: Text,
    evidence: Evidence,
    matches: Sequence[Match],
    against: Sequence[Contradiction] = (),
    comments: Sequence[Spans] = (),
) -> CutText:
    """Cut where the words of anything that is marked, or a segment that counted, begin or end."""
    place = {match.scu: number for number, match in enumerate(matches)}
    numbered = {one: number for number, one in enumerate(evidence.segments, start=len(matches))}
    denied = {one.uid: number for number, one in enumerate(against)}
    first_repeat = len(matches) + len(evidence.segments)
    first_against = first_repeat + len(evidence.repeats)
    first_held = first_against + len(against)
    repeats = list(enumerate(evidence.repeats, start=first_repeat))
    marks = (
        *(match.spans for match in matches),
        *(segment.spans for segment in evidence.segments),
        *(repeat.segment.spans for repeat in evidence.repeats),
        *(one.spans for one in against),
        *((span,) for span in evidence.held),
    )
    pieces = cut_at_marks(text.content, [*marks, *comments])
    starts = [0]
    for piece in pieces:
        starts.append(starts[-1] + len(piece.words))
    return CutText(
        pieces,
        tuple(starts[:-1]),
        frozenset(numbered[segment] for segment in evidence.idle),
        {mark: place[one.scu] for mark, one in repeats if one.scu in place},
        {first_against + number: number for number in range(len(against))}
        | {mark: denied[one.scu] for mark, one in repeats if one.scu in denied},
        first_held,
        len(marks),
    )


def marked_pieces(
    cut: CutText,
    found: Sequence[FoundIdea],
    against: Sequence[Contradiction],
    anchors: Collection[int],
) -> tuple[MarkedPiece, ...]:
    pairs = zip(cut.pieces, cut.starts, strict=True)
    return tuple(
        _marked(piece, start, cut, (found, against), start in anchors) for piece, start in pairs
    )


def _marked(
    piece: Piece,
    start: int,
    cut: CutText,
    marked: tuple[Sequence[FoundIdea], Sequence[Contradiction]],
    anchored: bool,
) -> MarkedPiece:
    found, against = marked
    ideas = [found[mark] for mark in piece.marks if mark < len(found)]
    held = range(cut.first_held, cut.first_comment)
    denied = [] if ideas else [mark for mark in piece.marks if mark in cut.against]
    is_held = not ideas and not denied and any(mark in held for mark in piece.marks)
    plain = not ideas and not denied and not is_held
    bare = plain and bool(cut.bare.intersection(piece.marks))
    said = [mark for mark in piece.marks if mark in cut.again] if plain else []
    return MarkedPiece(
        words=piece.words,
        start=start,
        found=tuple(sorted(ideas, key=lambda idea: (-idea.idea.weight, idea.number))),
        labelled=tuple(found[mark] for mark in piece.ending if mark < len(found)),
        bare=bare,
        ends_bare=bare and bool(cut.bare.intersection(piece.ending)),
        again=tuple(found[cut.again[mark]] for mark in said),
        ending_again=tuple(found[cut.again[mark]] for mark in said if mark in piece.ending),
        against=tuple(against[cut.against[mark]] for mark in denied),
        ending_against=tuple(against[cut.against[mark]] for mark in denied if mark in piece.ending),
        held=is_held,
        ends_held=is_held and any(mark in held for mark in piece.ending),
        left_out=all(mark >= cut.first_comment for mark in piece.marks)
        and len(_WORD.findall(piece.words)) >= WORDS_WORTH_A_REMARK,
        comments=_comments(piece.ending, cut),
        commented=any(mark >= cut.first_comment for mark in piece.marks),
        anchored=anchored,
    )


def _comments(marks: Sequence[int], cut: CutText) -> tuple[int, ...]:
    """Their numbers."""
    return tuple(mark - cut.first_comment + 1 for mark in marks if mark >= cut.first_comment)

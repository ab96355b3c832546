"""The text on the marking desk: what is found, left out, commented on and chosen in it.

Ideas are numbered as the pyramid numbers them, so that no number changes with a correction.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grading.pyramid.feedback.sureness import is_doubtful
from grading.pyramid.formats.highlighted_text import Piece, cut_at_marks
from grading.pyramid.structures import Match, Pyramid, ScoreReport, Spans, is_mostly_in
from grading.web.chosen_words import WordsPiece
from grading.web.ideas import band_of, heaviest_of

_WORDS_WORTH_A_REMARK = 3
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class MarkedText:
    """What there is to mark; ``comments`` are their places in the order of their numbers."""

    content: str
    pyramid: Pyramid
    report: ScoreReport
    left_out: Spans
    chosen: Spans
    comments: Sequence[Spans]


@dataclass(frozen=True, slots=True)
class _Mark:
    kind: str  # match, segment, part (not matched), again, out, held, chosen or comment
    number: int
    spans: Spans


def pieces_of_desk(text: MarkedText) -> tuple[WordsPiece, ...]:
    marks = list(_marks(text))
    look = _Look(text)
    pieces, start = [], 0
    for piece in cut_at_marks(text.content, [mark.spans for mark in marks]):
        if piece.words:
            pieces.append(look.piece(start, piece, marks))
        start += len(piece.words)
    return tuple(pieces)


def _marks(text: MarkedText) -> Iterator[_Mark]:
    evidence = text.report.evidence
    for number, match in enumerate(evidence.matches):
        yield _Mark("match", number, match.spans)
    for number, segment in enumerate(evidence.segments):
        yield _Mark("segment", number, segment.spans)
    idle = (one for one in evidence.idle if not is_mostly_in(one.spans, evidence.held))
    for number, segment in enumerate(idle):
        yield _Mark("part", number, segment.spans)
    for repeat in evidence.repeats:
        yield _Mark("again", repeat.scu, repeat.segment.spans)
    for number, span in enumerate(text.left_out):
        yield _Mark("out", number, (span,))
    for number, span in enumerate(evidence.held):
        yield _Mark("held", number, (span,))
    for number, spans in enumerate(text.comments, start=1):
        yield _Mark("comment", number, spans)
    yield _Mark("chosen", 0, text.chosen)


class _Look:
    """How the pieces of one text look."""

    def __init__(self, text: MarkedText) -> None:
        self._matches = text.report.evidence.matches
        self._is_held = text.report.evidence.is_held
        self._weights = {scu.uid: scu.weight for scu in text.pyramid.scus}
        self._heaviest = heaviest_of(text.pyramid)

    def piece(self, start: int, piece: Piece, marks: Sequence[_Mark]) -> WordsPiece:
        here = [marks[place] for place in piece.marks]
        ending = [marks[place] for place in piece.ending]
        matches = [self._matches[one.number] for one in here if one.kind == "match"]
        return WordsPiece(
            start=start,
            words=piece.words,
            look=" ".join([*self._state(matches, here, piece.words), *_extras(here)]),
            uids=tuple(match.scu for match in matches),
            label=" ".join(self._labels(ending)),
        )

    def _state(self, matches: list[Match], here: list[_Mark], words: str) -> Iterator[str]:
        kinds = {one.kind for one in here}
        if matches:
            weight = max(self._weights[match.scu] for match in matches)
            yield f"match match-band-{band_of(weight, self._heaviest)}"
            if all(match.waits for match in matches):
                yield "is-waiting"
            elif all(is_doubtful(match) for match in matches):
                yield "is-doubtful"
        elif others := [look for kind, look in _LOOKS.items() if kind in kinds]:
            yield others[0]
        elif "segment" not in kinds and len(_WORD.findall(words)) >= _WORDS_WORTH_A_REMARK:
            yield "uncounted"

    def _labels(self, ending: list[_Mark]) -> Iterator[str]:
        for one in ending:
            if one.kind == "match":
                yield f"{self._matches[one.number].scu}{_signs_of(self._matches[one.number])}"
            elif one.kind == "again":
                yield f"{one.number}\u00a0↩"
            elif one.kind == "held" and not self._is_held:
                yield "‖"
            elif one.kind == "part":
                yield "○"
            elif one.kind == "comment":
                yield f"[{one.number}]"


_LOOKS = {  # of words without a match: the first that applies
    "out": "left-out-words",
    "held": "held-words",
    "again": "said-again",
    "part": "unmatched",
}


def _signs_of(match: Match) -> str:
    """Behind the number of an idea, as the legend explains them."""
    if match.by_hand:
        return "✎!" if match.remarks else "✎"
    if match.contradicts:
        return "\u2009≠"
    return f"{'?' if is_doubtful(match) else ''}{'!' if match.remarks else ''}"


def _extras(here: list[_Mark]) -> Iterator[str]:
    """What is so whatever was found; “part-3” ties the pieces of a part, to be chosen at once."""
    for one in here:
        if one.kind in {"part", "out"}:
            yield f"{one.kind}-{one.number}"
        elif one.kind in {"comment", "chosen"}:
            yield "is-commented" if one.kind == "comment" else "is-chosen"

"""The text on the review desk: what is matched, excluded, commented on and chosen in it.

Ideas have the numbers of the pyramid, so that no number changes with a correction.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grading.marking.queries import Desk
from grading.pyramid.characters import WORD
from grading.pyramid.feedback.sureness import is_doubtful
from grading.pyramid.marked_pieces import cut_at_marks
from grading.pyramid.structures import Match, Spans, is_mostly_in
from grading.web.chosen_words import WordsPiece
from grading.web.ideas import band_of, heaviest_of

WORDS_WORTH_A_REMARK = 3  # shorter pieces outside of all statements are not marked as uncounted
_CLASSES = {  # of words without a match: the first that applies
    "out": "left-out-words",
    "held": "held-words",
    "again": "said-again",
    "part": "unmatched",
}


@dataclass(frozen=True, slots=True)
class DeskMark:
    """``kind`` is match, segment, part (not matched), again, out, held, comment or chosen."""

    kind: str
    number: int
    spans: Spans


def desk_pieces(
    desk: Desk, content: str, chosen: Spans, comments: Sequence[Spans]
) -> tuple[WordsPiece, ...]:
    """The text in pieces with their marks; ``comments`` in the order of their numbers."""
    evidence = desk.report.evidence
    marks = ((mark.spans, mark) for mark in _marks(desk, chosen, comments))
    weights = {scu.uid: scu.weight for scu in desk.pyramid.scus}
    numbers = desk.pyramid.numbers()
    heaviest = heaviest_of(desk.pyramid)
    pieces = []
    for piece in cut_at_marks(content, marks):
        matches = [evidence.matches[mark.number] for mark in piece.marks if mark.kind == "match"]
        if matches:
            weight = max(weights[match.scu_uid] for match in matches)
            classes = [f"match match-band-{band_of(weight, heaviest)}", *_doubt_class(matches)]
        else:
            classes = list(_unmatched_class({mark.kind for mark in piece.marks}, piece.words))
        labels = [_label(desk, mark, numbers) for mark in piece.ending]
        if piece.words:
            pieces.append(
                WordsPiece(
                    start=piece.start,
                    words=piece.words,
                    look=" ".join([*classes, *_tie_classes(piece.marks)]),
                    uids=tuple(match.scu_uid for match in matches),
                    label=" ".join(label for label in labels if label),
                )
            )
    return tuple(pieces)


def _marks(desk: Desk, chosen: Spans, comments: Sequence[Spans]) -> Iterator[DeskMark]:
    evidence = desk.report.evidence
    for number, match in enumerate(evidence.matches):
        yield DeskMark("match", number, match.spans)
    for number, segment in enumerate(evidence.segments):
        yield DeskMark("segment", number, segment.spans)
    unmatched = (part for part in evidence.unmatched if not is_mostly_in(part.spans, evidence.held))
    for number, segment in enumerate(unmatched):
        yield DeskMark("part", number, segment.spans)
    for repeat in evidence.repeats:
        yield DeskMark("again", repeat.scu_uid, repeat.segment.spans)
    for number, span in enumerate(desk.excluded):
        yield DeskMark("out", number, (span,))
    for number, span in enumerate(evidence.held):
        yield DeskMark("held", number, (span,))
    for number, spans in enumerate(comments, start=1):
        yield DeskMark("comment", number, spans)
    yield DeskMark("chosen", 0, chosen)


def _doubt_class(matches: Sequence[Match]) -> Iterator[str]:
    if all(match.waits for match in matches):
        yield "is-waiting"
    elif all(is_doubtful(match) for match in matches):
        yield "is-doubtful"


def _unmatched_class(kinds: set[str], words: str) -> Iterator[str]:
    if classes := [name for kind, name in _CLASSES.items() if kind in kinds]:
        yield classes[0]
    elif "segment" not in kinds and len(WORD.findall(words)) >= WORDS_WORTH_A_REMARK:
        yield "uncounted"


def _tie_classes(marks: Sequence[DeskMark]) -> Iterator[str]:
    """Classes beside those of the look; “part-3” ties the pieces of a statement together."""
    for mark in marks:
        if mark.kind in {"part", "out"}:
            yield f"{mark.kind}-{mark.number}"
        elif mark.kind in {"comment", "chosen"}:
            yield "is-commented" if mark.kind == "comment" else "is-chosen"


def _label(desk: Desk, mark: DeskMark, numbers: Mapping[int, int]) -> str:
    """What stands behind the words of a mark, as the legend explains it."""
    evidence = desk.report.evidence
    if mark.kind == "match":
        match = evidence.matches[mark.number]
        return f"{numbers[match.scu_uid]}{_match_symbols(match)}"
    if mark.kind == "held":
        return "" if evidence.is_held else "‖"
    if mark.kind == "again":
        return f"{numbers[mark.number]}\u00a0↩"
    return {"part": "○", "comment": f"[{mark.number}]"}.get(mark.kind, "")


def _match_symbols(match: Match) -> str:
    if match.by_hand:
        return "✎!" if match.remarks else "✎"
    if match.contradicts:
        return "\u2009≠"
    return f"{'?' if is_doubtful(match) else ''}{'!' if match.remarks else ''}"

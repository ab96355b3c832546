"""A student's text with its marks: matched, repeated, contradicting, held, or not matched."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grading.feedback.ideas import Contradiction, MatchedIdea, ReaderContext
from grading.pyramid.formats.highlighted_text import Piece, cut_at_marks
from grading.pyramid.structures import Spans
from grading.web.marked_text import element

# A stray "and" between two statements is not worth a remark; a clause that does not count is.
WORDS_WORTH_A_REMARK = 3
WORD = re.compile(r"\w+")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """A stretch of the text in which nothing changes; what is *ending* has its last words here."""

    words: str
    start: int
    matched: tuple[MatchedIdea, ...]  # heaviest first
    ending_matched: tuple[MatchedIdea, ...]
    is_unmatched: bool  # a statement that counts, without an idea
    ends_unmatched: bool
    repeated: tuple[MatchedIdea, ...]  # that these words repeat or elaborate
    ending_repeated: tuple[MatchedIdea, ...]
    contradictions: tuple[Contradiction, ...]  # only where no idea is matched
    ending_contradictions: tuple[Contradiction, ...]
    is_held: bool  # not written in sentences, and not yet decided on
    ends_held: bool
    is_uncounted: bool  # no statement, and long enough to say so
    ending_comments: tuple[int, ...]  # their numbers
    is_commented: bool
    is_anchor: bool  # something on the page links here

    @property
    def numbers(self) -> str:
        return " ".join(str(row.number) for row in self.matched or self.repeated)


class MarkedText:
    """The text cut wherever a mark begins or ends.

    Steps need to know the pieces to link to, and pieces need to know who links to them. So the text
    is cut first (``anchor`` then finds a piece), and ``pieces`` come last.
    """

    def __init__(
        self,
        context: ReaderContext,
        matched: Sequence[MatchedIdea],
        contradictions: Sequence[Contradiction],
    ) -> None:
        evidence = context.report.evidence
        self._marks: list[Spans] = []
        self._matched: dict[int, MatchedIdea] = {}
        self._repeated: dict[int, MatchedIdea] = {}
        self._contradictions: dict[int, Contradiction] = {}
        matched_uids = {row.idea.uid: row for row in matched}
        contradicted_uids = {row.uid: row for row in contradictions}
        for match in context.matches:
            self._matched[self._add(match.spans)] = matched_uids[match.scu]
        segments = {segment: self._add(segment.spans) for segment in evidence.segments}
        self._unmatched = {segments[segment] for segment in evidence.idle}
        for repeat in evidence.repeats:
            mark = self._add(repeat.segment.spans)
            if repeat.scu in matched_uids:
                self._repeated[mark] = matched_uids[repeat.scu]
            if repeat.scu in contradicted_uids:
                self._contradictions[mark] = contradicted_uids[repeat.scu]
        for contradiction in contradictions:
            self._contradictions[self._add(contradiction.spans)] = contradiction
        self._held = {self._add((span,)) for span in evidence.held}
        self._comments = {
            self._add(comment.spans): number
            for number, comment in enumerate(context.comments, start=1)
        }
        self._pieces = cut_at_marks(context.text.content, self._marks)
        self._starts = [piece.start for piece in self._pieces]

    def _add(self, spans: Spans) -> int:
        self._marks.append(spans)
        return len(self._marks) - 1

    def anchor(self, spans: Spans) -> int:
        """The start of the piece in which the words begin."""
        return self._starts[max(0, bisect_right(self._starts, spans[0].start) - 1)]

    def pieces(self, anchors: Collection[int]) -> tuple[MarkedPiece, ...]:
        """The whole text in order; ``anchors`` are the starts of pieces that something links to."""
        return tuple(self._marked(piece, piece.start in anchors) for piece in self._pieces)

    def _marked(self, piece: Piece, is_anchor: bool) -> MarkedPiece:
        """Of several marks on the same words a match comes first, then a contradiction."""
        matched = _pick(self._matched, piece.marks)
        contradictions = () if matched else _pick(self._contradictions, piece.marks)
        is_held = not matched and not contradictions and bool(self._held & {*piece.marks})
        is_plain = not matched and not contradictions and not is_held
        is_unmatched = is_plain and bool(self._unmatched & {*piece.marks})
        is_bare = all(mark in self._comments for mark in piece.marks)
        return MarkedPiece(
            words=piece.words,
            start=piece.start,
            matched=tuple(sorted(matched, key=lambda row: (-row.idea.weight, row.number))),
            ending_matched=_pick(self._matched, piece.ending),
            is_unmatched=is_unmatched,
            ends_unmatched=is_unmatched and bool(self._unmatched & {*piece.ending}),
            repeated=_pick(self._repeated, piece.marks) if is_plain else (),
            ending_repeated=_pick(self._repeated, piece.ending) if is_plain else (),
            contradictions=contradictions,
            ending_contradictions=_pick(self._contradictions, piece.ending)
            if contradictions
            else (),
            is_held=is_held,
            ends_held=is_held and bool(self._held & {*piece.ending}),
            is_uncounted=is_bare and len(WORD.findall(piece.words)) >= WORDS_WORTH_A_REMARK,
            ending_comments=_pick(self._comments, piece.ending),
            is_commented=bool(_pick(self._comments, piece.marks)),
            is_anchor=is_anchor,
        )


def _pick(by_mark: dict[int, T], marks: Iterable[int]) -> tuple[T, ...]:
    return tuple(by_mark[mark] for mark in marks if mark in by_mark)


# --- as HTML ---


def text_html(pieces: Iterable[MarkedPiece], *, is_held: bool) -> SafeString:
    """The text with a label behind the last words of each mark.

    ``is_held`` says that the whole text is held; the label is then left out, the page says it.
    """
    return format_html_join("", "{}", ((_piece_html(piece, is_held),) for piece in pieces))


def _piece_html(piece: MarkedPiece, is_held: bool) -> SafeString:
    if piece.matched:
        marked = _matched_html(piece)
    elif piece.contradictions:
        numbers = " ".join(f"against-{row.number}" for row in piece.contradictions)
        labels = [
            _label(f"#idea-against-{row.number}", "≠", "may contradict the experts")
            for row in piece.ending_contradictions
        ]
        marked = _span(piece, "contradicted", numbers, labels)
    elif piece.is_held:
        labels = [_label("#held", "‖", "held")] if piece.ends_held and not is_held else []
        marked = _span(piece, "held-words", "", labels)
    elif piece.is_unmatched:
        labels = [_label("#idea-none", "○", "not matched")] if piece.ends_unmatched else []
        marked = _span(piece, "unmatched", "none", labels)
    elif piece.repeated:
        labels = [
            element(
                "a",
                format_html(
                    "<span> [belongs to idea </span>{}<span>] </span>",
                    row.number,
                ),
                class_="match-label is-again",
                href=f"#idea-{row.number}",
            )
            for row in piece.ending_repeated
        ]
        marked = _span(piece, "said-again", f"{piece.numbers} again", labels)
    else:
        marked = _span(piece, "uncounted" if piece.is_uncounted else "", "", ())
    if piece.is_commented:
        marked = element("span", marked, class_="commented")
    comments = format_html_join(
        "",
        '<a class="match-label comment-label" href="#comment-{0}">'
        "<span> [comment </span>[{0}]<span>] </span></a>",
        ((number,) for number in piece.ending_comments),
    )
    return format_html("{}{}", marked, comments)


def _matched_html(piece: MarkedPiece) -> SafeString:
    labels = []
    for row in piece.ending_matched:
        doubtful = " is-doubtful" if row.doubtful else ""
        to_check = " is-to-check" if row.remarks else ""
        label = format_html(
            "<span> [idea </span>{}<span>: {}] </span>",
            row.number,
            row.spoken,
        )
        look = f"match-label{doubtful}{to_check}"
        labels.append(element("a", label, href=f"#idea-{row.number}", class_=look))
    doubtful = " is-doubtful" if all(row.doubtful for row in piece.matched) else ""
    manual = " is-manual" if all(row.marked_by for row in piece.matched) else ""
    band = max(row.idea.band for row in piece.matched)
    look = f"match match-band-{band}{doubtful}{manual}"
    return _span(piece, look, piece.numbers, labels, tag="mark")


def _span(
    piece: MarkedPiece,
    look: str,
    about: str,
    labels: Sequence[SafeString],
    *,
    tag: str = "span",
) -> SafeString:
    """The words as an element that scripts find; ``about`` are the cards that it belongs to."""
    return element(
        tag,
        format_html("{}{}", piece.words, format_html_join("", "{}", ((row,) for row in labels))),
        class_=look,
        data_found=about,
        data_start=piece.start,
        id=f"words-{piece.start}" if piece.is_anchor else None,
    )


def _label(href: str, sign: str, spoken: str) -> SafeString:
    return format_html(
        '<a class="match-label" href="{}"><b aria-hidden="true">{}</b><span> [{}] </span></a>',
        href,
        sign,
        spoken,
    )

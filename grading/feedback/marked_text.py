"""A student's text with its marks: matched, repeated, contradicting, held, or not matched.

A mark has no link of its own. Each sentence with marks has one behind its last words; it leads to
what is said about the sentence.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeVar

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grading.feedback.ideas import Contradiction, MatchedIdea, ReaderContext
from grading.pyramid.characters import WORD
from grading.pyramid.feedback.likely_ideas import sentences_of
from grading.pyramid.formats.highlighted_text import cut_at_marks
from grading.pyramid.structures import Span, Spans, is_mostly_in
from grading.scoring.comments_shown import ShownComment
from grading.web.marked_text import element
from grading.web.word_spans import place_of

# A stray "and" between two statements is not worth a remark; a clause that does not count is.
WORDS_WORTH_A_REMARK = 3
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RepeatedWords:
    """Words that repeat or elaborate a matched idea."""

    idea: MatchedIdea
    words: str
    place: str  # as addresses have it


@dataclass(frozen=True, slots=True)
class UnmatchedWords:
    """A statement without an idea."""

    words: str
    place: str


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence with marks that begin in it; ``number`` counts these sentences."""

    number: int
    span: Span
    place: str
    matched: tuple[MatchedIdea, ...]
    contradictions: tuple[Contradiction, ...]
    repeated: tuple[RepeatedWords, ...]
    unmatched: tuple[UnmatchedWords, ...]
    comments: tuple[ShownComment, ...]
    is_held: bool

    @property
    def is_marked(self) -> bool:
        rows = (self.matched, self.contradictions, self.repeated, self.unmatched)
        return self.is_held or any(rows)

    @property
    def has_one_statement(self) -> bool:
        rows = (*self.matched, *self.contradictions, *self.repeated, *self.unmatched)
        return len(rows) == 1

    @property
    def needs_decision(self) -> bool:
        """Is anything in it unsure, to check, or without points until a person decides?"""
        unsure = any(row.needs_decision for row in self.matched)
        return unsure or bool(self.contradictions) or self.is_held


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
    is_uncounted: bool  # no statement, and long enough to say so
    ending_comments: tuple[int, ...]  # their numbers
    is_commented: bool
    is_anchor: bool  # something on the page links here
    sentence: MarkedSentence | None
    ends_sentence: bool


class FeedbackText:
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
        self._unmatched = {segments[segment] for segment in evidence.unmatched}
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
        self._sentences = [(span,) for span in sentences_of(context.text.content)]
        pieces = cut_at_marks(context.text.content, [*self._marks, *self._sentences])
        self._pieces = [piece for piece in pieces if piece.words]
        self.sentences = self._marked_sentences(context)
        self._starts = [piece.start for piece in self._pieces]

    def _add(self, spans: Spans) -> int:
        self._marks.append(spans)
        return len(self._marks) - 1

    def anchor(self, spans: Spans) -> int:
        """The start of the piece in which the words begin."""
        return self._starts[max(0, bisect_right(self._starts, spans[0].start) - 1)]

    def pieces(self, anchors: Collection[int]) -> tuple[MarkedPiece, ...]:
        """The whole text in order; ``anchors`` are the starts of pieces that something links to."""
        by_start = {sentence.span.start: sentence for sentence in self.sentences}
        first = len(self._marks)
        pieces = []
        for piece in self._pieces:
            here = [self._sentences[mark - first][0] for mark in piece.marks if mark >= first]
            sentence = by_start.get(here[0].start) if here else None
            marks = replace(
                piece,
                marks=tuple(mark for mark in piece.marks if mark < first),
                ending=tuple(mark for mark in piece.ending if mark < first),
            )
            # Of several marks on the same words a match comes first, then a contradiction.
            matched = _pick(self._matched, marks.marks)
            contradictions = () if matched else _pick(self._contradictions, marks.marks)
            is_held = not matched and not contradictions and bool(self._held & {*marks.marks})
            is_plain = not matched and not contradictions and not is_held
            is_unmatched = is_plain and bool(self._unmatched & {*marks.marks})
            is_bare = all(mark in self._comments for mark in marks.marks)
            pieces.append(
                MarkedPiece(
                    words=marks.words,
                    start=marks.start,
                    matched=tuple(sorted(matched, key=lambda row: (-row.idea.weight, row.start))),
                    ending_matched=_pick(self._matched, marks.ending),
                    is_unmatched=is_unmatched,
                    ends_unmatched=is_unmatched and bool(self._unmatched & {*marks.ending}),
                    repeated=_pick(self._repeated, marks.marks) if is_plain else (),
                    ending_repeated=_pick(self._repeated, marks.ending) if is_plain else (),
                    contradictions=contradictions,
                    ending_contradictions=_pick(self._contradictions, marks.ending)
                    if contradictions
                    else (),
                    is_held=is_held,
                    is_uncounted=is_bare and len(WORD.findall(marks.words)) >= WORDS_WORTH_A_REMARK,
                    ending_comments=_pick(self._comments, marks.ending),
                    is_commented=bool(_pick(self._comments, marks.marks)),
                    is_anchor=piece.start in anchors,
                    sentence=sentence,
                    ends_sentence=sentence is not None and marks.end == sentence.span.end,
                )
            )
        return tuple(pieces)

    def _marked_sentences(self, context: ReaderContext) -> tuple[MarkedSentence, ...]:
        """Sentences with marks; a mark belongs to the sentence in which it begins."""
        text, evidence = context.text, context.report.evidence
        by_uid = {row.idea.uid: row for row in self._matched.values()}
        sentences: list[MarkedSentence] = []
        for (span,) in self._sentences:

            def begins_here(spans: Spans, span: Span = span) -> bool:
                return span.start <= spans[0].start < span.end

            sentence = MarkedSentence(
                number=len(sentences) + 1,
                span=span,
                place=place_of((span,)),
                matched=tuple(
                    self._matched[mark] for mark in self._matched if begins_here(self._marks[mark])
                ),
                contradictions=tuple(
                    dict.fromkeys(
                        row
                        for mark, row in self._contradictions.items()
                        if begins_here(self._marks[mark])
                    )
                ),
                repeated=tuple(
                    RepeatedWords(
                        by_uid[repeat.scu],
                        text.quoted(repeat.segment.spans),
                        place_of(repeat.segment.spans),
                    )
                    for repeat in evidence.repeats
                    if repeat.scu in by_uid and begins_here(repeat.segment.spans)
                ),
                unmatched=tuple(
                    UnmatchedWords(text.quoted(segment.spans), place_of(segment.spans))
                    for segment in evidence.unmatched
                    if begins_here(segment.spans) and not is_mostly_in(segment.spans, evidence.held)
                ),
                comments=tuple(
                    comment
                    for comment in context.comments
                    if comment.spans and begins_here(comment.spans)
                ),
                is_held=any(
                    held.start < span.end and span.start < held.end for held in evidence.held
                ),
            )
            if sentence.is_marked:
                sentences.append(sentence)
        return tuple(sentences)


def _pick(by_mark: dict[int, T], marks: Iterable[int]) -> tuple[T, ...]:
    return tuple(by_mark[mark] for mark in marks if mark in by_mark)


# --- as HTML ---


def text_html(
    pieces: Iterable[MarkedPiece], *, links: str, chosen: MarkedSentence | None = None
) -> SafeString:
    """The text; behind each sentence with marks is the link to what is said about it.

    ``links`` is how addresses begin: “#” where all is on this page, “?” and a query where it comes
    beside the text; empty for no links.
    """
    parts: list[SafeString] = []
    by_sentence = groupby(pieces, key=lambda piece: piece.sentence and piece.sentence.number)
    for _, group in by_sentence:
        row = list(group)
        html = format_html_join("", "{}", ((_piece_html(piece),) for piece in row))
        sentence = row[0].sentence
        if sentence is not None and links:
            html = element(
                "span",
                format_html("{}{}", html, _sentence_link(sentence, links)),
                id=f"s{sentence.number}",
                data_sentence=sentence.number,
                class_="is-chosen" if sentence == chosen else "",
            )
        parts.append(html)
    return format_html_join("", "{}", ((part,) for part in parts))


def _piece_html(piece: MarkedPiece) -> SafeString:
    comments = format_html_join(
        "",
        '<b class="match-label comment-label"><span> [comment </span>[{0}]<span>] </span></b>',
        ((number,) for number in piece.ending_comments),
    )
    if piece.matched:
        looks = [f"match match-band-{max(row.idea.band for row in piece.matched)}"]
        if any(row.needs_decision for row in piece.matched):
            looks.append("is-doubtful")
    elif piece.contradictions:
        looks = ["contradicted"]
    elif piece.is_held:
        looks = ["held-words"]
    elif piece.repeated:
        looks = ["said-again"]
    else:
        looks = ["uncounted"] if piece.is_uncounted else []
    html = element(
        "mark" if piece.matched else "span",
        piece.words,
        class_=" ".join([*looks, *(["commented"] if piece.is_commented else [])]),
        data_start=piece.start,
        id=f"words-{piece.start}" if piece.is_anchor else None,
    )
    return format_html("{}{}", html, comments) if comments else html


def _sentence_link(sentence: MarkedSentence, links: str) -> SafeString:
    """Its signs, as the legend explains them: the numbers of its ideas, ↩, ≠, ○ and ‖."""
    signs: list[str] = []
    words: list[str] = []
    for row in sentence.matched:
        signs.append(f"{row.idea.number or '●'}{row.sign}")
        words.append(f"{row.name}, {row.spoken}")
    for again in sentence.repeated:
        if again.idea in sentence.matched:
            continue
        signs.append(f"{again.idea.idea.number or ''}↩")
        words.append(f"repeats {again.idea.name}")
    if sentence.contradictions:
        signs.append("≠")
        words.append("may contradict the experts")
    if sentence.unmatched:
        signs.append("○")
        words.append("not matched")
    if sentence.is_held:
        signs.append("‖")
        words.append("held")
    number = sentence.number
    here = f"#sentence-{number}" if links == "#" else f"{links}sentence={number}#s{number}"
    return format_html(
        '<a class="match-label{}" href="{}"><b aria-hidden="true">{}</b><span> [{}] </span></a>',
        " is-loud" if sentence.needs_decision else "",
        here,
        " ".join(dict.fromkeys(signs)),
        f"sentence {number}: {'; '.join(dict.fromkeys(words))}",
    )

"""A student's text with its marks: matched, repeated, contradicting, held, or not matched.

A mark has no link of its own. Each sentence with marks has one behind its last words; it leads to
what was found in the sentence.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grading.feedback.ideas import Contradiction, MatchedIdea, ReaderContext
from grading.pyramid.characters import WORD
from grading.pyramid.feedback.likely_ideas import sentences_of
from grading.pyramid.marked_pieces import cut_at_marks
from grading.pyramid.structures import Span, Spans, is_mostly_in
from grading.scoring.comments_shown import ShownComment
from grading.web.html_elements import element
from grading.web.word_spans import span_ref

# A stray "and" between two statements is not worth a remark; a clause that does not count is.
WORDS_WORTH_A_REMARK = 3


@dataclass(frozen=True, slots=True)
class RepeatedWords:
    """Words that repeat or elaborate a matched idea."""

    idea: MatchedIdea
    words: str
    span_ref: str  # as addresses have it


@dataclass(frozen=True, slots=True)
class UnmatchedWords:
    """A statement without an idea."""

    words: str
    span_ref: str


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence with marks that begin in it; ``number`` counts these sentences."""

    number: int
    span: Span
    span_ref: str
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


@dataclass(frozen=True, slots=True)
class _Mark:
    """Words that something on the page is about; the other fields say what that is."""

    spans: Spans
    matched: MatchedIdea | None = None
    repeated: MatchedIdea | None = None
    contradiction: Contradiction | None = None
    is_unmatched: bool = False
    is_held: bool = False
    comment: int | None = None  # its number
    sentence: Span | None = None  # every sentence of the text is a mark


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
        self._marks = tuple(_marks(context, matched, contradictions))
        self._sentences = sentences_of(context.text.content)
        marks = [*self._marks, *(_Mark((span,), sentence=span) for span in self._sentences)]
        pieces = cut_at_marks(context.text.content, ((mark.spans, mark) for mark in marks))
        self._pieces = [piece for piece in pieces if piece.words]
        self.sentences = self._marked_sentences(context)
        self._starts = [piece.start for piece in self._pieces]

    def anchor(self, spans: Spans) -> int:
        """The start of the piece in which the words begin."""
        return self._starts[max(0, bisect_right(self._starts, spans[0].start) - 1)]

    def pieces(self, anchors: Collection[int]) -> tuple[MarkedPiece, ...]:
        """The whole text in order; ``anchors`` are the starts of pieces that something links to."""
        by_span = {sentence.span: sentence for sentence in self.sentences}
        pieces = []
        for piece in self._pieces:
            marks, ending = piece.marks, piece.ending
            sentence = next((by_span.get(mark.sentence) for mark in marks if mark.sentence), None)
            # Of several marks on the same words a match comes first, then a contradiction.
            matched = tuple(mark.matched for mark in marks if mark.matched)
            contradictions = (
                () if matched else tuple(mark.contradiction for mark in marks if mark.contradiction)
            )
            has_idea = bool(matched or contradictions)
            is_held = not has_idea and any(mark.is_held for mark in marks)
            is_plain = not has_idea and not is_held
            is_unmatched = is_plain and any(mark.is_unmatched for mark in marks)
            is_unmarked = all(mark.comment or mark.sentence for mark in marks)
            is_long = len(WORD.findall(piece.words)) >= WORDS_WORTH_A_REMARK
            pieces.append(
                MarkedPiece(
                    words=piece.words,
                    start=piece.start,
                    matched=tuple(sorted(matched, key=lambda row: (-row.idea.weight, row.start))),
                    ending_matched=tuple(mark.matched for mark in ending if mark.matched),
                    is_unmatched=is_unmatched,
                    ends_unmatched=is_unmatched and any(mark.is_unmatched for mark in ending),
                    repeated=tuple(mark.repeated for mark in marks if mark.repeated and is_plain),
                    ending_repeated=tuple(
                        mark.repeated for mark in ending if mark.repeated and is_plain
                    ),
                    contradictions=contradictions,
                    ending_contradictions=tuple(
                        mark.contradiction
                        for mark in ending
                        if mark.contradiction and contradictions
                    ),
                    is_held=is_held,
                    is_uncounted=is_unmarked and is_long,
                    ending_comments=tuple(mark.comment for mark in ending if mark.comment),
                    is_commented=any(mark.comment for mark in marks),
                    is_anchor=piece.start in anchors,
                    sentence=sentence,
                    ends_sentence=sentence is not None and piece.end == sentence.span.end,
                )
            )
        return tuple(pieces)

    def _marked_sentences(self, context: ReaderContext) -> tuple[MarkedSentence, ...]:
        """Sentences with marks; a mark belongs to the sentence in which it begins."""
        text, evidence = context.text, context.report.evidence
        by_uid = {mark.matched.idea.uid: mark.matched for mark in self._marks if mark.matched}
        sentences: list[MarkedSentence] = []
        for span in self._sentences:

            def begins_here(spans: Spans, span: Span = span) -> bool:
                return span.start <= spans[0].start < span.end

            sentence = MarkedSentence(
                number=len(sentences) + 1,
                span=span,
                span_ref=span_ref((span,)),
                matched=tuple(
                    mark.matched for mark in self._marks if mark.matched and begins_here(mark.spans)
                ),
                contradictions=tuple(
                    dict.fromkeys(
                        mark.contradiction
                        for mark in self._marks
                        if mark.contradiction and begins_here(mark.spans)
                    )
                ),
                repeated=tuple(
                    RepeatedWords(
                        by_uid[repeat.scu_uid],
                        text.quoted(repeat.segment.spans),
                        span_ref(repeat.segment.spans),
                    )
                    for repeat in evidence.repeats
                    if repeat.scu_uid in by_uid and begins_here(repeat.segment.spans)
                ),
                unmatched=tuple(
                    UnmatchedWords(text.quoted(segment.spans), span_ref(segment.spans))
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


def _marks(
    context: ReaderContext,
    matched: Sequence[MatchedIdea],
    contradictions: Sequence[Contradiction],
) -> Iterator[_Mark]:
    """What is marked in the text, but for its sentences."""
    evidence = context.report.evidence
    matched_by_uid = {row.idea.uid: row for row in matched}
    contradictions_by_uid = {row.uid: row for row in contradictions}
    for match in context.matches:
        yield _Mark(match.spans, matched=matched_by_uid[match.scu_uid])
    unmatched = set(evidence.unmatched)
    for segment in evidence.segments:
        yield _Mark(segment.spans, is_unmatched=segment in unmatched)
    for repeat in evidence.repeats:
        yield _Mark(
            repeat.segment.spans,
            repeated=matched_by_uid.get(repeat.scu_uid),
            contradiction=contradictions_by_uid.get(repeat.scu_uid),
        )
    for contradiction in contradictions:
        yield _Mark(contradiction.spans, contradiction=contradiction)
    for span in evidence.held:
        yield _Mark((span,), is_held=True)
    for number, comment in enumerate(context.comments, start=1):
        yield _Mark(comment.spans, comment=number)


# --- as HTML ---


def text_html(
    pieces: Iterable[MarkedPiece], *, links: str, chosen: MarkedSentence | None = None
) -> SafeString:
    """The text; behind each sentence with marks is the link to what was found in it.

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
    """Its symbols, as the legend explains them: the numbers of its ideas, ↩, ≠, ○ and ‖."""
    symbols: list[str] = []
    words: list[str] = []
    for row in sentence.matched:
        symbols.append(f"{row.idea.number or '●'}{row.symbol}")
        words.append(f"{row.name}, {row.spoken}")
    for again in sentence.repeated:
        if again.idea in sentence.matched:
            continue
        symbols.append(f"{again.idea.idea.number or ''}↩")
        words.append(f"repeats {again.idea.name}")
    if sentence.contradictions:
        symbols.append("≠")
        words.append("may contradict the experts")
    if sentence.unmatched:
        symbols.append("○")
        words.append("not matched")
    if sentence.is_held:
        symbols.append("‖")
        words.append("held")
    number = sentence.number
    here = f"#sentence-{number}" if links == "#" else f"{links}sentence={number}#s{number}"
    return format_html(
        '<a class="match-label{}" href="{}"><b aria-hidden="true">{}</b><span> [{}] </span></a>',
        " is-loud" if sentence.needs_decision else "",
        here,
        " ".join(dict.fromkeys(symbols)),
        f"sentence {number}: {'; '.join(dict.fromkeys(words))}",
    )

"""Sentences with all their segmentations (PyrEval, section 4.1 and figure 3).

The first segmentation is the whole sentence. A sentence of several clauses has one alternative
for each choice of clauses to cut from their governors, the full split first. Unlike the paper's
figure, conjunctions and marks left at the edge of a segment are dropped ("suggests and.").
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, compress, islice

from grading.pyramid.parsing import ParsedSentence, ParsedText
from grading.pyramid.segmentation.clauses import clauses_of, merge
from grading.pyramid.structures import (
    Segment,
    Segmentation,
    SegmentedText,
    Sentence,
    Span,
    Token,
    join_spans,
)

_OPENING = "([{\u201c\u2018\u00ab\"'"
_CLOSING = ")]}\u201d\u2019\u00bb\"'"
_PARTNERS = dict(zip(_OPENING + _CLOSING, _CLOSING + _OPENING, strict=True))


def segment(parsed: ParsedText, *, max_segmentations: int) -> SegmentedText:
    """Each sentence with its segmentations, at most ``max_segmentations`` of them."""
    sentences = (
        Sentence(
            sentence.span,
            tuple(islice(_segmentations(sentence), max_segmentations)),
            sentence.tokens,
        )
        for sentence in parsed.sentences
    )
    return SegmentedText(parsed.text, tuple(sentences))


def _segmentations(sentence: ParsedSentence) -> Iterator[Segmentation]:
    yield Segmentation((Segment((sentence.span,)),))
    clauses = clauses_of(sentence)
    for cut in _cuts([clause.is_tensed for clause in clauses[1:]]):
        segments = (_segment(sentence.tokens, indexes) for indexes in merge(clauses, cut))
        yield Segmentation(tuple(segments))


def _cuts(tensed: Sequence[bool]) -> Iterator[tuple[int, ...]]:
    """Choices among boundaries from 1 on: those before tensed clauses, all, all but one, ..."""
    count = len(tensed)
    before_tensed = tuple(compress(range(1, count + 1), tensed))
    if before_tensed:
        yield before_tensed
    for size in sorted(range(1, count + 1), key=lambda size: min(count - size, size + 0.5)):
        for cut in combinations(range(1, count + 1), size):
            if cut != before_tensed:
                yield cut


def _segment(tokens: Sequence[Token], indexes: frozenset[int]) -> Segment:
    runs = (_trimmed(run) for run in _runs([tokens[index] for index in sorted(indexes)]))
    return Segment(join_spans(Span(run[0].start, run[-1].end) for run in runs if run))


def _runs(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The tokens in stretches that are unbroken in the sentence."""
    start = 0
    for end in range(1, len(tokens) + 1):
        if end == len(tokens) or tokens[end].index != tokens[end - 1].index + 1:
            yield tokens[start:end]
            start = end


def _trimmed(run: Sequence[Token]) -> Sequence[Token]:
    """A stretch without marks and bare conjunctions at its edges; brackets in pairs may stay."""
    start, end = 0, len(run)
    while start < end and not _may_open(run[start], run[start + 1 : end]):
        start += 1
    while start < end and not _may_close(run[end - 1], run[start : end - 1]):
        end -= 1
    return run[start:end]


def _may_open(token: Token, following: Sequence[Token]) -> bool:
    return not _is_stray(token) or (token.text in _OPENING and _has_partner(token, following))


def _may_close(token: Token, preceding: Sequence[Token]) -> bool:
    return not _is_stray(token) or (token.text in _CLOSING and _has_partner(token, preceding))


def _has_partner(token: Token, others: Sequence[Token]) -> bool:
    partner = _PARTNERS.get(token.text)
    return any(other.text == partner for other in others)


def _is_stray(token: Token) -> bool:
    return token.is_punct or (token.dep == "cc" and token.pos == "CCONJ")

"""Sentences with all their segmentations (PyrEval, section 4.1 and figure 3).

The first segmentation is the whole sentence. A sentence of several clauses has one alternative
for each choice of clauses to cut from their governors, the full split first. Unlike the paper's
figure, conjunctions and marks left at the edge of a segment are dropped ("suggests and.").
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, compress, islice

from grading.pyramid.parsing import ParsedSentence, ParsedText
from grading.pyramid.segmentation.clauses import clauses_of, merge
from grading.pyramid.segmentation.words import Words, runs
from grading.pyramid.structures import (
    Segment,
    Segmentation,
    SegmentedText,
    Sentence,
    Span,
    Token,
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
    segments: dict[Words, Segment] = {}  # many cuts have the same ones
    for cut in _cuts([clause.is_tensed for clause in clauses[1:]]):
        merged = merge(clauses, cut)
        for words in merged:
            if words not in segments:
                segments[words] = _segment(sentence.tokens, words)
        yield Segmentation(tuple([segments[words] for words in merged]))


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


def _segment(tokens: Sequence[Token], words: Words) -> Segment:
    trimmed = [_trimmed(tokens[start:end]) for start, end in runs(words)]
    return Segment(tuple([Span(run[0].start, run[-1].end) for run in trimmed if run]))


def _trimmed(run: Sequence[Token]) -> Sequence[Token]:
    """A stretch without marks and bare conjunctions at its edges; brackets in pairs may stay."""
    start, end = 0, len(run)
    while start < end and _is_stray(run[start]) and not _opens(run, start, end):
        start += 1
    while start < end and _is_stray(run[end - 1]) and not _closes(run, start, end):
        end -= 1
    return run[start:end]


def _opens(run: Sequence[Token], start: int, end: int) -> bool:
    return run[start].text in _OPENING and _has_partner(run[start], run[start + 1 : end])


def _closes(run: Sequence[Token], start: int, end: int) -> bool:
    return run[end - 1].text in _CLOSING and _has_partner(run[end - 1], run[start : end - 1])


def _has_partner(token: Token, others: Sequence[Token]) -> bool:
    partner = _PARTNERS.get(token.text)
    return any(other.text == partner for other in others)


def _is_stray(token: Token) -> bool:
    return token.is_punct or (token.dep == "cc" and token.pos == "CCONJ")


# Lines of a text that make no statement: titles, headings, names, word counts.

_FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_STOPS = (".", "!", "?", ";", "\u2026")
_HEADING_CLOSING = "\"')]\u2019\u201d"
_LONGEST = 15  # words of a heading


# “Word count: 219.”, “(219 words)”, “Total words = 219”, “The word count is 219”
_WORD_COUNT = re.compile(
    r"\W*(?:(?:the )?(?:total )?(?:word count|number of words|words)(?: is| was)?\W*"
    r"(?:about |approximately )?\d[\d,. ]*(?:words)?|(?:about |approximately )?\d[\d,.]* words)\W*",
    re.IGNORECASE,
)
# “Name: Ada Okoro.”
_LABELLED = re.compile(
    r"\W*(?:name|author|date|course|tutor|instructor|student(?:['\u2019]s)? ?(?:name|number|id))"
    r"\s*:",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]+")
_UNCAPITALISED = frozenset((  # in titles
    "a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "nor", "of", "off",
    "on", "or", "over", "per", "s", "t", "than", "the", "to", "up", "via", "vs", "with",
))  # fmt: skip


def is_heading(text: SegmentedText, sentence: Sentence) -> bool:
    """Whether the sentence is a title, heading, name or word count, which says nothing.

    A word count is one wherever it stands. A heading is a line of its own without a full stop: it
    has no finite verb, or is capitalised like a title, or it is the first line and other sentences
    of the text end in a full stop. What was not parsed is no heading.
    """
    content = text.text.content
    words = content[sentence.span.start : sentence.span.end]
    if not sentence.tokens or len(words.split()) > _LONGEST:
        return False
    says_nothing = not any(token.tag in _FINITE for token in sentence.tokens)
    if _WORD_COUNT.fullmatch(words) or (says_nothing and _LABELLED.match(words)):
        return True
    is_question = words.rstrip(_HEADING_CLOSING).endswith("?")
    if not _is_a_line(content, sentence) or (_has_stop(words) and not is_question):
        return False
    if _is_titled(words) and _is_in_small_letters(content):
        return True
    return not is_question and (says_nothing or _is_before_sentences(text, sentence))


def _is_before_sentences(text: SegmentedText, sentence: Sentence) -> bool:
    content = text.text.content
    return text.sentences[0] is sentence and any(
        _has_stop(content[other.span.start : other.span.end]) for other in text.sentences[1:]
    )


def _has_stop(words: str) -> bool:
    return words.rstrip(_HEADING_CLOSING).endswith(_STOPS)


def _is_titled(words: str) -> bool:
    """Whether it is capitalised like a title, not shouted: “What Makes Cities Hot?”."""
    capitals = [word[0].isupper() for word in _LETTERS.findall(words) if word not in _UNCAPITALISED]
    return len(capitals) > 1 and all(capitals) and not words.isupper()


@lru_cache(maxsize=8)
def _is_in_small_letters(content: str) -> bool:
    """Whether capitals tell a title: most words of the text begin without."""
    words: list[str] = _LETTERS.findall(content)
    return 2 * sum(word[0].islower() for word in words) > len(words)


def _is_a_line(content: str, sentence: Sentence) -> bool:
    before = content[: sentence.span.start].rsplit("\n", 1)[-1]
    after = content[sentence.span.end :].split("\n", 1)[0]
    return not any(character.isalnum() for character in before + after) and "\n" in content.strip()

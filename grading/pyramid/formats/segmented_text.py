"""How a text was read, as JSON: what is kept so that nobody parses it again.

A sentence is its span, its segmentations and its tokens; a segment is the flat list of its spans'
ends; a token is the list of its fields without what follows from its place and the text.
"""

from itertools import pairwise
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import Json
from grading.pyramid.structures import (
    Segment,
    Segmentation,
    SegmentedText,
    Sentence,
    Span,
    Spans,
    Text,
    Token,
)

SEGMENTED_FORMAT: Final = 2


def segmented_text_to_json(text: SegmentedText) -> Json:
    """The segmentations and tokens, without the text."""
    return {
        "format": SEGMENTED_FORMAT,
        "characters": len(text.text.content),
        "sentences": [
            [
                [sentence.span.start, sentence.span.end],
                [
                    [_ends(segment.spans) for segment in segmentation.segments]
                    for segmentation in sentence.segmentations
                ],
                [_token_to_json(token) for token in sentence.tokens],
            ]
            for sentence in text.sentences
        ],
    }


def segmented_text_from_json(value: object, text: Text) -> SegmentedText:
    """The text with its cuts; InputError where they are damaged, or another text's."""
    try:
        return _read(value, text)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"These are not the segments of “{text.name}”: {error}") from error


def _read(value: object, text: Text) -> SegmentedText:
    if not isinstance(value, dict):
        raise TypeError("not an object")
    if (value["format"], value["characters"]) != (SEGMENTED_FORMAT, len(text.content)):
        raise ValueError("another format, or another text")
    sentences = (_sentence(*fields, text=text) for fields in value["sentences"])
    return SegmentedText(text, tuple(sentences))


def _sentence(span: object, ways: object, tokens: object, *, text: Text) -> Sentence:
    [whole] = _spans(span, text)
    if not isinstance(ways, list) or not ways:
        raise ValueError("a sentence without segmentation")
    segmentations = (
        Segmentation(tuple(Segment(_spans(ends, text)) for ends in segments)) for segments in ways
    )
    if not isinstance(tokens, list):
        raise TypeError("tokens that are no list")
    return Sentence(
        whole,
        tuple(segmentations),
        tuple(_token(index, len(tokens), fields, text) for index, fields in enumerate(tokens)),
    )


def _token_to_json(token: Token) -> list[int | str]:
    return [
        token.start,
        token.end,
        token.lemma,
        token.pos,
        token.tag,
        token.dep,
        token.head,
        int(token.is_punct),
    ]


def _token(index: int, count: int, fields: object, text: Text) -> Token:
    if not isinstance(fields, list):
        raise TypeError("a token that is no list")
    start, end, lemma, pos, tag, dep, head, is_punct = fields
    if not all(type(number) is int for number in (start, end, head, is_punct)):
        raise TypeError("a token whose numbers are none")
    if not all(isinstance(name, str) for name in (lemma, pos, tag, dep)):
        raise TypeError("a token whose names are no text")
    if not (0 <= start < end <= len(text.content) and 0 <= head < count):
        raise ValueError("a token outside its text or sentence")
    word = text.content[start:end]
    return Token(index, start, end, word, lemma, pos, tag, dep, head, bool(is_punct))


def _ends(spans: Spans) -> list[int]:
    return [end for span in spans for end in (span.start, span.end)]


def _spans(ends: object, text: Text) -> Spans:
    if not isinstance(ends, list) or not all(type(end) is int for end in ends):
        raise TypeError("ends that are no numbers")
    if any(end >= other for end, other in pairwise([-1, *ends, len(text.content) + 1])):
        raise ValueError("spans that are empty, out of order or outside the text")
    return tuple(Span(*pair) for pair in zip(ends[::2], ends[1::2], strict=True))

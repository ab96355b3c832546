"""How a text was read, as JSON: what is kept so that nobody parses it again.

A sentence is its span, its segmentations and its tokens; a segment is the flat list of its spans'
ends; a token is the list of its fields without what follows from its place and the text.
"""

from collections.abc import Sequence
from itertools import chain
from operator import lt
from typing import Any, Final

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
_NAMES: Final = 4  # of a token: lemma, pos, tag, dep


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
    return Sentence(whole, tuple(segmentations), _tokens(tokens, text))


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


def _tokens(rows: Sequence[Any], text: Text) -> tuple[Token, ...]:
    """The tokens of a sentence; field by field they are checked in a third of the time."""
    if not rows:
        return ()
    starts, ends, *names, heads, puncts = zip(*rows, strict=True)
    if len(names) != _NAMES or {*map(type, chain(starts, ends, heads, puncts))} != {int}:
        raise TypeError("tokens whose numbers are none")
    if {*map(type, chain(*names))} != {str}:
        raise TypeError("tokens whose names are no text")
    is_inside = min(starts) >= 0 and max(ends) <= len(text.content) and all(map(lt, starts, ends))
    if not is_inside or not 0 <= min(heads) <= max(heads) < len(rows):
        raise ValueError("tokens outside their text or sentence")
    words = [text.content[start:end] for start, end in zip(starts, ends, strict=True)]
    marks = map(bool, puncts)
    return tuple(map(Token, range(len(rows)), starts, ends, words, *names, heads, marks))


def _ends(spans: Spans) -> list[int]:
    return [end for span in spans for end in (span.start, span.end)]


def _spans(ends: object, text: Text) -> Spans:
    if not isinstance(ends, list) or not {*map(type, ends)} <= {int}:
        raise TypeError("ends that are no numbers")
    if sorted({*ends}) != ends or (ends and not 0 <= ends[0] <= ends[-1] <= len(text.content)):
        raise ValueError("spans that are empty, out of order or outside the text")
    return tuple(Span(*pair) for pair in zip(ends[::2], ends[1::2], strict=True))

"""How a text was cut, as JSON: what is kept so that nobody parses it again.

A sentence is its span and its segmentations; a segment is the flat list of its spans' ends.
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
)

SEGMENTED_FORMAT: Final = 1


def segmented_text_to_json(text: SegmentedText) -> Json:
    """The cuts, without the text."""
    return {
        "format": SEGMENTED_FORMAT,
        "characters": len(text.text.content),
        "sentences": [
            [
                [sentence.span.start, sentence.span.end],
                [
                    [_ends(segment.spans) for segment in one.segments]
                    for one in sentence.segmentations
                ],
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
    sentences = (_sentence(span, ways, text) for span, ways in value["sentences"])
    return SegmentedText(text, tuple(sentences))


def _sentence(span: object, ways: object, text: Text) -> Sentence:
    [whole] = _spans(span, text)
    if not isinstance(ways, list) or not ways:
        raise ValueError("a sentence without segmentation")
    segmentations = (
        Segmentation(tuple(Segment(_spans(ends, text)) for ends in segments)) for segments in ways
    )
    return Sentence(whole, tuple(segmentations))


def _ends(spans: Spans) -> list[int]:
    return [end for span in spans for end in (span.start, span.end)]


def _spans(ends: object, text: Text) -> Spans:
    if not isinstance(ends, list) or not all(type(end) is int for end in ends):
        raise TypeError("ends that are no numbers")
    if any(one >= other for one, other in pairwise([-1, *ends, len(text.content) + 1])):
        raise ValueError("spans that are empty, out of order or outside the text")
    return tuple(Span(*pair) for pair in zip(ends[::2], ends[1::2], strict=True))

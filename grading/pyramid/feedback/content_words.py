"""The words of a text that carry content: as they are written, where they stand, by their stems."""

from collections.abc import Iterator
from dataclasses import dataclass

from grading.pyramid.encoders.words import words_of
from grading.pyramid.structures import Contributor, Pyramid, Span, Spans, Text


@dataclass(frozen=True, slots=True)
class ContentWord:
    word: str
    stem: str
    span: Span


def content_words(text: Text, spans: Spans) -> Iterator[ContentWord]:
    """Those inside the spans, in order."""
    for part in spans:
        words = words_of(text.content[part.start : part.end])
        places = zip(words.starts.tolist(), words.ends.tolist(), strict=True)
        for place, stem, has_content in zip(
            places, words.stems, words.has_content.tolist(), strict=True
        ):
            if has_content:
                span = Span(part.start + place[0], part.start + place[1])
                yield ContentWord(text.content[span.start : span.end], stem, span)


def contributed_words(pyramid: Pyramid, contributor: Contributor) -> Iterator[ContentWord]:
    """Those with which a reference tells an idea."""
    return content_words(pyramid.reference(contributor.reference), contributor.spans)

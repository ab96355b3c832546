"""Which idea somebody may mean: those come first that share most content words with what is said.

Words are the same that have the same stem. This only puts a list in order; people choose.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from grading.pyramid.encoders.words import sentence_starts
from grading.pyramid.feedback.content_words import ContentWord, content_words, contributed_words
from grading.pyramid.structures import Pyramid, Scu, Span, Spans, Text


@dataclass(frozen=True, slots=True)
class LikelyIdea:
    """``shared`` are the words in common, as they were said, each once."""

    scu: Scu
    shared: tuple[str, ...]


def likely_ideas(pyramid: Pyramid, scus: Iterable[Scu], words: str) -> tuple[LikelyIdea, ...]:
    """The ideas with most words in common first; of equals the heavier, then as they come."""
    words_by_stem = {word.stem: word.word.lower() for word in reversed(_content_words(words))}
    likely = [LikelyIdea(scu, _shared(words_by_stem, _stems(pyramid, scu))) for scu in scus]
    return tuple(sorted(likely, key=lambda one: (-len(one.shared), -one.scu.weight)))


def sentences_of(content: str) -> Spans:
    """The sentences of a text without the white space between them, told by their marks."""
    starts = sentence_starts(content)
    spans = (_trimmed(content, *edges) for edges in zip(starts, [*starts[1:], None], strict=True))
    return tuple(span for span in spans if span.start < span.end)


def likely_sentence(pyramid: Pyramid, scu: Scu, content: str) -> Span | None:
    """The sentence with most words of the idea; None where no sentence has any."""
    stems = _stems(pyramid, scu)
    best, most = None, 0
    for span in sentences_of(content):
        here = {word.stem for word in content_words(Text("", content), (span,))}
        if len(here & stems) > most:
            best, most = span, len(here & stems)
    return best


def _stems(pyramid: Pyramid, scu: Scu) -> frozenset[str]:
    label = scu.label_unit
    wordings = [content_words(label.text, label.spans)]
    wordings += [contributed_words(pyramid, contributor) for contributor in scu.contributors]
    return frozenset(word.stem for words in wordings for word in words)


def _shared(words_by_stem: dict[str, str], stems: frozenset[str]) -> tuple[str, ...]:
    return tuple(word for stem, word in reversed(words_by_stem.items()) if stem in stems)


def _content_words(words: str) -> list[ContentWord]:
    return list(content_words(Text("", words), (Span(0, len(words)),)))


def _trimmed(content: str, start: int, end: int | None) -> Span:
    whole = content[start:end]
    first = start + len(whole) - len(whole.lstrip())
    return Span(first, max(first, start + len(whole.rstrip())))

"""Pyramids written down in a line, and what a matcher found in words."""

from grading.pyramid.config import Config
from grading.pyramid.structures import (
    Contributor,
    Evidence,
    Pyramid,
    Scu,
    SegmentedText,
    Span,
    Text,
)

# Similarities as they are written down, without contrast and numbers.
HALF = Config(min_words=1, match_threshold=0.5, contrast=0.0, number_agreement=0.0)


def pyramid_of(*units: str) -> Pyramid:
    """Content units such as ``a1+b1``: contributors a1 of reference a and b1 of reference b."""
    contents: dict[str, str] = {}
    scus = []
    for uid, unit in enumerate(units, start=1):
        contributors = []
        for word in unit.split("+"):
            content = contents.get(word[0], "")
            span = Span(len(content), len(content) + len(word))
            contents[word[0]] = content + word + " "
            contributors.append(Contributor(word[0], (span,)))
        scus.append(Scu(uid, unit, tuple(contributors)))
    texts = (Text(name, content.rstrip()) for name, content in sorted(contents.items()))
    return Pyramid(tuple(texts), tuple(scus))


def matches_in_words(text: SegmentedText, evidence: Evidence) -> list[tuple[str, int]]:
    return [(text.text.words_at(match.segment.spans), match.scu_uid) for match in evidence.matches]


def counted(text: SegmentedText, evidence: Evidence) -> list[str]:
    return [text.text.words_at(segment.spans) for segment in evidence.segments]

"""Small pyramids, with similarities that are written down."""

from collections.abc import Mapping, Sequence

from grading.pyramid.analysis.quality import Clause, CoveredText
from grading.pyramid.analysis.regrouping import Likeness
from grading.pyramid.config import Config
from grading.pyramid.structures import Contributor, Pyramid, Scu, SegmentedText, Span
from tests.pyramid.cutting import Pairs, Written, cut

Idea = Mapping[str, str]  # reference to its words


def pyramid_of(texts: Sequence[SegmentedText], *ideas: Idea) -> Pyramid:
    """Ideas numbered from 1, labelled by the words of their first reference."""
    contents = {text.text.name: text.text.content for text in texts}
    scus = tuple(
        Scu(uid, next(iter(idea.values())), tuple(_told(contents, idea)))
        for uid, idea in enumerate(ideas, start=1)
    )
    return Pyramid(tuple(text.text for text in texts), scus)


def _told(contents: Mapping[str, str], idea: Idea) -> Sequence[Contributor]:
    return [
        Contributor(name, (span_of(contents[name], words),)) for name, words in sorted(idea.items())
    ]


def span_of(content: str, words: str) -> Span:
    start = content.index(words)
    return Span(start, start + len(words))


def looked_at(
    texts: Sequence[SegmentedText], pyramid: Pyramid, pairs: Pairs
) -> tuple[list[Clause], Likeness]:
    """The uncovered clauses, and how alike all wordings and clauses are."""
    config = Config(min_words=1)
    clauses = [
        clause for text in texts for clause in CoveredText(pyramid, text).uncovered_clauses(config)
    ]
    return clauses, Likeness(pyramid, [clause.unit for clause in clauses], Written(pairs))


def every_pair(similarity: float, *groups: Sequence[str]) -> dict[tuple[str, str], float]:
    """All words of a group are as similar as this to one another."""
    return {(first, other): similarity for group in groups for first in group for other in group}


__all__ = ["cut", "every_pair", "looked_at", "pyramid_of", "span_of"]

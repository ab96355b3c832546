"""What in a text made a match: the words that the experts use for the idea too.

Words are the same that have the same stem. A match may rest on other words as well, since a method
compares meanings; these are the ones that a reader can see for herself.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from grading.pyramid.feedback.content_words import content_words, contributed_words
from grading.pyramid.structures import Match, Pyramid, Scu, Spans, Text, join_spans


@dataclass(frozen=True, slots=True)
class Grounds:
    """``spans``: where the shared words stand in the text; ``words``: the nearest expert's."""

    spans: Spans
    shared: tuple[str, ...]
    words: str


def grounds_of(text: Text, pyramid: Pyramid, match: Match) -> Grounds:
    """The words of the match that any of the idea's experts uses, and the nearest expert's."""
    mine = tuple(content_words(text, match.spans))
    stems = {word.stem for word in mine}
    wordings = list(wordings_of(pyramid, pyramid.scu(match.scu)))
    theirs = frozenset[str]().union(*(wording for wording, _ in wordings))
    shared = [word for word in mine if word.stem in theirs]
    first: dict[str, str] = {}
    for word in shared:
        first.setdefault(word.stem, word.word.lower())
    nearest = max(wordings, key=lambda one: _likeness(stems, one[0]))
    return Grounds(
        spans=join_spans(word.span for word in shared),
        shared=tuple(first.values()),
        words=nearest[1],
    )


def wordings_of(pyramid: Pyramid, scu: Scu) -> Iterator[tuple[frozenset[str], str]]:
    """The stems and the words of each expert; of the label, where no expert tells the idea."""
    for contributor in scu.contributors:
        words = pyramid.reference(contributor.reference).words_at(contributor.spans)
        yield frozenset(word.stem for word in contributed_words(pyramid, contributor)), words
    if not scu.contributors:
        label = scu.label_unit
        yield frozenset(word.stem for word in content_words(label.text, label.spans)), label.words


def _likeness(mine: set[str], theirs: frozenset[str]) -> float:
    """Of all the words of both, how many are shared (Dice)."""
    return 2 * len(mine & theirs) / (len(mine) + len(theirs) or 1)

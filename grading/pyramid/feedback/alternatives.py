"""Which ideas words of a text may tell, the nearest first, and what speaks for each.

Near is what the program measured for these very words, or what has many words in common with them,
whichever is more. This only puts a list in order; people choose.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from grading.pyramid.feedback.content_words import ContentWord, content_words
from grading.pyramid.feedback.grounds import wordings_of
from grading.pyramid.structures import Evidence, Pyramid, Scu, Spans, Text, is_mostly_in


@dataclass(frozen=True, slots=True)
class Alternative:
    """``shared``: words in common, as the text has them; ``nearest``: the expert's most like it.

    ``likeness`` is how much the words have in common with all experts and with the nearest, on the
    mean; ``similarity`` and ``probability`` are the program's, where it measured them.
    """

    scu: Scu
    shared: tuple[str, ...]
    nearest: str
    likeness: float
    similarity: float | None = None
    probability: float | None = None

    @property
    def closeness(self) -> float:
        return max(self.likeness, self.similarity or 0.0)


def alternatives(
    text: Text, pyramid: Pyramid, evidence: Evidence, spans: Spans
) -> tuple[Alternative, ...]:
    """All ideas of the pyramid; of those as near, the heavier first.

    ``found`` is the program's own evidence, in which the measures are.
    """
    chosen = tuple(content_words(text, spans))
    measures = _measures(evidence, spans)
    ranked = [
        _alternative(pyramid, scu, chosen, *measures.get(scu.uid, (None, None)))
        for scu in pyramid.scus
    ]
    return tuple(sorted(ranked, key=lambda one: (-one.closeness, -one.scu.weight, one.scu.uid)))


def is_about(pyramid: Pyramid, scu: Scu, query: str) -> bool:
    """Has the idea all words of the query: in its number, its label, or what an expert says?"""
    wordings = (words for _, words in wordings_of(pyramid, scu))
    there = " ".join((str(scu.uid), scu.label, *wordings)).casefold()
    return all(word in there for word in query.casefold().split())


def _alternative(
    pyramid: Pyramid,
    scu: Scu,
    chosen: tuple[ContentWord, ...],
    similarity: float | None,
    probability: float | None,
) -> Alternative:
    stems = {word.stem for word in chosen}
    wordings = list(wordings_of(pyramid, scu))
    theirs = frozenset[str]().union(*(wording for wording, _ in wordings))
    first: dict[str, str] = {}
    for word in chosen:
        if word.stem in theirs:
            first.setdefault(word.stem, word.word.lower())
    likeness, nearest = max(
        ((_dice(stems, wording), words) for wording, words in wordings), key=lambda one: one[0]
    )
    used = len(stems & theirs) / len(stems) if stems else 0.0
    return Alternative(
        scu, tuple(first.values()), nearest, (used + likeness) / 2, similarity, probability
    )


def _dice(mine: set[str], theirs: frozenset[str]) -> float:
    return 2 * len(mine & theirs) / (len(mine) + len(theirs) or 1)


def _measures(evidence: Evidence, spans: Spans) -> dict[int, tuple[float, float | None]]:
    """By idea: similarity and probability that were measured for a part with these words."""
    measured: dict[int, tuple[float, float | None]] = {}
    for uid, similarity, probability in _measured(evidence, spans):
        if uid not in measured or measured[uid][0] < similarity:
            measured[uid] = similarity, probability
    return measured


def _measured(evidence: Evidence, spans: Spans) -> Iterator[tuple[int, float, float | None]]:
    for match in (*evidence.matches, *evidence.possible):
        part = match.segment.spans
        if is_mostly_in(part, spans) or is_mostly_in(spans, part):
            yield match.scu, match.similarity, match.probability
            yield from ((other.scu, other.similarity, None) for other in match.alternatives)

"""Which ideas some words may express, and which words made a match: by the words that carry
content."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grading.pyramid.encoders.words import sentence_starts, words_of
from grading.pyramid.structures import (
    Contributor,
    Evidence,
    Match,
    Pyramid,
    Scu,
    Span,
    Spans,
    Text,
    is_mostly_in,
    join_spans,
)

# The words of a text that carry content: as they are written, where they stand, by their stems.


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
    """The words with which a reference expresses an idea."""
    return content_words(pyramid.reference(contributor.reference), contributor.spans)


# What in a text made a match: the words that the experts use for the idea too.
#
# Words are the same that have the same stem. A match may rest on other words as well, since a
# method compares meanings; these are the ones that a reader can see for herself.


@dataclass(frozen=True, slots=True)
class Grounds:
    """``spans``: where the shared words are in the text; ``words``: the nearest expert's."""

    spans: Spans
    shared: tuple[str, ...]
    words: str


def grounds_of(text: Text, pyramid: Pyramid, match: Match) -> Grounds:
    """The words of the match that any of the idea's experts uses, and the nearest expert's."""
    mine = tuple(content_words(text, match.spans))
    stems = {word.stem for word in mine}
    wordings = list(wordings_of(pyramid, pyramid.scu(match.scu_uid)))
    theirs = frozenset[str]().union(*(wording for wording, _ in wordings))
    shared = [word for word in mine if word.stem in theirs]
    first: dict[str, str] = {}
    for word in shared:
        first.setdefault(word.stem, word.word.lower())
    nearest = max(wordings, key=lambda wording: _likeness(stems, wording[0]))
    return Grounds(
        spans=join_spans(word.span for word in shared),
        shared=tuple(first.values()),
        words=nearest[1],
    )


def wordings_of(pyramid: Pyramid, scu: Scu) -> Iterator[tuple[frozenset[str], str]]:
    """The stems and the words of each expert; of the label, where no expert expresses the idea."""
    for contributor in scu.contributors:
        words = pyramid.reference(contributor.reference).words_at(contributor.spans)
        yield frozenset(word.stem for word in contributed_words(pyramid, contributor)), words
    if not scu.contributors:
        label = scu.label_unit
        yield frozenset(word.stem for word in content_words(label.text, label.spans)), label.words


def _likeness(mine: set[str], theirs: frozenset[str]) -> float:
    """Of all the words of both, how many are shared (Dice)."""
    return 2 * len(mine & theirs) / (len(mine) + len(theirs) or 1)


# Which ideas words of a text may tell, the nearest first, and what speaks for each.
#
# Near is what the program measured for these very words, or what has many words in common with
# them, whichever is more. This only puts a list in order; people choose.


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
    # By idea: similarity and probability that were measured for a part with these words.
    measures: dict[int, tuple[float, float | None]] = {}
    for uid, similarity, probability in _measured(evidence, spans):
        if uid not in measures or measures[uid][0] < similarity:
            measures[uid] = similarity, probability
    ranked = [
        _alternative(pyramid, scu, chosen, *measures.get(scu.uid, (None, None)))
        for scu in pyramid.scus
    ]
    return tuple(sorted(ranked, key=lambda idea: (-idea.closeness, -idea.scu.weight, idea.scu.uid)))


def is_about(pyramid: Pyramid, scu: Scu, number: int, query: str) -> bool:
    """Has the idea all words of the query: in its number, its label, or what an expert says?"""
    wordings = (words for _, words in wordings_of(pyramid, scu))
    there = " ".join((str(number), scu.label, *wordings)).casefold()
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
        ((_dice(stems, wording), words) for wording, words in wordings), key=lambda pair: pair[0]
    )
    used = len(stems & theirs) / len(stems) if stems else 0.0
    return Alternative(
        scu, tuple(first.values()), nearest, (used + likeness) / 2, similarity, probability
    )


def _dice(mine: set[str], theirs: frozenset[str]) -> float:
    return 2 * len(mine & theirs) / (len(mine) + len(theirs) or 1)


def _measured(evidence: Evidence, spans: Spans) -> Iterator[tuple[int, float, float | None]]:
    for match in (*evidence.matches, *evidence.possible):
        part = match.segment.spans
        if is_mostly_in(part, spans) or is_mostly_in(spans, part):
            yield match.scu_uid, match.similarity, match.probability
            yield from ((other.scu_uid, other.similarity, None) for other in match.alternatives)


# Which idea somebody may mean: those come first that share most content words with what is said.
#
# Words are the same that have the same stem. This only puts a list in order; people choose.


@dataclass(frozen=True, slots=True)
class LikelyIdea:
    """``shared`` are the words in common, as they are in the text, each once."""

    scu: Scu
    shared: tuple[str, ...]


def likely_ideas(pyramid: Pyramid, scus: Iterable[Scu], words: str) -> tuple[LikelyIdea, ...]:
    """The ideas with most words in common first; of equals the heavier, then as they come."""
    content = list(content_words(Text("", words), (Span(0, len(words)),)))
    words_by_stem = {word.stem: word.word.lower() for word in reversed(content)}
    likely = [LikelyIdea(scu, _shared(words_by_stem, _stems(pyramid, scu))) for scu in scus]
    return tuple(sorted(likely, key=lambda idea: (-len(idea.shared), -idea.scu.weight)))


def sentences_of(content: str) -> Spans:
    """The sentences of a text without the white space between them, found by their marks."""
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


def _trimmed(content: str, start: int, end: int | None) -> Span:
    whole = content[start:end]
    first = start + len(whole) - len(whole.lstrip())
    return Span(first, max(first, start + len(whole.rstrip())))

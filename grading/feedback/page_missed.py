"""What a text lacks, as far as its reader is told, and how much of each weight it has."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grading.feedback.page_found import FoundIdea, Quote
from grading.models import Missed, Sight
from grading.pyramid.feedback.topics import Topics
from grading.pyramid.structures import Pyramid, ScoreReport, Scu, Standing
from grading.web.ideas import band_of, heaviest_of

SHOWN_AT_ONCE = 10
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class WeightCount:
    """How many of the ideas of one weight the text expresses; of how many, if that is told."""

    weight: int
    band: int
    found: int
    total: int | None
    told: str  # what it means for the ideas that were found

    @property
    def missed(self) -> int:
        return 0 if self.total is None else self.total - self.found


@dataclass(frozen=True, slots=True)
class MissedIdea:
    """An idea that the text lacks, numbered from 1, with what its reader is told of it."""

    number: int
    weight: int
    band: int
    label: str
    topics: tuple[str, ...]
    quote: Quote | None
    must: bool  # must count; for graders

    @property
    def quotes_its_label(self) -> bool:
        return self.quote is not None and _says_the_same(self.quote.words, self.label)


@dataclass(frozen=True, slots=True)
class MissedIdeas:
    """``ideas`` only where at least hints are told."""

    count: int
    first: tuple[MissedIdea, ...] = ()
    more: tuple[MissedIdea, ...] = ()


def missed_ideas_of(pyramid: Pyramid, report: ScoreReport) -> tuple[Scu, ...]:
    """Heaviest first, then as the pyramid has them: the order that pages and requests count by."""
    found = {match.scu for match in report.evidence.credited}
    missed = [scu for scu in pyramid.counted().scus if scu.uid not in found]
    return tuple(sorted(missed, key=lambda scu: -scu.weight))


def missed_of(pyramid: Pyramid, report: ScoreReport, sight: Sight) -> MissedIdeas | None:
    """None where nothing is told, not even whether there are any."""
    if sight.missed == Missed.NOTHING:
        return None
    scus = missed_ideas_of(pyramid, report)
    if sight.missed == Missed.COUNTS:
        return MissedIdeas(len(scus))
    shown = _Shown(pyramid, sight)
    ideas = tuple(shown.idea(number, scu) for number, scu in enumerate(scus, start=1))
    return MissedIdeas(len(ideas), ideas[:SHOWN_AT_ONCE], ideas[SHOWN_AT_ONCE:])


class _Shown:
    """The ideas of one pyramid, as far as one reader is told."""

    def __init__(self, pyramid: Pyramid, sight: Sight) -> None:
        self._pyramid, self._sight = pyramid, sight
        self._heaviest = heaviest_of(pyramid)
        self._topics = Topics(pyramid) if sight.missed == Missed.HINTS else None

    def idea(self, number: int, scu: Scu) -> MissedIdea:
        return MissedIdea(
            number=number,
            weight=scu.weight,
            band=band_of(scu.weight, self._heaviest),
            label="" if self._topics else scu.label,
            topics=self._topics.words(scu) if self._topics else (),
            quote=_quote(scu, self._pyramid, self._sight),
            must=self._sight.full and scu.standing is Standing.MUST,
        )


def _quote(scu: Scu, pyramid: Pyramid, sight: Sight) -> Quote | None:
    """Of the expert with most words that are not just the label; graders are told who that is."""
    if sight.missed != Missed.SENTENCES:
        return None
    quotes = (
        Quote(
            part.reference if sight.full else "",
            pyramid.reference(part.reference).words_at(part.spans),
        )
        for part in scu.contributors
    )
    return max(quotes, key=lambda one: _worth(one.words, scu.label), default=None)


def _worth(words: str, label: str) -> tuple[bool, int]:
    return not _says_the_same(words, label), len(words.split())


def _says_the_same(one: str, other: str) -> bool:
    """But for capitals, marks and spaces."""
    return _WORD.findall(one.casefold()) == _WORD.findall(other.casefold())


def weights_of(
    pyramid: Pyramid, found: Sequence[FoundIdea], sight: Sight, heaviest: int
) -> tuple[WeightCount, ...]:
    """Heaviest first; where nothing is told of what is missing, only weights that were found."""
    hits = Counter(one.idea.weight for one in found)
    by_hand = {one.idea.weight for one in found if one.idea.is_must or one.idea.is_given}
    if sight.missed == Missed.NOTHING:
        totals: dict[int, int | None] = dict.fromkeys(hits)
    else:
        totals = dict(Counter(scu.weight for scu in pyramid.scus))
    experts = len(pyramid.references)
    return tuple(
        WeightCount(
            weight=weight,
            band=band_of(weight, heaviest),
            found=hits[weight],
            total=totals[weight],
            told=f"weight {weight}" if weight in by_hand else f"in {weight} of {experts} summaries",
        )
        for weight in sorted(totals, reverse=True)
    )

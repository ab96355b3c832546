"""Content units as pages show them: in bands by weight, with the words of those who say so."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from grading.pyramid.structures import Pyramid, ScoreReport, Scu, Standing

BANDS = 5  # styles that a page tells apart, whatever the number of references


@dataclass(frozen=True, slots=True)
class Idea:
    uid: int
    number: int  # the same on all pages of a version
    label: str
    weight: int
    band: int
    references: int
    contributors: tuple[tuple[str, str], ...]  # reference, its words
    standing: Standing
    comment: str

    @property
    def is_must(self) -> bool:
        return self.standing is Standing.MUST

    @property
    def is_given(self) -> bool:
        """Was the weight set manually, and not counted?"""
        return self.weight != len(self.contributors)

    @property
    def importance(self) -> str:
        """Where its importance comes from, in words that can follow others."""
        count = len(self.contributors)
        experts = f"in {count} of {self.references} expert summaries" if count else ""
        if self.is_must:
            return f"must count; {experts}" if experts else "must count"
        if self.is_given and experts:
            return f"weight set manually; {experts}"
        return experts or "from the list of ideas asked for"

    @property
    def source(self) -> str:
        """The same as a sentence."""
        return f"{self.importance[0].upper()}{self.importance[1:]}."


@dataclass(frozen=True, slots=True)
class IdeaBand:
    """The ideas of one weight."""

    weight: int
    references: int
    ideas: tuple[Idea, ...]

    @property
    def words(self) -> str:
        """How many references express these ideas, or that their weight was set manually."""
        if any(idea.is_given for idea in self.ideas):
            return "weight set manually" if all(idea.is_given for idea in self.ideas) else ""
        if self.weight < self.references:
            return f"{self.weight} of {self.references} references"
        return "the reference" if self.weight == 1 else f"all {self.weight} references"


@dataclass(frozen=True, slots=True)
class Bands:
    """A pyramid to look at: the bands that score, the heaviest first, and what does not count."""

    bands: tuple[IdeaBand, ...]
    weightless: tuple[Idea, ...]
    aside: tuple[Idea, ...]
    references: int
    notes: tuple[str, ...]

    @property
    def ideas(self) -> int:
        return sum(len(band.ideas) for band in self.bands)


def bands_of(pyramid: Pyramid) -> Bands:
    counted = pyramid.counted()
    looked_for = {scu.uid for scu in counted.scus}
    left = [scu for scu in pyramid.scus if scu.uid not in looked_for]
    aside = [scu for scu in left if scu.standing is Standing.ASIDE]
    weightless = [scu for scu in left if scu.standing is not Standing.ASIDE]
    ideas = Ideas(pyramid)
    return Bands(
        bands=tuple(_bands(counted)),
        weightless=tuple(ideas.of(scu) for scu in weightless),
        aside=tuple(ideas.of(scu) for scu in aside),
        references=len(pyramid.references),
        notes=pyramid.notes,
    )


def _bands(counted: Pyramid) -> Iterator[IdeaBand]:
    def weight(scu: Scu) -> int:
        return scu.weight

    ideas = Ideas(counted)
    for band, scus in groupby(sorted(counted.scus, key=weight, reverse=True), key=weight):
        yield IdeaBand(band, len(counted.references), tuple(ideas.of(scu) for scu in scus))


class Ideas:
    """The ideas of a pyramid as pages show them, with their numbers and bands.

    Bands are measured by ``heaviest``; without it, as ``heaviest_of`` says.
    """

    def __init__(self, pyramid: Pyramid, heaviest: int = 0) -> None:
        self._numbers = pyramid.numbers()
        self._heaviest = heaviest or heaviest_of(pyramid)
        self._references = {text.name: text for text in pyramid.references}

    def of(self, scu: Scu) -> Idea:
        return Idea(
            uid=scu.uid,
            number=self._numbers[scu.uid],
            label=scu.label,
            weight=scu.weight,
            band=band_of(scu.weight, self._heaviest),
            references=len(self._references),
            contributors=tuple(
                (part.reference, self._references[part.reference].words_at(part.spans))
                for part in scu.contributors
            ),
            standing=scu.standing,
            comment=scu.comment,
        )


def missed_ideas_of(pyramid: Pyramid, report: ScoreReport) -> tuple[Scu, ...]:
    """The ideas that a text lacks, in the order of their numbers."""
    matched = {match.scu_uid for match in report.evidence.credited}
    numbers = pyramid.numbers()
    missed = [scu for scu in pyramid.counted().scus if scu.uid not in matched]
    return tuple(sorted(missed, key=lambda scu: numbers[scu.uid]))


def heaviest_of(pyramid: Pyramid) -> int:
    """What bands are measured by: what all references say, or more where that is given."""
    return max(len(pyramid.references), *(scu.weight for scu in pyramid.scus), 1)


def band_of(weight: int, heaviest: int) -> int:
    """5 for the heaviest, down to 1."""
    most = max(heaviest, 1)
    return max(1, ceil(BANDS * min(weight, most) / most))

"""A whole pyramid to be read or printed: bands of ideas with experts' words and comments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from grading.pyramid.formats.word_search import PARTED
from grading.pyramid.structures import Contributor, Pyramid, Scu, Standing
from grading.web.ideas import band_of, heaviest_of


@dataclass(frozen=True, slots=True)
class OutlinedContributor:
    reference: str
    words: str
    comment: str


@dataclass(frozen=True, slots=True)
class OutlinedIdea:
    number: int
    label: str
    comment: str
    must: bool  # must it count?
    given: bool  # is the weight set manually, whatever the number of contributors?
    contributors: tuple[OutlinedContributor, ...]


@dataclass(frozen=True, slots=True)
class OutlinedBand:
    """Ideas of a weight; ``more`` are those that are not shown."""

    weight: int
    style: int
    ideas: tuple[OutlinedIdea, ...]
    more: int = 0

    @property
    def count(self) -> int:
        return len(self.ideas) + self.more


@dataclass(frozen=True, slots=True)
class Outline:
    bands: tuple[OutlinedBand, ...]
    aside: tuple[OutlinedIdea, ...]


def outline_of(pyramid: Pyramid, *, most: int | None = None) -> Outline:
    """All ideas, the heaviest first, or so many of a band; those set aside come separately."""
    aside = [scu for scu in pyramid.scus if scu.standing is Standing.ASIDE]
    looked_for = (scu for scu in pyramid.scus if scu.standing is not Standing.ASIDE)
    numbers = pyramid.numbers()
    return Outline(
        tuple(_bands(pyramid, looked_for, numbers, most)),
        tuple(_ideas(pyramid, aside[:most], numbers)),
    )


def _bands(
    pyramid: Pyramid, scus: Iterable[Scu], numbers: Mapping[int, int], most: int | None
) -> Iterable[OutlinedBand]:
    heaviest = heaviest_of(pyramid)
    heaviest_first = sorted(scus, key=lambda scu: -scu.weight)
    for weight, group in groupby(heaviest_first, key=lambda scu: scu.weight):
        band = list(group)
        shown = band[:most]
        ideas = tuple(_ideas(pyramid, shown, numbers))
        yield OutlinedBand(weight, band_of(weight, heaviest), ideas, len(band) - len(shown))


def _ideas(
    pyramid: Pyramid, scus: Sequence[Scu], numbers: Mapping[int, int]
) -> Iterable[OutlinedIdea]:
    for scu in scus:
        yield OutlinedIdea(
            numbers[scu.uid],
            scu.label,
            scu.comment,
            scu.standing is Standing.MUST,
            scu.given_weight is not None and bool(scu.contributors),
            tuple(_contributor(pyramid, contributor) for contributor in scu.contributors),
        )


def _contributor(pyramid: Pyramid, contributor: Contributor) -> OutlinedContributor:
    text = pyramid.reference(contributor.reference)
    words = PARTED.join(text.words_at((span,)) for span in contributor.spans)
    return OutlinedContributor(contributor.reference, words, contributor.comment)

"""Content units as pages show them: with a band, and with the words of those who say so."""

from dataclasses import dataclass
from math import ceil

from grading.pyramid.structures import Pyramid, Scu

BANDS = 5  # styles that a page tells apart, whatever the number of references


@dataclass(frozen=True, slots=True)
class Idea:
    uid: int
    label: str
    weight: int
    band: int
    references: int
    contributors: tuple[tuple[str, str], ...]  # reference, its words


def idea_of(pyramid: Pyramid, scu: Scu) -> Idea:
    return Idea(
        uid=scu.uid,
        label=scu.label,
        weight=scu.weight,
        band=band_of(scu.weight, len(pyramid.references)),
        references=len(pyramid.references),
        contributors=tuple(
            (part.reference, pyramid.reference(part.reference).words_at(part.spans))
            for part in scu.contributors
        ),
    )


def band_of(weight: int, references: int) -> int:
    """5 for what all references say, down to 1."""
    return ceil(BANDS * weight / max(weight, references, 1))
